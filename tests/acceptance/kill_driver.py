"""Forks processes that record calls, and kills each with SIGKILL after a random moment.

``python -m tests.acceptance.kill_driver DB LOGS COUNT SEED`` prints ``{session_id: [ids of calls that had returned]}``.
``python -m tests.acceptance.kill_driver live DB`` records one call that never ends, and prints its session and id.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import NoReturn

from tests.acceptance.gateway import SlowTool, open_session
from tests.acceptance.incident import checkout_lines

_LONGEST_S = 0.040


def main() -> None:
    """Do what the words say."""
    if sys.argv[1] == "live":
        _live(Path(sys.argv[2]))
        return
    db, logs, count, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    logs.mkdir()
    (logs / "checkout.log").write_text("\n".join(checkout_lines()) + "\n")
    with open_session(db, logs=logs) as session:  # what is imported late is imported before the forks
        session.recorder.ask("query_logs", {})
    chance = random.Random(seed)
    returned: dict[str, list[str]] = {}
    for number in range(count):
        # Every fourth is killed at some time from its birth on, the others at some time from their first call on.
        session_id, ids = _kill_one(db, logs, from_birth=number % 4 == 0, after_s=chance.uniform(0, _LONGEST_S))
        if session_id is not None:
            returned[session_id] = ids
    print(json.dumps(returned))


def _kill_one(db: Path, logs: Path, *, from_birth: bool, after_s: float) -> tuple[str | None, list[str]]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _record_without_end(db, logs, writing)
    os.close(writing)
    said = b""
    if not from_birth:
        said = os.read(reading, 65536)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"the child ended by itself: {status}"
    while chunk := os.read(reading, 65536):
        said += chunk
    os.close(reading)
    words = said.decode().split()
    return (words[0], words[1:]) if words else (None, [])


def _record_without_end(db: Path, logs: Path, writing: int) -> NoReturn:
    """Record calls, and say each one's id once it has returned."""
    try:
        with open_session(db, logs=logs, tools=[SlowTool(0.002)]) as session:
            os.write(writing, f"{session.id}\n".encode())
            number = 0
            while True:
                number += 1
                if number % 3:
                    call = session.recorder.ask("query_logs", {"service": "checkout", "level": "error", "limit": number})
                else:
                    call = session.recorder.ask("query_metrics", {"limit": number})
                os.write(writing, f"{call.invocation.id}\n".encode())
    finally:
        os._exit(1)


def _live(db: Path) -> None:
    with open_session(db, tools=[SlowTool(120)]) as session:
        threading.Thread(target=session.recorder.ask, args=("query_metrics", {}), daemon=True).start()
        found = None
        while found is None:
            with closing(sqlite3.connect(db)) as connection:
                found = connection.execute("SELECT id FROM tool_invocation WHERE session_id = ?", (session.id,)).fetchone()
        print(session.id, found[0], flush=True)
        time.sleep(120)


if __name__ == "__main__":
    main()
