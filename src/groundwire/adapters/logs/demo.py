"""The log source that ships with Groundwire: a shop on the morning its order service ran out of database connections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.files import FileLogs
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.sources import SourceDescription

DEMO_FILES: Final = Path(__file__).parent / "demo_files"
"""Log files with fixed times, 2026-11-12 from about 09:20 to 10:14 UTC."""


class DemoLogs:
    """A ``LogBackend`` over the files in :data:`DEMO_FILES`, searched as any others are."""

    name = "demo"

    def __init__(self) -> None:
        self._files = FileLogs(self.name, DEMO_FILES)

    def describe(self) -> SourceDescription:
        return replace(self._files.describe(), backend="demo")

    def search(self, request: LogRequest) -> LogPage:
        return self._files.search(request)
