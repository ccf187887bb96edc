"""What must hold of a session whatever its model wrote, without asking grounding once more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from groundwire.bootstrap import App
from groundwire.domain.errors import GroundwireError
from groundwire.domain.names import MATERIAL_KINDS, Verdict
from groundwire.domain.reports import Trace

_NUMBER: Final = re.compile(r"\d+")
_QUOTE: Final = re.compile(r"[“\"]([^”\"]+)[”\"]")


def faults_of(app: App, session_id: str) -> Iterator[str]:
    """Yield, in words, each thing that was shown without support, and each row that is not as it was recorded."""
    trace, answer = app.trace(session_id), app.show(session_id)
    yield from (f"audit: {fault.message}" for fault in app.audit(session_id).faults)
    yield from (f"replay: {difference}" for difference in app.replay(session_id).differences)
    for shown in answer.claims:
        if shown.claim.kind in MATERIAL_KINDS and shown.verdict is not Verdict.SUPPORTED:
            yield f"shown although {shown.verdict}: {shown.claim.text!r}"
    # The printed answer is rendered from the same claims: the audit compares it.
    for item in trace.evaluations[-1].claim_verdicts:
        if item["verdict"] == Verdict.SUPPORTED:
            yield from (f"{fault}: {item['text']!r}" for fault in _unborne(app, trace, item))


def _unborne(app: App, trace: Trace, item: Mapping[str, Any]) -> Iterator[str]:
    """Yield what of a supported claim stands in nothing that it cites: a ref, a number, a quotation."""
    if not item["refs"]:
        yield "supported without a ref"
    cited = ""
    for ref in item["refs"]:
        try:
            cited += json.dumps(app.evidence(trace.session.id, ref).item, ensure_ascii=False)
        except GroundwireError as exc:
            yield f"supported by {ref}, which is nowhere ({exc.message})"
    # What was asked, and of which span, is part of what an absence or a count says.
    cited += json.dumps([[dict(row.input_params), row.scope] for row in trace.invocations], ensure_ascii=False, default=str)
    cited += json.dumps(trace.session.window.to_json())
    plain = _unwrapped(cited.replace('\\"', '"').replace("\\n", " "))
    for quote in _QUOTE.findall(item["text"]):
        if _unwrapped(quote) not in plain:
            yield f"supported, and quotes {quote!r} from nowhere"
    for number in _NUMBER.findall(_QUOTE.sub("", item["text"])):
        if number not in plain:
            yield f"supported, and says {number} from nowhere"


def _unwrapped(text: str) -> str:
    return " ".join(text.split())
