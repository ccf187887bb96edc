"""The bounds that a small model's output is held to, and the proxy that sets them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import httpx
import pytest

from bench.real_model.insistence import insisting, insisting_proxy
from groundwire.adapters.models.prompted_tools import calls_schema
from groundwire.investigators.tool_offers import OFFERS


def test_a_draft_has_claims_of_kinds_that_are_checked_with_refs_that_could_be_ones() -> None:
    calls = insisting(calls_schema(OFFERS))["properties"]["calls"]
    claims = calls["items"]["anyOf"][-1]["properties"]["arguments"]["properties"]["claims"]
    claim = claims["items"]["properties"]
    assert (calls["maxItems"], claims["minItems"], claims["maxItems"]) == (3, 1, 3)
    assert claim["kind"]["enum"] == ["absence", "cause", "observation", "symptom"]
    assert (claim["text"]["maxLength"], claim["refs"]["maxItems"]) == (120, 3)
    pattern = re.compile(claim["refs"]["items"]["pattern"])
    assert [bool(pattern.match(ref)) for ref in ("i1", "i2.logs.7", "i3.summary", "i9", "c1", "")] == [True] * 3 + [False] * 3


def test_a_tool_that_is_offered_alone_is_still_called_once() -> None:
    assert insisting(calls_schema(OFFERS[-1:]))["properties"]["calls"]["maxItems"] == 1


class _Echo(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(422 if b"json_schema" in body else 200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def proxy() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Echo)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    with insisting_proxy(f"http://127.0.0.1:{server.server_address[1]}/v1") as url:
        yield url
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("form", "status", "most"),
    [
        ({"type": "json_object", "schema": {"type": "array"}}, 200, 3),
        ({"type": "json_schema", "schema": {"type": "array"}}, 422, None),
        ({"type": "json_object"}, 200, None),
        (None, 200, None),
    ],
)
def test_the_proxy_bounds_the_form_that_the_server_takes_and_passes_all_else_on(
    proxy: str, form: dict[str, Any] | None, status: int, most: int | None
) -> None:
    sent = {"messages": [{"content": "café"}], "response_format": form}
    answer = httpx.post(f"{proxy}/chat/completions", json=sent, trust_env=False)
    got = json.loads(answer.content)
    assert (answer.status_code, got["messages"]) == (status, sent["messages"])
    assert ((got["response_format"] or {}).get("schema") or {}).get("maxItems") == most


def test_a_server_that_is_gone_is_said_to_be() -> None:
    with insisting_proxy("http://127.0.0.1:1/v1") as url:
        answer = httpx.post(f"{url}/chat/completions", json={}, trust_env=False)
    assert answer.status_code == 502
