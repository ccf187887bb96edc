"""Every server behind real connections on 127.0.0.1: nobody there, an answer that stops, one that trickles, one that breaks."""

from __future__ import annotations

import socket
import time
from http.server import BaseHTTPRequestHandler
from threading import Event

import pytest

from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendTimeoutError, BackendUnavailableError
from tests.every_server import SERVERS, Server
from tests.loopback import serving

QUICK = HttpOptions(read_timeout_s=0.3)


@pytest.fixture(params=list(SERVERS))
def server(request: pytest.FixtureRequest) -> Server:
    return SERVERS[request.param]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _ask(server: Server, url: str, *, seconds: float = 5) -> None:
    server.ask(server.make(url, QUICK), "", Deadline.after(seconds))


def test_nobody_there_is_unavailable_in_the_words_of_the_system(server: Server) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(BackendUnavailableError, match="Connection refused") as raised:
            _ask(server, url)
        assert raised.value.message.startswith(f"src: cannot reach {url}: ")
        assert raised.value.message in server.make(url, QUICK).describe().problems


def test_an_answer_that_stops_in_its_middle_times_out(server: Server) -> None:
    ended = Event()

    def stop(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"status":"success","data":[')
        handler.wfile.flush()
        ended.wait(10)

    with serving(stop) as url:
        try:
            with pytest.raises(BackendTimeoutError, match=r"no answer within 0\.3 s"):
                _ask(server, url)
        finally:
            ended.set()


def test_an_answer_that_trickles_is_held_to_the_deadline(server: Server) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(200):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass

    with serving(trickle) as url, pytest.raises(BackendTimeoutError, match=r"no answer within 0\.5 s"):
        _ask(server, url, seconds=0.5)


def test_a_connection_that_breaks_in_the_middle_is_unavailable(server: Server) -> None:
    def cut(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"status":"success"')

    with serving(cut) as url, pytest.raises(BackendUnavailableError, match=r"cannot reach http://127\.0\.0\.1"):
        _ask(server, url)
