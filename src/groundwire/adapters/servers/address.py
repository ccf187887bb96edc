"""Where a server is: its base URL without the credentials, and the credentials apart from it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import quote

import httpx

from groundwire.domain.errors import UsageError

_SECRET_HEADER_WORDS: Final = ("auth", "cookie", "token", "key", "secret", "password")
_SHORTEST_SECRET: Final = 4
_LAST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """``base`` ends in no slash and holds no credentials, so it may be shown anywhere."""

    base: httpx.URL
    credentials: tuple[str, str] | None = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    @classmethod
    def parse(cls, url: str, headers: Mapping[str, str], *, endpoints: Sequence[str]) -> Self:
        """Return the address of a server, given its base URL or a URL that goes on into one of ``endpoints``.

        Raises:
            UsageError: It is no http or https URL with a host, it holds a query, or a header cannot be sent.
        """
        _check_headers(headers)
        try:
            given = httpx.URL(url.strip())
        except httpx.InvalidURL as exc:
            raise UsageError(f"a server's URL cannot be read: {exc}", hint="Write it like http://server:9090.") from exc
        base = given.copy_with(userinfo=b"", fragment=None, query=None)
        has_port = given.port is None or 0 < given.port <= _LAST_PORT
        if given.scheme not in ("http", "https") or not _is_host(given.host) or not has_port:
            raise UsageError(f"{str(base)!r} is not the URL of a server", hint="Write it like http://server:9090.")
        if given.query:
            raise UsageError(
                f"the URL {base} must not hold a query (what follows the question mark)",
                hint="Give the server's base URL alone; the queries are ours.",
            )
        path = base.path
        for endpoint in endpoints:
            path = path.split(endpoint, 1)[0]
        path = path.rstrip("/")
        credentials = (given.username, given.password) if given.userinfo else None
        return cls(base=base.copy_with(path=path), credentials=credentials, secrets=_secrets(credentials, headers))

    @property
    def shown(self) -> str:
        return str(self.base).rstrip("/")

    @property
    def is_https(self) -> bool:
        return self.base.scheme == "https"

    def url_of(self, path: str) -> httpx.URL:
        return httpx.URL(self.shown + path)

    def is_same_server(self, other: httpx.URL) -> bool:
        """Return whether credentials for this server may go there: same scheme, host and port."""
        return (other.scheme, other.host, other.port) == (self.base.scheme, self.base.host, self.base.port)

    def without_secrets(self, text: str) -> str:
        """Return ``text`` with the password and secret header values replaced: servers do echo what they were sent."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return text


def _is_host(host: str) -> bool:
    # The resolver raises no OSError but a UnicodeError over a name like these.
    return bool(host) and all(0 < len(label) <= 63 for label in host.rstrip(".").split("."))


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not (name and name.isascii() and name.isprintable()) or any(character in name for character in " :"):
            raise UsageError(f"{name!r} is not the name of an HTTP header")
        if not (value.isascii() and value.isprintable()):
            raise UsageError(f"the value of the HTTP header {name} holds characters that cannot be sent")


def _secrets(credentials: tuple[str, str] | None, headers: Mapping[str, str]) -> tuple[str, ...]:
    found: set[str] = set()
    if credentials is not None:
        # A token is often sent as the name, with no password behind it.
        secret = credentials[1] or credentials[0]
        # As basic authentication sends the two: the server may repeat the header as it came.
        sent = b64encode(":".join(credentials).encode()).decode()
        found |= {secret, quote(secret, safe=""), sent}
    for name, value in headers.items():
        if any(word in name.lower() for word in _SECRET_HEADER_WORDS):
            found |= {value, value.rsplit(" ", 1)[-1]}
    # Longest first, so that no part of a longer one is left; what is too short would make every text unreadable.
    return tuple(sorted((secret for secret in found if len(secret) >= _SHORTEST_SECRET), key=len, reverse=True))
