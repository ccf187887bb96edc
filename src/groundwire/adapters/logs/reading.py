"""What a line says when it starts a record, and what is read from it once it counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from groundwire.adapters.logs.clock import FileClock
from groundwire.domain.levels import Level


class Start(NamedTuple):
    """A line that starts a record. ``time`` is None where the line has none; ``payload`` is for the format alone."""

    time: datetime | None
    format: LineFormat
    payload: Any


@dataclass(slots=True, kw_only=True)
class Reading:
    """The parts of a record. ``is_fallback_service`` says that a name from the path is to be preferred over ``service``."""

    level: Level | None = None
    message: str = ""
    service: str | None = None
    instance: str | None = None
    is_fallback_service: bool = False
    fields: dict[str, Any] = field(default_factory=dict)


class LineFormat(Protocol):
    """One way to write a line. ``names_services``: a record may name another service than its file's name does.

    ``is_strong`` formats are told by their line alone; the others are believed only where a sample of the file has them.
    """

    @property
    def name(self) -> str: ...
    @property
    def names_services(self) -> bool: ...
    @property
    def is_strong(self) -> bool: ...

    def start(self, line: str, clock: FileClock) -> Start | None:
        """Return the start of a record, or None when the line is not of this format. Cheap: most lines go no further."""
        ...

    def read(self, payload: Any) -> Reading: ...
