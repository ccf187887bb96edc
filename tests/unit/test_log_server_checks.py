"""What servers of logs say of themselves: version, latency, clock, and what is missing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from groundwire.adapters.logs.server_checks import ServerCheck, check_elasticsearch, check_loki, check_victorialogs
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendUnavailableError
from groundwire.domain.source_check import SourceCheck

NOW = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
DATE = "Thu, 12 Nov 2026 10:15:07 GMT"
BUILD = {"version": "3.1.0", "revision": "935aee77e", "branch": "HEAD", "goVersion": "go1.22.4"}
ELASTIC = {
    "name": "es-0",
    "cluster_name": "logs",
    "version": {"number": "8.15.0", "build_flavor": "default"},
    "tagline": "You Know",
}
OPEN = {"name": "os-0", "version": {"distribution": "opensearch", "number": "2.17.1"}}
METRICS = (
    'vm_app_start_timestamp 1794470000\nvm_app_version{version="victoria-logs-20260901-100000-tags-v1.29.0-0-g0123456789", '
    'short_version="v1.29.0"} 1\n'
)


def _check(check: ServerCheck, answers: dict[str, Any], status: int = 404) -> SourceCheck:
    def answer(request: httpx.Request) -> httpx.Response:
        said = answers.get(request.url.path)
        if said is None:
            return httpx.Response(status, text="not for you")
        headers = {"date": DATE}
        return (
            httpx.Response(200, text=said, headers=headers)
            if isinstance(said, str)
            else httpx.Response(200, json=said, headers=headers)
        )

    options = HttpOptions(transport=httpx.MockTransport(answer), pause=lambda _: None)
    return check(ServerApi("logs", "http://logs.test", options), Deadline.after(10), lambda: NOW)


@pytest.mark.parametrize(
    ("check", "answers", "version"),
    [
        (check_loki, {"/loki/api/v1/status/buildinfo": BUILD}, "3.1.0"),
        (check_elasticsearch, {"/": ELASTIC, "/_cluster/health": {"status": "yellow"}}, "Elasticsearch 8.15.0"),
        (check_elasticsearch, {"/": OPEN}, "OpenSearch 2.17.1"),
        (check_victorialogs, {"/health": "OK", "/metrics": METRICS}, "v1.29.0"),
    ],
)
def test_a_server_says_its_version_and_clock(check: ServerCheck, answers: dict[str, Any], version: str) -> None:
    found = _check(check, answers)
    assert (found.version, found.clock_difference_s, found.missing) == (version, 7.0, ())
    assert found.latency_ms is not None


def test_a_red_cluster_cannot_search_all_that_it_has() -> None:
    found = _check(check_elasticsearch, {"/": ELASTIC, "/_cluster/health": {"status": "red"}})
    assert found.missing == ("its cluster is red, so that a part of the documents cannot be searched",)


@pytest.mark.parametrize(
    ("check", "answers"), [(check_loki, {}), (check_elasticsearch, {}), (check_victorialogs, {"/health": "OK"})]
)
def test_a_server_that_refuses_to_say_its_version_is_still_there(check: ServerCheck, answers: dict[str, Any]) -> None:
    found = _check(check, answers, status=403)
    assert (found.version, found.missing) == (None, ("it does not say its version (HTTP 403 Forbidden: not for you)",))


@pytest.mark.parametrize("check", [check_loki, check_elasticsearch, check_victorialogs])
def test_a_server_that_is_ill_is_an_error_in_its_own_words(check: ServerCheck) -> None:
    with pytest.raises(BackendUnavailableError, match="HTTP 503 Service Unavailable: not for you"):
        _check(check, {}, status=503)


@pytest.mark.parametrize(("check", "path"), [(check_loki, "/loki/api/v1/status/buildinfo"), (check_elasticsearch, "/")])
@pytest.mark.parametrize("body", [["x"], "<html>"])
def test_an_answer_of_another_shape_is_an_error(check: ServerCheck, path: str, body: Any) -> None:
    with pytest.raises(BackendError):
        _check(check, {path: body})
