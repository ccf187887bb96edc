"""A server on 127.0.0.1 whose every answer a test writes by hand."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Answering = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answering, *, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """Yield the URL of a server that answers each GET and POST with ``answer``, over TLS where it is given certificates."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def do_POST(self) -> None:
            answer(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            pass  # who connects may break off, and says so itself

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"{'http' if tls is None else 'https'}://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
