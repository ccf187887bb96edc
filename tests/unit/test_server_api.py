"""Requests to a server: when it is asked again, what is read of a long answer, and who is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendRejectedError, BackendUnavailableError, UsageError

_OK = httpx.Response(200, json={"ok": True})


class _Server(httpx.BaseTransport):
    def __init__(self, answers: Sequence[httpx.Response]) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return self.answers.pop(0)


def _api(server: _Server, pauses: list[float]) -> ServerApi:
    return ServerApi("logs", "http://logs.test/base", HttpOptions(transport=server, pause=pauses.append))


@pytest.mark.parametrize(
    ("status", "headers", "paused"),
    [
        (429, {"retry-after": "2"}, 2.0),
        (502, {}, 0.5),
        (503, {"retry-after": "soon"}, 0.5),
        (503, {"retry-after": "Thu, 12 Nov 2026 10:00:07 GMT", "date": "Thu, 12 Nov 2026 10:00:00 GMT"}, 7.0),
        (503, {"retry-after": "Thu, 12 Nov 2015 10:00:00 GMT"}, 0.0),
    ],
)
def test_a_server_that_asks_for_it_is_asked_again_once(status: int, headers: dict[str, str], paused: float) -> None:
    pauses: list[float] = []
    server = _Server([httpx.Response(status, headers=headers), _OK])
    assert _api(server, pauses).get("/q", {"a": "1"}, Deadline.after(10)).value == {"ok": True}
    assert pauses == [paused]
    assert [str(request.url) for request in server.asked] == ["http://logs.test/base/q?a=1"] * 2


def test_a_second_refusal_is_the_answer_in_the_servers_words() -> None:
    pauses: list[float] = []
    server = _Server([httpx.Response(503, text="starting up"), httpx.Response(503, text="still starting up")])
    with pytest.raises(BackendUnavailableError, match="HTTP 503 Service Unavailable: still starting up"):
        _api(server, pauses).get("/q", {}, Deadline.after(10))
    assert len(pauses) == 1


def test_nobody_waits_beyond_the_deadline_nor_asks_again_where_it_would_not_help() -> None:
    pauses: list[float] = []
    for wait in ("4", "900", "9" * 400, "Thu, 12 Nov 2099 10:00:00 GMT"):
        late = _Server([httpx.Response(429, headers={"retry-after": wait}, text="slow down")])
        with pytest.raises(BackendRejectedError, match="HTTP 429 Too Many Requests: slow down"):
            _api(late, pauses).get("/q", {}, Deadline.after(3))
    refused = _Server([httpx.Response(400, text="no such field")])
    with pytest.raises(BackendRejectedError, match="no such field"):
        _api(refused, pauses).get("/q", {}, Deadline.after(3))
    assert pauses == []


def test_of_a_long_answer_as_much_is_read_as_was_asked_for() -> None:
    server = _Server([httpx.Response(200, text="line\n" * 1000, headers={"content-type": "application/stream+json; v=1"})])
    body = _api(server, []).fetch("POST", "/q", Deadline.after(5), document={"query": "*"}, limit=12)
    assert (body.content, body.cut, body.content_type) == (b"line\nline\nli", True, "application/stream+json")
    assert (server.asked[0].method, server.asked[0].content) == ("POST", b'{"query":"*"}')


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    empty = tmp_path / "ca.pem"
    empty.write_text("no certificate")
    for path, why in ((empty, "holds no certificate"), (tmp_path / "none.pem", "No such file")):
        with pytest.raises(UsageError, match=why):
            ServerApi("logs", "https://logs.test", HttpOptions(ca_file=str(path)))


def test_credentials_do_not_come_back_in_the_form_in_which_basic_authentication_sends_them() -> None:
    # base64 of "eve:hunter2", as RFC 7617 makes it
    said = httpx.Response(401, json={"error": "bad credentials Basic ZXZlOmh1bnRlcjI= of eve, hunter2"})
    api = ServerApi("logs", "http://eve:hunter2@logs.test", HttpOptions(transport=_Server([said])))
    with pytest.raises(BackendRejectedError) as refused:
        api.get("/q", {}, Deadline.after(10))
    assert refused.value.message == "logs: HTTP 401 Unauthorized: bad credentials Basic *** of eve, ***"


@pytest.mark.parametrize("url", ["http://[::1", "http://logs.test:0", "http://logs.test:65536", "http://logs.test:x"])
def test_a_url_that_no_server_has_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(UsageError, match="URL") as refused:
        ServerApi("logs", url, HttpOptions())
    assert refused.value.hint == "Write it like http://server:9090."


def test_a_redirect_that_is_not_followed_is_told_with_its_port() -> None:
    moved = httpx.Response(302, headers={"location": "http://eve:hunter2@logs.test:9999/x?token=abcdef"})
    with pytest.raises(BackendRejectedError) as refused:
        _api(_Server([moved]), []).get("/q", {}, Deadline.after(10))
    assert refused.value.message == (
        "logs: http://logs.test/base redirects to http://logs.test:9999, which is not followed (HTTP 302)"
    )


def test_a_proxy_of_the_environment_is_told_of_without_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://eve:hunter2@127.0.0.1:9")
    with pytest.raises(BackendUnavailableError) as unreached:
        ServerApi("logs", "http://logs.test", HttpOptions()).get("/q", {}, Deadline.after(5))
    assert unreached.value.message.endswith("Connection refused (the environment names a proxy for http)")
    monkeypatch.setenv("http_proxy", "gopher://eve:hunter2@127.0.0.1:9")
    with pytest.raises(BackendUnavailableError) as unusable:
        ServerApi("logs", "http://logs.test", HttpOptions()).get("/q", {}, Deadline.after(5))
    assert unusable.value.message == ("logs: cannot reach http://logs.test: the proxy that the environment names cannot be used")
    assert unusable.value.hint is not None
    assert "hunter2" not in f"{unreached.value} {unusable.value} {unusable.value.hint}"
