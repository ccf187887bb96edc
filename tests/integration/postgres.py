"""A PostgreSQL server of the tests' own: made in a temporary folder, run by an unprivileged user, stopped at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.integration.processes import free_port, miss

USER = "groundwire"
PASSWORD = "pa55-w0rd/of:the@tests"
_QUOTED = "pa55-w0rd%2Fof%3Athe%40tests"


class PostgresServer:
    """A running server; each test takes a database of its own."""

    def __init__(self, port: int) -> None:
        self.port = port

    def url(self, database: str = "postgres", *, password: str = _QUOTED) -> str:
        return f"postgresql://{USER}:{password}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def create_database(self, options: str = "") -> str:
        name = f"test_{uuid.uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} {options}")
        return name


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """Run a server; skip the test where PostgreSQL is not installed, and fail instead where CI is set."""
    programs = _programs()
    if programs is None:
        miss("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="groundwire-pg-"))
    password = folder / "password"
    password.write_text(PASSWORD)
    data = folder / "data"
    as_user = _unprivileged(folder, password)
    try:
        make = [*as_user, str(programs / "initdb"), "-D", str(data), "-U", USER, "-A", "scram-sha-256"]
        _run([*make, f"--pwfile={password}", "--encoding=UTF8", "--locale=C", "--no-sync"])
        port = free_port()
        options = f"-F -k {folder} -c listen_addresses=127.0.0.1 -c port={port} -c max_connections=60"
        control = [*as_user, str(programs / "pg_ctl"), "-D", str(data), "-w", "-t", "30"]
        _run([*control, "-l", str(folder / "log"), "-o", options, "start"])
        try:
            yield PostgresServer(port)
        finally:
            _run([*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path | None:
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    return None if found is None else Path(found).resolve().parent


def _unprivileged(folder: Path, password: Path) -> list[str]:
    """Return what to put before a command so that it does not run as root, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return []
    user = next((name for name in ("postgres", "nobody") if _exists(name)), None)
    if user is None:
        miss("there is no unprivileged user to run PostgreSQL")
    for path in (folder, password):
        shutil.chown(path, user)
    return ["runuser", "-u", user, "--"]


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/", check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{command[-1]}: {done.stdout}{done.stderr}"
