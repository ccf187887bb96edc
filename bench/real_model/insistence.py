"""A proxy before the server that holds a small model to a draft: with claims that state something, and refs that could be ones.

Left to itself such a model hands in an empty draft, or writes until it is cut off, and nothing is put to the test.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

import httpx

from groundwire.domain.names import MATERIAL_KINDS

_MOST: Final = 3
"""Items of any list."""
_LONGEST: Final = {"text": 120}
_LONGEST_OTHER: Final = 40
_REF: Final = {"type": "string", "pattern": "^i[1-3]([.](logs|alerts|blocks)[.][0-9]|[.]summary)?$"}


def insisting(schema: Any, name: str = "") -> Any:
    """Return a schema of the output with bounds: lists and texts come to an end, and a draft has claims that state something."""
    if isinstance(schema, list):
        return [insisting(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bounded = {key: insisting(value, key) for key, value in schema.items()}
    if bounded.get("type") == "array":
        bounded |= {"maxItems": min(_MOST, bounded.get("maxItems", _MOST))}
    if bounded.get("type") == "string" and "enum" not in bounded:
        bounded |= {"minLength": 1, "maxLength": _LONGEST.get(name, _LONGEST_OTHER)}
    match name:
        case "claims":
            bounded |= {"minItems": 1}
        case "refs":
            bounded |= {"items": _REF, "minItems": 1}
        case "kind":
            bounded |= {"enum": sorted(MATERIAL_KINDS)}
    return bounded


@contextmanager
def insisting_proxy(url: str) -> Iterator[str]:
    """Give the URL of a proxy before the server at ``url``; it runs until the block ends."""

    class Handler(_Handler):
        behind = url.removesuffix("/v1")

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.server_address[1]}/v1"
    finally:
        listener.shutdown()
        listener.server_close()


class _Handler(BaseHTTPRequestHandler):
    behind: str

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        form = body.get("response_format") or {}
        if form.get("type") == "json_object" and "schema" in form:
            form["schema"] = insisting(form["schema"])
        try:
            answer = httpx.post(f"{self.behind}{self.path}", json=body, timeout=None, trust_env=False)
        except httpx.HTTPError as exc:
            self.send_error(502, f"the server is gone: {type(exc).__name__}")
            return
        # The client may have stopped waiting.
        with suppress(OSError):
            self._pass_on(answer)

    def _pass_on(self, answer: httpx.Response) -> None:
        self.send_response(answer.status_code)
        self.send_header("Content-Type", answer.headers.get("content-type", "application/json"))
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_: object) -> None:
        """Keep the output to what the runs print."""
