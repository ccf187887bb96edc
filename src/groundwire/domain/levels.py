"""Severity levels of log records: one order for the many spellings that software writes."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Level(IntEnum):
    """How severe a log record says it is. Comparable: ``Level.ERROR >= Level.WARN``; ``name`` is the spelling we print."""

    TRACE = 10
    DEBUG = 20
    INFO = 30
    NOTICE = 35
    WARN = 40
    ERROR = 50
    CRITICAL = 60
    FATAL = 70


_SPELLINGS: Final[dict[str, Level]] = {
    "trace": Level.TRACE,
    "trce": Level.TRACE,
    "verbose": Level.TRACE,
    "finest": Level.TRACE,
    "debug": Level.DEBUG,
    "dbug": Level.DEBUG,
    "dbg": Level.DEBUG,
    "fine": Level.DEBUG,
    "info": Level.INFO,
    "information": Level.INFO,
    "informational": Level.INFO,
    "inf": Level.INFO,
    "log": Level.INFO,
    "notice": Level.NOTICE,
    "warn": Level.WARN,
    "warning": Level.WARN,
    "wrn": Level.WARN,
    "error": Level.ERROR,
    "err": Level.ERROR,
    "eror": Level.ERROR,
    "severe": Level.ERROR,
    "crit": Level.CRITICAL,
    "critical": Level.CRITICAL,
    "alert": Level.CRITICAL,
    "emerg": Level.FATAL,
    "emergency": Level.FATAL,
    "fatal": Level.FATAL,
    "panic": Level.FATAL,
}

ACCEPTED_LEVELS: Final = ", ".join(level.name.lower() for level in Level)
"""The canonical spellings, for messages that say what is accepted."""


def parse_level(text: str) -> Level | None:
    """Return the level that ``text`` spells in whatever case, or None when it spells none."""
    return _SPELLINGS.get(text.strip().lower())


def spellings(*, below: Level | None = None) -> tuple[str, ...]:
    """Return every spelling, in lower case, of any level, or of those that are less severe than ``below``."""
    return tuple(text for text, level in _SPELLINGS.items() if below is None or level < below)
