"""The evidence files of a scenario's folder, each under the name by which an answer cites it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ALERT: Final = "alert"
_METRICS: Final = "aws_cloudwatch_metrics"
_INSTANT: Final = re.compile(r"(?<!\d)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")  # a line break before it is the letter n in JSON


def read_sources(folder: Path) -> dict[str, Mapping[str, Any]]:
    """Return name -> decoded file, the alert first. Metrics that lie in a file each are one source, as they are cited.

    Raises:
        ValueError: A file is not JSON, or no JSON object.
    """
    sources = {path.stem: _read(path) for path in sorted(folder.glob("*.json"))}
    parts = [name for name in sources if name.startswith(f"{_METRICS}_")]
    members = [sources.pop(name) for name in parts]
    results = [member for member in members if "metric_name" in member]
    if results:
        envelope = {key: value for member in members if "metric_name" not in member for key, value in member.items()}
        sources[_METRICS] = {**envelope, "metric_data_results": results}
    return dict(sorted(sources.items(), key=lambda pair: (pair[0] != ALERT, pair[0])))


def newest_instant(sources: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the latest instant that stands anywhere in the files: they were fetched no earlier than that."""
    return max(_INSTANT.findall(json.dumps(list(sources.values()))), default=None)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        item = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as exc:
        raise ValueError(f"{path.name} is not JSON: {exc}") from exc
    if not isinstance(item, dict):
        raise ValueError(f"{path.name} holds no JSON object")
    return item
