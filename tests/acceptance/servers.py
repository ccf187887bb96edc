"""A server on 127.0.0.1 that answers what a test writes down, or nothing at all."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit


class Answer(NamedTuple):
    """One answer of the server."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"


_NOT_FOUND = Answer(b'{"status":"error","errorType":"not_found","error":"no such path"}', 404)

Answering = Callable[[Mapping[str, str]], Answer | None]
"""Gives the answer to a query's parameters; None: the connection stays open and nothing comes."""


def _not_found(params: Mapping[str, str]) -> Answer | None:
    return _NOT_FOUND


class StubServer:
    """Answers by path; ``answers`` may be changed while it runs. To any other path it answers ``otherwise``: 404 with a
    Prometheus-like body.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answering] = {}
        self.otherwise: Answering = _not_found
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.released = threading.Event()
        self.url = ""

    def put(self, path: str, value: Any, status: int = 200) -> None:
        answer = Answer(json.dumps(value).encode(), status)
        self.answers[path] = lambda params: answer

    def put_raw(self, path: str, body: bytes, status: int = 200, content_type: str = "text/html") -> None:
        answer = Answer(body, status, content_type)
        self.answers[path] = lambda params: answer

    def hang(self, path: str) -> None:
        self.answers[path] = lambda params: None

    def become_prometheus(self, *alerts: dict[str, Any], warnings: tuple[str, ...] = ()) -> None:
        """Answer as a Prometheus 3 with one alerting rule does."""
        said: dict[str, Any] = {"status": "success", "data": {"alerts": list(alerts)}}
        if warnings:
            said["warnings"] = list(warnings)
        self.put("/api/v1/alerts", said)
        rule = {
            "type": "alerting",
            "name": "CheckoutErrors",
            "query": "up == 0",
            "health": "ok",
            "state": "inactive",
            "alerts": [],
        }
        groups = [{"name": "shop", "file": "shop.yml", "interval": 30, "rules": [rule]}]
        self.put("/api/v1/rules", {"status": "success", "data": {"groups": groups}})
        self.put("/api/v1/status/buildinfo", {"status": "success", "data": {"version": "3.5.0", "goVersion": "go1.24.5"}})
        self.put("/api/v1/label/service/values", {"status": "success", "data": ["checkout", "payments"]})
        self.put("/api/v1/label/job/values", {"status": "success", "data": []})


@contextmanager
def stub_server() -> Iterator[StubServer]:
    """Run a server until the block ends."""
    stub = StubServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            stub.asked.append(asked.path)
            stub.headers.append({name.lower(): value for name, value in self.headers.items()})
            answer = stub.answers.get(asked.path, stub.otherwise)(dict(parse_qsl(asked.query)))
            if answer is None:
                stub.released.wait(120)
                return
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *words: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    stub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def closed_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
