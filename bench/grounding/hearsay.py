"""What one service says about another, what a runbook says, what a line denies: held, and turned into more than it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from bench.grounding.claim import CONTRADICTED, TRUE, UNSUPPORTED, Claim, Collection, Label
from bench.grounding.cores import negation_cores
from bench.grounding.recorded import LogItem, RecordedSession
from bench.grounding.wording import Clock, capital, frames
from bench.grounding.words_hearsay import AS_EVENT, AS_FACT, FROM_RUNBOOK, REPORTED, RUMOURS, RUNBOOK_EVENTS

_EACH = 12


class Hearsay:
    """Hearsay, runbooks and denials of one session."""

    def __init__(self, session: RecordedSession, random: Random) -> None:
        self._session = session
        self._half = session.spec.half
        self._random = random
        self._clock = Clock(session.spec)

    def add(self, into: Collection) -> None:
        items = [item for call in self._session.tagged("browse", "errors", "level") for item in call.items()]
        self._random.shuffle(items)
        for claim in (*self._rumours(items), *self._runbooks(), *self._denials(items)):
            into.add(claim)

    def _rumours(self, items: list[LogItem]) -> Iterator[Claim]:
        for pattern, reported, facts in RUMOURS[self._half]:
            found = [(item, match) for item in items if (match := re.search(pattern, item.record.first_line)) is not None]
            for item, match in found[:_EACH]:
                slots = {"svc": item.record.service, "t": f"{self._clock.seconds(item.record.at)} UTC"}
                if reported:
                    for wording in self._random.sample(REPORTED[self._half], 3):
                        clause = reported.format(**match.groupdict())
                        yield self._claim(wording, item.ref, TRUE, "hearsay", s=clause, **slots)
                for wording in self._random.sample(AS_FACT[self._half], min(5, len(AS_FACT[self._half]))):
                    clause = self._random.choice(facts).format(**match.groupdict())
                    yield self._claim(wording, item.ref, Label(UNSUPPORTED, "hearsay_as_fact"), "hearsay", s=clause, **slots)

    def _runbooks(self) -> Iterator[Claim]:
        for call in self._session.tagged("runbook"):
            for index, block in enumerate(call.output.get("evidence_blocks", ())):
                ref = f"i{call.seq}.blocks.{index}"
                for source, words, event in RUNBOOK_EVENTS[self._half]:
                    if not str(block["source"]).endswith(source) or words not in " ".join(str(block["content"]).split()):
                        continue
                    title = source.removesuffix(".md")
                    for wording in FROM_RUNBOOK[self._half]:
                        yield self._claim(wording, ref, TRUE, "runbook", s=words, name=title)
                    for wording in AS_EVENT[self._half]:
                        yield self._claim(wording, ref, Label(UNSUPPORTED, "runbook_as_event"), "runbook", s=event)

    def _denials(self, items: list[LogItem]) -> Iterator[Claim]:
        for core in negation_cores(self._half):
            found = [(item, match) for item in items if (match := core.pattern.search(item.record.text)) is not None]
            for item, match in found[:_EACH]:
                picked = self._random.sample(frames(self._half), 4)
                dropped = Label(CONTRADICTED, "negation_dropped")
                for frame, clauses, label in (
                    (picked[0], core.holds, TRUE),
                    (picked[1], core.dropped, dropped),
                    (picked[2], core.dropped, dropped),
                ):
                    pattern = self._random.choice(clauses)
                    record = item.record
                    clause = pattern.format(**match.groupdict())
                    yield self._of(
                        frame.put(clause, svc=record.service, at=self._clock.seconds(record.at)),
                        item.ref,
                        f"{frame.name}/{pattern}",
                        label,
                        "negation",
                    )

    def _claim(self, wording: str, ref: str, label: Label, family: str, **slots: str) -> Claim:
        text = wording.format(**slots)
        return self._of(capital(text), ref, wording, label, family)

    def _of(self, text: str, ref: str, template: str, label: Label, family: str) -> Claim:
        spec = self._session.spec
        return Claim(
            session=spec.name,
            half=spec.half,
            text=text,
            refs=(ref,),
            truth=label.truth,
            falsehood=label.falsehood,
            family=family,
            template=template,
        )
