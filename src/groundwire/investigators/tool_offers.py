"""What a model is offered to call: the three questions of an investigation, two helpers, and the way to hand in its draft."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from groundwire.domain.model import ToolOffer
from groundwire.domain.names import ClaimKind, ClaimRole, ToolName

LIST_SOURCES: Final = "list_sources"
READ_REF: Final = "read_ref"
SUBMIT_DRAFT: Final = "submit_draft"

_NOTHING_THERE: Final = (
    'When nothing matches it answers "no_evidence" with the scope that was searched: that is a finding, and can be cited as an '
    'absence. When it could not look it answers "failed" with the source\'s own words: that is no finding at all.'
)


def _text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def _whole(description: str, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": most, "description": description}


def _object(properties: Mapping[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(required), "additionalProperties": False}


_SERVICE: Final = _text("One service, spelled as list_sources spells it.")
_SINCE: Final = _text(
    "Start of the span: ISO 8601 with its zone, or relative to the window's end such as -30m. Left out: the window's."
)
_UNTIL: Final = _text("End of the span, written like since. Left out: the window's end.")
_REFS: Final = {
    "type": "array",
    "items": {"type": "string"},
    "description": "The refs that it stands on: i2.logs.3, or a whole call for counts and absences: i2, i2.summary.",
}
_FACTS: Final = {
    "type": "array",
    "description": "For numbers: what is computed again from the cited evidence.",
    "items": _object(
        {
            "path": _text("Where the value stands in the cited item ($.value) or its call ($.summary.total)."),
            "op": _text("How it compares.", enum=["==", "!=", "<", "<=", ">", ">=", "contains"]),
            # One type each: not every provider's SDK takes a list of them.
            "value": {
                "description": "What it is compared with.",
                "anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}],
            },
        },
        ("path", "op", "value"),
    ),
}

_STATEMENT: Final = {"text": _text("One statement, in one sentence of at most 2,000 characters."), "refs": _REFS, "facts": _FACTS}
_MATERIAL: Final = [kind.value for kind in ClaimKind]

DRAFT_SCHEMA: Final[Mapping[str, Any]] = _object(
    {
        "claims": {
            "type": "array",
            "items": _object(
                {
                    "id": _text("A short name, such as c1."),
                    "kind": _text("What sort of statement it is.", enum=_MATERIAL),
                    "role": _text("What it is to the question.", enum=[role.value for role in ClaimRole]),
                    **_STATEMENT,
                },
                ("text", "kind", "role", "refs"),
            ),
        },
        "cause": {
            "description": "The deepest cause that cited evidence states; null when none does.",
            "anyOf": [_object(_STATEMENT, ("text", "refs")), {"type": "null"}],
        },
        "ruled_out": {
            "type": "array",
            "description": "What was looked for and is not there, each with the call that looked.",
            "items": _object({"text": _STATEMENT["text"], "refs": _REFS}, ("text", "refs")),
        },
        "not_looked_at": {"type": "array", "items": {"type": "string"}, "description": "What was left unexamined."},
        "next_steps": {"type": "array", "items": {"type": "string"}, "description": "What a person should check next."},
    },
    ("claims",),
)

OFFERS: Final = (
    ToolOffer(
        name=ToolName.QUERY_LOGS.value,
        description=(
            "Searches every log source and returns records, newest first, each with a ref, and a summary (total, by level, first "
            "and last time) that is counted over all that matched, not only over what is returned. " + _NOTHING_THERE
        ),
        parameters=_object(
            {
                "service": _SERVICE,
                "query": _text(
                    'Words, "phrases", -excluded, field:value, re:PATTERN (a regular expression). All must hold; there is no OR.'
                ),
                "level": _text("This severity or a graver one.", enum=["debug", "info", "warn", "error", "fatal"]),
                "since": _SINCE,
                "until": _UNTIL,
                "limit": _whole("How many records at most; 50 when left out.", 500),
            }
        ),
    ),
    ToolOffer(
        name=ToolName.QUERY_METRICS.value,
        description=(
            "Returns alerts with their states, and with promql the series that it selects, each with a ref. Leave promql out to "
            "ask for alerts. Watchdog and InfoInhibitor are left out unless asked for by name. " + _NOTHING_THERE
        ),
        parameters=_object(
            {
                "service": _SERVICE,
                "alert_name": _text("One alert, by its exact name."),
                "state": _text("Only alerts in this state.", enum=["firing", "pending", "suppressed", "resolved", "inactive"]),
                "promql": _text("A PromQL expression; the answer then holds series."),
                "step": _text(
                    'Distance between samples, such as 60s; or "instant" for one value each, at the end of the window.'
                ),
                "since": _SINCE,
                "until": _UNTIL,
                "limit": _whole("How many alerts, and how many series, at most; 100 when left out.", 1000),
            }
        ),
    ),
    ToolOffer(
        name=ToolName.LOOKUP_KNOWLEDGE.value,
        description=(
            "Looks up sections of runbooks, best first, each with a ref. They say what such incidents look like, not what "
            'happened today. Answers "deduped" when this session has already been given all of it, and says by which call. '
            + _NOTHING_THERE
        ),
        parameters=_object(
            {
                "query": _text("What to look for, in words: an alert, a symptom, a message."),
                "service": _SERVICE,
                "alert_name": _text("The alert that the section should be about, by its exact name."),
                "limit": _whole("How many sections at most; 5 when left out.", 20),
            },
            ("query",),
        ),
    ),
    ToolOffer(
        name=LIST_SOURCES,
        description=(
            "Returns what there is to ask: services, log sources, sources of alerts, names of metrics, titles of runbooks. It is "
            "no evidence and cannot be cited. Of a long list it names those of the question first, and ends in "
            '"and N that are not named": these can be asked too. What is neither named nor counted is not configured, which says '
            "nothing of whether it is well."
        ),
        parameters=_object({}),
    ),
    ToolOffer(
        name=READ_REF,
        description=(
            "Returns the whole item behind a ref that was given before, where its text was cut or left out. It asks no source "
            "and is no new evidence; an unknown ref is answered with the refs there are. What is too long comes in parts: the "
            "end of each says with which start the next one is read."
        ),
        parameters=_object(
            {
                "ref": _text("A ref such as i2.logs.3, i1.alerts.0 or i2.summary."),
                "start": {"type": "integer", "minimum": 0, "description": "The character to begin with; 0 when left out."},
            },
            ("ref",),
        ),
    ),
    ToolOffer(
        name=SUBMIT_DRAFT,
        description=(
            "Hands in the draft and ends the investigation. Call it alone, once the results are read. Every claim is then held "
            "against the recorded evidence that it cites; what is not supported is not shown."
        ),
        parameters=DRAFT_SCHEMA,
    ),
)
