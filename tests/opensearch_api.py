"""What the OpenSearch API specification says of the requests that are sent and of the answers that are read, as far as they go.

Looked up by hand in opensearch-project/opensearch-api-specification: ``spec/namespaces/_core.yaml``, and the files of
``spec/schemas`` that each part is named after. A row is a property and what it holds. A property that is in no row is in no
request of ours, and is not read of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

Type = Any
"""The name of a schema, types of JSON values, or one of the classes below."""


@dataclass(frozen=True)
class Listed:
    """A list of values of a type."""

    of: Type


@dataclass(frozen=True)
class ByName:
    """An object whose properties are named freely: by fields, or by those who ask."""

    of: Type


@dataclass(frozen=True)
class Like:
    """A text of a pattern."""

    pattern: str


FIELD_VALUE: Final = (bool, int, float, str, type(None))
DURATION: Final = Like(r"[0-9.]+(d|h|m|s|ms|micros|nanos)")
ANYTHING: Final = object

SCHEMAS: Final[Mapping[str, Mapping[str, Type]]] = {
    # _core: the parameters of the paths, and the bodies of requests and answers
    "search::query": {"allow_no_indices": Like("true|false"), "ignore_unavailable": Like("true|false")},
    "field_caps::query": {"allow_no_indices": Like("true|false"), "ignore_unavailable": Like("true|false"), "fields": str},
    "SearchRequestBody": {
        "aggs": ByName("AggregationContainer"),
        "query": "QueryContainer",
        "search_after": Listed(FIELD_VALUE),
        "size": int,
        "sort": Listed(ByName("FieldSort")),
        "_source": bool,
        "timeout": DURATION,
        "track_total_hits": bool,
    },
    "field_caps@200": {"indices": Listed(str), "fields": ByName(ByName("FieldCapability"))},
    "info@200": {"cluster_name": str, "cluster_uuid": str, "name": str, "tagline": str, "version": "OpenSearchVersionInfo"},
    "ErrorResponseBase": {"error": "ErrorCause", "status": int},
    # _core.field_caps
    "FieldCapability": {"aggregatable": bool, "searchable": bool, "type": str, "metadata_field": bool},
    # _core.search
    "SearchResult": {
        "took": int,
        "timed_out": bool,
        "terminated_early": bool,
        "_shards": "ShardStatistics",
        "hits": "HitsMetadata",
        "aggregations": ANYTHING,  # by what was asked: see AGGREGATES
        "_clusters": "ClusterStatistics",
    },
    "HitsMetadata": {"hits": Listed("Hit"), "max_score": (int, float, type(None)), "total": (int, "TotalHits")},
    "TotalHits": {"value": int, "relation": Like("eq|gte")},
    "Hit": {
        "_index": str,
        "_id": str,
        "_score": (int, float, type(None)),
        "_source": ANYTHING,
        "sort": Listed(FIELD_VALUE),
    },
    # _common
    "FieldSort": {"order": Like("asc|desc"), "unmapped_type": str, "numeric_type": Like("date|date_nanos|double|long")},
    "ShardStatistics": {"total": int, "successful": int, "failed": int, "skipped": int, "failures": Listed("ShardFailure")},
    "ShardFailure": {"index": str, "node": (str, type(None)), "reason": "ErrorCause", "shard": int, "status": str},
    "ErrorCause": {
        "type": str,
        "reason": (str, type(None)),
        "caused_by": "ErrorCause",
        "root_cause": Listed("ErrorCause"),
    },
    "ClusterStatistics": {"total": int, "successful": int, "skipped": int},
    "OpenSearchVersionInfo": {"distribution": str, "number": str, "build_flavor": str},
    # _common.query_dsl
    "QueryContainer": {
        "bool": "BoolQuery",
        "exists": "ExistsQuery",
        "ids": "IdsQuery",
        "match_none": "MatchNoneQuery",
        "range": ByName("DateRangeQuery"),
        "regexp": ByName("RegexpQuery"),
        "term": ByName(FIELD_VALUE),
        "terms": ByName(Listed(FIELD_VALUE)),
        "wildcard": ByName("WildcardQuery"),
    },
    "BoolQuery": {
        "filter": Listed("QueryContainer"),
        "must_not": Listed("QueryContainer"),
        "should": Listed("QueryContainer"),
        "minimum_should_match": int,
    },
    "ExistsQuery": {"field": str},
    "IdsQuery": {"values": Listed(str)},
    "MatchNoneQuery": {},
    "DateRangeQuery": {"gte": str, "lt": str, "format": str},
    "RegexpQuery": {"value": str},
    "WildcardQuery": {"value": str},
    # _common.aggregations: what is asked
    "AggregationContainer": {
        "aggs": ByName("AggregationContainer"),
        "date_histogram": "DateHistogramAggregation",
        "filter": "QueryContainer",
        "max": "MaxAggregation",
        "min": "MinAggregation",
        "terms": "TermsAggregation",
    },
    "DateHistogramAggregation": {"field": str, "fixed_interval": DURATION, "min_doc_count": int},
    "MaxAggregation": {"field": str},
    "MinAggregation": {"field": str},
    "TermsAggregation": {"field": str, "size": int},
    # _common.aggregations: what is answered
    "DateHistogramAggregate": {"buckets": Listed("DateHistogramBucket")},
    "DateHistogramBucket": {"key": int, "doc_count": int},
    "FilterAggregate": {"doc_count": int},
    "MaxAggregate": {"value": (int, float, type(None))},
    "MinAggregate": {"value": (int, float, type(None))},
    "StringTermsAggregate": {
        "buckets": Listed("StringTermsBucket"),
        "doc_count_error_upper_bound": int,
        "sum_other_doc_count": int,
    },
    "StringTermsBucket": {"key": (str, int, float), "doc_count": int},  # LongTermsBucket and DoubleTermsBucket hold numbers
}

AGGREGATES: Final = {
    "date_histogram": "DateHistogramAggregate",
    "filter": "FilterAggregate",
    "max": "MaxAggregate",
    "min": "MinAggregate",
    "terms": "StringTermsAggregate",
}
REQUIRED: Final[Mapping[str, tuple[str, ...]]] = {
    "field_caps@200": ("fields", "indices"),
    "FieldCapability": ("aggregatable", "searchable", "type"),
    "SearchResult": ("_shards", "hits", "timed_out", "took"),
    "HitsMetadata": ("hits",),
    "TotalHits": ("relation", "value"),
    "ShardStatistics": ("failed", "successful", "total"),
    "ShardFailure": ("reason", "shard"),
    "ErrorCause": ("type",),
    "ErrorResponseBase": ("error", "status"),
    "ClusterStatistics": ("skipped", "successful", "total"),
    "ExistsQuery": ("field",),
    "RegexpQuery": ("value",),
    **{aggregate: ("buckets",) for aggregate in ("DateHistogramAggregate", "StringTermsAggregate")},
    **{bucket: ("key", "doc_count") for bucket in ("DateHistogramBucket", "StringTermsBucket")},
    **{aggregate: ("value",) for aggregate in ("MaxAggregate", "MinAggregate")},
    "FilterAggregate": ("doc_count",),
}
ONE_OF: Final = frozenset({"QueryContainer", "AggregationContainer"})
"""Schemas of which an object holds exactly one property, aggregations below it apart."""

OUTSIDE: Final = frozenset({("ClusterStatistics", "partial"), ("ClusterStatistics", "failed")})
"""What is read although the specification lacks it: Elasticsearch counts these apart (``SearchResponse.Clusters``)."""

OPEN: Final = frozenset({"ErrorCause"})
"""Schemas that allow properties beside their own ("additionalProperties")."""


def check_request(request: httpx.Request) -> None:
    """Fail where a request holds what the specification does not name."""
    endpoint = request.url.path.rpartition("/")[2]
    if endpoint == "_search":
        assert request.method == "POST", request.method
        body = httpx.Response(200, content=request.content).json()
        check(dict(request.url.params), "search::query")
        check(body, "SearchRequestBody")
        assert len(body.get("search_after", body.get("sort", []))) == len(body.get("sort", [])), "search_after goes by sort"
    elif endpoint == "_field_caps":
        assert request.method == "GET", request.method
        check(dict(request.url.params), "field_caps::query")
    else:
        assert request.url.path in {"/", "/_cluster/health"}, request.url.path


def check_answer(body: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """Fail where the answer to a search is not of the specification's shape."""
    check(answer, "SearchResult")
    _check_aggregates(body.get("aggs", {}), answer.get("aggregations", {}), "aggregations")


def check(value: Any, wanted: Type, where: str = "") -> None:
    """Fail where a value is not of a type, or an object holds a property that its schema does not have."""
    match wanted:
        case str():
            _check_object(value, wanted, where)
        case tuple():
            assert any(_fits(value, one, where) for one in wanted), f"{where}: {value!r}"
        case Listed(of):
            assert isinstance(value, list), f"{where}: {value!r} is no list"
            for one in value:
                check(one, of, f"{where}[]")
        case ByName(of):
            assert isinstance(value, dict), f"{where}: {value!r} is no object"
            for name, one in value.items():
                check(one, of, f"{where}.{name}")
        case Like(pattern):
            assert isinstance(value, str) and re.fullmatch(pattern, value), f"{where}: {value!r}"
        case _:
            assert _fits(value, wanted, where), f"{where}: {value!r} is no {wanted}"


def _fits(value: Any, wanted: Type, where: str) -> bool:
    if isinstance(wanted, str):
        if not isinstance(value, dict):
            return False
        check(value, wanted, where)
        return True
    return isinstance(value, wanted) and (wanted is not int or not isinstance(value, bool))


def _check_object(value: Any, schema: str, where: str) -> None:
    assert isinstance(value, dict), f"{where}: {value!r} is no {schema}"
    unknown = set() if schema in OPEN else set(value) - set(SCHEMAS[schema])
    assert not unknown, f"{where}: {schema} has no {sorted(unknown)}"
    missing = set(REQUIRED.get(schema, ())) - set(value)
    assert not missing, f"{where}: {schema} lacks {sorted(missing)}"
    assert schema not in ONE_OF or len(set(value) - {"aggs"}) == 1, f"{where}: {schema} has {sorted(value)}, not one of them"
    for name, one in value.items():
        if name in SCHEMAS[schema]:
            check(one, SCHEMAS[schema][name], f"{where}.{name}")


def _check_aggregates(asked: Mapping[str, Any], answered: Mapping[str, Any], where: str) -> None:
    assert set(answered) <= set(asked), f"{where}: {sorted(set(answered) - set(asked))} were not asked for"
    for name, aggregate in answered.items():
        kind = next(key for key in asked[name] if key != "aggs")
        below = asked[name].get("aggs", {})
        parts = [aggregate, *aggregate.get("buckets", ())]
        for part in parts:
            _check_aggregates(below, {key: part[key] for key in below if key in part}, f"{where}.{name}")
        own = {key: value for key, value in aggregate.items() if key not in below}
        if "buckets" in own:
            own["buckets"] = [{key: one[key] for key in one if key not in below} for one in own["buckets"]]
        check(own, AGGREGATES[kind], f"{where}.{name}")
