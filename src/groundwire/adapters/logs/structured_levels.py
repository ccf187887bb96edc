"""Reads the level of structured records, which is a word, a letter or one of several kinds of numbers.

Sources:
    pino and bunyan levels (10 to 60), Python ``levelno`` (10 to 50), syslog severities of GELF and journald (0 to 7),
    Windows event levels (1 to 5), Serilog compact format (no ``@l`` means Information), MongoDB ``s`` (F, E, W, I, D1 to D5).
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.adapters.logs.syslog import syslog_level
from groundwire.domain.levels import Level, parse_level

LEVEL_KEYS: Final = (
    "level log.level severity lvl loglevel logLevel log_level levelname level_name severity_text severityText SeverityText "
    "@l LevelDisplayName Level LEVEL Severity priority PRIORITY error_severity"
).split()
_PINO: Final = {10: Level.TRACE, 20: Level.DEBUG, 30: Level.INFO, 40: Level.WARN, 50: Level.ERROR, 60: Level.FATAL}
_PYTHON: Final = {10: Level.DEBUG, 20: Level.INFO, 30: Level.WARN, 40: Level.ERROR, 50: Level.CRITICAL}
_WINDOWS: Final = {
    "0": Level.INFO,
    "1": Level.CRITICAL,
    "2": Level.ERROR,
    "3": Level.WARN,
    "4": Level.INFO,
    "5": Level.TRACE,
}
_LETTERS: Final = {"F": Level.FATAL, "E": Level.ERROR, "W": Level.WARN, "I": Level.INFO, "D": Level.DEBUG}


def read_level(fields: dict[str, Any]) -> Level | None:
    """Return the level and take its field out of ``fields``; None, and all fields stay, where there is none."""
    number = fields.get("Event.System.Level", fields.get("Level") if "ProviderName" in fields else None)
    if number is not None and not isinstance(fields.get("LevelDisplayName"), str):
        return _WINDOWS.get(str(number))
    for key in LEVEL_KEYS:
        value = fields.get(key)
        level = _level_of_value(value)
        if level is not None:
            del fields[key]
            return level
    if isinstance(fields.get("levelno"), int):
        return _PYTHON.get(fields["levelno"])
    letter = fields.get("s")
    if isinstance(letter, str) and "c" in fields and letter[:1] in _LETTERS and len(letter) <= 2:
        return _LETTERS[letter[:1]]
    if "@mt" in fields or "@m" in fields:
        return Level.INFO
    return None


def _level_of_value(value: Any) -> Level | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        level = parse_level(value)
        if level is not None or not (value.isascii() and value.isdigit() and len(value) <= 2):
            return level
        value = int(value)
    if not isinstance(value, int):
        return None
    return syslog_level(value) if value < 8 else _PINO.get(value)
