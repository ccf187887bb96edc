"""Evidence files -> the entries of the tools' outputs: what stands in them, moved and never interpreted.

Measurements over time become series, what has a state and a threshold becomes an alert, and everything else a record: a log
line, an event, or a row of a table or an object of a cluster with all its fields. What has no time of its own gets none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

_Item = Mapping[str, Any]

LOGS: Final = "logs"
ALERTS: Final = "alerts"
SERIES: Final = "series"

_LEVELS: Final = {
    "debug": "DEBUG",
    "info": "INFO",
    "warn": "WARN",
    "warning": "WARN",
    "error": "ERROR",
    "critical": "CRITICAL",
}
_STATES: Final = {"alerting": "firing", "alert": "firing", "normal": "inactive", "ok": "resolved"}
_LINE: Final = re.compile(r"(?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) (?:(?P<level>[A-Z]+) )?(?P<message>.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """The entries of one call: ``kind`` is the list of an output that they belong to."""

    kind: str
    items: tuple[Mapping[str, Any], ...]


def entries_of(name: str, item: Mapping[str, Any]) -> tuple[Entries, ...]:
    """Return the entries of one evidence file, by kind; a file with none of them has one empty list.

    Raises:
        ValueError: The file has none of the known shapes.
    """
    for key, kind, read in _READERS:
        if key in item:
            return (Entries(kind=kind, items=tuple(read(item))), *_tables(item))
    raise ValueError(f"{name}: no evidence of a known shape under {', '.join(sorted(item)) or 'no key'}")


def _alert(item: _Item) -> Iterator[_Item]:
    labels = item["commonLabels"]
    yield {
        "alert_name": labels.get("alertname"),
        "state": _STATES.get(str(item.get("state")).lower(), item.get("state")),
        "service": labels.get("service"),
        "severity": labels.get("severity"),
        "value": None,
        "active_at": None,
        "ends_at": None,
        "duration_ms": None,
        "labels": dict(labels),
        "annotations": {**item.get("commonAnnotations", {}), "title": item.get("title")},
    }


def _monitors(item: _Item) -> Iterator[_Item]:
    for monitor in item["monitors"]:
        said = str(monitor.get("overall_state"))
        yield {
            "alert_name": monitor.get("name"),
            "state": _STATES.get(said.lower(), said),
            "service": None,
            "severity": None,
            "value": None,
            "active_at": None,
            "ends_at": None,
            "duration_ms": None,
            "labels": {"overall_state": said, "tags": list(monitor.get("tags", ()))},
            "annotations": {key: monitor[key] for key in ("type", "query", "message") if key in monitor},
        }


def _metrics(item: _Item) -> Iterator[_Item]:
    for result in item["metric_data_results"]:
        dimensions = {dimension["Name"]: dimension["Value"] for dimension in result.get("dimensions", ())}
        labels = {**dimensions, "stat": result.get("stat"), "unit": result.get("unit")}
        yield _one_series(result["metric_name"], labels, result)


def _load(item: _Item) -> Iterator[_Item]:
    load = item["db_load"]
    labels = {"db_instance_identifier": item.get("db_instance_identifier"), "unit": load.get("unit")}
    yield _one_series("db_load", labels, load)


def _one_series(metric: str, labels: _Item, sampled: _Item) -> _Item:
    points = [[_epoch_s(at), value] for at, value in zip(sampled["timestamps"], sampled["values"], strict=True)]
    return {"metric": metric, "labels": dict(labels), "points": sorted(points, key=lambda point: point[0])}


def _epoch_s(instant: str) -> float:
    return datetime.fromisoformat(instant).timestamp()


def _lines(item: _Item) -> Iterator[_Item]:
    """Yield log lines: a list of objects, or the text of one pod. A line without a time goes on with the one before it."""
    if not isinstance(item["logs"], str):
        for line in item["logs"]:
            level = _LEVELS.get(str(line.get("status")).lower())
            tags = {"tags": list(line.get("tags", ()))}
            yield _record(line["message"], at=line.get("timestamp"), level=level, whose=line.get("service"), fields=tags) | {
                "instance": line.get("host")
            }
        return
    told: list[dict[str, Any]] = []
    for line in item["logs"].splitlines():
        match = _LINE.match(line)
        if match is None and told:
            told[-1]["message"] += f"\n{line}"
            continue
        level = None if match is None else _LEVELS.get((match["level"] or "").lower())
        message = line if match is None else match["message"] if level or not match["level"] else line[len(match["at"]) + 1 :]
        record = _record(message, at=None if match is None else match["at"], level=level, fields={"namespace": item["namespace"]})
        told.append(record | {"instance": item["pod_name"]})
    yield from told


def _cluster_events(item: _Item) -> Iterator[_Item]:
    for event in item["warning_events"]:
        fields = {key: value for key, value in event.items() if key != "message"}
        level = _LEVELS.get(str(event.get("type")).lower())
        record = _record(event["message"], at=event.get("last_time"), level=level, fields=fields)
        yield record | {"instance": str(event.get("involved_object", "")).partition("/")[2] or None}


def _database_events(item: _Item) -> Iterator[_Item]:
    for event in item["events"]:
        fields = {key: value for key, value in event.items() if key not in ("message", "date")}
        yield _record(event["message"], at=event.get("date"), whose=event.get("source_identifier"), fields=fields)


def _objects(key: str) -> Callable[[_Item], Iterator[_Item]]:
    def read(item: _Item) -> Iterator[_Item]:
        for member in item[key]:
            yield _record(_shown(member), fields=member) | {"instance": member.get("name")}

    return read


def _tables(item: _Item) -> tuple[Entries, ...]:
    """Return the rows of the rankings that lie beside a load: averages over the file's span, so without a time of their own."""
    if "db_load" not in item:
        return ()
    span = {key: item[key] for key in ("start_time", "end_time") if key in item}
    rows = [
        _record(_shown({"ranking": key, **row}), whose=item.get("db_instance_identifier"), fields={"ranking": key, **span, **row})
        for key, ranking in item.items()
        if key.startswith("top_") and isinstance(ranking, Sequence)
        for row in ranking
    ]
    return (Entries(kind=LOGS, items=tuple(rows)),)


def _record(
    message: str, *, fields: _Item, at: str | None = None, level: str | None = None, whose: str | None = None
) -> dict[str, Any]:
    return {
        "timestamp": at,
        "level": level,
        "service": whose,
        "instance": None,
        "message": message,
        "fields": dict(fields),
    }


def _shown(member: _Item) -> str:
    return json.dumps(member, ensure_ascii=False)


# The key that tells a file's shape -> what its entries are, and their reader.
_READERS: Final[tuple[tuple[str, str, Callable[[_Item], Iterator[_Item]]], ...]] = (
    ("commonLabels", ALERTS, _alert),
    ("monitors", ALERTS, _monitors),
    ("metric_data_results", SERIES, _metrics),
    ("db_load", SERIES, _load),
    ("logs", LOGS, _lines),
    ("warning_events", LOGS, _cluster_events),
    ("events", LOGS, _database_events),
    ("pods", LOGS, _objects("pods")),
    ("deployments", LOGS, _objects("deployments")),
    ("nodes", LOGS, _objects("nodes")),
)
