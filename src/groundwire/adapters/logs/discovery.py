"""Finds the log files under a configured folder, and says what it left out."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.layouts import find_layout
from groundwire.adapters.logs.lines import as_utf8
from groundwire.adapters.logs.naming import PathIdentity, identify, strip_compression, strip_rotation
from groundwire.adapters.logs.remarks import some_names

MOST_FILES: Final = 5000
_LOG_SUFFIXES: Final = frozenset(
    {"", ".log", ".logs", ".out", ".err", ".txt", ".json", ".jsonl", ".ndjson", ".stdout", ".stderr", ".export"}
)
_OTHER_SUFFIXES: Final = frozenset(
    ".conf .css .db .gif .hprof .htm .html .ini .jar .jpg .js .journal .md .om .parquet .pcap .pdf .pid .png .properties "
    ".prom .py .rst .sh .sqlite .svg .tar .toml .xls .xlsx .yaml .yml".split()
)
_UNREAD_COMPRESSION: Final = frozenset({".lz4", ".zip", ".tgz", ".txz", ".tbz", ".7z", ".rar", ".br", ".lzma"})
# Some are logs and most are not: their first bytes tell.
_MAYBE_LOGS: Final = frozenset({".csv", ".tsv", ".xml"})
_NO_LOGS: Final = frozenset(
    "authors changelog citation contributing copying license licence makefile notice readme btmp faillog lastlog wtmp".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFile:
    """A file as it was found: ``name`` is its path below the configured folder; it is read up to ``size`` bytes."""

    path: Path
    name: str
    size: int
    modified: datetime
    modified_ns: int
    inode: int
    identity: PathIdentity

    def change_of(self, status: os.stat_result) -> str | None:
        """Return what happened to the file since it was found, from its status once it was opened; None where it only grew."""
        if status.st_ino != self.inode:
            return "replaced by another file while it was searched, as when logs are rotated"
        return "emptied or made shorter while it was searched" if status.st_size < self.size else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """The files that look like logs by name, sorted by it; sentences about what could not be read, and what was left out."""

    files: tuple[LogFile, ...]
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def find_log_files(root: Path) -> Discovery:
    """Return the log files of a folder and all folders in it, or the one file that ``root`` is, whatever it is called.

    Hidden files are skipped, and links that lead out of the folder are not followed.

    Raises:
        OSError: ``root`` is not there or cannot be listed.
    """
    if not root.is_dir():
        status = root.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(f"{root} is neither a file nor a folder")
        return Discovery(files=(_log_file(root, _shown(root.name), root.resolve().parent.name, status),))
    os.scandir(root).close()  # raises here, where it can be told apart from an empty folder
    return _Walk(root).discover()


class _Walk:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._real_root = root.resolve()
        self._files: dict[Path, LogFile] = {}
        self._names_of_one: set[tuple[int, int]] = set()
        self._links: list[Path] = []
        self._outside: list[str] = []
        self._left_out: list[str] = []
        self._problems: list[str] = []

    def discover(self) -> Discovery:
        for path in self._paths():
            if len(self._files) >= MOST_FILES:
                self._problems.append(f"only the first {MOST_FILES} files were looked at; point at a smaller folder")
                break
            if path.is_symlink():
                self._links.append(path)
            else:
                self._add(path)
        for link in self._links:
            self._add_link(link)
        notes = []
        if self._left_out:
            notes.append(f"left out, not logs by name: {some_names(self._left_out)}")
        if self._outside:
            self._problems.append(
                f"links that lead out of the folder were not followed: {some_names(self._outside)}; "
                "point at the folder that they lead to"
            )
        if not self._files and not self._problems:
            self._problems.append("the folder holds no log files")
        files = sorted(self._files.values(), key=lambda file: file.name)
        return Discovery(files=tuple(files), problems=tuple(self._problems), notes=tuple(notes))

    def _paths(self) -> Iterator[Path]:
        for folder, folder_names, file_names in os.walk(self._root, onerror=self._note_unlisted):
            here = Path(folder)
            folder_names[:] = sorted(name for name in folder_names if not name.startswith("."))
            yield from (here / name for name in folder_names if (here / name).is_symlink())
            yield from (here / name for name in sorted(file_names) if not name.startswith("."))

    def _note_unlisted(self, error: OSError) -> None:
        self._problems.append(f"{self._relative(Path(error.filename))} cannot be listed: {error.strerror}")

    def _relative(self, path: Path) -> str:
        return _shown(path.relative_to(self._root).as_posix())

    def _add(self, path: Path) -> None:
        name = self._relative(path)
        try:
            status = path.stat()
        except OSError as exc:
            self._problems.append(f"{name} cannot be read: {exc.strerror}")
            return
        if not stat.S_ISREG(status.st_mode):
            return
        if path.suffix.lower() in _UNREAD_COMPRESSION:
            self._problems.append(f"{name} was not read: gzip, bzip2, xz and zstd are understood, not {path.suffix}")
        elif not _is_log_by_name(path.name) or (path.suffix.lower() in _MAYBE_LOGS and not _starts_like_log(path)):
            self._left_out.append(name)
        elif status.st_nlink == 1 or self._is_new(status):
            self._files[path.resolve()] = _log_file(path, name, self._real_root.name, status)

    def _is_new(self, status: os.stat_result) -> bool:
        """Return whether a file that goes by several names was not met by another one."""
        one = (status.st_dev, status.st_ino)
        is_new = one not in self._names_of_one
        self._names_of_one.add(one)
        return is_new

    def _add_link(self, link: Path) -> None:
        try:
            target = link.resolve(strict=True)
        except (OSError, RuntimeError):
            self._problems.append(f"{self._relative(link)} is a link that leads nowhere")
            return
        if not target.is_relative_to(self._real_root):
            self._outside.append(self._relative(link))
        elif target.is_file() and target not in self._files:
            self._add(link)


def _shown(name: str) -> str:
    r"""Return a name as text: a byte of it that is no UTF-8 is ``\xff``, as in what a file holds."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _is_log_by_name(name: str) -> bool:
    plain = strip_compression(name)
    suffix = Path(plain).suffix
    stem = strip_rotation(plain)
    if stem in _NO_LOGS or suffix in _OTHER_SUFFIXES:
        return False
    # app.log.1, app.log-20261112 and syslog.2 end in something else than a file type.
    is_rotated = stem != plain and not Path(stem).suffix
    return suffix in _LOG_SUFFIXES or suffix in _MAYBE_LOGS or "log" in plain or is_rotated


def _starts_like_log(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return find_layout(b"".join(as_utf8([file.read(16 * 1024)]))) is not None
    except OSError:
        return True  # reading it says what is wrong


def _log_file(path: Path, name: str, above: str, status: os.stat_result) -> LogFile:
    return LogFile(
        path=path,
        name=name,
        size=status.st_size,
        modified=datetime.fromtimestamp(status.st_mtime, UTC),
        modified_ns=status.st_mtime_ns,
        inode=status.st_ino,
        identity=identify(name.split("/"), above=above),
    )
