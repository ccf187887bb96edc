"""Footnotes: a number for each ref that a text cites, and beside it the source, the time and the start of what it names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from groundwire.domain.answer import Answer, CoverageItem, ShownEvidence
from groundwire.domain.names import EvidenceLevel, Trust
from groundwire.rendering.layout import shorten, wrap

_TRUST: Final[Mapping[Trust, str]] = {Trust.MEASURED: "measured", Trust.EMITTED: "logged", Trust.WRITTEN: "runbook"}
_EXCERPT_COLUMNS: Final = 220
_START_COLUMNS: Final = 60
_QUOTE: Final = re.compile("“([^”]{1,400})”")
_LOOKS_LIKE_MARK: Final = re.compile(r"[\[\uff3b\u3010\u3014]([^\S\n]*(?:i?\d)[\w.,;\s-]{0,60})[\]\uff3d\u3011\u3015]")
_LOOKS_LIKE_REF: Final = re.compile(r"\bi\d+\.(?:summary|[a-z_]+\.\d+)(?!\w|\.\w)")


class Footnotes:
    """Numbers the refs of an answer in the order in which they are first cited."""

    def __init__(self, answer: Answer) -> None:
        self._evidence = {item.ref_id: item for item in answer.evidence}
        self._calls = {item.ref: item for item in _items(answer)}
        self._numbers: dict[str, int] = {}
        self._quotes: dict[str, list[str]] = {}

    def marks(self, refs: Iterable[str], text: str = "") -> str:
        """Return the marks of a claim's refs, such as ``[1][2]``; empty when it cites nothing. ``text`` is the claim's own."""
        refs = tuple(refs)
        for ref in refs:
            self._quotes.setdefault(ref, []).extend(_QUOTE.findall(text))
        return "".join(f"[{self._numbers.setdefault(ref, len(self._numbers) + 1)}]" for ref in refs)

    @property
    def first_ref(self) -> str | None:
        """The ref that was cited first, or None."""
        return next(iter(self._numbers), None)

    def lines(self, width: int) -> list[str]:
        """Return the footnotes of everything cited so far."""
        pad = len(f"  [{len(self._numbers)}] ")
        lines: list[str] = []
        for ref, number in self._numbers.items():
            lines += self._note(ref, f"  [{number}] ".ljust(pad), width)
        return lines

    def _note(self, ref: str, first: str, width: int) -> list[str]:
        if ref in self._evidence:
            return evidence_lines(self._evidence[ref], width, first=first, quotes=self._quotes.get(ref, ()))
        call = self._calls.get(ref.removesuffix(".summary"))
        return wrap(f"{ref}, the whole call: {call.text}" if call else f"{ref}, not shown here", width, first=first)


def without_marks(text: str, refs: Collection[str]) -> str:
    """Return the text of a guess or of advice with nothing in it that could be taken for a footnote: only ``refs`` are cited."""
    return _LOOKS_LIKE_REF.sub(
        lambda match: match[0] if match[0] in refs else f"{match[0]} (not cited)", _LOOKS_LIKE_MARK.sub(r"(\1)", text)
    )


def evidence_lines(item: ShownEvidence, width: int, *, first: str, quotes: Iterable[str] = ()) -> list[str]:
    """Return a ref with its source and time on one line, and the start of its text below, with what is quoted of it."""
    # A runbook section, a whole call and a series have no time of their own; an entry that should have one says that it has none.
    has_time = item.trust is not Trust.WRITTEN and item.ref_id.count(".") == 2 and ".series." not in item.ref_id
    time = item.time or ("no time" if has_time else None)
    place = [item.ref_id, item.source, *([time] if time else []), _TRUST[item.trust]]
    if item.level is EvidenceLevel.INDIRECT and item.trust is not Trust.WRITTEN:
        place.append("outside the window")
    text = item.text.removeprefix(item.time or "")  # it stands on the line above
    return wrap(", ".join(place), width, first=first) + wrap(_excerpt(text, quotes), width, first=" " * len(first))


def _excerpt(text: str, quotes: Iterable[str]) -> str:
    """Return the start of a text; where a quote stands further back, less of the start, and the quote."""
    for quote in quotes:
        place = text.find(quote)
        if place >= 0 and place + len(quote) > _EXCERPT_COLUMNS:
            start = text[: min(_START_COLUMNS, place)].rsplit(" ", 1)[0]
            return f"{start} ... {shorten(text[place:], _EXCERPT_COLUMNS - len(start))}"
    return shorten(text, _EXCERPT_COLUMNS)


def _items(answer: Answer) -> Iterable[CoverageItem]:
    coverage = answer.coverage
    return (*coverage.found, *coverage.empty, *coverage.deduped, *coverage.failed, *coverage.not_available)
