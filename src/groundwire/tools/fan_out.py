"""Asks every source at the same time, each held to the call's deadline; one that fails does not silence the rest."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendTimeoutError, ToolError

# Backends hold to the deadline themselves and can say more than that it passed; they get this long to do so.
_GRACE_S = 1.0


class Named(Protocol):
    """Anything that can be asked by name."""

    name: str


SourceT = TypeVar("SourceT", bound=Named)
PageT = TypeVar("PageT")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAnswer(Generic[PageT]):
    """What one source said: a page, or the error that stands in its place."""

    name: str
    page: PageT | None
    error: ToolError | None


def ask_all(sources: Sequence[SourceT], ask: Callable[[SourceT], PageT], deadline: Deadline) -> tuple[SourceAnswer[PageT], ...]:
    """Return one answer for each source, in their order.

    An exception that is no :class:`ToolError` is a fault of ours and is raised once all sources had their turn.
    """
    done: queue.SimpleQueue[tuple[int, PageT | None, Exception | None]] = queue.SimpleQueue()
    for index, source in enumerate(sources):
        # A daemon: one hanging source must not keep the process alive after the answer.
        threading.Thread(target=_ask_one, args=(index, source, ask, done), daemon=True, name=f"ask-{source.name}").start()
    pages: dict[int, PageT] = {}
    errors: dict[int, Exception] = {}
    for _ in sources:
        try:
            index, page, error = done.get(timeout=deadline.remaining_s + _GRACE_S)
        except queue.Empty:
            break
        if error is not None:
            errors[index] = error
        elif page is not None:
            pages[index] = page
    return tuple(_answer(index, source, pages, errors, deadline) for index, source in enumerate(sources))


def _ask_one(
    index: int,
    source: SourceT,
    ask: Callable[[SourceT], PageT],
    done: queue.SimpleQueue[tuple[int, PageT | None, Exception | None]],
) -> None:
    try:
        done.put((index, ask(source), None))
    except Exception as exc:  # noqa: BLE001 - carried to the asking thread, which raises what is not a ToolError
        done.put((index, None, exc))


def _answer(
    index: int, source: Named, pages: dict[int, PageT], errors: dict[int, Exception], deadline: Deadline
) -> SourceAnswer[PageT]:
    if index in pages:
        return SourceAnswer(name=source.name, page=pages[index], error=None)
    error = errors.get(index) or BackendTimeoutError(source.name, after_s=deadline.after_s)
    if not isinstance(error, ToolError):
        raise error
    return SourceAnswer(name=source.name, page=None, error=error)
