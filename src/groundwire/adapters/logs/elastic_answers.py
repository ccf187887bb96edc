"""Reads what ``_search`` answers: what was found, what was counted, and why it may not be all.

Sources:
    OpenSearch API specification, ``_core.search`` (``SearchResult``, ``HitsMetadata``, ``TotalHits``, ``Hit``), ``_common``
    (``ShardStatistics``, ``ShardFailure``, ``ErrorCause``, ``ClusterStatistics``), ``_common.aggregations``; Elasticsearch's
    ``SearchResponse.Clusters``, which also has ``partial`` and ``failed``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from groundwire.adapters.logs.elastic_records import Hit
from groundwire.adapters.servers.json_body import kind_of
from groundwire.adapters.servers.words import elastic_reason, one_line

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_REASONS: Final = 3


class AnswerShapeError(ValueError):
    """An answer is not what ``_search`` answers; the message goes on from "it"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """``total`` is a lower bound where ``is_exact`` is false; ``reasons`` say what was not searched.

    ``shards`` 0: no index was searched. ``failure`` says why not one of them answered, None when any did.
    """

    hits: tuple[Hit, ...]
    total: int
    is_exact: bool
    shards: int
    counted: Mapping[str, Any]
    reasons: tuple[str, ...]
    failure: str | None


def read_search(answer: Any) -> SearchAnswer:
    """Return what an answer holds. Where the total was not asked for, it is the number of hits.

    Raises:
        AnswerShapeError: It is no answer of a search.
    """
    if not isinstance(answer, Mapping) or not isinstance(answer.get("hits"), Mapping):
        raise AnswerShapeError(f"is {kind_of(answer)}, not an object with hits")
    found = answer["hits"]
    if not isinstance(found.get("hits"), list) or not isinstance(answer.get("_shards"), Mapping):
        raise AnswerShapeError("has no list of hits, or does not say which shards were searched")
    total, is_exact = _total(found.get("total", len(found["hits"])))
    shards, failed, failures = _shards(answer["_shards"])
    reasons = (*_stops(answer), *failures, *_clusters(answer.get("_clusters")))
    counted = answer.get("aggregations")
    return SearchAnswer(
        hits=tuple(_hit(hit) for hit in found["hits"]),
        total=total,
        is_exact=is_exact and not reasons,
        shards=shards,
        counted=counted if isinstance(counted, Mapping) else {},
        reasons=reasons,
        failure=failures[0] if failures and failed == shards else None,
    )


def buckets_of(counted: Mapping[str, Any], *path: str) -> list[tuple[Any, int]] | None:
    """Return the keys and counts of the buckets of a ``terms`` or ``date_histogram``; None when there are none such."""
    node: Any = counted
    for name in path:
        node = node.get(name) if isinstance(node, Mapping) else None
    buckets = node.get("buckets") if isinstance(node, Mapping) else None
    if not isinstance(buckets, list):
        return None
    return [
        (bucket.get("key"), bucket["doc_count"])
        for bucket in buckets
        if isinstance(bucket, Mapping) and isinstance(bucket.get("doc_count"), int)
    ]


def moment_of(counted: Mapping[str, Any], name: str) -> datetime | None:
    """Return the time that a ``min`` or ``max`` over a date found; None over no records."""
    node = counted.get(name)
    value = node.get("value") if isinstance(node, Mapping) else None
    return epoch_ms(value)


def epoch_ms(value: Any) -> datetime | None:
    """Return the time of a number of milliseconds; None when it is no such number."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return _EPOCH + timedelta(milliseconds=value)
    except (OverflowError, ValueError):
        return None


def _total(total: Any) -> tuple[int, bool]:
    if isinstance(total, int) and not isinstance(total, bool):
        return total, True
    if isinstance(total, Mapping) and isinstance(total.get("value"), int):
        return total["value"], total.get("relation") == "eq"
    raise AnswerShapeError("does not say how many hits there are")


def _hit(hit: Any) -> Hit:
    if not isinstance(hit, Mapping):
        raise AnswerShapeError(f"has {kind_of(hit)} among its hits")
    source, sort = hit.get("_source"), hit.get("sort")
    at = sort[0] if isinstance(sort, list) and sort else None
    return Hit(
        index=str(hit.get("_index")),
        id=str(hit.get("_id")),
        source=source if isinstance(source, Mapping) else None,
        sort=at if isinstance(at, int) and not isinstance(at, bool) else None,
    )


def _stops(answer: Mapping[str, Any]) -> tuple[str, ...]:
    reasons: list[str] = []
    if answer.get("timed_out"):
        reasons.append("the search timed out on the server, which answered with what it had found by then")
    if answer.get("terminated_early"):
        reasons.append("the server ended the search early, at a limit of its own")
    return tuple(reasons)


def _shards(said: Mapping[str, Any]) -> tuple[int, int, tuple[str, ...]]:
    counts = [said.get(name) for name in ("total", "successful", "failed")]
    total, successful, failed = (count if isinstance(count, int) else 0 for count in counts)
    unanswered = max(failed, total - successful)
    if unanswered <= 0:
        return total, 0, ()
    failures = said.get("failures")
    why = _distinct(_shard_reason(one) for one in failures) if isinstance(failures, list) else []
    shown = f": {'; '.join(why[:_MOST_REASONS])}" if why else ", without a reason"
    return total, unanswered, (one_line(f"{unanswered} of {total} shards failed{shown}"),)


def _shard_reason(failure: Any) -> str:
    if not isinstance(failure, Mapping):
        return str(failure)
    index = failure.get("index")
    return elastic_reason(failure.get("reason")) + (f" (index {index})" if index else "")


def _clusters(said: Any) -> tuple[str, ...]:
    """Return what a search across clusters says of those that did not answer, or only in part."""
    if not isinstance(said, Mapping):
        return ()
    missing = sum(said[kind] for kind in ("skipped", "partial", "failed") if isinstance(said.get(kind), int))
    return (f"{missing} of {said.get('total')} clusters did not answer, or only in part",) if missing else ()


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))
