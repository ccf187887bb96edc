"""The alerts of the built-in demo, as a Prometheus answered them at a fixed moment."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from groundwire.adapters.metrics.snapshot import SavedAlerts

DEMO_AS_OF: Final = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
_ALERTS: Final = Path(__file__).parent / "demo_files" / "alerts.json"


class DemoAlerts(SavedAlerts):
    """The saved alerts that ship with Groundwire, as of 2026-11-12 10:15 UTC unless another moment is given."""

    def __init__(self, name: str = "demo", *, as_of: datetime = DEMO_AS_OF) -> None:
        super().__init__(name, _ALERTS, as_of=as_of)
