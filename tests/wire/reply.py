"""From a scripted turn to the bytes of an answer, and when and how far they are sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch
from itertools import accumulate, chain
from typing import Any, Protocol

from tests.wire.script import Drop, Failure, Hang, LateFailure, Malformed, Message, Slow, Turn

_JSON = "application/json"
_EVENTS = "text/event-stream; charset=utf-8"


class Wire(Protocol):
    """The protocol of one provider."""

    def key(self, headers: Mapping[str, str]) -> str: ...
    def whole(self, message: Message, request: Mapping[str, Any], new_id: Callable[[], str]) -> dict[str, Any]: ...
    def events(self, message: Message, request: Mapping[str, Any], new_id: Callable[[], str]) -> Iterator[bytes]: ...
    def error(self, status: int, text: str, *, param: str | None = None) -> dict[str, Any]: ...
    def error_event(self, status: int, text: str) -> bytes: ...
    def models(self, names: tuple[str, ...]) -> dict[str, Any]: ...
    def complaint(self, request: Mapping[str, Any]) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One HTTP answer; ``chunks`` are the events of a stream, or the one body of an answer without."""

    status: int = 200
    content_type: str = _JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: tuple[bytes, ...] = ()
    streamed: bool = False
    silent_s: float = 0.0
    answered: bool = True
    bytes_per_write: int | None = None
    pause_s: float = 0.0
    cut_off: bool = False

    @property
    def writes(self) -> Iterator[bytes]:
        """What goes to the socket in one write each; never nothing, which would end a chunked body."""
        if self.bytes_per_write is None:
            return (chunk for chunk in self.chunks if chunk)
        step = self.bytes_per_write
        body = b"".join(self.chunks)
        return (body[start : start + step] for start in range(0, len(body), step))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The request that a turn answers."""

    wire: Wire
    body: dict[str, Any]
    new_id: Callable[[], str]

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))


def json_reply(value: Mapping[str, Any], *, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(status=status, chunks=(json.dumps(value).encode(),), headers=headers or {})


def reply_to(asked: Asked, turn: Turn) -> Reply:
    """Return the answer that the turn makes of the request."""
    return _reply(turn(asked.body) if callable(turn) else turn, asked)


@singledispatch
def _reply(turn: object, asked: Asked) -> Reply:
    raise TypeError(f"not a turn of a script: {turn!r}")


@_reply.register
def _message(turn: Message, asked: Asked) -> Reply:
    if not asked.streams:
        return json_reply(asked.wire.whole(turn, asked.body, asked.new_id))
    events = tuple(asked.wire.events(turn, asked.body, asked.new_id))
    return Reply(content_type=_EVENTS, chunks=events, streamed=True)


@_reply.register
def _failure(turn: Failure, asked: Asked) -> Reply:
    if isinstance(turn.body, bytes):
        return Reply(status=turn.status, content_type="text/html", headers=turn.headers, chunks=(turn.body,))
    body = asked.wire.error(turn.status, turn.body) if isinstance(turn.body, str) else turn.body
    return json_reply(body, status=turn.status, headers=turn.headers)


@_reply.register
def _late_failure(turn: LateFailure, asked: Asked) -> Reply:
    if not asked.streams:
        return _failure(turn.failure, asked)
    begun = _message(turn.begun, asked).chunks
    last = asked.wire.error_event(turn.failure.status, str(turn.failure.body))
    return Reply(content_type=_EVENTS, chunks=(*begun[: len(begun) // 2], last), streamed=True)


@_reply.register
def _malformed(turn: Malformed, asked: Asked) -> Reply:
    kind = turn.content_type or (_EVENTS if asked.streams else _JSON)
    return Reply(content_type=kind, chunks=(turn.body,), streamed=asked.streams)


@_reply.register
def _drop(turn: Drop, asked: Asked) -> Reply:
    if turn.turn is None:
        return Reply(answered=False)
    whole = reply_to(asked, turn.turn)
    length = sum(map(len, whole.chunks))
    sent = length // 2 if turn.after_bytes is None else turn.after_bytes
    if turn.tidy and whole.streamed:
        ends = list(accumulate(map(len, whole.chunks)))
        return replace(whole, chunks=whole.chunks[: sum(end <= sent for end in ends)])
    kept = bytes(chain.from_iterable(whole.chunks))[:sent]
    if turn.tidy:
        return replace(whole, chunks=(kept,))
    missing = {} if whole.streamed else {"Content-Length": str(length)}
    return replace(whole, chunks=(kept,), headers={**whole.headers, **missing}, cut_off=True)


@_reply.register
def _slow(turn: Slow, asked: Asked) -> Reply:
    return replace(reply_to(asked, turn.turn), bytes_per_write=turn.bytes_per_write, pause_s=turn.pause_s)


@_reply.register
def _hang(turn: Hang, asked: Asked) -> Reply:
    then = Reply(answered=False) if turn.then is None else reply_to(asked, turn.then)
    return replace(then, silent_s=turn.seconds)
