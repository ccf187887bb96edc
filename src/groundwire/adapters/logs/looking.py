"""Looks for fixed texts in many files at once, in whatever case, and says where they stand: ``rg`` where it is, else Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from groundwire.domain.deadline import Deadline

_BLOCK: Final = 256 * 1024  # what the processor keeps at hand
_KELVIN: Final = "\N{KELVIN SIGN}"


class Hit(NamedTuple):
    """A text that was looked for: the byte it starts at, how it is written there, and its line number where that is known."""

    offset: int
    text: str
    line: int | None = None


Hits = Mapping[Path, Sequence[Hit] | None]
"""By file, in their order; None for one that has more than were asked for. A file that is missing has none."""


class Look(Protocol):
    """One way to look through files."""

    def find(
        self, paths: Sequence[Path], texts: Sequence[str], *, most: int, deadline: Deadline, ignores_case: bool = False
    ) -> Hits:
        """Return where ASCII texts of at least three characters stand in files, if at most some ``most`` times in each.

        Two hits do not overlap. Where case is ignored, texts are in lower case, and the sign for Kelvin counts as a K.

        Raises:
            OSError: A file cannot be read.
            TimeoutError: The deadline passed.
        """
        ...


class PythonLook:
    """A look without any other program."""

    def find(
        self, paths: Sequence[Path], texts: Sequence[str], *, most: int, deadline: Deadline, ignores_case: bool = False
    ) -> Hits:
        finder = _Finder(texts, ignores_case=ignores_case)
        found: dict[Path, Sequence[Hit] | None] = {}
        for path in paths:
            hits: list[Hit] = []
            for hit in finder.hits(path, deadline):
                hits.append(hit)
                if len(hits) > most:
                    break
            found[path] = hits if len(hits) <= most else None
        return found


class _Finder:
    def __init__(self, texts: Sequence[str], *, ignores_case: bool) -> None:
        self._texts = [text.encode() for text in texts]
        self._ignores_case = ignores_case
        self._has_escapes = any("\\" in text for text in texts)
        self._has_k = ignores_case and any("k" in text for text in texts)
        any_of = "|".join(re.escape(text) for text in texts)
        if ignores_case:
            any_of = any_of.replace("k", f"(?:k|{_KELVIN})")
        self._pattern = re.compile(any_of.encode())
        self._longest = max(map(len, texts)) * len(_KELVIN.encode())

    def hits(self, path: Path, deadline: Deadline) -> Iterator[Hit]:
        offset, before = 0, b""
        with path.open("rb", buffering=0) as handle:
            while block := handle.read(_BLOCK):
                if deadline.expired:
                    raise TimeoutError
                # What stands across the start of the block, then what stands in it.
                at = len(before)
                for match in self._found_in(before + block[: self._longest]):
                    if match.start() < at < match.end():
                        yield Hit(offset - at + match.start(), _text(match))
                for match in self._found_in(block):
                    yield Hit(offset + match.start(), _text(match))
                offset += len(block)
                before = block[-self._longest :]

    def _found_in(self, block: bytes) -> Iterable[re.Match[bytes]]:
        lowered = block.lower() if self._ignores_case else block
        texts = self._texts
        if self._has_escapes and b"\\" not in lowered:
            texts = [text for text in texts if b"\\" not in text]
        if any(text in lowered for text in texts) or (self._has_k and not block.isascii() and _KELVIN.encode() in block):
            return self._pattern.finditer(lowered)
        return ()


def _text(match: re.Match[bytes]) -> str:
    return match[0].decode().replace(_KELVIN, "k")
