"""What stands in for a source that cannot be asked as it is configured."""

from __future__ import annotations

from typing import NoReturn

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendUnavailableError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogRequest
from groundwire.domain.metrics import SeriesRequest
from groundwire.domain.sources import SourceDescription, SourceKind


class UnusableSource:
    """A source of logs, alerts or series: it is listed, and each question to it fails and says why. The others are asked."""

    def __init__(self, name: str, kind: SourceKind, why: str) -> None:
        self.name = name
        self._kind = kind
        self._why = why

    def describe(self) -> SourceDescription:
        return SourceDescription(name=self.name, kind=self._kind, backend="unknown", live=True, problems=(self._why,))

    def search(self, request: LogRequest) -> NoReturn:
        self._fail()

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> NoReturn:
        self._fail()

    def query(self, request: SeriesRequest) -> NoReturn:
        self._fail()

    def _fail(self) -> NoReturn:
        raise BackendUnavailableError(self.name, self._why)
