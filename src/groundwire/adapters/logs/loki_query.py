"""Writes LogQL: selectors that cover the wanted streams, and filters that lose nothing of what is asked.

Source:
    Grafana Loki 3.x documentation, "Log queries" and "Metric queries". Matchers and label filters are anchored, line filters
    are not; ``label=""`` also holds where the label is not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from groundwire.adapters.logs.entry import Span
from groundwire.adapters.logs.entry_labels import service_labels
from groundwire.adapters.logs.needed_texts import literal
from groundwire.domain.levels import Level, spellings

Labels = Mapping[str, str]

_MOST_VALUES: Final = 50
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
# What is read as a level for certain: an application's own level wins over the one that Loki detected.
_ANY_LEVEL: Final = f"(?i)({'|'.join(spellings())}|[0-9]{{1,2}})"


class Matcher(NamedTuple):
    """One matcher of a selector; ``values`` None stands for any value but none at all."""

    label: str
    values: frozenset[str] | None
    negated: bool = False

    def holds(self, labels: Labels) -> bool:
        value = labels.get(self.label, "")
        return (value != "" if self.values is None else value in self.values) is not self.negated

    @property
    def logql(self) -> str:
        if self.values is None:
            return f'{self.label}=""' if self.negated else f'{self.label}=~".+"'
        if len(self.values) == 1:
            return f"{self.label}{'!=' if self.negated else '='}{quoted(next(iter(self.values)))}"
        return f"{self.label}{'!~' if self.negated else '=~'}{quoted('|'.join(map(literal, sorted(self.values))))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Selectors of which no two select the same stream. ``is_exact``: they select none but the wanted streams."""

    selectors: tuple[str, ...]
    is_exact: bool


def cover(wanted: Sequence[Labels], others: Sequence[Labels]) -> Selection:
    """Return selectors that select every wanted stream, and as few of the others as labels can tell apart."""
    left, earlier, selectors, is_exact = list(wanted), list[Matcher](), list[str](), True
    while left:
        matcher = _best(left, others)
        if matcher is None:  # streams without a label that can be written: none such is known
            return Selection(selectors=tuple(selectors), is_exact=False)
        both = (matcher, *(before._replace(negated=True) for before in earlier))
        selectors.append(f"{{{', '.join(each.logql for each in both)}}}")
        is_exact = is_exact and not any(all(each.holds(labels) for each in both) for labels in others)
        earlier.append(matcher)
        left = [labels for labels in left if not matcher.holds(labels)]
    return Selection(selectors=tuple(selectors), is_exact=is_exact)


def _best(left: Sequence[Labels], others: Sequence[Labels]) -> Matcher | None:
    def rank(matcher: Matcher) -> tuple[int, int, bool, int, str]:
        unwanted, wanted = sum(map(matcher.holds, others)), sum(map(matcher.holds, left))
        return unwanted, -wanted, not service_labels((matcher.label,)), len(matcher.values or ()), matcher.label

    names = sorted({name for labels in left for name, value in labels.items() if value and _NAME.match(name)})
    return min((_matcher_of(name, left, others) for name in names), key=rank, default=None)


def _matcher_of(name: str, left: Sequence[Labels], others: Sequence[Labels]) -> Matcher:
    values = frozenset(labels[name] for labels in left if labels.get(name))
    is_shared = any(labels.get(name) for labels in others)
    return Matcher(name, values if is_shared and len(values) <= _MOST_VALUES else None)


def level_filter(min_level: Level | None, labels: Sequence[str]) -> str:
    """Return the label filter that leaves out entries whose labels say, for certain, a lesser level; ``labels`` as they count."""
    if min_level is None or not labels or not (low := spellings(below=min_level)):
        return ""
    lesser = quoted(f"(?i)({'|'.join(low)})")
    condition = ""
    for label in reversed(labels):
        own = f"{label}!~{lesser}"
        condition = own if not condition else f"{own} and ({label}=~{quoted(_ANY_LEVEL)} or ({condition}))"
    return f" | {condition}"


def line_filters(texts: Iterable[str]) -> str:
    """Return filters that want every one of the expressions in the line, in whatever case."""
    return "".join(f" |~ {quoted(f'(?i){text}')}" for text in texts)


def metadata_filter(names: Sequence[str], texts: Sequence[str]) -> str:
    """Return the label filter that wants one of the expressions somewhere in one of the labels."""
    either = [f"{name}=~{quoted(f'(?i)(?s:.*{text}.*)')}" for name in names if _NAME.match(name) for text in texts]
    return f" | {' or '.join(either)}" if either else ""


def count_query(log_query: str, width_ns: int, by: Sequence[str], *, offset: str = "") -> str:
    """Return the metric query that counts over the whole milliseconds before the moment it is evaluated at."""
    grouping = f" by ({', '.join(name for name in by if _NAME.match(name))})"
    return f"sum{grouping} (count_over_time({log_query} [{width_ns // 1_000_000}ms]{offset}))"


def can_be_counted(span: Span) -> bool:
    """Return whether a range of LogQL, which is in milliseconds, can be as long as the span."""
    return (span.end - span.start) % 1_000_000 == 0


def quoted(text: str) -> str:
    """Return a string of LogQL or LogsQL that stands for ``text``."""
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "replace").decode()
