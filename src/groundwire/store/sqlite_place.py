"""The place of a SQLite file: what is wrong with it, and how it is opened where nothing may be written."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

from groundwire.domain.errors import StoreReadOnlyError, StoreUnavailableError
from groundwire.store.faults import READ_ONLY_HINT, sentence
from groundwire.store.location import SqliteFile

_OPEN_HINT: Final = "Check its path and your rights to it."


def check_place(file: SqliteFile, *, read_only: bool) -> None:
    """Make the folder of a new file, and say in a sentence what SQLite would say in a riddle."""
    path = file.path
    try:
        exists = path.exists()
        if path.is_dir():
            raise StoreUnavailableError(sentence(f"the path {path} is a folder, not a database"), hint="Name a file in it.")
        if exists and not path.is_file():
            raise StoreUnavailableError(sentence(f"the path {path} is not a regular file"), hint="Name another file with --db.")
        if read_only:
            _check_readable(path, exists=exists)
        else:
            _make_writable(path, exists=exists)
    except OSError as error:
        kind = (
            StoreReadOnlyError
            if not read_only and error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
            else StoreUnavailableError
        )
        raise kind(sentence(f"{file.name} cannot be opened: {error.strerror}"), hint=_OPEN_HINT) from error


def _check_readable(path: Path, *, exists: bool) -> None:
    if not exists or path.stat().st_size == 0:
        raise StoreUnavailableError(
            sentence(f"there is no database at {path} yet"), hint="`groundwire diagnose` or `groundwire demo` makes it."
        )
    if not may(path, os.R_OK):
        raise StoreUnavailableError(sentence(f"the database {path} cannot be read: Permission denied"), hint=_OPEN_HINT)


def _make_writable(path: Path, *, exists: bool) -> None:
    if exists and not may(path, os.W_OK):
        raise StoreReadOnlyError(sentence(f"the database {path} cannot be written"), hint=READ_ONLY_HINT)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not may(path.parent, os.W_OK | os.X_OK):
        raise StoreReadOnlyError(
            sentence(f"the folder {path.parent} cannot be written, and SQLite keeps its log beside the database"),
            hint=READ_ONLY_HINT,
        )
    if not exists:
        path.touch(mode=0o600)  # logs are in it: nobody else reads them by accident


def may(path: Path, mode: int) -> bool:
    """Return whether this process may, as the user that it acts for just now."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def has_log(path: Path) -> bool:
    """Return whether rows stand in the log beside the file that are not in the file yet."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def reading_address(path: Path) -> str:
    """Return the URI that reads the file also where nothing may be written beside it."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    if may(path.parent, os.W_OK) or has_log(path):
        return address
    return f"{address}&immutable=1"  # no log, and none can be begun by us: the file is all there is
