"""What a scripted model says, turn after turn, whatever protocol carries it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps
from typing import Any, TypeAlias

Arguments: TypeAlias = Mapping[str, Any] | str
"""A string goes out as it is, so that it may also be broken JSON."""

DEFAULT_USAGE = (100, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call; the server makes up an id where none is given."""

    name: str
    arguments: Arguments
    id: str | None = None

    @property
    def arguments_text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else dumps(self.arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A whole answer of the model.

    ``finish`` is ``stop``, ``tool_calls``, ``length``, ``content_filter`` or ``refusal`` and becomes the provider's own word;
    any other word goes out as it is. ``usage`` holds the input and the output tokens; None leaves them out, as some gateways
    do (Anthropic's protocol demands them: there it is zeros).
    """

    text: str | None = None
    calls: tuple[Call, ...] = ()
    refusal: str | None = None
    finish: str = "stop"
    usage: tuple[int, int] | None = DEFAULT_USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An error answer. A string becomes an error of the provider's shape; a mapping or bytes go out as they are."""

    status: int
    body: str | Mapping[str, Any] | bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LateFailure:
    """An error event in the middle of a stream that began well; where nothing is streamed, the plain error."""

    begun: Message
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """Status 200 and a body that is no answer of the protocol."""

    body: bytes
    content_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """The connection is closed after ``after_bytes`` of the turn's body (half of it where None), before any without a turn.

    With ``tidy`` the HTTP message ends in good order, as behind a proxy that closes for the server: only the content tells.
    """

    turn: Turn | None
    after_bytes: int | None = None
    tidy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Slow:
    """The turn's body, a few bytes at a time."""

    turn: Turn
    bytes_per_write: int
    pause_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hang:
    """Silence, and then the turn, or a closed connection."""

    seconds: float
    then: Turn | None = None


Plain: TypeAlias = Message | Failure | LateFailure | Malformed | Drop | Slow | Hang
Turn: TypeAlias = Plain | Callable[[dict[str, Any]], "Plain"]
"""A callable sees the request's JSON, to answer with what was sent: refs, random markings."""


def text(content: str, *, usage: tuple[int, int] | None = DEFAULT_USAGE) -> Message:
    return Message(text=content, usage=usage)


def json(value: object, *, usage: tuple[int, int] | None = DEFAULT_USAGE) -> Message:
    return Message(text=dumps(value), usage=usage)


def tool_calls(
    calls: Sequence[tuple[str, Arguments]],
    *,
    text: str | None = None,
    ids: Sequence[str] | None = None,
    finish: str = "tool_calls",
    usage: tuple[int, int] | None = DEFAULT_USAGE,
) -> Message:
    """Return one turn that asks for all of ``calls``."""
    named = [None] * len(calls) if ids is None else list(ids)
    made = tuple(Call(name=name, arguments=given, id=id_) for (name, given), id_ in zip(calls, named, strict=True))
    return Message(text=text, calls=made, finish=finish, usage=usage)


def cut(content: str, *, finish: str = "length", usage: tuple[int, int] | None = DEFAULT_USAGE) -> Message:
    """Return an answer that stopped at its length limit."""
    return Message(text=content, finish=finish, usage=usage)


def refusal(reason: str, *, usage: tuple[int, int] | None = DEFAULT_USAGE) -> Message:
    return Message(refusal=reason, finish="refusal", usage=usage)


def filtered(content: str = "", *, usage: tuple[int, int] | None = DEFAULT_USAGE) -> Message:
    return Message(text=content or None, finish="content_filter", usage=usage)


def error(status: int, body: str | Mapping[str, Any] | bytes, *, headers: Mapping[str, str] | None = None) -> Failure:
    return Failure(status=status, body=body, headers=headers or {})


def late_error(begun: str, status: int, message: str) -> LateFailure:
    return LateFailure(begun=Message(text=begun), failure=Failure(status=status, body=message))


def malformed(body: bytes, *, content_type: str | None = None) -> Malformed:
    return Malformed(body=body, content_type=content_type)


def drop(turn: Turn | None = None, *, after_bytes: int | None = None, tidy: bool = False) -> Drop:
    return Drop(turn=turn, after_bytes=after_bytes, tidy=tidy)


def slow(turn: Turn, *, bytes_per_write: int = 16, pause_s: float = 0.005) -> Slow:
    return Slow(turn=turn, bytes_per_write=bytes_per_write, pause_s=pause_s)


def hang(seconds: float, then: Turn | None = None) -> Hang:
    return Hang(seconds=seconds, then=then)
