"""What tests of several folders share: a PostgreSQL server and servers of metrics and alerts, for the whole run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.monitoring import Monitoring, running_monitoring
from tests.integration.postgres import PostgresServer, running_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running server; started for the first test that asks for it."""
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def monitoring() -> Iterator[Monitoring]:
    """Running servers of metrics and alerts; started for the first test that asks for them."""
    with running_monitoring() as servers:
        yield servers
