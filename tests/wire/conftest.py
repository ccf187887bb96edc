"""A running server for each test of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.wire.server import WireServer, wire_server


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server() -> Iterator[WireServer]:
    with wire_server() as running:
        yield running
