"""An OpenMetrics file as series, and a small server that answers range queries from it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

_SAMPLE = re.compile(r"^(\w+)\{([^}]*)\} (\S+) (\d+)$")
_LABEL = re.compile(r'(\w+)="([^"]*)"')
_LOOKBACK_S = 300

Labels = tuple[tuple[str, str], ...]
Points = tuple[tuple[int, float], ...]


@lru_cache(maxsize=4)
def read_series(path: Path) -> Mapping[str, Mapping[Labels, Points]]:
    """Return the samples of each series by metric name and labels."""
    found: dict[str, dict[Labels, list[tuple[int, float]]]] = {}
    for line in path.read_text().splitlines():
        match = _SAMPLE.match(line)
        if match:
            labels = tuple(sorted(_LABEL.findall(match[2])))
            found.setdefault(match[1], {}).setdefault(labels, []).append((int(match[4]), float(match[3])))
    return {name: {labels: tuple(points) for labels, points in series.items()} for name, series in found.items()}


def first_sample(path: Path) -> int:
    """Return the epoch second of the file's first sample."""
    return min(points[0][0] for series in read_series(path).values() for points in series.values())


@contextmanager
def serving(path: Path) -> Iterator[str]:
    """Serve ``/api/v1/query_range`` for selectors such as ``name{label="value"}``; yields the server's URL."""
    series = read_series(path)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            split = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(split.query).items()}
            known = split.path == "/api/v1/query_range"
            body = json.dumps(_answer(series, asked) if known else {"status": "success", "data": {}}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class calls it so)
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def _answer(series: Mapping[str, Mapping[Labels, Points]], asked: Mapping[str, str]) -> dict[str, object]:
    name, _, selector = asked["query"].partition("{")
    wanted = dict(_LABEL.findall(selector))
    start, end, step = float(asked["start"]), float(asked["end"]), float(asked["step"])
    result = []
    for labels, points in series.get(name.strip(), {}).items():
        if all(dict(labels).get(label) == value for label, value in wanted.items()):
            values = list(_at_steps(points, start, end, step))
            if values:
                result.append({"metric": {"__name__": name.strip(), **dict(labels)}, "values": values})
    return {"status": "success", "data": {"resultType": "matrix", "result": result}}


def _at_steps(points: Points, start: float, end: float, step: float) -> Iterator[list[object]]:
    moment = start
    while moment <= end:
        latest = [value for at, value in points if moment - _LOOKBACK_S < at <= moment]
        if latest:
            yield [moment, repr(latest[-1])]
        moment += step
