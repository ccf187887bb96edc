"""A VictoriaLogs in memory, with as much of LogsQL as the adapter writes. Shapes as those of VictoriaLogs 1.26."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import httpx

from tests.log_servers.documented import VICTORIALOGS, check_documented
from tests.log_servers.kept import Kept
from tests.log_servers.tokens import Tokens

_TIME = re.compile(r"_time:\[([^,]+), ([^)]+)\)")

Test = Callable[[dict[str, str]], bool]


class MadeVictoriaLogs(httpx.BaseTransport):
    """``asked`` are the requests that it got."""

    def __init__(self, kept: Sequence[Kept], *, counts: bool = True) -> None:
        self.kept = [(entry.at_ns, _fields(entry)) for entry in kept]
        self.asked: list[httpx.Request] = []
        self._counts = counts

    @property
    def queries(self) -> list[str]:
        return [request.url.params["query"] for request in self.asked]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        check_documented(request, VICTORIALOGS)
        self.asked.append(request)
        params = dict(request.url.params)
        found = self._found(params["query"])
        match request.url.path.rpartition("/")[2]:
            case "query":
                newest = sorted(found, key=lambda entry: entry[0], reverse="sort by (_time)" not in params["query"])
                lines = [json.dumps(fields) + "\n" for _, fields in newest[: int(params["limit"])]]
                return httpx.Response(200, text="".join(lines), headers={"content-type": "application/stream+json"})
            case "field_names":
                return _values([name for _, fields in found for name in fields])
            case "field_values":
                return _values([fields[params["field"]] for _, fields in found if fields.get(params["field"])])
            case "hits" if self._counts:
                return _hits(found, params)
            case "hits":
                return httpx.Response(422, json={"status": "error", "errorType": "422", "error": "too much memory needed"})
        return httpx.Response(400, text=f'unsupported path requested: "{request.url.path}"')

    def _found(self, query: str) -> list[tuple[int, dict[str, str]]]:
        times = _TIME.match(query)
        assert times is not None, query
        start, end = _ns(times[1]), _ns(times[2])
        tokens = Tokens(query[times.end() :].partition(" | ")[0])
        test = _both(tokens)
        assert tokens.head == "", tokens.head
        return [(at, fields) for at, fields in self.kept if start <= at < end and test(fields)]


def _fields(kept: Kept) -> dict[str, str]:
    stream = ",".join(f'{name}="{value}"' for name, value in sorted(kept.stream.items()))
    seconds, rest = divmod(kept.at_ns, 1_000_000_000)
    time = f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}" + (f".{rest:09}".rstrip("0") if rest else "") + "Z"
    return {"_time": time, "_stream_id": "00", "_stream": f"{{{stream}}}", "_msg": kept.text, **kept.labels}


def _ns(text: str) -> int:
    whole, _, rest = text.rstrip("Z").partition(".")
    return int(datetime.fromisoformat(whole + "+00:00").timestamp()) * 1_000_000_000 + int(rest.ljust(9, "0") or 0)


def _values(values: Sequence[str]) -> httpx.Response:
    found = [{"value": value, "hits": values.count(value)} for value in sorted(set(values))]
    return httpx.Response(200, json={"values": found})


def _hits(found: Sequence[tuple[int, dict[str, str]]], params: dict[str, str]) -> httpx.Response:
    step = int(params["step"].rstrip("s"))
    groups: dict[str | None, dict[int, int]] = {}
    for at, fields in found:
        buckets = groups.setdefault(fields.get(params["field"], "") if "field" in params else None, {})
        bucket = at // 1_000_000_000 // step * step
        buckets[bucket] = buckets.get(bucket, 0) + 1
    hits: list[dict[str, Any]] = []
    for value, buckets in groups.items():
        times = [f"{datetime.fromtimestamp(bucket, UTC):%Y-%m-%dT%H:%M:%SZ}" for bucket in sorted(buckets)]
        counts = [buckets[bucket] for bucket in sorted(buckets)]
        fields = {} if value is None else {params["field"]: value}
        hits.append({"fields": fields, "timestamps": times, "values": counts, "total": sum(counts)})
    return httpx.Response(200, json={"hits": hits})


def _either(tokens: Tokens) -> Test:
    tests = [_both(tokens)]
    while tokens.head == "or":
        tokens.take()
        tests.append(_both(tokens))
    return lambda fields: any(test(fields) for test in tests)


def _both(tokens: Tokens) -> Test:
    tests: list[Test] = []
    while tokens.head not in {"", ")", "or"}:
        tests.append(_one(tokens))
    return lambda fields: all(test(fields) for test in tests)


def _one(tokens: Tokens) -> Test:
    if tokens.head == "!":
        tokens.take()
        inside = _one(tokens)
        return lambda fields: not inside(fields)
    if tokens.head == "(":
        tokens.take()
        inside = _either(tokens)
        tokens.expect(")")
        return inside
    name = tokens.string()
    if tokens.head == ":":
        tokens.take()
        assert tokens.string() == ""
        return lambda fields: not fields.get(name)
    tokens.expect(":~")
    pattern = re.compile(tokens.string())
    return lambda fields: pattern.search(fields.get(name, "")) is not None
