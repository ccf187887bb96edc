"""A ``journalctl`` for tests, put on PATH, over entries that a test writes down; and entries as journalctl prints them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = """#!{python} -ISs
import json, sys, time
args = sys.argv[1:]
open({folder!r} + "/asked", "a").write(json.dumps(args) + "\\n")
told = json.load(open({folder!r} + "/told.json"))
options = dict(arg.partition("=")[::2] for arg in args if arg.startswith("--"))
entries = told["entries"]
sys.stderr.write(told["stderr"])
if "--version" in options:
    print("systemd 257 (257.1-1)\\n+PAM +AUDIT")
elif "--header" in options:
    if told["files"]:
        times = [int(entry["__REALTIME_TIMESTAMP"]) for entry in entries] or [0]
        print("File path: /var/log/journal/system.journal\\nFile ID: 0")
        print("Head realtime timestamp: Thu 2026-11-12 09:00:00 UTC (%x)" % min(times))
        print("Tail realtime timestamp: Thu 2026-11-12 10:00:00 UTC (%x)" % max(times))
elif "--field" in options:
    values = {{entry[options["--field"]] for entry in entries if isinstance(entry.get(options["--field"]), str)}}
    print("\\n".join(sorted(values)))
else:
    groups = [[]]
    for arg in args:
        if arg == "+":
            groups.append([])
        elif not arg.startswith("--"):
            groups[-1].append(arg.partition("=")[::2])
    def holds(group, entry):
        return all(any(entry.get(name) == value for other, value in group if other == name) for name, _ in group)
    since, until = (int(options[name][1:]) * 1000000 for name in ("--since", "--until"))
    for entry in reversed(entries):
        if since <= int(entry["__REALTIME_TIMESTAMP"]) <= until and any(holds(group, entry) for group in groups):
            print(json.dumps(entry))
    sys.stdout.write(told["more"])
    sys.stdout.flush()
    time.sleep(told["hang_s"])
    sys.exit(told["exit"])
"""


class FakeJournal:
    """What the ``journalctl`` on PATH tells. ``asked`` are the arguments of its runs so far."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        program = folder / "journalctl"
        program.write_text(_PROGRAM.format(python=sys.executable, folder=str(folder)))
        program.chmod(0o755)
        self.tell()

    def tell(
        self,
        *entries: Mapping[str, Any],
        files: int = 1,
        more: str = "",
        stderr: str = "",
        exit_code: int = 0,
        hang_s: float = 0,
    ) -> None:
        """Tell these entries, oldest first; ``more`` follows them as it is, before a wait of ``hang_s`` and the exit."""
        told = {"entries": entries, "files": files, "more": more, "stderr": stderr, "exit": exit_code, "hang_s": hang_s}
        (self._folder / "told.json").write_text(json.dumps(told))

    @property
    def asked(self) -> list[list[str]]:
        return [json.loads(line) for line in (self._folder / "asked").read_text().splitlines()]


def put_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> FakeJournal:
    """Make the only ``journalctl`` that is found the one that this returns."""
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("PATH", str(folder))
    return FakeJournal(folder)


def entry(at: datetime, message: Any, *, number: int = 1, **fields: Any) -> dict[str, Any]:
    """Return an entry as ``journalctl -o json`` prints it."""
    return {
        "__CURSOR": f"s=22a07e36;i={number:x};b=11111111;m=f4240;t=660115fe7c800;x=cfaf4814",
        "__REALTIME_TIMESTAMP": str(round(at.timestamp() * 1_000_000)),
        "__MONOTONIC_TIMESTAMP": "1000000",
        "_BOOT_ID": "1" * 32,
        "_MACHINE_ID": "2" * 32,
        "_HOSTNAME": "web1",
        "MESSAGE": message,
        **fields,
    }


def entries_of_lines(lines: Iterable[str], service: str, times: Iterable[datetime]) -> list[dict[str, Any]]:
    """Return what a unit's standard output becomes, one entry for each of ``lines``."""
    return [
        entry(
            at,
            line,
            number=number,
            _TRANSPORT="stdout",
            PRIORITY="6",
            _SYSTEMD_UNIT=f"{service}.service",
            SYSLOG_IDENTIFIER="java",
        )
        for number, (line, at) in enumerate(zip(lines, times, strict=True), 1)
    ]
