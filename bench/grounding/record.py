"""Record the sessions through the command line, once, into a folder that the generator and the measurement read.

python -m bench.grounding.record [--corpus DIR] [--work DIR]
"""

from __future__ import annotations

import argparse
import dataclasses
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.grounding.made_clinic import CLINIC
from bench.grounding.made_ferry import FERRY
from bench.grounding.made_files import write_damaged, write_world
from bench.grounding.openmetrics import serving
from bench.grounding.sessions import DEVELOPMENT, REPORTING, Call, Session, unreadable_logs
from bench.grounding.sessions_corpus import corpus_sessions
from bench.grounding.sessions_made import clinic_session, demo_sessions, ferry_session
from bench.grounding.system_logs import copy_systems

# Raise it when the made files change: recordings of another version are made again.
_VERSION = 3
_ROOT = Path(__file__).resolve().parents[2]


def default_work(corpus: Path | None) -> Path:
    """Return the folder in which the recordings are kept from one run to the next."""
    return Path(tempfile.gettempdir()) / ("groundwire-claims" if corpus is None else "groundwire-claims-corpus")


def all_sessions(corpus: Path | None, work: Path) -> list[Session]:
    """Return every session; without the folder of real inputs the demo incident is split by service."""
    orders_half = REPORTING if corpus is None else DEVELOPMENT
    unreadable = unreadable_logs(work)
    sessions = [
        *demo_sessions(orders_half=orders_half, unreadable=unreadable),
        ferry_session(work / "ferry", unreadable=unreadable),
        clinic_session(work / "clinic", unreadable=unreadable),
    ]
    return sessions if corpus is None else [*sessions, *corpus_sessions(corpus, work)]


def prepare(corpus: Path | None, work: Path) -> None:
    """Write the made incidents and the copies that the sessions search."""
    for world in (FERRY, CLINIC):
        write_world(world, work / world.name)
    unreadable_logs(work).mkdir(exist_ok=True)
    (unreadable_logs(work) / "app.log").write_bytes(bytes(range(256)) * 20)
    if corpus is not None:
        copy_systems(corpus, work)
        for name, incident in (("food-damaged", "trainticket-food-cpu"), ("travel-damaged", "trainticket-travel-exception")):
            write_damaged(corpus / "incidents" / incident / "logs", work / name)


def record(corpus: Path | None, work: Path, sessions: Sequence[Session] | None = None) -> list[Session]:
    """Record what is not recorded yet of these sessions, or of all that claims are about; returns them. A second run waits for
    the first.
    """
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        prepare(corpus, work)
        wanted = all_sessions(corpus, work) if sessions is None else list(sessions)
        with ThreadPoolExecutor(max_workers=2) as pool:
            list(pool.map(lambda session: _record_once(session, work), wanted))
    return wanted


def recording_path(work: Path, session: Session) -> Path:
    """Return the file that holds what the calls of a session answered."""
    return work / "recorded" / session.name / "answers.json"


def database_path(work: Path, session: Session) -> Path:
    """Return the database that the session was recorded in."""
    return work / "recorded" / session.name / "session.db"


def _fingerprint(session: Session) -> str:
    # A database of an older schema cannot be read any more.
    schema = sorted(path.name for path in (_ROOT / "src/groundwire/store/migrations/versions").glob("r*.py"))
    said = {**dataclasses.asdict(session), "half": None, "recorder": _VERSION, "schema": schema}
    return hashlib.sha256(json.dumps(said, default=str, sort_keys=True).encode()).hexdigest()


def _record_once(session: Session, work: Path) -> None:
    path, fingerprint = recording_path(work, session), _fingerprint(session)
    if path.exists() and json.loads(path.read_text())["fingerprint"] == fingerprint:
        return
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{session.name}-", dir=path.parent.parent))
    with ExitStack() as stack:
        server = "" if session.series_file is None else stack.enter_context(serving(session.series_file))
        answers: list[dict[str, Any]] = []
        session_id: str | None = None
        for call in session.calls:
            answer = _call(session, call, fresh / "session.db", session_id, server)
            session_id = str(answer["session_id"])
            answers.append({"tag": call.tag, "invocation": answer["invocation"], "output": answer["output"]})
    recorded = {"fingerprint": fingerprint, "session_id": session_id, "calls": answers}
    (fresh / "answers.json").write_text(json.dumps(recorded))
    shutil.rmtree(path.parent, ignore_errors=True)
    fresh.rename(path.parent)
    print(f"recorded {session.name}: {len(answers)} calls", file=sys.stderr)


def _call(session: Session, call: Call, database: Path, session_id: str | None, server: str) -> dict[str, Any]:
    params = json.dumps(call.params)
    command = [sys.executable, "-m", "groundwire", "call", call.tool, "--params", params, "--db", str(database), "--json"]
    for option, value in call.sources:
        command += [option, value.replace("{server}", server)]
    command += ["--since", session.since, "--until", session.until] if session_id is None else ["--session", session_id]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise SystemExit(f"{session.name}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main() -> None:
    """Record from the command line."""
    parser = argparse.ArgumentParser(description="Record the sessions that the claims are about.")
    parser.add_argument("--corpus", type=Path, help="folder of real inputs")
    parser.add_argument("--work", type=Path, help="where the recordings are kept")
    given = parser.parse_args()
    work = given.work or default_work(given.corpus)
    sessions = record(given.corpus, work)
    halves = {half: sum(session.half == half for session in sessions) for half in (DEVELOPMENT, REPORTING)}
    print(f"{len(sessions)} sessions in {work}: {halves}")


if __name__ == "__main__":
    main()
