"""Requests to a server's HTTP API: every way in which they fail becomes one of our errors, in the server's own words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.request import getproxies

import httpx

from groundwire.adapters.servers.address import ServerAddress
from groundwire.adapters.servers.clock import clock_difference
from groundwire.adapters.servers.json_body import JsonBody, NotJsonError, read_json
from groundwire.adapters.servers.trust import TRUST, tls_context
from groundwire.adapters.servers.words import one_line, server_words
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendError,
    BackendMalformedError,
    BackendRejectedError,
    BackendTimeoutError,
    BackendUnavailableError,
)

ANSWER_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of an answer, after decompression. A longer JSON document is refused whole, because half of one is not JSON."""

_ERROR_LIMIT: Final = 64 * 1024
_MOST_REDIRECTS: Final = 3
_TRY_AGAIN: Final = (429, 502, 503)
_PAUSE_S: Final = 0.5
_PROXY: Final = "Write HTTP_PROXY, HTTPS_PROXY and ALL_PROXY like http://proxy:3128, or name the server in NO_PROXY."


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """How a server is reached. Headers go to that server alone; ``ca_file`` holds the certificates that are trusted instead of
    the system's. ``transport`` and ``pause`` replace the network and waiting, for tests.
    """

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    ca_file: str | None = None
    connect_timeout_s: float = 3
    read_timeout_s: float = 20
    transport: httpx.BaseTransport | None = None
    pause: Callable[[float], None] = time.sleep

    def with_headers(self, more: Mapping[str, str]) -> HttpOptions:
        return replace(self, headers={**self.headers, **more})


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The bytes of an answer, of which ``cut`` says that more were there; ``date`` is when the server says it answered."""

    content: bytes
    cut: bool
    content_type: str
    date: str = ""


class ServerApi:
    """One server's API. Connections last for one request: a diagnosis asks a server only a few times.

    ``endpoints`` are the paths at which its API begins: a URL that goes on into one of them is taken as its base.

    Raises:
        UsageError: The URL, a header or the certificates cannot be used.
    """

    def __init__(
        self, backend: str, url: str, options: HttpOptions, *, endpoints: Sequence[str] = ("/api/v1", "/api/v2")
    ) -> None:
        self.address = ServerAddress.parse(url, options.headers, endpoints=endpoints)
        self._backend = backend
        self._options = options
        self._tls = tls_context(self.address, options.ca_file)

    def get(self, path: str, params: Mapping[str, str], deadline: Deadline) -> JsonBody:
        """Return the decoded answer to ``GET path``; a redirect is followed within the same server only.

        Raises:
            BackendError: Anything else happened than a 2xx with JSON.
        """
        return self.json_of(self.fetch("GET", path, deadline, params=params))

    def post(self, path: str, document: Any, deadline: Deadline, *, params: Mapping[str, str] | None = None) -> JsonBody:
        """Return the decoded answer to a query that is sent as JSON; as ``get`` in all else."""
        return self.json_of(self.fetch("POST", path, deadline, params=params, document=document))

    def fetch(
        self,
        method: str,
        path: str,
        deadline: Deadline,
        *,
        params: Mapping[str, str] | None = None,
        document: Any = None,
        limit: int = ANSWER_LIMIT,
    ) -> Body:
        """Return the body of a 2xx answer, at most ``limit`` bytes of it: JSON lines and text can be read in part.

        A server that asks to be asked again (HTTP 429, 502, 503) is, once, after as long as it says (``Retry-After``), when the
        deadline allows that.

        Raises:
            BackendError: Anything else happened than a 2xx.
        """
        url, query = self.address.url_of(path), dict(params or {}) or None
        tried_again = False
        with self._faults(deadline), self._client(deadline) as client:
            for _ in range(_MOST_REDIRECTS + 1):
                with client.stream(method, url, params=query, json=document) as response:
                    if response.has_redirect_location:
                        url, query = self._target(response), None
                        continue
                    pause_s = _pause_of(response)
                    if response.status_code not in _TRY_AGAIN or tried_again or pause_s >= deadline.remaining_s:
                        return self._read(response, deadline, limit)
                tried_again = True
                self._options.pause(pause_s)
            raise BackendRejectedError(self._backend, f"{self.address.shown} redirects more than {_MOST_REDIRECTS} times")

    def json_of(self, body: Body) -> JsonBody:
        """Return the decoded body of an answer.

        Raises:
            BackendMalformedError: It was cut, or is not JSON.
        """
        if body.cut:
            raise self.malformed(
                f"answered with more than {ANSWER_LIMIT // 1024 // 1024} MB, which is not read: ask for less",
                body.content[:2_000].decode("utf-8", errors="replace"),
            )
        try:
            return read_json(body.content)
        except NotJsonError as exc:
            shown = f", beginning {self._clean(exc.start[:120])!r}" if exc.start.strip() else ""
            raise self.malformed(f"answered what is not JSON{shown} ({exc})", exc.start) from exc

    def malformed(self, what: str, answer: str) -> BackendMalformedError:
        """Return the error for an answer that is not what this API answers; ``what`` goes on from the server's address."""
        return BackendMalformedError(self._backend, f"{self.address.shown} {what}", answer=self.address.without_secrets(answer))

    def rejected(self, words: str) -> BackendRejectedError:
        """Return the error for an answer that says, in ``words``, that the query is refused."""
        return BackendRejectedError(self._backend, self._clean(words) or "the query was refused without a reason")

    @contextmanager
    def _faults(self, deadline: Deadline) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException as exc:
            raise self._timeout(exc, deadline) from exc
        except httpx.DecodingError as exc:
            raise self.malformed(f"answered with a body that cannot be decompressed ({self._clean(str(exc))})", "") from exc
        except (httpx.RequestError, httpx.InvalidURL) as exc:
            reason = self._clean(str(exc)) or f"the connection broke ({type(exc).__name__})"
            raise BackendUnavailableError(
                self._backend,
                f"cannot reach {self.address.shown}: {reason}{self._by_proxy()}",
                hint=TRUST if "CERTIFICATE_VERIFY_FAILED" in reason else None,
            ) from exc

    def _by_proxy(self) -> str:
        """Return that the environment names a proxy: what cannot be reached may be that. Its address may hold a password."""
        named = {} if self._options.transport is not None else getproxies()
        scheme = self.address.base.scheme
        return f" (the environment names a proxy for {scheme})" if named.get(scheme) or named.get("all") else ""

    def _client(self, deadline: Deadline) -> httpx.Client:
        left = deadline.remaining_s
        if left <= 0:
            raise BackendTimeoutError(self._backend, after_s=deadline.after_s)
        read_s = min(self._options.read_timeout_s, left)
        try:
            return httpx.Client(
                headers=dict(self._options.headers),
                auth=self.address.credentials,
                timeout=httpx.Timeout(read_s, connect=min(self._options.connect_timeout_s, left)),
                transport=self._options.transport,
                follow_redirects=False,
                verify=self._tls,
            )
        except (ValueError, ImportError, httpx.InvalidURL) as exc:
            # Its words would show the proxy's address, with a password if it has one.
            raise BackendUnavailableError(
                self._backend,
                f"cannot reach {self.address.shown}: the proxy that the environment names cannot be used",
                hint=_PROXY,
            ) from exc

    def _target(self, response: httpx.Response) -> httpx.URL:
        target = response.url.join(response.headers["location"])
        if not self.address.is_same_server(target):
            where = f"{target.scheme}://{target.netloc.decode('ascii')}"
            raise BackendRejectedError(
                self._backend,
                f"{self.address.shown} redirects to {self._clean(where)}, which is not followed (HTTP {response.status_code})",
                hint="Give the server's own URL, with the credentials that it asks for.",
            )
        return target

    def _read(self, response: httpx.Response, deadline: Deadline, limit: int) -> Body:
        if not response.is_success:
            body = self._bytes(response, deadline, _ERROR_LIMIT)
            raise self._refusal(response.status_code, response.reason_phrase, body)
        content = self._bytes(response, deadline, limit)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        date = response.headers.get("date", "")
        return Body(content=content[:limit], cut=len(content) > limit, content_type=kind, date=date)

    def _bytes(self, response: httpx.Response, deadline: Deadline, limit: int) -> bytes:
        """Return at most a little more than ``limit`` bytes; a server that only trickles is held to the deadline too."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > limit:
                break
            if deadline.expired:
                raise BackendTimeoutError(self._backend, after_s=deadline.after_s)
        return bytes(body)

    def _refusal(self, status: int, phrase: str, body: bytes) -> BackendError:
        words = self._clean(server_words(body))
        message = f"HTTP {status} {phrase}".rstrip() + (f": {words}" if words else "")
        if status >= 500:
            return BackendUnavailableError(self._backend, message)
        return BackendRejectedError(self._backend, message)

    def _timeout(self, exc: httpx.TimeoutException, deadline: Deadline) -> BackendTimeoutError:
        is_connect = isinstance(exc, httpx.ConnectTimeout)
        allowed = self._options.connect_timeout_s if is_connect else self._options.read_timeout_s
        return BackendTimeoutError(self._backend, after_s=min(allowed, deadline.after_s))

    def _clean(self, text: str) -> str:
        return one_line(self.address.without_secrets(text))


def _pause_of(response: httpx.Response) -> float:
    """Return the seconds to wait before asking again: as many as the server says, by number or by date, else half a second."""
    said = response.headers.get("retry-after", "")
    if said.isascii() and said.isdigit():
        return float(said)
    now = datetime.now(UTC)
    until, ours = clock_difference(said, now), clock_difference(response.headers.get("date", ""), now)
    return _PAUSE_S if until is None else max(0.0, (until - (ours or timedelta())).total_seconds())
