"""Processes of the tests' own that serve HTTP: started on a free port of 127.0.0.1, and stopped by the very process."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest

UP_WITHIN_S = 30.0


@contextmanager
def running_process(command: Sequence[str], listen: str, ready: str, *, port: int | None = None) -> Iterator[str]:
    """Run a server on a free port until the end of the block, and stop the very process that was started."""
    port = port or free_port()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [*command, listen.format(port=port)], stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/"
        )
        try:
            url = f"http://127.0.0.1:{port}"
            if not is_within(UP_WITHIN_S, lambda: process.poll() is not None or _is_ready(url + ready)) or process.poll():
                log.seek(0)
                pytest.fail(f"{command[0]} did not start: {log.read().decode(errors='replace')[-2000:]}")
            yield url
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def is_within(seconds: float, holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def _is_ready(url: str) -> bool:
    try:
        get(url)
    except (urllib.error.URLError, OSError):
        return False
    return True


def _opener() -> Any:
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(url: str) -> bytes:
    with _opener().open(url, timeout=5) as answer:
        return bytes(answer.read())


def post(url: str, body: str, content_type: str) -> None:
    request = urllib.request.Request(url, body.encode(), {"Content-Type": content_type})
    with _opener().open(request, timeout=5):
        return


def program_named(name: str, *files: str) -> str:
    found = next(filter(None, map(shutil.which, files)), None)
    if found is None:
        miss(f"{name} is not installed")
    return found


def miss(what: str) -> NoReturn:
    """Skip what cannot be tried here; under CI everything must be."""
    if os.environ.get("CI"):
        pytest.fail(f"{what}, and CI must test it")
    pytest.skip(what)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
