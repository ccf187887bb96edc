"""Measure grounding on the claims: how many false ones of each kind it accepts, how many true ones it does not.

    python -m bench.grounding.run [--half reporting] [--corpus DIR] [--json] [--show KIND N]

The only module of this folder that imports groundwire.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.grounding.baselines import numbers_occur, tokens_covered
from bench.grounding.bounds import upper_bound
from bench.grounding.generate import generate, write_claims
from bench.grounding.record import all_sessions, database_path, default_work, recording_path
from bench.grounding.recorded import RecordedSession, load_session
from bench.grounding.sessions import DEVELOPMENT, REPORTING, Session
from bench.grounding.vocabulary import WRITERS, speak_as
from groundwire.adapters.process import SystemClock
from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, QuestionKind, Verdict
from groundwire.grounding.ground import ground_claim
from groundwire.services.replay import question_of
from groundwire.services.verifier import Verifier
from groundwire.store.sql_store import open_store

ALL_LIMIT = 0.01
KIND_LIMIT = 0.03
TRUE_LIMIT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A claim beside what was said of it."""

    claim: Mapping[str, Any]
    verdict: str
    reason: str
    by_numbers: bool
    by_tokens: bool

    @property
    def accepted(self) -> bool:
        return self.verdict == Verdict.SUPPORTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the result: ``wrong`` of ``count`` claims, and what the two baselines do with them."""

    name: str
    count: int
    wrong: int
    by_numbers: int
    by_tokens: int
    limit: float | None

    def to_json(self) -> dict[str, object]:
        """Return the figures with the exact upper bound (95 %, one-sided)."""
        share = self.wrong / self.count if self.count else 0.0
        return {
            "name": self.name,
            "n": self.count,
            "wrong": self.wrong,
            "share": round(share, 4),
            "upper_95": round(upper_bound(self.wrong, self.count), 4),
            "limit": self.limit,
            "ok": self.limit is None or share <= self.limit,
            "numbers_occur": round(self.by_numbers / self.count, 4) if self.count else None,
            "tokens_covered": round(self.by_tokens / self.count, 4) if self.count else None,
        }


def check(claims: Iterable[Mapping[str, Any]], sessions: Sequence[Session], corpus: Path | None, work: Path) -> list[Checked]:
    """Return every claim with its verdict; each session's evidence is read back from its store."""
    by_session: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for claim in claims:
        by_session[str(claim["session"])].append(claim)
    checked: list[Checked] = []
    for spec in sessions:
        if spec.name in by_session:
            recorded = load_session(spec, recording_path(work, spec), corpus)
            checked += _check_session(by_session[spec.name], spec, recorded, work)
    return checked


def _check_session(claims: Sequence[Mapping[str, Any]], spec: Session, recorded: RecordedSession, work: Path) -> list[Checked]:
    session_id = str(json.loads(recording_path(work, spec).read_text())["session_id"])
    evidence: dict[str, str] = {}
    with open_store(str(database_path(work, spec)), read_only=True) as store:
        verifier = Verifier(reader=store, outputs=store, clock=SystemClock(), judge=None)
        # `call` opens a session without a question of its own; the question is the one that the session is about.
        question = dataclasses.replace(
            question_of(store.find_session(session_id)),
            text=spec.question,
            kind=QuestionKind.DIAGNOSE,
            subjects=spec.subjects,
        )
        base = verifier.evidence_base(question, store.invocations(session_id))
        checked = []
        for item in claims:
            verdict = ground_claim(_claim(item), base)
            for ref in item["refs"]:
                evidence.setdefault(ref, recorded.seen_at(ref))
            cited = "\n".join(evidence[ref] for ref in item["refs"])
            checked.append(
                Checked(
                    claim=item,
                    verdict=str(verdict.verdict),
                    reason=verdict.reason,
                    by_numbers=numbers_occur(item["text"], cited),
                    by_tokens=tokens_covered(item["text"], cited),
                )
            )
    return checked


def _claim(item: Mapping[str, Any]) -> Claim:
    return Claim(
        id=item["id"],
        text=item["text"],
        refs=tuple(item["refs"]),
        kind=ClaimKind(item["kind"]),
        role=ClaimRole(item["role"]),
        facts=tuple(item["facts"]),
    )


def rows_of(checked: Sequence[Checked]) -> list[Row]:
    """Return the accepted false claims by kind and in all, then the true claims not accepted by family and in all."""
    false = [item for item in checked if item.claim["falsehood"]]
    true = [item for item in checked if not item.claim["falsehood"]]
    rows = [_false_row(name, group, KIND_LIMIT) for name, group in _grouped(false, "falsehood")]
    rows.append(_false_row("all false claims", false, ALL_LIMIT))
    rows += [_true_row(f"true: {name}", group, None) for name, group in _grouped(true, "family")]
    rows.append(_true_row("all true claims", true, TRUE_LIMIT))
    for prose in (True, False):
        kind = "prose" if prose else "with facts"
        rows.append(_false_row(f"false, {kind}", [item for item in false if item.claim["prose"] is prose], None))
        rows.append(_true_row(f"true, {kind}", [item for item in true if item.claim["prose"] is prose], None))
    return rows


def _grouped(checked: Sequence[Checked], field: str) -> list[tuple[str, list[Checked]]]:
    groups: dict[str, list[Checked]] = defaultdict(list)
    for item in checked:
        groups[str(item.claim[field])].append(item)
    return sorted(groups.items())


def _false_row(name: str, group: Sequence[Checked], limit: float | None) -> Row:
    return Row(
        name=name,
        count=len(group),
        wrong=sum(item.accepted for item in group),
        by_numbers=sum(item.by_numbers for item in group),
        by_tokens=sum(item.by_tokens for item in group),
        limit=limit,
    )


def _true_row(name: str, group: Sequence[Checked], limit: float | None) -> Row:
    return Row(
        name=name,
        count=len(group),
        wrong=sum(not item.accepted for item in group),
        by_numbers=sum(not item.by_numbers for item in group),
        by_tokens=sum(not item.by_tokens for item in group),
        limit=limit,
    )


def _print_rows(half: str, rows: Sequence[Row], seconds: float, count: int) -> None:
    print(f"\n{half}: {count} claims, {count / seconds:,.0f} a second")
    print(f"{'':30}{'n':>6}{'wrong':>7}{'share':>9}{'<= 95 %':>9}   {'numbers occur':>14}{'tokens 0.6':>12}")
    for row in rows:
        told = row.to_json()
        mark = "" if told["ok"] else "  OVER"
        bases = f"{_percent(told['numbers_occur']):>14}{_percent(told['tokens_covered']):>12}"
        figures = f"{row.count:6}{row.wrong:7}{_percent(told['share']):>9}{_percent(told['upper_95']):>9}"
        print(f"{row.name:30}{figures}   {bases}{mark}")


def _percent(share: object) -> str:
    return "-" if share is None else f"{100 * float(str(share)):.1f} %"


def _show(checked: Sequence[Checked], kind: str, number: int) -> None:
    """Print claims of a kind of falsehood, or of a family of true claims (``true:NAME``); the wrongly judged ones first."""
    named: Callable[[Checked], bool] = lambda item: kind in {item.claim["falsehood"], f"true:{item.claim['family']}"}  # noqa: E731
    wanted = [item for item in checked if named(item) and not (kind.startswith("true:") and item.claim["falsehood"])]
    wanted.sort(key=lambda item: item.accepted is not bool(item.claim["falsehood"]))
    for item in wanted[:number]:
        mark = "WRONG" if item.accepted is bool(item.claim["falsehood"]) else "right"
        print(f"{mark} {item.verdict}: {item.claim['text']}")
        print(f"      {item.claim['session']} {', '.join(item.claim['refs'])} {item.claim['facts'] or ''}")
        print(f"      {item.reason}")


def main() -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(description="Measure grounding on generated claims.")
    parser.add_argument("--half", choices=(DEVELOPMENT, REPORTING, "both"), default=DEVELOPMENT)
    parser.add_argument("--corpus", type=Path, help="folder of real inputs")
    parser.add_argument("--work", type=Path, help="where the recordings are kept")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--show", nargs=2, metavar=("KIND", "N"), help="print N claims of a kind, or of true:FAMILY, with reasons"
    )
    parser.add_argument("--wordings", choices=WRITERS, default=WRITERS[0], help="whose wordings the development half has")
    given = parser.parse_args()
    speak_as(given.wordings)
    work = given.work or default_work(given.corpus)
    generated = generate(given.corpus, work)
    path = work / ("claims.jsonl" if given.wordings == WRITERS[0] else f"claims-{given.wordings}.jsonl")
    write_claims(generated, path)
    claims = [json.loads(line) for line in path.read_text().splitlines()]
    sessions = all_sessions(given.corpus, work)
    for half in (DEVELOPMENT, REPORTING) if given.half == "both" else (given.half,):
        ours = [claim for claim in claims if claim["half"] == half]
        started = time.process_time()
        checked = check(ours, sessions, given.corpus, work)
        seconds = time.process_time() - started
        if given.show:
            _show(checked, given.show[0], int(given.show[1]))
        elif given.json:
            for row in rows_of(checked):
                print(json.dumps({"half": half, **row.to_json()}))
        else:
            _print_rows(half, rows_of(checked), seconds, len(ours))


if __name__ == "__main__":
    main()
