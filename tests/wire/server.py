"""A server on 127.0.0.1 that answers as OpenAI and Anthropic do, turn after turn as a test scripts it.

    with wire_server() as server:
        server.play("judge", [text("hello"), error(429, "slow down", headers={"retry-after": "2"})])
        openai.OpenAI(base_url=server.openai_url, api_key="judge", max_retries=0)
        anthropic.Anthropic(base_url=server.url, api_key="judge", max_retries=0)

The key chooses the script, so that many investigations run side by side. `server.requests` holds what was asked,
`server.faults` what no script had an answer for.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from socket import SHUT_RDWR, socket
from threading import Condition, Event, Lock, Thread
from typing import Any, cast
from urllib.parse import urlsplit

from tests.wire import anthropic_wire, openai_wire
from tests.wire.reply import Asked, Reply, Wire, json_reply, reply_to
from tests.wire.scenario import Recorded, Refused, Scenario
from tests.wire.script import Turn

_WIRES: dict[str, Wire] = {openai_wire.PATH: openai_wire.OpenAIWire(), anthropic_wire.PATH: anthropic_wire.AnthropicWire()}
_MODELS = "/v1/models"
_ANY_KEY = "*"


class WireServer:
    """What a test holds of the running server."""

    def __init__(self, url: str, models: tuple[str, ...]) -> None:
        self.url = url
        self.openai_url = f"{url}/v1"
        self.models = models
        self.requests: list[Recorded] = []
        self.faults: list[str] = []
        self.broken: list[Exception] = []
        self.cpu_s = 0.0
        self.stopping = Event()
        self._lock = Lock()
        self._scenarios: dict[str, Scenario] = {}
        self._ids = count(1)

    def play(self, key: str, turns: Sequence[Turn], *, refuse: Mapping[str, object] | None = None) -> Scenario:
        """Answer the requests that bear ``key`` with ``turns``, in this order, and refuse parameters as a gateway does.

        ``refuse`` maps a parameter to True, to a value, or to the ``type`` inside it: ``{"response_format": "json_schema",
        "tool_choice": "required", "tools": True}``. A refused request uses up no turn. The key ``*`` answers all others.
        """
        self._scenarios[key] = Scenario(key=key, turns=turns, refuse=refuse or {})
        return self._scenarios[key]

    def spend(self, cpu_s: float) -> None:
        """Count processor time that is the server's own, so that a measurement of the client can leave it out."""
        with self._lock:
            self.cpu_s += cpu_s

    def requests_of(self, key: str) -> list[Recorded]:
        return [request for request in self.requests if request.key == key]

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Record the request and return what its script says."""
        wire = _WIRES.get(path)
        if path == _MODELS:
            wire = _WIRES[anthropic_wire.PATH if "anthropic-version" in headers else openai_wire.PATH]
        if wire is None:
            return json_reply({"detail": "Not Found"}, status=404)
        key = wire.key(headers)
        try:
            request = json.loads(body or b"{}")
        except ValueError as exc:
            return json_reply(wire.error(400, f"the body is not JSON: {exc}"), status=400)
        self.requests.append(Recorded(path=path, key=key, headers=dict(headers), body=request))
        scenario = self._scenarios.get(key) or self._scenarios.get(_ANY_KEY)
        if scenario is None:
            return json_reply(wire.error(401, f"no script is played for the key {key!r}"), status=401)
        if path == _MODELS:
            return json_reply(wire.models(self.models))
        return self._scripted(scenario, Asked(wire=wire, body=request, new_id=lambda: f"{next(self._ids):06d}"))

    def _scripted(self, scenario: Scenario, asked: Asked) -> Reply:
        try:
            turn = scenario.next_turn(asked)
        except Refused as refused:
            return json_reply(asked.wire.error(400, str(refused), param=refused.param), status=400)
        if turn is None:
            return self._fault(asked, f"the script of the key {scenario.key!r} has only {scenario.length} turns")
        try:
            return reply_to(asked, turn)
        except Exception as exc:  # noqa: BLE001 - whatever a test's callable raises must reach the test, not the log
            self.broken.append(exc)
            return self._fault(asked, f"a turn of the key {scenario.key!r} raised {type(exc).__name__}: {exc}")

    def _fault(self, asked: Asked, message: str) -> Reply:
        self.faults.append(message)
        return json_reply(asked.wire.error(500, message), status=500)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    wire: WireServer

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._open: set[socket] = set()
        self._changed = Condition()

    def opened(self, connection: socket) -> None:
        with self._changed:
            self._open.add(connection)

    def closed(self, connection: socket) -> None:
        with self._changed:
            self._open.discard(connection)
            self._changed.notify_all()

    def close_connections(self) -> None:
        """End what clients keep alive, and wait until their threads have let go of their sockets."""
        with self._changed:
            for connection in self._open:
                _shut(connection)
            self._changed.wait_for(lambda: not self._open, timeout=2)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def _listener(self) -> _Listener:
        return cast(_Listener, self.server)

    def setup(self) -> None:
        super().setup()
        self._listener.opened(self.connection)

    def handle_one_request(self) -> None:
        started = time.thread_time()
        try:
            super().handle_one_request()
        finally:
            self._listener.wire.spend(time.thread_time() - started)

    def finish(self) -> None:
        try:
            super().finish()
        finally:
            self._listener.closed(self.connection)

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def _answer(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self._listener.wire.answer(urlsplit(self.path).path, headers, body))

    def _send(self, reply: Reply) -> None:
        if reply.silent_s and self._listener.wire.stopping.wait(reply.silent_s):
            self.close_connection = True
            return
        if reply.answered:
            self._send_head(reply)
            self._send_body(reply)
        if reply.cut_off or not reply.answered:
            _shut(self.connection)
            self.close_connection = True

    def _send_head(self, reply: Reply) -> None:
        self.send_response(reply.status)
        length = {"Transfer-Encoding": "chunked"} if reply.streamed else {"Content-Length": str(sum(map(len, reply.chunks)))}
        headers = {"Content-Type": reply.content_type, "X-Request-Id": "req_tests", "Request-Id": "req_tests"}
        for name, value in {**headers, **length, **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _send_body(self, reply: Reply) -> None:
        for piece in reply.writes:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if reply.streamed else piece)
            if reply.pause_s and self._listener.wire.stopping.wait(reply.pause_s):
                self.close_connection = True
                return
        if reply.streamed and not reply.cut_off:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        pass


def _shut(connection: socket) -> None:
    try:
        connection.shutdown(SHUT_RDWR)
    except OSError:
        return  # the client was first


@contextmanager
def wire_server(*, models: tuple[str, ...] = ("scripted",)) -> Iterator[WireServer]:
    """Run the server until the block ends; no wait of its own outlives the block.

    Raises:
        Exception: What a callable of a script raised, an assertion for example; the client only saw status 500.
    """
    listener = _Listener()
    server = WireServer(f"http://127.0.0.1:{listener.server_address[1]}", models)
    listener.wire = server
    thread = Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        listener.shutdown()
        listener.close_connections()
        listener.server_close()
        thread.join()
    if server.broken:
        raise server.broken[0]
