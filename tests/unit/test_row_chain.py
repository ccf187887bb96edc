"""The hash of a row, computed by hand; and that the store's faster way gives the same bytes."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.chain import (
    GENESIS,
    canonical_json,
    format_column_time,
    invocation_columns,
    row_hash,
    settle_json,
)
from groundwire.domain.completion import completed_row
from groundwire.domain.names import EvidenceLevel, RetrievalLayer
from groundwire.store.canonical import FastHash, canonical_bytes, sorted_json
from tests.trace_rows import a_completion, a_session, a_start

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False) | _TEXT
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4), max_leaves=20
)
_REFS = st.lists(st.dictionaries(_TEXT, _TEXT, max_size=4), max_size=4)


def test_the_first_hash_of_a_chain_is_the_one_that_sha256sum_gives() -> None:
    # printf '%064d{"a":"é","b":[1,2.5,null,true]}' 0 | sha256sum
    expected = "4870946aadb7164caaca15b86388c5756a1b156089481a01606a7d7e13f1a69e"

    assert GENESIS == "0" * 64
    assert row_hash(GENESIS, {"b": [1, 2.5, None, True], "a": "é"}) == expected


def test_every_column_but_the_two_hashes_is_hashed() -> None:
    start = a_start(a_session())
    row = completed_row(start, 4, a_completion(start), completion_seq=2, previous_hash="ab" * 32)

    columns = invocation_columns(row)

    assert columns.keys() == {field for field in row.__slots__ if field not in ("previous_hash", "row_hash")}
    assert columns["started_at"] == "2026-11-30T12:00:00.123456Z"
    assert columns["owner"] == {"host": "oncall-7", "process_id": 4711, "process_start": 1732969200.37}
    assert columns["status"] == "evidence"
    assert json.loads(json.dumps(columns)) == columns


def test_any_change_of_a_column_changes_the_hash() -> None:
    start = a_start(a_session())
    row = completed_row(start, 1, a_completion(start), completion_seq=1, previous_hash=GENESIS)
    columns = invocation_columns(row)

    for name in columns:
        assert row_hash(GENESIS, {**columns, name: "changed"}) != row.row_hash
    assert row_hash("1" * 64, columns) != row.row_hash


def test_a_duration_in_whole_milliseconds_hashes_as_a_database_gives_it_back() -> None:
    start = a_start(a_session())
    whole = completed_row(start, 1, a_completion(start, duration_ms=5), completion_seq=1, previous_hash=GENESIS)
    real = completed_row(start, 1, a_completion(start, duration_ms=5.0), completion_seq=1, previous_hash=GENESIS)

    assert whole.row_hash == real.row_hash


def test_an_enumeration_hashes_as_its_name_in_the_database() -> None:
    start = a_start(a_session())
    row = completed_row(start, 1, a_completion(start, retrieval_layer=RetrievalLayer.L1), completion_seq=1, previous_hash=GENESIS)

    assert invocation_columns(row)["retrieval_layer"] == "L1"
    assert '"retrieval_layer":"L1"' in canonical_json(invocation_columns(row))


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 11, 30, 12, tzinfo=UTC), "2026-11-30T12:00:00.000000Z"),
        (datetime.fromisoformat("2026-11-30T00:00:00.5+02:00"), "2026-11-29T22:00:00.500000Z"),
        (datetime(1, 1, 1, 0, 0, 0, 1, tzinfo=UTC), "0001-01-01T00:00:00.000001Z"),
    ],
)
def test_instants_are_spelled_so_that_text_sorts_as_time_does(moment: datetime, text: str) -> None:
    assert format_column_time(moment) == text


def test_an_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        format_column_time(datetime(2026, 11, 30))  # noqa: DTZ001


def test_what_json_cannot_say_is_settled() -> None:
    odd = {"nan": math.nan, "inf": [-math.inf], "big": 2**64, "small": -(2**63) - 1, "pair": (1, EvidenceLevel.DIRECT), 7: True}

    assert settle_json(odd) == {
        "nan": None,
        "inf": [None],
        "big": "18446744073709551616",
        "small": "-9223372036854775809",
        "pair": [1, "direct"],
        "7": True,
    }
    with pytest.raises(TypeError, match="set"):
        settle_json({"a": {1}})


@given(st.dictionaries(_TEXT, _VALUES, max_size=6), _VALUES | _REFS | st.dictionaries(_TEXT, _REFS, max_size=2))
def test_the_fast_way_gives_the_same_bytes(columns: dict[str, Any], details: Any) -> None:
    row = {**columns, "retrieval_details": details}

    fast = canonical_bytes(row, sorted_json(details))

    assert fast == json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert FastHash(sorted_json(details))(GENESIS, row) == row_hash(GENESIS, row)


@given(st.dictionaries(_TEXT, _VALUES | st.floats() | st.integers(), max_size=4))
def test_a_row_hashes_the_same_before_and_after_a_database_kept_it(details: dict[str, Any]) -> None:
    stored = sorted_json(details)
    read_back = orjson.loads(stored)

    before = canonical_bytes({"retrieval_details": details}, stored)

    assert before == canonical_json({"retrieval_details": read_back}).encode()
