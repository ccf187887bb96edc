"""GET requests to a JSON API: every way in which they fail becomes one of our errors, in the server's own words."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import httpx

from groundwire.adapters.metrics.json_body import JsonBody, NotJsonError, read_json
from groundwire.adapters.metrics.server_address import ServerAddress
from groundwire.adapters.metrics.server_words import one_line, server_words
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendError,
    BackendMalformedError,
    BackendRejectedError,
    BackendTimeoutError,
    BackendUnavailableError,
)

ANSWER_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of an answer, after decompression; a longer one is refused whole, because half of one is not JSON."""

_ERROR_LIMIT: Final = 64 * 1024
_MOST_REDIRECTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """How a server is reached. Headers go to that server alone; ``transport`` replaces the network, for tests."""

    headers: Mapping[str, str] = field(default_factory=dict)
    connect_timeout_s: float = 3
    read_timeout_s: float = 20
    transport: httpx.BaseTransport | None = None


class JsonApi:
    """One server's JSON API. Connections last for one request: a diagnosis asks a server only a few times.

    Raises:
        UsageError: The URL or a header cannot be used.
    """

    def __init__(self, backend: str, url: str, options: HttpOptions) -> None:
        self.address = ServerAddress.parse(url, options.headers)
        self._backend = backend
        self._options = options

    def get(self, path: str, params: Mapping[str, str], deadline: Deadline) -> JsonBody:
        """Return the decoded answer to ``GET path``; a redirect is followed within the same server only.

        Raises:
            BackendError: Anything else happened than a 2xx with JSON.
        """
        url, query = self.address.url_of(path), dict(params) or None
        try:
            with self._client(deadline) as client:
                for _ in range(_MOST_REDIRECTS):
                    with client.stream("GET", url, params=query) as response:
                        if response.has_redirect_location:
                            url, query = self._target(response), None
                            continue
                        return self._answer(response, deadline)
            raise BackendRejectedError(self._backend, f"{self.address.shown} redirects more than {_MOST_REDIRECTS} times")
        except httpx.TimeoutException as exc:
            raise self._timeout(exc, deadline) from exc
        except httpx.DecodingError as exc:
            raise self.malformed(f"answered with a body that cannot be decompressed ({self._clean(str(exc))})", "") from exc
        except (httpx.RequestError, httpx.InvalidURL) as exc:
            reason = self._clean(str(exc)) or f"the connection broke ({type(exc).__name__})"
            raise BackendUnavailableError(self._backend, f"cannot reach {self.address.shown}: {reason}") from exc

    def malformed(self, what: str, answer: str) -> BackendMalformedError:
        """Return the error for an answer that is not what this API answers; ``what`` goes on from the server's address."""
        return BackendMalformedError(self._backend, f"{self.address.shown} {what}", answer=self.address.without_secrets(answer))

    def rejected(self, words: str) -> BackendRejectedError:
        """Return the error for an answer that says, in ``words``, that the query is refused."""
        return BackendRejectedError(self._backend, self._clean(words) or "the query was refused without a reason")

    def _client(self, deadline: Deadline) -> httpx.Client:
        left = deadline.remaining_s
        if left <= 0:
            raise BackendTimeoutError(self._backend, after_s=deadline.after_s)
        read_s = min(self._options.read_timeout_s, left)
        return httpx.Client(
            headers=dict(self._options.headers),
            auth=self.address.credentials,
            timeout=httpx.Timeout(read_s, connect=min(self._options.connect_timeout_s, left)),
            transport=self._options.transport,
            follow_redirects=False,
            # Loading the certificates takes 20 to 80 ms; without TLS none are needed, and an empty context trusts nobody.
            verify=True if self.address.is_https else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )

    def _target(self, response: httpx.Response) -> httpx.URL:
        target = response.url.join(response.headers["location"])
        if not self.address.is_same_server(target):
            where = f"{target.scheme}://{target.host}"
            raise BackendRejectedError(
                self._backend,
                f"{self.address.shown} redirects to {self._clean(where)}, which is not followed (HTTP {response.status_code})",
                hint="Give the server's own URL, with the credentials that it asks for.",
            )
        return target

    def _answer(self, response: httpx.Response, deadline: Deadline) -> JsonBody:
        if not response.is_success:
            raise self._refusal(response.status_code, response.reason_phrase, self._body(response, deadline, _ERROR_LIMIT))
        body = self._body(response, deadline, ANSWER_LIMIT)
        if len(body) > ANSWER_LIMIT:
            raise self.malformed(
                f"answered with more than {ANSWER_LIMIT // 1024 // 1024} MB, which is not read: ask for less",
                body[:2_000].decode("utf-8", errors="replace"),
            )
        try:
            return read_json(body)
        except NotJsonError as exc:
            shown = f", beginning {self._clean(exc.start[:120])!r}" if exc.start.strip() else ""
            raise self.malformed(f"answered what is not JSON{shown} ({exc})", exc.start) from exc

    def _body(self, response: httpx.Response, deadline: Deadline, limit: int) -> bytes:
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
