"""A Loki in memory. Its answers have the shapes of ``/series``, ``/query`` and ``/query_range`` of Loki 3."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import httpx

from tests.log_servers.documented import LOKI, check_documented
from tests.log_servers.kept import Kept
from tests.log_servers.logql import parse_log_query

_COUNT = re.compile(r"sum by \((.*?)\) \(count_over_time\((.*) \[(\d+)ms\]( offset 1ns)?\)\)\Z", re.DOTALL)


class MadeLoki(httpx.BaseTransport):
    """``most_entries`` is its limit for one answer; ``asked`` are the requests it got. ``categorized``: the entries' own labels
    stand beside the line, as the encoding flag ``categorize-labels`` has it; without it they are among the stream's.
    """

    def __init__(self, kept: Sequence[Kept], *, most_entries: int = 5000, categorized: bool = False, counts: bool = True) -> None:
        self.kept = list(kept)
        self.asked: list[httpx.Request] = []
        self._most = most_entries
        self._categorized = categorized
        self._counts = counts

    @property
    def queries(self) -> list[str]:
        return [request.url.params["query"] for request in self.asked if "query" in request.url.params]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        check_documented(request, LOKI)
        self.asked.append(request)
        params = dict(request.url.params)
        path = request.url.path.partition("/loki/api/v1/")[2]
        if path == "series":
            start, end = int(params["start"]), int(params["end"])
            streams = {json.dumps(dict(kept.stream), sort_keys=True) for kept in self.kept if start <= kept.at_ns < end}
            return _success([json.loads(stream) for stream in sorted(streams)])
        if "count_over_time" in params.get("query", ""):
            if not self._counts:
                return httpx.Response(400, text="maximum number of series (1) reached for a single query")
            return self._instant(params) if path == "query" else self._range(params)
        if path == "query_range":
            return self._entries(params)
        return httpx.Response(404, text="404 page not found\n")

    def _entries(self, params: dict[str, str]) -> httpx.Response:
        limit, start, end = int(params["limit"]), int(params["start"]), int(params["end"])
        if limit > self._most:
            said = f"max entries limit per query exceeded, limit > max_entries_limit_per_query ({limit} > {self._most})"
            return httpx.Response(400, text=said)
        test = parse_log_query(params["query"])
        found = [kept for kept in self.kept if start <= kept.at_ns < end and test(kept)]
        found.sort(key=lambda kept: kept.at_ns, reverse=params["direction"] == "backward")
        streams: dict[str, dict[str, Any]] = {}
        for kept in found[:limit]:
            labels = dict(kept.stream) if self._categorized else kept.labels
            key = json.dumps(labels, sort_keys=True)
            value: list[Any] = [str(kept.at_ns), kept.text]
            if self._categorized:
                value.append({"structuredMetadata": dict(kept.own)} if kept.own else {})
            streams.setdefault(key, {"stream": labels, "values": []})["values"].append(value)
        return _success({"resultType": "streams", "result": list(streams.values()), "stats": _stats(len(found))})

    def _instant(self, params: dict[str, str]) -> httpx.Response:
        time = int(params["time"])
        result = [{"metric": metric, "value": [time / 1e9, str(count)]} for metric, count in self._count(params["query"], time)]
        return _success({"resultType": "vector", "result": result, "stats": _stats(1)})

    def _range(self, params: dict[str, str]) -> httpx.Response:
        step = int(params["step"].rstrip("s")) * 1_000_000_000
        values = []
        for time in range(int(params["start"]), int(params["end"]) + 1, step):
            values += [[time // 1_000_000_000, str(count)] for _, count in self._count(params["query"], time)]
        result = [{"metric": {}, "values": values}] if values else []
        return _success({"resultType": "matrix", "result": result, "stats": _stats(1)})

    def _count(self, query: str, time: int) -> list[tuple[dict[str, str], int]]:
        parsed = _COUNT.match(query)
        assert parsed is not None, query
        by, test = [name for name in parsed[1].split(", ") if name], parse_log_query(parsed[2])
        end = time - 1 if parsed[4] else time
        start = end - int(parsed[3]) * 1_000_000
        groups: dict[str, int] = {}
        for kept in self.kept:
            if start < kept.at_ns <= end and test(kept):
                key = json.dumps({name: kept.labels[name] for name in by if name in kept.labels}, sort_keys=True)
                groups[key] = groups.get(key, 0) + 1
        return [(json.loads(key), count) for key, count in groups.items()]


def _success(data: Any) -> httpx.Response:
    return httpx.Response(200, json={"status": "success", "data": data})


def _stats(lines: int) -> dict[str, Any]:
    return {"summary": {"totalLinesProcessed": lines}, "ingester": {"totalChunksMatched": 1 if lines else 0}}
