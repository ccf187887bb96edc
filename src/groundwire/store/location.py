"""Where a store is: a SQLite file, or a PostgreSQL database by URL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import UsageError

if TYPE_CHECKING:
    from sqlalchemy import URL

_POSTGRES: Final = ("postgresql://", "postgres://", "postgresql+psycopg://")
_ACCEPTED: Final = "a file path, sqlite:///path, or postgresql://user@host/database"


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """One file on this machine."""

    path: Path

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"the database {self.path}"


@dataclass(frozen=True, slots=True)
class PostgresUrl:
    """A database on a server; ``name`` never holds the user's password."""

    url: URL

    @property
    def name(self) -> str:
        """What messages call it."""
        place = f"{self.url.host or 'the local socket'}{f':{self.url.port}' if self.url.port else ''}"
        return f"the PostgreSQL database {self.url.database or '(default)'} at {place}"

    def without_password(self, text: str) -> str:
        """Return ``text``, which may be a server's or a driver's own words, with the password taken out."""
        secrets = {str(self.url.password or ""), *(str(value) for value in _secret_options(self.url))}
        for secret in sorted(secrets - {""}, key=len, reverse=True):
            text = text.replace(secret, "***")
        return text


def parse_location(url_or_path: str | Path) -> SqliteFile | PostgresUrl:
    """Return what a ``--db`` names.

    Raises:
        UsageError: It is neither a path nor a URL of a kind that is supported.
    """
    if isinstance(url_or_path, Path):
        return SqliteFile(url_or_path.expanduser())
    text = url_or_path.strip()
    if text.startswith(_POSTGRES):
        return _postgres(text)
    if text.startswith("sqlite:"):
        return _sqlite(text)
    if "://" in text:
        raise UsageError(f"A database URL cannot start with {text.split('://', 1)[0][:40]}://.", hint=f"Give {_ACCEPTED}.")
    return _file(text)


def _sqlite(text: str) -> SqliteFile:
    if not text.startswith("sqlite:///"):
        raise UsageError("A SQLite URL is sqlite:/// and then the path.", hint="sqlite:////var/lib/groundwire.db is absolute.")
    return _file(text.removeprefix("sqlite:///"))


def _file(text: str) -> SqliteFile:
    if not text or "\x00" in text:
        raise UsageError("The name of the database is empty or holds a NUL.", hint=f"Give {_ACCEPTED}.")
    if text == ":memory:":
        raise UsageError("Evidence is not kept in memory: what is recorded must outlive the process.", hint="Give a file path.")
    return SqliteFile(Path(text).expanduser())


def _postgres(text: str) -> PostgresUrl:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url("postgresql+psycopg://" + text.split("://", 1)[1])
    except (ArgumentError, ValueError):  # their messages may quote the password
        raise UsageError(
            "The PostgreSQL URL cannot be read.",
            hint="It is postgresql://user:password@host:port/database; write @ / : in a password as %40 %2F %3A.",
        ) from None
    return PostgresUrl(url)


def _secret_options(url: URL) -> list[str]:
    options = (url.query.get(name, ()) for name in ("password", "sslpassword"))
    return [value for option in options for value in ((option,) if isinstance(option, str) else option)]
