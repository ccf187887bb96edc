"""Waiting that ends: work runs in threads of its own, and whoever waits goes on at the deadline."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, TypeVar

from groundwire.domain.deadline import Deadline

_Result = TypeVar("_Result")

_GRACE_S: Final = 1.0
"""For work that keeps the same deadline itself, so that its own words are heard; and for what is under way at an interrupt."""


def run_all(work: Sequence[Callable[[], _Result]], deadline: Deadline) -> list[_Result | BaseException]:
    """Return what each gave or raised, in their order; a TimeoutError for what was not done at the deadline.

    The threads do not keep the process alive. An interrupt of the waiting thread goes on after a moment, one for all of them, in
    which calls under way can still be recorded.
    """
    # All of them before the first is started: an interrupt may come while a thread starts.
    futures: list[Future[_Result]] = [Future() for _ in work]
    ends_at = time.monotonic() + deadline.remaining_s + _GRACE_S
    try:
        for each, future in zip(work, futures, strict=True):
            _start(each, future)
        return [_outcome(future, ends_at, deadline) for future in futures]
    except BaseException:
        ends_at = time.monotonic() + _GRACE_S
        for future in futures:
            with contextlib.suppress(BaseException):
                future.exception(timeout=max(0.0, ends_at - time.monotonic()))
        raise


def one_after_another(work: Sequence[Callable[[Callable[[], None]], _Result]], deadline: Deadline) -> list[Callable[[], _Result]]:
    """Return work for :func:`run_all` that begins in its order, and goes on side by side.

    Each part is given what it calls once the next may begin; one that ends lets the next begin too. A TimeoutError stands for
    one that could not begin before the deadline.
    """
    begun = [threading.Event() for _ in range(len(work) + 1)]
    begun[0].set()

    def in_turn(place: int) -> _Result:
        try:
            if not begun[place].wait(deadline.remaining_s):
                raise TimeoutError(f"not begun within the {deadline.after_s:g} s of this investigation")
            return work[place](begun[place + 1].set)
        finally:
            begun[place + 1].set()

    return [partial(in_turn, place) for place in range(len(work))]


def _start(work: Callable[[], _Result], future: Future[_Result]) -> None:
    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as exc:  # noqa: BLE001 - raised again, or told, by whoever waits
            future.set_exception(exc)

    threading.Thread(target=run, name="groundwire-investigator", daemon=True).start()


def _outcome(future: Future[Any], ends_at: float, deadline: Deadline) -> Any:
    try:
        failed = future.exception(timeout=max(0.0, ends_at - time.monotonic()))
    except TimeoutError:
        return TimeoutError(f"no answer within the {deadline.after_s:g} s of this investigation")
    return future.result() if failed is None else failed
