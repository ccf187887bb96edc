"""Claims that something is not there: from complete searches true, from all others without support."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from bench.grounding.claim import CONTRADICTED, SUPPORTED, UNSUPPORTED, Claim, Collection, Facts, fact
from bench.grounding.raw import Record
from bench.grounding.recorded import RecordedCall, RecordedSession
from bench.grounding.wording import Clock
from bench.grounding.words_absences import NO_ALERTS, NO_LEVEL, NO_SERIES, NO_WORDS, SOME_LEVEL, SOME_WORDS

# Saved records say nothing of the time behind the last of them.
_STILL_RECORDED = timedelta(minutes=5)


class Absences:
    """The absences of one session."""

    def __init__(self, session: RecordedSession, random: Random) -> None:
        self._session = session
        self._half = session.spec.half
        self._random = random
        self._clock = Clock(session.spec)

    def add(self, into: Collection) -> None:
        for call in self._session.calls:
            for claim in self._of(call):
                into.add(claim)

    def _of(self, call: RecordedCall) -> Iterator[Claim]:
        if call.tag == "absent" and call.complete and not call.matching and call.in_scope:
            yield from self._true(call) if self._reaches_the_end(call) else self._asked(call, "absence_past_records")
            yield from self._other_service(call)
            yield from self._wrong_presence(call)
        elif call.tag == "narrow" and call.complete and not call.matching:
            yield from self._narrow(call)
        elif call.tag == "cut" and call.agrees and int(call.output["returned_count"]) < len(call.matching):
            yield from self._cut(call)
        elif call.tag == "silent" and call.output["evidence_status"] == "no_evidence" and not call.in_scope:
            yield from self._silent(call)
        elif call.tag == "partial" and call.output["partial"]:
            yield from self._asked(call, "absence_from_partial")
        elif call.tag == "failed" and call.output["evidence_status"] == "failed":
            yield from self._asked(call, "absence_from_failed")

    def _reaches_the_end(self, call: RecordedCall) -> bool:
        """Whether the searched files have records up to (within five minutes of) the end of the window that is spoken of."""
        end = datetime.fromisoformat(call.output["scope"]["window"]["end"])
        return call.newest is not None and end - call.newest < _STILL_RECORDED

    def _true(self, call: RecordedCall) -> Iterator[Claim]:
        for pattern in self._patterns(call):
            facts: Facts = (fact("$.summary.total", 0),) if self._random.random() < 0.3 else ()
            yield self._claim(pattern, call, truth=SUPPORTED, facts=facts)

    def _wrong_presence(self, call: RecordedCall) -> Iterator[Claim]:
        for pattern in (SOME_WORDS if call.params.get("query") else SOME_LEVEL)[self._half]:
            yield self._claim(pattern, call, truth=CONTRADICTED, falsehood="negation_dropped")

    def _other_service(self, call: RecordedCall) -> Iterator[Claim]:
        asked = call.params.get("service")
        if asked is None or call.params.get("query"):
            return
        noisy = sorted(
            {record.service for other in self._session.tagged("errors", "level") for record in other.matching} - {asked}
        )
        for name in noisy:
            for pattern in self._random.sample(NO_LEVEL[self._half], min(6, len(NO_LEVEL[self._half]))):
                yield self._claim(pattern, call, svc=name, truth=UNSUPPORTED, falsehood="absence_from_other_service")

    def _narrow(self, call: RecordedCall) -> Iterator[Claim]:
        """The search covered minutes; the claim speaks of the session's whole window, in which there are some."""
        if not self._elsewhere(call):
            return
        spec = self._session.spec
        whole = (datetime.fromisoformat(spec.since), datetime.fromisoformat(spec.until))
        for pattern in self._patterns(call):
            if "{a}" in pattern and "{b}" in pattern:
                yield self._claim(pattern, call, window=whole, truth=UNSUPPORTED, falsehood="absence_from_narrow")

    def _elsewhere(self, call: RecordedCall) -> bool:
        """Whether what the narrow search missed is found by another complete search of the session."""
        service, words = call.params.get("service"), str(call.params.get("query", "")).strip('"')
        return any(
            (service is None or record.service == service) and (not words or words in record.message)
            for other in self._session.tagged("errors", "level", "browse")
            if other.params.get("level") == call.params.get("level") or words
            for record in other.matching
        )

    def _cut(self, call: RecordedCall) -> Iterator[Claim]:
        """Words that only the records beyond the limit have."""
        shown = " ".join(str(item["message"]) for item in call.output["logs"])
        for words in self._hidden_words(call.matching, shown):
            for pattern in NO_WORDS[self._half]:
                yield self._claim(pattern, call, words=words, truth=UNSUPPORTED, falsehood="absence_from_cut")

    def _hidden_words(self, records: tuple[Record, ...], shown: str) -> list[str]:
        phrases = {
            " ".join(record.first_line.split(" SpanID: ")[-1].split(" ")[-3:]).strip(" .:;,")
            for record in records
            if '"' not in record.first_line
        }
        usable = sorted(phrase for phrase in phrases if phrase and phrase not in shown and 8 <= len(phrase) <= 60)
        self._random.shuffle(usable)
        return usable[:4]

    def _silent(self, call: RecordedCall) -> Iterator[Claim]:
        for pattern in NO_LEVEL[self._half]:
            for level in ("error", "warn"):
                yield self._claim(pattern, call, level=level, truth=UNSUPPORTED, falsehood="absence_from_silent")

    def _asked(self, call: RecordedCall, falsehood: str) -> Iterator[Claim]:
        for pattern in self._patterns(call):
            yield self._claim(pattern, call, truth=UNSUPPORTED, falsehood=falsehood)

    def _patterns(self, call: RecordedCall) -> tuple[str, ...]:
        if call.tool == "query_metrics":
            return (NO_SERIES if call.params.get("promql") else NO_ALERTS)[self._half]
        return (NO_WORDS if call.params.get("query") else NO_LEVEL)[self._half]

    def _claim(
        self,
        pattern: str,
        call: RecordedCall,
        *,
        truth: str,
        falsehood: str | None = None,
        svc: str | None = None,
        level: str | None = None,
        words: str | None = None,
        window: tuple[datetime, datetime] | None = None,
        facts: Facts = (),
    ) -> Claim:
        spec = self._session.spec
        asked = call.output["scope"]["window"]
        start, end = window or (datetime.fromisoformat(asked["start"]), datetime.fromisoformat(asked["end"]))
        asked_service = call.params.get("service")
        service = svc or asked_service or spec.subjects[0]
        text = pattern.format(
            svc=service,
            where=f"the log of {asked_service}" if asked_service else "the log",
            level=str(level or call.params.get("level") or "error").upper(),
            words=words or str(call.params.get("query", "")).strip('"'),
            a=self._clock.minutes(start),
            b=self._clock.minutes(end),
        )
        return Claim(
            session=spec.name,
            half=spec.half,
            text=text[:1].upper() + text[1:] if text.startswith("the log") else text,
            refs=(call.whole,),
            truth=truth,
            falsehood=falsehood,
            family="absence",
            template=pattern,
            kind="absence" if truth != CONTRADICTED else "observation",
            facts=facts,
        )
