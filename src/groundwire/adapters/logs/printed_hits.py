"""Reads what ``rg`` and ``grep`` print of the places where they found a text: ``path NUL line:offset:text``."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.looking import Hit

_HIT: Final = re.compile(rb"([^\0]*)\0(\d+):(\d+):([^\n]*)\n")


def printed_hits(printed: bytes, paths: Sequence[Path], *, most: int | None = None) -> dict[Path, Sequence[Hit] | None]:
    """Return what was found, by file, in the order that it was printed in; None for a file that has more than ``most``."""
    found: dict[Path, Sequence[Hit] | None] = {}
    for name, path in files_by_name(paths).items():
        # The lines of a file stand together.
        start = printed.find(name + b"\0")
        if start < 0:
            continue
        last = printed.rfind(name + b"\0")
        end = printed.find(b"\n", last) + 1
        is_much = most is not None and printed.count(b"\n", start, end) > most
        found[path] = (
            None
            if is_much
            else [
                Hit(int(offset), text.decode("utf-8", "replace").replace("\N{KELVIN SIGN}", "k"), int(line))
                for of, line, offset, text in _HIT.findall(printed[start:end])
                if of == name
            ]
        )
    return found


def files_by_name(paths: Sequence[Path]) -> dict[bytes, Path]:
    """Return files by the names that they are printed with."""
    return {os.fsencode(path.absolute()): path for path in paths}
