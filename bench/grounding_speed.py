"""Grounding claims against a session of 50 calls with 100 items each: at least 2,000 claims a second, growing linearly."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.measuring import Figure, cpu_ms, report
from groundwire.domain.answer import Claim
from groundwire.domain.completion import completed_row
from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.invocation import InvocationStart
from groundwire.domain.names import ClaimKind, ClaimRole, QuestionKind, Verdict, WindowSource
from groundwire.domain.session import Owner
from groundwire.grounding.cited import CallEvidence, EvidenceBase
from groundwire.grounding.ground import ground_claims
from groundwire.services.outcome import Outcome, completion_of

_WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, tzinfo=UTC), end=datetime(2026, 11, 12, 10, tzinfo=UTC))
_QUESTION = Question(
    text="bench", kind=QuestionKind.DIAGNOSE, subjects=("checkout",), window=_WINDOW, window_source=WindowSource.FLAG
)


def main() -> None:
    calls = [_call(seq) for seq in range(1, 51)]
    rates = {}
    for count in (1_000, 4_000):
        claims = [_claim(n) for n in range(count)]
        # A base is made for each answer; its own cost is part of it.
        rates[count] = count / min(cpu_ms(lambda claims=claims: _ground(claims, calls)) for _ in range(7)) * 1000  # type: ignore[misc]
    report(
        Figure(
            name="milliseconds for 2,000 claims against 50 calls of 100 items",
            value=2_000_000 / rates[4_000],
            unit="ms",
            goal=1000,
            limit=1300,
        ),
        Figure(name="cost of a claim among 4,000 over one among 1,000", value=rates[1_000] / rates[4_000], unit="x", limit=1.5),
        description=__doc__ or "",
    )


def _ground(claims: list[Claim], calls: list[CallEvidence]) -> None:
    verdicts = ground_claims(claims, EvidenceBase(_QUESTION, calls))
    assert sum(verdict.verdict is Verdict.SUPPORTED for verdict in verdicts) >= len(claims) // 2


def _claim(n: int) -> Claim:
    call, item = n % 50 + 1, n % 97
    texts = (
        (f"checkout's log says “order {item} failed: payment answered 503 after {item * 7} ms”.", f"i{call}.logs.{item}"),
        (f"checkout logged 100 ERROR records between 09:00:00 and 09:{99 // 60:02d}:{99 % 60:02d} UTC.", f"i{call}.summary"),
        (f"checkout logged a payment that answered 503 after {item * 7 + 1} ms.", f"i{call}.logs.{item}"),
        (f"checkout logged it at {(_WINDOW.start + timedelta(seconds=item)):%H:%M:%S} UTC.", f"i{call}.logs.{item}"),
    )
    text, ref = texts[n % len(texts)]
    return Claim(id=f"c{n}", text=text, refs=(ref,), kind=ClaimKind.OBSERVATION, role=ClaimRole.SUPPORT)


def _call(seq: int) -> CallEvidence:
    logs = [
        {
            "timestamp": (_WINDOW.start + timedelta(seconds=n)).isoformat().replace("+00:00", "Z"),
            "level": "ERROR",
            "service": "checkout",
            "instance": f"checkout-7d9f8b6c5d-{n:05d}",
            "message": f"order {n} failed: payment answered 503 after {n * 7} ms",
            "source": f"checkout.log:{n}",
            "fields": {},
        }
        for n in range(100)
    ]
    output: dict[str, Any] = {
        "evidence_status": "evidence",
        "returned_count": 100,
        "total_count": 100,
        "scope": {"window": _WINDOW.to_json(), "filter": {}, "labels": {"service": "checkout"}},
        "sources": [],
        "logs": logs,
        "summary": {
            "total": 100,
            "total_is_exact": True,
            "by_level": {"ERROR": 100},
            "first_at": logs[0]["timestamp"],
            "last_at": logs[-1]["timestamp"],
            "in_scope": {"total": 400, "by_level": {"ERROR": 100, "INFO": 300}},
        },
    }
    start = InvocationStart(
        id=f"call-{seq}",
        session_id="session",
        tool_name="query_logs",
        input_params={},
        started_at=_WINDOW.end,
        owner=Owner(host="bench", process_id=1, process_start=0.0),
    )
    completion, _ = completion_of(start, seq, Outcome.of_output(output), _WINDOW, 1.0)
    row = completed_row(start, seq, completion, completion_seq=seq, previous_hash="0" * 64)
    return CallEvidence(row=row, output=orjson.loads(orjson.dumps(output)))


if __name__ == "__main__":
    main()
