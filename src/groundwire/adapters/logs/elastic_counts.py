"""Has the server count what it finds: by level, over time, from the first record to the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from groundwire.adapters.logs.elastic_answers import SearchAnswer, buckets_of, epoch_ms, moment_of
from groundwire.adapters.logs.elastic_layout import Column, Layout
from groundwire.adapters.logs.elastic_query import Clause, every, first_of, has
from groundwire.adapters.logs.elastic_records import level_of
from groundwire.domain.levels import Level
from groundwire.domain.logs import UNKNOWN_LEVEL, LogCounts

_MOST_VALUES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What was counted. ``has_all_levels``: every value of every level field was told, so that they can be asked for by value.

    ``values`` are the values of each level field where it is the first that a record has, by the field's name.
    """

    counts: LogCounts
    histogram: Mapping[datetime, int]
    values: Mapping[str, tuple[Any, ...]]
    has_all_levels: bool
    reasons: tuple[str, ...]

    def values_of(self, wanted: Callable[[Level | None], bool]) -> dict[str, list[Any]]:
        """Return those values of each level field that are a wanted level."""
        return {name: [value for value in values if wanted(level_of(name, value))] for name, values in self.values.items()}


def count_document(filters: Sequence[Clause], layout: Layout, width: timedelta) -> dict[str, Any]:
    """Return the search that counts the documents for which all ``filters`` hold, and returns none of them."""
    time = {"field": layout.time}
    interval = f"{int(width.total_seconds())}s"
    counted: dict[str, Any] = {
        "first": {"min": time},
        "last": {"max": time},
        "histogram": {"date_histogram": {**time, "fixed_interval": interval, "min_doc_count": 1}},
    }
    for index, column in enumerate(layout.level):
        if column.countable:
            values = {"values": {"terms": {"field": column.asked, "size": _MOST_VALUES}}}
            counted[f"level{index}"] = {"filter": first_of(layout.level, index, has(column)), "aggs": values}
    return {"size": 0, "query": every(filters), "track_total_hits": True, "aggs": counted}


def read_counts(answer: SearchAnswer, layout: Layout) -> Counted:
    """Return what an answer to ``count_document`` counted."""
    by_level: dict[Level | None, int] = {}
    values: dict[str, tuple[Any, ...]] = {}
    is_complete = True
    for index, column in enumerate(layout.level):
        found = _level_values(answer.counted, index, column)
        if found is None:
            is_complete = False
            continue
        values[column.name] = tuple(value for value, _ in found)
        for value, count in found:
            level = level_of(column.name, value)
            # Where a later field may hold the level that this one does not spell, the record has to be read.
            is_complete &= level is not None or index == len(layout.level) - 1
            by_level[level] = by_level.get(level, 0) + count
    unnamed = answer.total - sum(by_level.values())
    is_complete &= unnamed >= 0
    by_level[None] = by_level.get(None, 0) + max(0, unnamed)
    worst_first = sorted(by_level, key=lambda level: -1 if level is None else level, reverse=True)
    return Counted(
        counts=LogCounts(
            total=answer.total,
            is_exact=answer.is_exact,
            by_level={UNKNOWN_LEVEL if one is None else one.name: by_level[one] for one in worst_first if by_level[one]},
            first_at=moment_of(answer.counted, "first"),
            last_at=moment_of(answer.counted, "last"),
        ),
        histogram=_histogram(answer.counted),
        values=values,
        has_all_levels=is_complete,
        reasons=answer.reasons,
    )


def _level_values(counted: Mapping[str, Any], index: int, column: Column) -> list[tuple[Any, int]] | None:
    """Return the values of a level field and their counts; None when they are not all told, or a record has several."""
    node = counted.get(f"level{index}")
    found = buckets_of(counted, f"level{index}", "values")
    if found is None or not isinstance(node, Mapping) or not column.countable:
        return None
    return found if sum(count for _, count in found) == node.get("doc_count") else None


def _histogram(counted: Mapping[str, Any]) -> dict[datetime, int]:
    found = ((epoch_ms(key), count) for key, count in buckets_of(counted, "histogram") or ())
    return {start: count for start, count in sorted((s, c) for s, c in found if s is not None) if count}
