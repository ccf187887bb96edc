"""What drivers raise, as the store's own errors: one sentence and what to do about it."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any, Final

from groundwire.domain.errors import (
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreUnavailableError,
)

LOCKED_HINT: Final = "Wait for the other process to finish, or use another database with --db."
FULL_HINT: Final = "Make room on the disk, or use another database with --db."
READ_ONLY_HINT: Final = "Give yourself the right to write it, or use another database with --db."
DAMAGED_HINT: Final = "Restore it from a copy, or use another database with --db."
_ROOM: Final = 1 << 20

# SQLITE_* primary result codes, https://www.sqlite.org/rescode.html
_PERM, _BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _AUTH, _NOTADB = 3, 5, 6, 8, 10, 11, 13, 14, 23, 26


def sqlite_fault(exc: sqlite3.Error, name: str, path: Path) -> StoreError:
    """Return what an error of sqlite3 means for the store called ``name``."""
    code = getattr(exc, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    words = first_line(exc)
    if primary in (_BUSY, _LOCKED):
        return locked(name)
    if primary == _FULL or (primary == _IOERR and _is_full(path)):
        return StoreFullError(f"No room is left for {name}.", hint=FULL_HINT)
    if primary == _READONLY:
        return StoreReadOnlyError(sentence(f"{name} cannot be written"), hint=READ_ONLY_HINT)
    if primary == _NOTADB:
        return StoreUnavailableError(sentence(f"{name} is not a SQLite file"), hint="Name another file with --db.")
    if primary == _CORRUPT:
        return StoreUnavailableError(sentence(f"{name} is damaged: {words}"), hint=DAMAGED_HINT)
    if primary in (_CANTOPEN, _PERM, _AUTH):
        return StoreUnavailableError(sentence(f"{name} cannot be opened: {words}"), hint="Check its path and your rights to it.")
    if isinstance(exc, sqlite3.IntegrityError):
        return StoreError(sentence(f"{name} refused the row: {words}"))
    return StoreUnavailableError(sentence(f"{name} failed: {words}"), hint="`groundwire doctor` checks it.")


def postgres_fault(exc: Exception, name: str, words: str) -> StoreError:
    """Return what an error of psycopg means; ``words`` is its first line, without the password."""
    state = str(getattr(exc, "sqlstate", None) or "")
    if state in ("55P03", "57014", "40P01"):  # lock not available, canceled by a time-out, deadlock
        return locked(name)
    if state == "53100":
        return StoreFullError(f"No room is left for {name}.", hint="Make room on the server's disk.")
    if state == "25006":
        return StoreReadOnlyError(sentence(f"{name} cannot be written: {words}"), hint="Use the primary, not a replica.")
    if state == "42501":
        return StoreReadOnlyError(
            sentence(f"{name} does not let this user in: {words}"), hint="Grant it the rights on the tables."
        )
    if state[:2] in ("22", "23") or type(exc).__name__ == "DataError":  # psycopg refuses a NUL before the server sees it
        return StoreError(sentence(f"{name} refused the row: {words}"))
    if state == "53300":
        return StoreUnavailableError(sentence(f"{name} has no connection left: {words}"), hint="Try again in a moment.")
    return _unreachable(state, name, words)


def _unreachable(state: str, name: str, words: str) -> StoreUnavailableError:
    if state in ("28P01", "28000") or "authentication failed" in words or "no password supplied" in words:
        return StoreUnavailableError(sentence(f"{name} refused the log-in: {words}"), hint="Check user and password of the URL.")
    if state == "3D000" or words.endswith("does not exist"):
        return StoreUnavailableError(sentence(f"{name} is not there: {words}"), hint="Create it with createdb.")
    if state:
        return StoreUnavailableError(sentence(f"{name} failed: {words} ({state})"), hint="`groundwire doctor` checks it.")
    return StoreUnavailableError(sentence(f"{name} cannot be reached: {words}"), hint="Check host and port, and that it runs.")


def locked(name: str) -> StoreLockedError:
    """Return the error of waiting too long."""
    return StoreLockedError(f"Another process holds {name}.", hint=LOCKED_HINT)


def first_line(exc: Any) -> str:
    """Return the first line of an error's own words, without its full stop."""
    lines = str(exc).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(exc).__name__


def sentence(text: str) -> str:
    """Return ``text`` with a capital at its start and a full stop at its end."""
    return f"{text[0].upper()}{text[1:]}."


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _ROOM
    except OSError:
        return False
