"""A clock that only its readers move."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

from groundwire.domain.times import as_utc


class SteppingClock:
    """A `Clock` that starts at ``start`` and goes on by ``step_ms`` after each reading, of either kind."""

    def __init__(self, start: datetime, step_ms: float = 1.0) -> None:
        self._start = as_utc(start)
        self._step_ms = step_ms
        self._readings = 0
        self._skipped_ms = 0.0
        self._lock = threading.Lock()

    def now(self) -> datetime:
        return self._start + timedelta(milliseconds=self._read())

    def monotonic_ms(self) -> float:
        return self._read()

    def advance(self, milliseconds: float) -> None:
        """Let time pass."""
        with self._lock:
            self._skipped_ms += milliseconds

    def _read(self) -> float:
        with self._lock:
            passed = self._readings * self._step_ms + self._skipped_ms
            self._readings += 1
        return passed
