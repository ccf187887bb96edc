"""The second opinion: asked, read strictly, and every way it can fail given a name."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass

import orjson

from groundwire.domain.deadline import Deadline
from groundwire.domain.masking import make_storable, mask_text
from groundwire.domain.names import Decision, DegradedReason
from groundwire.ports import Judge, JudgeRequest

_RAW_LIMIT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the judge said, raw, and either its decision or the fault that stands in its place."""

    raw: str | None
    decision: Decision | None = None
    fault: DegradedReason | None = None


def ask_judge(judge: Judge, request: JudgeRequest, *, timeout_s: float) -> Judgement:
    """Return the judgement; a judge that raises, or is not done in time, is ``verifier_unavailable``."""
    done: queue.SimpleQueue[str | Exception | None] = queue.SimpleQueue()

    def ask() -> None:
        try:
            done.put(judge.judge(request, Deadline.after(timeout_s)))
        except Exception as exc:  # noqa: BLE001 - a judge is foreign code: whatever it raises, the evaluation row says so
            done.put(exc)

    # A daemon: a judge that never comes back must not keep the answer, or the process, waiting.
    threading.Thread(target=ask, daemon=True, name="judge").start()
    try:
        said = done.get(timeout=timeout_s)
    except queue.Empty:
        said = TimeoutError(f"the judge gave no answer within {timeout_s:g} s")
    if isinstance(said, Exception):
        message = f"{type(said).__name__}: {said}"
        return Judgement(raw=mask_text(make_storable(message)), fault=DegradedReason.VERIFIER_UNAVAILABLE)
    return read_judgement(said)


def read_judgement(raw: str | None) -> Judgement:
    """Return the judgement that a raw output holds; anything but whole JSON of the right shape is a fault."""
    if raw is None or not raw.strip():
        return Judgement(raw=raw, fault=DegradedReason.VERIFIER_MISSING)
    kept = mask_text(make_storable(raw))[:_RAW_LIMIT]
    try:
        said = orjson.loads(kept)
    except orjson.JSONDecodeError:
        return Judgement(raw=kept, fault=DegradedReason.VERIFIER_INVALID_JSON)
    decision = said.get("decision") if isinstance(said, dict) else None
    claims = said.get("claims", []) if isinstance(said, dict) else None
    if decision not in list(Decision) or not isinstance(claims, list):
        return Judgement(raw=kept, fault=DegradedReason.VERIFIER_INVALID_SCHEMA)
    return Judgement(raw=kept, decision=Decision(decision))
