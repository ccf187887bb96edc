"""A small stand-in for Elasticsearch and OpenSearch: it evaluates the part of the query DSL that is sent, over documents.

It maps fields as those do by themselves (a string becomes a text of lower-case tokens with a keyword of at most 256 characters
beside it), or as it is told, and refuses whatever it does not know, as they do: a clause that is misspelled is no match-all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote

import httpx

from tests.opensearch_api import check, check_answer, check_request

Document = dict[str, Any]
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")


class RefusalError(Exception):
    def __init__(self, status: int, kind: str, reason: str) -> None:
        super().__init__(reason)
        error = {"type": kind, "reason": reason}
        answer = {"error": {"root_cause": [error], **error}, "status": status}
        check(answer, "ErrorResponseBase")
        self.response = httpx.Response(status, json=answer)


@dataclass
class ElasticServer(httpx.BaseTransport):
    """``types`` overrides what a field is mapped as: ``keyword``, ``text``, ``long``, ``unindexed`` ...

    ``keys`` are the index and the id of each document, where they are not all in ``index``, by their numbers.
    ``asked`` keeps the searches. ``change`` is applied to each answer of a search, to make it one of another situation.
    """

    documents: Sequence[Document]
    index: str = "logs-shop"
    keys: Sequence[tuple[str, str]] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    is_cheap: bool = False
    most: int = 10_000
    change: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]] = lambda request, answer: answer
    asked: list[dict[str, Any]] = field(default_factory=list)
    more_caps: dict[str, Any] = field(default_factory=dict)
    version: dict[str, str] = field(default_factory=lambda: {"number": "8.15.0", "build_flavor": "default"})

    def __post_init__(self) -> None:
        self._flat = [dict(_leaves(document, "")) for document in self.documents]
        self._keys = list(self.keys) or [(self.index, str(n)) for n in range(len(self._flat))]
        self._key_of = {id(flat): key for flat, key in zip(self._flat, self._keys, strict=True)}
        self._indices = sorted({index for index, _ in self._keys} or {self.index})
        self._types: dict[str, set[str]] = {}
        for flat in self._flat:
            for name, values in flat.items():
                for value in values:
                    self._map(name, value)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        check_request(request)
        try:
            index, _, endpoint = unquote(request.url.path).lstrip("/").partition("/")
            if request.url.path == "/":
                return httpx.Response(200, json={"name": "n1", "version": self.version, "tagline": "You Know, for Search"})
            if not any(re.fullmatch(index.replace("*", ".*"), one) for one in self._indices):
                raise RefusalError(404, "index_not_found_exception", f"no such index [{index}]")
            if endpoint == "_field_caps":
                assert request.url.params["fields"] in {"*", "@timestamp"}
                caps = {"indices": self._indices, "fields": self._caps()}
                check(caps, "field_caps@200")
                return httpx.Response(200, json=caps)
            assert endpoint == "_search", request.url
            body = json.loads(request.content)
            self.asked.append(body)
            answer = self.change(body, self._search(body))
            check_answer(body, answer)
            return httpx.Response(200, json=answer)
        except RefusalError as refusal:
            return refusal.response

    def _map(self, name: str, value: Any) -> None:
        kinds = self._types.setdefault(name, set())
        if name in self.types:
            kinds.add(self.types[name])
        elif isinstance(value, bool):
            kinds.add("boolean")
        elif isinstance(value, int | float):
            kinds.add("long" if isinstance(value, int) else "float")
        elif isinstance(value, str) and _DATE.fullmatch(value):
            kinds.add("date")
        elif value is not None:
            kinds.add("text")
            self._types.setdefault(f"{name}.keyword", set()).add("keyword")

    def _caps(self) -> dict[str, Any]:
        caps: dict[str, Any] = {"_id": {"_id": _cap("_id", is_countable=False)}}
        for name, kinds in self._types.items():
            if "unindexed" in kinds:
                continue
            caps[name] = {kind: _cap(kind, is_countable=kind not in {"text", "match_only_text"}) for kind in kinds}
            parts = name.split(".")
            for end in range(1, len(parts)):
                caps.setdefault(".".join(parts[:end]), {"object": {"type": "object", "searchable": False, "aggregatable": False}})
        return caps | self.more_caps

    def _values(self, flat: Mapping[str, list[Any]], name: str) -> list[Any]:
        kinds = self._types.get(name, set())
        if "unindexed" in kinds:
            return []
        if name.endswith(".keyword") and name not in flat:
            return [str(value) for value in flat.get(name.removesuffix(".keyword"), []) if len(str(value)) <= 256]
        values = [value for value in flat.get(name, []) if value is not None]
        if kinds & {"date", "date_nanos"}:
            return [_epoch_ms(value) for value in values]
        if kinds & {"text", "match_only_text"}:
            return [token for value in values for token in re.findall(r"\w+", str(value).lower())]
        return [str(value) for value in values] if "keyword" in kinds else values

    def _search(self, body: Mapping[str, Any]) -> dict[str, Any]:
        unknown = set(body) - {"size", "query", "sort", "search_after", "track_total_hits", "aggs", "timeout", "_source"}
        if unknown:
            raise RefusalError(400, "parsing_exception", f"unknown key {sorted(unknown)}")
        if body["size"] > self.most:
            raise RefusalError(400, "illegal_argument_exception", "Result window is too large")
        found = [n for n, flat in enumerate(self._flat) if "query" not in body or self._holds(body["query"], flat)]
        answer: dict[str, Any] = {
            "took": 3,
            "timed_out": False,
            "_shards": {"total": 2, "successful": 2, "skipped": 0, "failed": 0},
            "hits": {"max_score": None, "hits": self._hits(body, found)},
        }
        if body.get("track_total_hits") is not False:
            answer["hits"]["total"] = {"value": len(found), "relation": "eq"}
        if "aggs" in body:
            answer["aggregations"] = {name: self._aggregate(one, found) for name, one in body["aggs"].items()}
        return answer

    def _hits(self, body: Mapping[str, Any], found: list[int]) -> list[dict[str, Any]]:
        places: dict[int, int | None] = dict.fromkeys(found)
        if "sort" in body:
            name, order = _sorting(body["sort"])
            if "unmapped_type" not in order and not all(name in flat for flat in self._flat):
                raise RefusalError(400, "query_shard_exception", f"No mapping found for [{name}] in order to sort on")
            places = {n: self._place(n, name) for n in found}
            # Records of one instant come in another order each time, as they do from other copies of a shard.
            found = sorted(found, key=lambda n: (-(places[n] or 0), hash((n, len(self.asked)))))
        if "search_after" in body:
            found = [n for n in found if (places[n] or 0) < body["search_after"][0]]
        hits: list[dict[str, Any]] = [
            {"_index": self._keys[n][0], "_id": self._keys[n][1], "_score": None, "sort": [places[n]]}
            for n in found[: body["size"]]
        ]
        if body.get("_source") is not False:
            for hit, n in zip(hits, found, strict=False):
                hit["_source"] = self.documents[n]
        return hits

    def _place(self, n: int, name: str) -> int:
        if self._types[name] == {"date_nanos"}:
            return _epoch_us(self._flat[n][name][0]) * 1000
        return int(self._values(self._flat[n], name)[0])

    def _holds(self, clause: Mapping[str, Any], flat: Mapping[str, list[Any]]) -> bool:
        ((kind, said),) = clause.items()
        if kind == "ids":
            return self._key_of[id(flat)][1] in said["values"]
        if kind == "bool":
            return self._holds_bool(said, flat)
        if kind == "match_none":
            return False
        if kind == "exists":
            holder = said["field"].rpartition(".")[0]
            if "flattened" in self.more_caps.get(holder, {}):
                return said["field"] in flat
            return self._exists(said["field"], flat) or any(
                key.startswith(said["field"] + ".") and self._exists(key, flat) for key in flat
            )
        ((name, wanted),) = said.items()
        if name == "_index":
            return kind == "term" and self._key_of[id(flat)][0] == wanted
        values = self._values(flat, name)
        if kind == "range":
            assert set(wanted) == {"gte", "lt", "format"} and wanted["format"] == "epoch_millis"
            return any(int(wanted["gte"]) <= value < int(wanted["lt"]) for value in values)
        if kind in {"term", "terms"}:
            return any(value in (wanted if kind == "terms" else [wanted]) for value in values)
        if kind in {"wildcard", "regexp"}:
            return self._fits(kind, wanted, values)
        raise RefusalError(400, "parsing_exception", f"unknown query [{kind}]")

    def _exists(self, name: str, flat: Mapping[str, list[Any]]) -> bool:
        # A text that has no tokens is there all the same.
        is_indexed = "unindexed" not in self._types.get(name, set())
        return is_indexed and any(value is not None for value in flat.get(name, []))

    def _holds_bool(self, said: Mapping[str, Any], flat: Mapping[str, list[Any]]) -> bool:
        unknown = set(said) - {"filter", "must_not", "should", "minimum_should_match"}
        if unknown:
            raise RefusalError(400, "parsing_exception", f"[bool] query does not support {sorted(unknown)}")
        least = said.get("minimum_should_match", 0)
        return (
            all(self._holds(one, flat) for one in said.get("filter", []))
            and not any(self._holds(one, flat) for one in said.get("must_not", []))
            and sum(self._holds(one, flat) for one in said.get("should", [])) >= least
        )

    def _fits(self, kind: str, wanted: Mapping[str, Any], values: list[Any]) -> bool:
        if set(wanted) != {"value"}:
            raise RefusalError(400, "parsing_exception", f"[{kind}] query does not support {sorted(wanted)}")
        if self.is_cheap:
            reason = f"[{kind}] queries cannot be executed when 'search.allow_expensive_queries' is set to false."
            raise RefusalError(500, "exception", reason)
        pattern = wanted["value"]
        if kind == "wildcard":
            pattern = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
        return any(re.fullmatch(pattern, str(value), re.DOTALL) for value in values)

    def _aggregate(self, one: Mapping[str, Any], found: Sequence[int]) -> dict[str, Any]:
        kind = next(key for key in one if key != "aggs")
        below = one.get("aggs", {})

        def bucket(members: list[int]) -> dict[str, Any]:
            return {"doc_count": len(members), **{name: self._aggregate(inner, members) for name, inner in below.items()}}

        if kind == "filter":
            return bucket([n for n in found if self._holds(one["filter"], self._flat[n])])
        name = one[kind]["field"]
        if not self._types.get(name, set()) or self._types[name] & {"text", "match_only_text"}:
            raise RefusalError(400, "illegal_argument_exception", f"Fielddata is disabled on [{name}]")
        by_value: dict[Any, list[int]] = {}
        for n in found:
            for value in set(self._values(self._flat[n], name)):
                by_value.setdefault(value, []).append(n)
        if kind in {"min", "max"}:
            return {"value": float((min if kind == "min" else max)(by_value)) if by_value else None}
        if kind == "terms":
            most_first = sorted(by_value, key=lambda value: -len(by_value[value]))
            left = sum(len(by_value[value]) for value in most_first[one[kind]["size"] :])
            buckets = [{"key": value, **bucket(by_value[value])} for value in most_first[: one[kind]["size"]]]
            return {"doc_count_error_upper_bound": 0, "sum_other_doc_count": left, "buckets": buckets}
        assert kind == "date_histogram", kind
        width = int(one[kind]["fixed_interval"].removesuffix("s")) * 1000
        starts: dict[int, list[int]] = {}
        for value, members in by_value.items():
            starts.setdefault(value // width * width, []).extend(members)
        return {"buckets": [{"key": start, **bucket(starts[start])} for start in sorted(starts)]}


def _sorting(sort: Sequence[Mapping[str, Any]]) -> tuple[str, Mapping[str, Any]]:
    """Return the field that is sorted by, from the newest on; servers keep ``_id`` and ``_shard_doc`` from those who sort."""
    names = [name for one in sort for name in one]
    if "_id" in names:
        setting = "you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled"
        raise RefusalError(400, "illegal_argument_exception", f"Fielddata access on the _id field is disallowed, {setting}")
    if "_shard_doc" in names:
        reason = "[_shard_doc] sort field cannot be used without [point in time]"
        raise RefusalError(400, "action_request_validation_exception", reason)
    ((name, order),) = sort[0].items()
    assert len(sort) == 1 and order["order"] == "desc", sort
    return name, order


def _cap(kind: str, *, is_countable: bool) -> dict[str, Any]:
    return {"type": kind, "metadata_field": kind.startswith("_"), "searchable": True, "aggregatable": is_countable}


def _leaves(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, list[Any]]]:
    for key, one in value.items():
        if isinstance(one, Mapping):
            yield from _leaves(one, f"{prefix}{key}.")
        else:
            yield prefix + key, one if isinstance(one, list) else [one]


def _epoch_us(value: Any) -> int:
    if not isinstance(value, str):
        return int(value) * 1000
    moment = datetime.fromisoformat(value)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _epoch_ms(value: Any) -> int:
    return _epoch_us(value) // 1000
