"""The second opinion: asked, read strictly, and every way it can fail given a name."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import GroundwireError
from groundwire.domain.masking import make_storable, mask_text
from groundwire.domain.names import Decision, DegradedReason, Verdict
from groundwire.ports import Judge, JudgeRequest

_RAW_LIMIT: Final = 100_000
_GRACE_S: Final = 0.25
"""For a judge that keeps its deadline and then says why it has nothing: its own words are better than ours."""

_WRAPPED: Final = re.compile(
    r"""\s*(?P<before>[^{}\[\]"`]*)            # a sentence before it, in which nothing looks like JSON
    (?:(?P<bare>\{.*\})
    |```(?:json|JSON)?[ ]*\n(?P<fenced>\s*\{.*\})\s*```)
    \s*""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the judge said, raw, and either its decision or the fault that stands in its place."""

    raw: str | None
    decision: Decision | None = None
    fault: DegradedReason | None = None


def ask_judge(judge: Judge, request: JudgeRequest, *, timeout_s: float) -> Judgement:
    """Return the judgement; a judge that raises, or is not done in time, is ``verifier_unavailable``."""
    done: queue.SimpleQueue[str | BaseException | None] = queue.SimpleQueue()

    def ask() -> None:
        try:
            done.put(judge.judge(request, Deadline.after(timeout_s)))
        except BaseException as exc:  # noqa: BLE001 - in this thread nobody else hears it; the evaluation row says what it was
            done.put(exc)

    # A daemon: a judge that never comes back must not keep the answer, or the process, waiting.
    threading.Thread(target=ask, daemon=True, name="judge").start()
    try:
        said = done.get(timeout=timeout_s + _GRACE_S)
    except queue.Empty:
        said = TimeoutError(f"the judge gave no answer within {timeout_s:g} s")
    if isinstance(said, BaseException):
        message = said.message if isinstance(said, GroundwireError) else f"{type(said).__name__}: {said}"
        return Judgement(raw=mask_text(make_storable(message)), fault=DegradedReason.VERIFIER_UNAVAILABLE)
    if said is not None and not isinstance(said, str):
        return Judgement(raw=mask_text(make_storable(repr(said)))[:_RAW_LIMIT], fault=DegradedReason.VERIFIER_INVALID_JSON)
    return read_judgement(said)


def read_judgement(raw: str | None) -> Judgement:
    """Return the judgement that a raw output holds: whole JSON, which a fence or a sentence may lead up to; else a fault."""
    if raw is None or not raw.strip():
        return Judgement(raw=raw, fault=DegradedReason.VERIFIER_MISSING)
    kept = mask_text(make_storable(raw))[:_RAW_LIMIT]
    try:
        said = orjson.loads(_without_wrapping(kept))
    except orjson.JSONDecodeError:
        return Judgement(raw=kept, fault=DegradedReason.VERIFIER_INVALID_JSON)
    if not _has_shape(said):
        return Judgement(raw=kept, fault=DegradedReason.VERIFIER_INVALID_SCHEMA)
    return Judgement(raw=kept, decision=_lowest(Decision(said["decision"]), said.get("claims", ())))


def _without_wrapping(text: str) -> str:
    """Return the text from its first brace on, without the fence around it; text after the object stays, and is no JSON."""
    wrapped = _WRAPPED.fullmatch(text)
    return text if wrapped is None else wrapped["bare"] or wrapped["fenced"]


def _has_shape(said: Any) -> bool:
    if not isinstance(said, Mapping) or said.get("decision") not in list(Decision):
        return False
    claims = said.get("claims", [])
    return isinstance(claims, list) and all(
        isinstance(claim, Mapping) and isinstance(claim.get("id"), str) and claim.get("verdict") in list(Verdict)
        for claim in claims
    )


def _lowest(decision: Decision, claims: Sequence[Mapping[str, Any]]) -> Decision:
    """Return the decision, or LOW_CONFID where it is PASS over a claim that the same judge does not find supported."""
    doubted = any(claim["verdict"] in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED) for claim in claims)
    return Decision.LOW_CONFID if doubted and decision is Decision.PASS else decision
