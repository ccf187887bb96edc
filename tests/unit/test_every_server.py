"""What holds of every server: its address, who is let in, how long it may take, when it is asked again, and who else is not."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from groundwire.adapters.servers.api import ANSWER_LIMIT, HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendError,
    BackendMalformedError,
    BackendRejectedError,
    BackendTimeoutError,
    BackendUnavailableError,
)
from tests.every_server import SERVERS, Between, Server

URL = "http://server.test:8080/behind/a/proxy"
PREFIX = "/behind/a/proxy"
SECRET = "h4nter2-Secret"
MEGABYTE = 1024 * 1024


@pytest.fixture(params=list(SERVERS))
def server(request: pytest.FixtureRequest) -> Server:
    return SERVERS[request.param]


def _between(server: Server, *first: Callable[[], httpx.Response]) -> Between:
    return Between(server.holding(), prefix=PREFIX, first=list(first))


def _ask(server: Server, between: Between, *, url: str = URL, text: str = "", seconds: float = 30, **options: Any) -> Any:
    backend = server.make(url, HttpOptions(transport=between, **{"pause": lambda _: None, **options}))
    return server.ask(backend, text, Deadline.after(seconds))


@pytest.mark.parametrize("url", [URL, URL + "/", URL.replace("http://", "http://ops@")])
def test_its_api_is_found_behind_the_path_of_its_url(server: Server, url: str) -> None:
    between = _between(server)
    assert _ask(server, between, url=url) == (1, ())
    assert {(request.url.host, request.url.port) for request in between.asked} == {("server.test", 8080)}
    assert between.paths <= server.paths


def test_headers_and_a_bearer_token_go_with_every_request(server: Server) -> None:
    between = _between(server)
    _ask(server, between, headers={"Authorization": f"Bearer {SECRET}", "X-Route": "eu"})
    sent = {(request.headers["authorization"], request.headers["x-route"]) for request in between.asked}
    assert sent == {(f"Bearer {SECRET}", "eu")}


def test_a_user_and_password_go_with_every_request_and_stand_in_no_url(server: Server) -> None:
    between = _between(server)
    _ask(server, between, url=URL.replace("http://", f"http://ops:{SECRET}@"))
    basic = f"Basic {base64.b64encode(f'ops:{SECRET}'.encode()).decode()}"
    assert {request.headers["authorization"] for request in between.asked} == {basic}
    assert SECRET not in "".join(str(request.url) for request in between.asked)


def test_connecting_and_reading_have_times_of_their_own_within_the_deadline(server: Server) -> None:
    between = _between(server)
    _ask(server, between, connect_timeout_s=1.5, read_timeout_s=2.5)
    assert {_timeouts(request) for request in between.asked} == {(1.5, 2.5)}
    late = _between(server)
    _ask(server, late, seconds=1)
    assert all(0 < time <= 1 for time in _timeouts(late.asked[0]))


def _timeouts(request: httpx.Request) -> tuple[float, float]:
    timeout = request.extensions["timeout"]
    return timeout["connect"], timeout["read"]


@pytest.mark.parametrize(
    ("error", "after"), [(httpx.ConnectTimeout(""), "1.5 s"), (httpx.ReadTimeout(""), "2.5 s")], ids=["connect", "read"]
)
def test_who_does_not_answer_in_that_time_has_timed_out(server: Server, error: Exception, after: str) -> None:
    with pytest.raises(BackendTimeoutError, match=f"src: no answer within {after}"):
        _ask(server, _between(server, _raising(error)), connect_timeout_s=1.5, read_timeout_s=2.5)


def _raising(error: Exception) -> Callable[[], httpx.Response]:
    def answer() -> httpx.Response:
        raise error

    return answer


@pytest.mark.parametrize("status", [429, 502, 503])
def test_who_is_busy_is_asked_once_more_after_as_long_as_it_says(server: Server, status: int) -> None:
    plain, pauses = _between(server), list[float]()
    found = _ask(server, plain)
    between = _between(server, lambda: httpx.Response(status, headers={"Retry-After": "2"}))
    assert _ask(server, between, pause=pauses.append) == found
    assert (pauses, len(between.asked)) == ([2.0], len(plain.asked) + 1)
    assert _same(between.asked[0], between.asked[1])


def _same(one: httpx.Request, other: httpx.Request) -> bool:
    return (one.method, one.url) == (other.method, other.url)


def test_it_is_asked_once_more_and_not_twice(server: Server) -> None:
    between = _between(server, *[lambda: httpx.Response(503, text="starting up")] * 2)
    with pytest.raises(BackendUnavailableError, match="src: HTTP 503 Service Unavailable: starting up"):
        _ask(server, between)
    assert len(between.asked) == 2


@pytest.mark.parametrize(("status", "wait", "seconds"), [(429, "4", 3), (503, "4", 3), (500, "1", 30), (400, "1", 30)])
def test_nobody_waits_beyond_the_deadline_or_for_who_is_not_busy(server: Server, status: int, wait: str, seconds: float) -> None:
    pauses: list[float] = []
    between = _between(server, lambda: httpx.Response(status, headers={"Retry-After": wait}, text="later"))
    with pytest.raises(BackendError, match=f"src: HTTP {status} .*: later"):
        _ask(server, between, seconds=seconds, pause=pauses.append)
    assert (pauses, len(between.asked)) == ([], 1)


class Endless(httpx.SyncByteStream):
    """A body that goes on until nobody reads it any more, and counts how much was taken."""

    def __init__(self, taken: list[int]) -> None:
        self._taken = taken

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"status":"success","data":['
        while True:
            self._taken.append(MEGABYTE)
            yield b" " * MEGABYTE


def test_of_an_endless_answer_16_mb_are_read_and_that_is_said(server: Server) -> None:
    taken: list[int] = []
    between = _between(server, *[lambda: httpx.Response(200, stream=Endless(taken))] * 50)
    with pytest.raises(BackendMalformedError) as raised:
        count, said = _ask(server, between)
        raise BackendMalformedError("src", f"answered {count}, and said: {'; '.join(said)}", answer="")
    assert any(words in raised.value.message for words in ("more than 16 MB", "larger than an answer may be")), (
        raised.value.message
    )
    assert sum(taken) <= len(between.asked) * (ANSWER_LIMIT + MEGABYTE)


@pytest.mark.parametrize(
    "target",
    [
        "http://elsewhere.test/behind/a/proxy/x",
        "https://server.test:8080/x",
        "http://server.test:8081/x",
        "//elsewhere.test/x",
        "http://server.test.elsewhere.test:8080/x",
    ],
)
def test_a_redirect_to_another_server_is_not_followed(server: Server, target: str) -> None:
    between = _between(server, lambda: httpx.Response(302, headers={"location": target}))
    with pytest.raises(BackendRejectedError, match=r"redirects to .*, which is not followed \(HTTP 302\)"):
        _ask(server, between, headers={"authorization": f"Bearer {SECRET}"})
    assert [request.url.host for request in between.asked] == ["server.test"]


def test_a_redirect_within_the_server_is_followed_with_the_same_question(server: Server) -> None:
    plain = _between(server)
    found = _ask(server, plain)
    first = plain.asked[0].url.raw_path.decode()
    between = _between(server, lambda: httpx.Response(308, headers={"location": first}))
    assert _ask(server, between) == found
    assert _same(between.asked[0], between.asked[1])


@pytest.mark.parametrize("status", [400, 401, 403, 500])
@pytest.mark.parametrize("way", ["token", "key", "password"])
def test_credentials_stand_in_no_error_description_or_log(
    server: Server, status: int, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    headers = {"token": {"Authorization": f"Bearer {SECRET}"}, "key": {"X-Api-Key": SECRET}}.get(way, {})
    url = URL.replace("http://", f"http://ops:{SECRET}@") if way == "password" else URL
    echo = [lambda: httpx.Response(status, json={"error": f"no access for {SECRET}", "message": SECRET})] * 20
    with pytest.raises(BackendError) as raised:
        _ask(server, _between(server, *echo), url=url, headers=headers)
    options = HttpOptions(transport=_between(server, *echo), headers=headers)
    said = [str(raised.value), raised.value.message, str(raised.value.hint), repr(raised.value), repr(options)]
    said += [str(server.make(url, options).describe()), caplog.text]
    assert "no access for ***" in raised.value.message
    assert SECRET not in "\n".join(said)


@pytest.mark.parametrize(
    "text",
    [
        "http://elsewhere.test/x",
        "//elsewhere.test",
        "../../_cluster/settings",
        "orders/../../x?y=z#",
        "@elsewhere.test",
        "%2e%2e/x",
    ],
)
def test_no_question_supplies_a_url_or_a_path(server: Server, text: str) -> None:
    between = _between(server)
    _ask(server, between, text=text)
    assert {request.url.host for request in between.asked} == {"server.test"}
    assert between.paths <= server.paths


def test_nor_does_anything_that_a_server_says(server: Server) -> None:
    between = _between(server)
    inner = between.server

    def hostile(request: httpx.Request) -> httpx.Response:
        answer = inner.handle_request(request)
        said = answer.read().decode()
        for name in ("orders", "up", "Down", "service", "job"):
            said = said.replace(json.dumps(name), json.dumps("../../http://elsewhere.test/x"))
        return httpx.Response(answer.status_code, text=said)

    between.server = httpx.MockTransport(hostile)
    with suppress(BackendError):
        _ask(server, between)
    assert len(between.asked) > 1
    assert {request.url.host for request in between.asked} == {"server.test"}
    assert between.paths <= server.paths
