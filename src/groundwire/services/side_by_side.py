"""Foreign work with one deadline for all of it: what is not done by then is left behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

_Result = TypeVar("_Result")


def within(seconds: float, work: Sequence[Callable[[], _Result]]) -> list[_Result | None]:
    """Return what each part gives, in their order, and None for one that is not done in time.

    What one raises is raised here. The threads do not keep the process alive.
    """
    futures = [_started(each) for each in work]
    ends_at = time.monotonic() + seconds
    return [_result(future, ends_at) for future in futures]


def _result(future: Future[_Result], ends_at: float) -> _Result | None:
    try:
        failed = future.exception(timeout=max(0.0, ends_at - time.monotonic()))
    except TimeoutError:
        return None
    if failed is not None:
        raise failed
    return future.result()


def _started(work: Callable[[], _Result]) -> Future[_Result]:
    future: Future[_Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as exc:  # noqa: BLE001 - raised again by whoever waits
            future.set_exception(exc)

    threading.Thread(target=run, name="groundwire-source", daemon=True).start()
    return future
