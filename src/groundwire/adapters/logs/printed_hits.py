"""Reads what ``rg`` and ``grep`` print of the places where they found a text: ``path NUL line:offset:text``."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.looking import Hit

_HIT: Final = re.compile(rb"([^\0]*)\0(\d+):(\d+):([^\n]*)\n")


def printed_hits(printed: bytes, paths: Sequence[Path], *, most: int | None = None) -> dict[Path, Sequence[Hit] | None]:
    """Return what was found, by file, in the order that it was printed in; None for a file that has more than ``most``."""
    by_name = files_by_name(paths)
    found: defaultdict[Path, list[Hit]] = defaultdict(list)
    # In turn from the start, as a name may hold a line end, and another name.
    for name, line, offset, text in _HIT.findall(printed):
        found[by_name[name]].append(Hit(int(offset), text.decode("utf-8", "replace").replace("\N{KELVIN SIGN}", "k"), int(line)))
    return {path: None if most is not None and _lines(hits) > most else hits for path, hits in found.items()}


def _lines(hits: Sequence[Hit]) -> int:
    return len({hit.line for hit in hits})


def files_by_name(paths: Sequence[Path]) -> dict[bytes, Path]:
    """Return files by the names that they are printed with."""
    return {os.fsencode(path.absolute()): path for path in paths}
