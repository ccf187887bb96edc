"""Folders with log files in the situations that a reader of files must tell apart."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pytest
import zstandard

from groundwire.adapters.logs import files
from groundwire.adapters.logs.discovery import Discovery, find_log_files
from groundwire.domain.deadline import Deadline
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.sources import SourceDescription
from groundwire.ports import LogBackend

ASKED: Final[dict[str, Any]] = {"query": "refused"}
LINE: Final = "2026-11-20T10:00:05Z ERROR connection refused\n"
GARBAGE: Final = random.Random(7).randbytes(10_000)
CHANGED_AT: Final = 1_795_176_000  # 2026-11-20 12:00 UTC


@dataclass(frozen=True, kw_only=True)
class Folder:
    """What lies in it, what is asked, and what ``happens`` between its making and the call.

    The source names what lies at ``below``. With ``hurry`` the time is over when it is looked at for the how manieth time.
    """

    name: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=lambda: ASKED)
    below: str = ""
    happens: Callable[[Path, pytest.MonkeyPatch], None] = lambda folder, patch: None
    hurry: int | None = None

    def make(self, folder: Path) -> Path:
        """Write the files and return what the source is to name."""
        folder.mkdir()
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            os.utime(path, (CHANGED_AT, CHANGED_AT))
        return folder / self.below


class Hurried:
    """A source whose time is over when it looks at the time for the how manieth time."""

    def __init__(self, backend: LogBackend, looks: int) -> None:
        self.name = backend.name
        self._backend = backend
        self._looks = looks

    def describe(self) -> SourceDescription:
        return self._backend.describe()

    def search(self, request: LogRequest) -> LogPage:
        looks = iter(range(1, 1000))
        most = self._looks

        class Ending(Deadline):
            @property
            def expired(self) -> bool:
                return next(looks) >= most

        return self._backend.search(replace(request, deadline=Ending(after_s=30, ends_at_monotonic_s=0)))


def lines(count: int, text: str = "connection refused") -> str:
    return "".join(
        f"2026-11-20T10:{n // 60 % 60:02}:{n % 60:02}Z ERROR {text} {random.Random(n).random()}\n" for n in range(count)
    )


def _closed(name: str) -> Callable[[Path, pytest.MonkeyPatch], None]:
    """Let a file or a folder be one that this user may not read, whoever runs the test."""

    def close(folder: Path, patch: pytest.MonkeyPatch) -> None:
        opened, scanned = Path.open, os.scandir

        def refuse(path: Path, mode: str = "r") -> Any:
            if path.name == name:
                raise PermissionError(13, "Permission denied")
            return opened(path, mode)

        def refuse_listing(path: Any = ".") -> Any:
            if Path(path).name == name:
                raise PermissionError(13, "Permission denied", str(path))
            return scanned(path)

        patch.setattr(Path, "open", refuse)
        patch.setattr(os, "scandir", refuse_listing)

    return close


def _bad_sector(folder: Path, patch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    class Handle:
        def __init__(self, path: Path) -> None:
            self._file = opened(path, "rb")

        def __enter__(self) -> Handle:
            return self

        def __exit__(self, *what: object) -> None:
            self._file.close()

        def __getattr__(self, name: str) -> Any:
            return getattr(self._file, name)

        def read(self, size: int) -> bytes:
            if 1_000_000 <= self._file.tell() < 3_000_000 and size > 65_536:
                raise OSError(5, "Input/output error")
            return self._file.read(size)

    patch.setattr(Path, "open", lambda path, mode="r": Handle(path) if mode == "rb" else opened(path, mode))


def _meanwhile(change: Callable[[Path], object]) -> Callable[[Path, pytest.MonkeyPatch], None]:
    """Let something happen to orders.log after it was found and before it is read."""

    def happen(folder: Path, patch: pytest.MonkeyPatch) -> None:
        def find_and_change(root: Path) -> Discovery:
            found = find_log_files(root)
            patch.setattr(files, "find_log_files", find_log_files)
            change(folder / "orders.log")
            return found

        patch.setattr(files, "find_log_files", find_and_change)

    return happen


def _rotate(path: Path) -> None:
    path.rename(path.with_name("orders.log.1"))
    path.write_text(LINE)


def _grow(path: Path) -> None:
    with path.open("a") as file:
        file.write(LINE)


def _early_end(name: str, pack: Callable[[bytes], bytes]) -> Mapping[str, bytes]:
    """Return a packed file of two members, the second of which ends before it gives anything."""
    packed = pack(lines(3000).encode())
    return {name: packed + packed[:20]}


def _cri(hour: int, *, offset: str = "") -> str:
    return "".join(
        f"2026-11-20T10:00:0{n}.000000000Z stdout F 2026-11-20 {hour:02}:00:0{n}{offset} ERROR refused\n" for n in range(1, 5)
    )


def _docker(hour: int) -> str:
    return "".join(
        f'{{"log":"2026-11-20 {hour:02}:00:0{n} ERROR refused\\n","stream":"stdout","time":"2026-11-20T10:00:0{n}.000000000Z"}}\n'
        for n in range(1, 5)
    )


ORDERS: Final = {"orders.log": LINE}
PAYMENTS: Final = {"payments.log": LINE}
SITUATIONS: Final = [
    # Nothing can be read at all.
    Folder(name="no such folder", below="nowhere"),
    Folder(name="the folder may not be listed", files=ORDERS, happens=_closed("logs")),
    Folder(name="the only file may not be read", files=ORDERS, happens=_closed("orders.log")),
    Folder(name="binary garbage", files={"orders.log": GARBAGE}),
    Folder(name="UTF-16 without a byte order mark", files={"orders.log": (LINE * 9).encode("utf-16-le")}),
    Folder(name="nothing but zeros", files={"orders.log": b"\0" * 5000}),
    # There is nothing to read.
    Folder(name="no log in the folder"),
    Folder(name="nothing that is a log by its name", files={"README": "refused\n", "app.yml": "a: refused\n"}),
    Folder(name="a JSON document", files={"orders.json": '{\n  "x": 1,\n  "y": "refused"\n}\n'}),
    Folder(name="an empty file", files={"orders.log": ""}),
    Folder(name="an empty file of the service", files={"orders.log": "", **PAYMENTS}, asked={"service": "orders"}),
    # What is read has no time.
    Folder(name="no format that is known", files={"orders.log": "the pool is full\nconnection refused\n"}),
    Folder(name="JSON of another shape", files={"orders.log": '{"x": 1}\n{"x": "refused"}\n'}),
    Folder(name="HTML instead of a log", files={"orders.log": "<html><body>connection refused</body></html>\n"}),
    Folder(name="times of day without a date", files={"orders.log": "10:00:05 ERROR connection refused\n"}),
    Folder(name="a banner without a time before the others", files={"orders.log": "  orders 4.1\n" + LINE}),
    Folder(name="a record without a time that fits, before the others", files={"orders.log": "refused before all\n" + LINE}),
    # Nothing matches.
    Folder(name="empty: no such words", files={"orders.log": LINE.replace("refused", "made")}),
    Folder(name="empty: nothing in the window", files={"orders.log": LINE.replace("11-20", "11-19")}),
    Folder(name="empty: no such service", files=ORDERS, asked={"service": "order"}),
    # A part is missing.
    Folder(name="partial: one file may not be read", files=ORDERS | PAYMENTS, happens=_closed("payments.log")),
    Folder(
        name="partial: the file of the service may not be read",
        files=ORDERS | PAYMENTS,
        asked={"service": "payments"},
        happens=_closed("payments.log"),
    ),
    Folder(
        name="another service's file may not be read",
        files=ORDERS | PAYMENTS,
        asked={"service": "orders"},
        happens=_closed("payments.log"),
    ),
    Folder(name="partial: a folder may not be listed", files={**ORDERS, "inner/x.log": LINE}, happens=_closed("inner")),
    Folder(name="partial: one file is binary garbage", files={**ORDERS, "core.log": GARBAGE}),
    Folder(name="partial: packed in another way", files={**ORDERS, "orders.zip": b"PK"}),
    Folder(name="partial: the disk fails on the way", files={"orders.log": lines(40_000)}, happens=_bad_sector),
    Folder(name="partial: gzip that ends early", files=_early_end("orders.log.gz", gzip.compress)),
    Folder(name="partial: zstd that ends early", files=_early_end("orders.log.zst", zstandard.compress)),
    Folder(name="partial: bzip2 that ends early", files=_early_end("orders.log.bz2", bz2.compress)),
    Folder(name="partial: xz that ends early", files=_early_end("orders.log.xz", lzma.compress)),
    Folder(name="gzip that ends before its first record", files={"orders.log.gz": gzip.compress(LINE.encode())[:12]}),
    # The time is over.
    Folder(name="cut: time ran out before the second file", files=ORDERS | PAYMENTS, hurry=4),
    Folder(name="cut: time ran out within a file", files={"orders.log": lines(60_000)}, hurry=3),
    Folder(name="cut: time ran out before the first file", files=ORDERS | PAYMENTS, hurry=1),
    # It changes while it is read.
    Folder(name="vanishes while it is read", files=ORDERS | PAYMENTS, happens=_meanwhile(Path.unlink)),
    Folder(name="is rotated while it is read", files=ORDERS | PAYMENTS, happens=_meanwhile(_rotate)),
    Folder(name="is emptied while it is read", files=ORDERS | PAYMENTS, happens=_meanwhile(lambda path: path.write_text(""))),
    Folder(name="grows while it is read", files=ORDERS, happens=_meanwhile(_grow)),
    # What is odd about the records.
    Folder(name="3,000 of them", files={"orders.log": lines(3000)}),
    Folder(name="twice, and out of order", files={"orders.log": LINE + LINE.replace(":05Z", ":07Z") + LINE}),
    Folder(name="one byte that is no text", files={"orders.log": LINE.encode().replace(b"connection", b"caf\xff")}),
    Folder(name="Latin-1", files={"orders.log": LINE.replace("connection", "caf\xe9").encode("latin-1")}),
    Folder(name="UTF-16", files={"orders.log": LINE.encode("utf-16")}),
    Folder(name="an entry of 5 MB", files={"orders.log": LINE.strip() + "x" * 5_000_000 + "\n"}),
    Folder(
        name="an entry of 5 MB, the word in what is cut",
        files={"orders.log": "2026-11-20T10:00:05Z ERROR " + "x" * 5_000_000 + " refused\n"},
    ),
    Folder(name="a clock an hour ahead inside, CRI", files={"orders.log": _cri(11)}),
    Folder(name="a clock an hour behind inside, Docker", files={"orders.log": _docker(9)}),
    Folder(name="another zone inside, with its offset", files={"orders.log": _cri(11, offset="+01:00")}),
    Folder(name="no zone", files={"orders.log": LINE.replace("Z ", " ")}),
    Folder(name="no year", files={"orders.log": "Nov 20 10:00:05 web1 orders: connection refused\n"}),
    Folder(name="no year, but one in the name", files={"orders-20261120.log": "Nov 20 10:00:05 web1 orders: refused\n"}),
]
