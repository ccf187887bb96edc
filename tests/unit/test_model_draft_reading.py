"""A model's JSON as a draft: read where one reading is possible, refused with a reason where not."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.model import ToolOffer
from groundwire.domain.names import ClaimKind, ClaimRole
from groundwire.investigators.draft_reading import UnreadableDraftError, read_draft
from groundwire.investigators.tool_offers import DRAFT_SCHEMA, OFFERS


def read(**claim: Any) -> Any:
    (found,) = read_draft(json.dumps({"claims": [{"text": "x", "kind": "symptom", "role": "answer", **claim}]})).claims
    return found


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("Symptom", ClaimKind.SYMPTOM),
        (" cause ", ClaimKind.CAUSE),
        ("root cause", ClaimKind.CAUSE),
        ("Root-Cause", ClaimKind.CAUSE),
        ("observations", ClaimKind.OBSERVATION),
        ("HYPOTHESIS", ClaimKind.HYPOTHESIS),
    ],
)
def test_a_kind_is_read_where_it_can_mean_only_one(written: str, kind: ClaimKind) -> None:
    assert read(kind=written).kind is kind


@pytest.mark.parametrize("written", ["fact", "finding", "", None, 3, ["cause"], "cause or symptom"])
def test_any_other_kind_is_refused_with_the_kinds_there_are(written: Any) -> None:
    with pytest.raises(UnreadableDraftError, match="it takes symptom, cause, observation"):
        read(kind=written)


@pytest.mark.parametrize("written", ["main", "", 1, "answer or context"])
def test_any_other_role_is_refused_with_the_roles_there_are(written: Any) -> None:
    with pytest.raises(UnreadableDraftError, match="it takes answer, support, context"):
        read(role=written)


def test_a_role_that_is_missing_is_the_strictest() -> None:
    assert read(role=None).role is ClaimRole.ANSWER
    assert read(role=None, kind="hypothesis").role is ClaimRole.CONTEXT


@pytest.mark.parametrize(
    ("written", "refs"),
    [
        (["i2.logs.3", "i2"], ("i2.logs.3", "i2")),
        ("i2.logs.3", ("i2.logs.3",)),
        ("[i2.logs.3], i1.alerts.0", ("i2.logs.3", "i1.alerts.0")),
        (["[i2.summary]", "i2.summary"], ("i2.summary",)),
        (["the logs"], ("the logs",)),
        (None, ()),
    ],
)
def test_refs_are_read_with_brackets_and_as_one_text(written: Any, refs: tuple[str, ...]) -> None:
    assert read(refs=written).refs == refs


@pytest.mark.parametrize("facts", ["x", [1], [{"path": "$.value"}]])
def test_facts_of_another_shape_are_refused(facts: Any) -> None:
    with pytest.raises(UnreadableDraftError, match='"facts" takes'):
        read(facts=facts)


def test_facts_keep_what_is_recomputed_and_nothing_else() -> None:
    fact = {"path": "$.value", "op": ">", "value": 1, "note": "x"}
    assert read(facts=[fact]).facts == ({"path": "$.value", "op": ">", "value": 1},)


def test_a_cause_may_be_named_by_its_claim_or_given_again_and_stands_once() -> None:
    claim = {"id": "c1", "text": "x", "kind": "cause", "role": "answer", "refs": ["i1"]}
    for cause in ("c1", {"text": "x", "refs": ["i1"]}, None, {}):
        assert len(read_draft(json.dumps({"claims": [claim], "cause": cause})).claims) == 1
    assert read_draft(json.dumps({"claims": [], "cause": {"text": "y", "refs": []}})).claims[0].kind is ClaimKind.CAUSE


def test_two_claims_of_one_id_are_told_apart() -> None:
    one = {"id": "c", "text": "x", "kind": "symptom", "role": "answer", "refs": []}
    assert [claim.id for claim in read_draft(json.dumps({"claims": [one, one]})).claims] == ["c", "c-2"]


@pytest.mark.parametrize(
    "text",
    ["", "prose", "[1]", '{"claims": 1}', '{"claims": [1]}', "{" * 5000, '{"claims": [], "next_steps": "x"}', '{"a": {"a":'],
)
def test_what_is_no_draft_is_refused(text: str) -> None:
    with pytest.raises(UnreadableDraftError):
        read_draft(text)


def test_an_empty_list_of_claims_is_an_honest_draft() -> None:
    assert read_draft('{"claims": []}').claims == ()


def typed_in_one_way(schema: Any) -> bool:
    if isinstance(schema, dict):
        return not isinstance(schema.get("type"), list) and all(map(typed_in_one_way, schema.values()))
    return not isinstance(schema, list) or all(map(typed_in_one_way, schema))


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.name)
def test_every_schema_is_one_that_providers_take(offer: ToolOffer) -> None:
    jsonschema.Draft202012Validator.check_schema(offer.parameters)
    assert offer.parameters["additionalProperties"] is False
    assert typed_in_one_way(offer.parameters)


def test_what_fits_the_schema_of_a_draft_is_read() -> None:
    claim = {"id": "c", "text": "x", "kind": "symptom", "role": "answer", "refs": ["i1"]}
    facts = [{"path": "$.value", "op": ">", "value": value} for value in (1, "x", True)]
    draft = {
        "claims": [{**claim, "facts": facts}],
        "cause": {"text": "y", "refs": ["i2.logs.0"]},
        "ruled_out": [{"text": "z", "refs": ["i3"]}],
        "not_looked_at": ["a"],
        "next_steps": ["b"],
    }
    jsonschema.validate(draft, DRAFT_SCHEMA)
    kinds = [claim.kind for claim in read_draft(json.dumps(draft)).claims]
    assert kinds == ["symptom", "cause", "absence", "recommendation", "recommendation"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["claims", "text", "kind", "role", "refs", "facts", "cause", "ruled_out", "next_steps", "id"]),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_or_refused_and_nothing_else(value: Any) -> None:
    try:
        read_draft(json.dumps(value))
    except UnreadableDraftError as exc:
        assert str(exc)


def a_draft(count: int, length: int = 10, kind: str = "hypothesis") -> str:
    return json.dumps({"claims": [{"text": "x" * length, "kind": kind, "role": "context", "refs": []}] * count})


def test_a_hundred_claims_are_taken_and_one_more_is_refused_with_how_many_there_are() -> None:
    assert len(read_draft(a_draft(100)).claims) == 100
    with pytest.raises(UnreadableDraftError, match="it has 101 claims; at most 100 are taken"):
        read_draft(a_draft(101))


@pytest.mark.parametrize("kind", ["hypothesis", "recommendation", "cause"])
def test_a_claim_that_is_too_long_is_refused_whole_with_how_long_it_is(kind: str) -> None:
    assert len(read_draft(a_draft(1, 2_000, kind)).claims[0].text) == 2_000
    with pytest.raises(UnreadableDraftError, match="claim 1 has 2,001 characters; it takes one sentence of at most 2,000"):
        read_draft(a_draft(1, 2_001, kind))


@pytest.mark.parametrize("field", ["cause", "ruled_out", "not_looked_at", "next_steps"])
def test_nothing_else_of_a_draft_is_longer_than_a_claim(field: str) -> None:
    stated = {"text": "x" * 2_001, "refs": []}
    value = {"cause": stated, "ruled_out": [stated]}.get(field, ["x" * 2_001])
    with pytest.raises(UnreadableDraftError, match="at most 2,000"):
        read_draft(json.dumps({"claims": [], field: value}))
