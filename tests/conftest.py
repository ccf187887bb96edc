"""What tests of several folders share: a PostgreSQL server for the whole run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.postgres import PostgresServer, running_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running server; started for the first test that asks for it."""
    with running_server() as server:
        yield server
