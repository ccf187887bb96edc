"""The Markdown files of a folder tree, read with bounds; what cannot be read is said and the rest goes on."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_SUFFIXES: Final = frozenset({".md", ".markdown"})
_LONGEST_FILE: Final = 2_000_000
_MOST_LINES: Final = 50_000  # parsing costs by the line: 2 MB of lines of four characters would take a quarter of a minute
_MOST_FILES: Final = 5000
_BINARY_SAMPLE: Final = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """One file: its ``source`` (POSIX path below the root) and what it says, or a ``problem`` with it, or both.

    ``note`` says what is odd about a file that was read whole.
    """

    source: str
    text: str | None
    problem: str | None = None
    note: str | None = None


def read_folder(root: Path) -> Iterator[ReadFile]:
    """Return every Markdown file below ``root``, in a stable order; hidden files and folders are left out.

    A link is followed only to a file that lies below ``root`` too, and linked folders not at all, so that nothing outside
    is read and no circle is walked.

    Raises:
        OSError: ``root`` itself cannot be listed; raised at once, the files are read one by one as they are taken.
    """
    with os.scandir(root):
        return _read_below(root)


def _read_below(root: Path) -> Iterator[ReadFile]:
    real_root = Path(os.path.realpath(root))
    unreadable: list[OSError] = []
    seen: set[Path] = set()
    for path in _markdown_files(root, unreadable.append):
        if len(seen) >= _MOST_FILES:
            yield ReadFile(source="", text=None, problem=f"only the first {_MOST_FILES:,} files were read")
            break
        source = _shown(path.relative_to(root))
        real = Path(os.path.realpath(path))  # Path.resolve() raises on a circle of links
        if not real.is_relative_to(real_root):
            yield ReadFile(source=source, text=None, problem=f"{source} is a link that leads out of the folder; it was not read")
        elif real not in seen:
            seen.add(real)
            yield _read_file(real, source)
    for error in unreadable:
        folder = _shown(Path(error.filename).relative_to(root)) if error.filename else "a folder"
        yield ReadFile(source=folder, text=None, problem=f"{folder} cannot be listed ({error.strerror})")


def _markdown_files(root: Path, on_error: Callable[[OSError], None]) -> Iterator[Path]:
    for folder, folders, files in os.walk(root, onerror=on_error):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if Path(name).suffix.lower() in _SUFFIXES and not name.startswith("."):
                yield Path(folder, name)


def _read_file(path: Path, source: str) -> ReadFile:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return ReadFile(source=source, text=None, problem=f"{source} is not a file; it was not read")
        with path.open("rb") as file:
            content = file.read(_LONGEST_FILE + 1)
    except OSError as exc:
        return ReadFile(source=source, text=None, problem=f"{source} cannot be read ({exc.strerror})")
    if b"\x00" in content[:_BINARY_SAMPLE]:
        return ReadFile(source=source, text=None, problem=f"{source} is not text in UTF-8 (it holds NUL bytes); it was not read")
    text, note = _decode(content[:_LONGEST_FILE], source)
    lines = text.split("\n", _MOST_LINES)
    problem = None
    if len(content) > _LONGEST_FILE or len(lines) > _MOST_LINES:
        text = "\n".join(lines[:_MOST_LINES])
        problem = f"{source} is longer than 2 MB or {_MOST_LINES:,} lines; only the start of it was read"
    return ReadFile(source=source, text=text, problem=problem, note=note)


def _decode(content: bytes, source: str) -> tuple[str, str | None]:
    try:
        text, note = content.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        text = content.decode("utf-8-sig", errors="backslashreplace")
        note = rf"{source} holds bytes that are not UTF-8; they are shown as \xNN"
    return text.replace("\x00", "\ufffd"), note


def _shown(path: Path) -> str:
    """Return a path as text that can be stored: file names need not be UTF-8."""
    return os.fsencode(path.as_posix()).decode("utf-8", errors="backslashreplace")
