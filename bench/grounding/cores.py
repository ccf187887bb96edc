"""Clauses about log lines: what a pattern finds in a record, put in words with slots for what it found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bench.grounding.cores_development import DEVELOPMENT_NEGATIONS, DEVELOPMENT_NUMBERS
from bench.grounding.cores_reporting import REPORTING_NEGATIONS, REPORTING_NUMBERS
from bench.grounding.raw import Record
from bench.grounding.sessions import REPORTING


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberCore:
    """A number in a line: ``key`` names the group that says whose number it is, ``v`` the number, ``unit`` its unit."""

    pattern: re.Pattern[str]
    unit: str
    clauses: tuple[str, ...]

    def find(self, record: Record) -> re.Match[str] | None:
        return self.pattern.search(record.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class NegationCore:
    """What a line denies (``holds``), and the same with the denial dropped (``dropped``)."""

    pattern: re.Pattern[str]
    holds: tuple[str, ...]
    dropped: tuple[str, ...]


# Other writers' clauses of the development half, by pattern.
CLAUSES: dict[str, tuple[str, ...]] = {}
DENIALS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}


def number_cores(half: str) -> list[NumberCore]:
    """Return the clauses about numbers of a half."""
    rows = REPORTING_NUMBERS if half == REPORTING else [(p, u, CLAUSES.get(p, c)) for p, u, c in DEVELOPMENT_NUMBERS]
    return [NumberCore(pattern=re.compile(pattern), unit=unit, clauses=clauses) for pattern, unit, clauses in rows]


def negation_cores(half: str) -> list[NegationCore]:
    """Return the clauses about denials of a half."""
    rows = REPORTING_NEGATIONS if half == REPORTING else [(p, *DENIALS.get(p, (h, d))) for p, h, d in DEVELOPMENT_NEGATIONS]
    return [NegationCore(pattern=re.compile(pattern), holds=holds, dropped=dropped) for pattern, holds, dropped in rows]
