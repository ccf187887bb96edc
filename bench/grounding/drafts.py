"""Measure decisions on whole drafts: of true ones that do not answer the question none may pass, correct ones should.

    python -m bench.grounding.drafts [--corpus DIR] [--work DIR] [--json] [--show LABEL N]

Beside ``run.py`` the only module here that imports groundwire.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.grounding import drafts_beside, drafts_correct, drafts_other, drafts_window
from bench.grounding.draft import CORRECT, Evidence, WholeDraft
from bench.grounding.drafts_incidents import INCIDENTS
from bench.grounding.incident import Incident
from bench.grounding.record import database_path, default_work, record, recording_path
from bench.grounding.recorded import load_session
from bench.grounding.sessions import Session
from bench.grounding.sessions_drafts import draft_sessions
from groundwire.adapters.process import SystemClock
from groundwire.domain.answer import Claim, Draft
from groundwire.domain.incident import Question
from groundwire.domain.names import ClaimKind, ClaimRole, Decision, QuestionKind, Verdict
from groundwire.services.replay import question_of
from groundwire.services.verifier import Verification, Verifier
from groundwire.store.sql_store import open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A draft beside what was decided."""

    draft: WholeDraft
    verification: Verification

    @property
    def passed(self) -> bool:
        return self.verification.decided.decision is Decision.PASS

    @property
    def wrong(self) -> bool:
        return self.passed is not (self.draft.label == CORRECT)

    @property
    def said(self) -> str:
        decision, reason = self.verification.decided
        return f"{decision}" if reason is None else f"{decision} {reason}"

    @property
    def held(self) -> bool:
        """Whether each claim holds that could: then only what was asked keeps the draft from passing."""
        material = [verdict for verdict in self.verification.verdicts if verdict.claim.kind in _MATERIAL]
        return all(verdict.verdict is Verdict.SUPPORTED for verdict in material)


_MATERIAL = frozenset({ClaimKind.SYMPTOM, ClaimKind.CAUSE, ClaimKind.OBSERVATION, ClaimKind.ABSENCE})


def all_drafts(corpus: Path | None, work: Path, sessions: Sequence[Session]) -> list[WholeDraft]:
    """Return every draft over these sessions."""
    at = {spec.name: Evidence(load_session(spec, recording_path(work, spec), corpus)) for spec in sessions}
    drafts = [draft for incident in INCIDENTS if incident.session in at for draft in _drafts(incident, at)]
    return [*drafts, *(drafts_correct.zookeeper_drafts(at["zookeeper-answers"]) if corpus is not None else ())]


def _drafts(incident: Incident, at: Mapping[str, Evidence]) -> Iterator[WholeDraft]:
    for module in (drafts_other, drafts_beside, drafts_correct):
        yield from module.drafts(incident, at[incident.session])
    if incident.early is not None:
        yield from drafts_window.drafts(incident, at[incident.early])
        yield from drafts_correct.early_drafts(incident, at[incident.early])


def judge(drafts: Sequence[WholeDraft], sessions: Sequence[Session], work: Path) -> list[Judged]:
    """Return each draft with its decision: the question is the draft's, the rows are the session's."""
    judged: list[Judged] = []
    for spec in sessions:
        session_id = str(json.loads(recording_path(work, spec).read_text())["session_id"])
        with open_store(str(database_path(work, spec)), read_only=True) as store:
            verifier = Verifier(reader=store, outputs=store, clock=SystemClock(), judge=None)
            recorded = question_of(store.find_session(session_id))
            for draft in drafts:
                if draft.session == spec.name:
                    question = _question(draft, recorded)
                    verification = verifier.verify(session_id, question, _draft(draft), origin="verify")
                    judged.append(Judged(draft=draft, verification=verification))
    return judged


def _question(draft: WholeDraft, recorded: Question) -> Question:
    """Return the question of a draft; its window is the one that the session was recorded with."""
    asked = draft.asked
    return dataclasses.replace(recorded, text=asked.text, kind=QuestionKind(asked.kind), subjects=asked.subjects)


def _draft(draft: WholeDraft) -> Draft:
    claims = (
        Claim(id=f"c{number}", text=said.text, refs=said.refs, kind=ClaimKind(said.kind), role=ClaimRole(said.role))
        for number, said in enumerate(draft.statements, start=1)
    )
    return Draft(claims=tuple(claims))


def _rows(judged: Sequence[Judged]) -> Iterator[dict[str, object]]:
    """Yield one row a label and kind of question, irrelevant ones first."""
    groups: dict[tuple[str, str], list[Judged]] = {}
    for item in judged:
        groups.setdefault((item.draft.label, item.draft.asked.kind), []).append(item)
    for (label, kind), group in sorted(groups.items(), key=lambda each: (each[0][0] == CORRECT, each[0])):
        yield {
            "label": label,
            "question": kind,
            "n": len(group),
            "passed": sum(item.passed for item in group),
            "held": sum(item.held for item in group),
            "decided": dict(Counter(item.said for item in group).most_common()),
        }


def _print(judged: Sequence[Judged]) -> None:
    print(f"{'':33}{'question':10}{'n':>5}{'passed':>8}{'all held':>10}   decided")
    for row in _rows(judged):
        decided = ", ".join(f"{said} {count}" for said, count in dict(row["decided"]).items())  # type: ignore[call-overload]
        print(f"{row['label']:33}{row['question']:10}{row['n']:5}{row['passed']:8}{row['held']:10}   {decided}")
    beside = [item for item in judged if item.draft.label != CORRECT]
    correct = [item for item in judged if item.draft.label == CORRECT]
    held = sum(item.held for item in beside)
    print(f"\nbeside the question: {sum(item.passed for item in beside)} of {len(beside)} pass; of {held} every claim holds")
    print(f"whole and correct: {sum(item.passed for item in correct)} of {len(correct)} pass")


def _show(judged: Sequence[Judged], label: str, number: int) -> None:
    """Print drafts of a label, the wrongly decided ones first, with each claim's verdict."""
    wanted = sorted((item for item in judged if item.draft.label == label), key=lambda item: not item.wrong)
    for item in wanted[:number]:
        draft = item.draft
        print(f"{'WRONG' if item.wrong else 'right'} {item.said}: {draft.asked.text} ({draft.session}; {draft.wording})")
        for verdict in item.verification.verdicts:
            claim = verdict.claim
            print(f"      {claim.role} {claim.kind} {verdict.verdict}: {claim.text} [{', '.join(claim.refs)}]")
            if verdict.verdict is not Verdict.SUPPORTED:
                print(f"            {verdict.reason}")


def main() -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(description="Measure decisions on whole drafts.")
    parser.add_argument("--corpus", type=Path, help="folder of real inputs")
    parser.add_argument("--work", type=Path, help="where the recordings are kept")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--show", nargs=2, metavar=("LABEL", "N"), help="print N drafts of a label, wrongly decided ones first")
    given = parser.parse_args()
    work = given.work or default_work(given.corpus)
    sessions = draft_sessions(given.corpus, work)
    record(given.corpus, work, sessions)
    judged = judge(all_drafts(given.corpus, work, sessions), sessions, work)
    if given.show:
        _show(judged, given.show[0], int(given.show[1]))
    elif given.json:
        for row in _rows(judged):
            print(json.dumps(row))
    else:
        _print(judged)


if __name__ == "__main__":
    main()
