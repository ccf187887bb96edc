"""An answer written elsewhere, held against a session's evidence."""

from __future__ import annotations

from dataclasses import replace

import orjson

from groundwire.domain.answer import Draft
from groundwire.domain.errors import UsageError
from groundwire.domain.names import MATERIAL_KINDS, StepKind
from groundwire.domain.reports import ReportPart, VerifyReport
from groundwire.grounding.prose import read_report
from groundwire.grounding.search import attribute, propose
from groundwire.ports import TraceReader, TraceWriter
from groundwire.services.drafts import draft_from_json, storable
from groundwire.services.replay import question_of
from groundwire.services.verifier import Verifier


def verify_draft(
    session_id: str, draft_text: str, *, reader: TraceReader, writer: TraceWriter, verifier: Verifier
) -> VerifyReport:
    """Return the verdict on each claim of a JSON draft or a Markdown report; adds an evaluation and changes no decision.

    Raises:
        UsageError: The draft is empty, states nothing, or is JSON of the wrong shape.
    """
    session = reader.find_session(session_id)
    parts, draft = read_foreign_draft(draft_text)
    question, draft = question_of(session), storable(draft)
    base = verifier.evidence_base(question, reader.invocations(session.id))
    found = {claim.id: attribute(claim, base) for claim in draft.claims if not claim.refs and claim.kind in MATERIAL_KINDS}
    cited = {name: verdict.claim for name, verdict in found.items() if verdict is not None}
    draft = replace(draft, claims=tuple(cited.get(claim.id, claim) for claim in draft.claims))
    # The session is over, and its count of requests with it: one that is made now is a helper's.
    verification = verifier.verify(
        session.id,
        question,
        draft,
        origin="verify",
        record=lambda step: writer.add_step(replace(step, kind=StepKind.HELPER)),
    )
    writer.add_evaluation(verification.evaluation)
    proposed = {verdict.claim.id: propose(verdict, base) for verdict in verification.verdicts}
    return VerifyReport(
        session_id=session.id,
        decision=verification.decided.decision,
        degraded_reason=verification.decided.degraded_reason,
        verdicts=verification.verdicts,
        attributed=frozenset(cited),
        proposed={name: ref for name, ref in proposed.items() if ref is not None},
        parts=parts,
    )


def read_foreign_draft(text: str) -> tuple[tuple[ReportPart, ...], Draft]:
    """Return a text as a report and as a draft: JSON ``{"answer", "claims": [...]}`` (which is no report), else Markdown."""
    if not text.strip():
        raise UsageError("the draft is empty", hint='Give JSON {"answer","claims":[...]} or Markdown with refs like [i2.logs.3].')
    if text.lstrip().startswith("{"):
        try:
            item = orjson.loads(text)
        except orjson.JSONDecodeError as exc:
            raise UsageError(f"the draft starts like JSON but is not: {exc}") from exc
        if "claims" not in item and isinstance(item.get("answer"), str):
            return _of_prose(item["answer"])
        return (), draft_from_json(item)
    return _of_prose(text)


def _of_prose(text: str) -> tuple[tuple[ReportPart, ...], Draft]:
    parts, claims = read_report(text)
    if not claims:
        raise UsageError("the draft states nothing that could be checked", hint="Headings, code and questions are passed over.")
    return parts, Draft(claims=claims)
