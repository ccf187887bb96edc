"""Claims about when: of a record, first and last, order, duration; and seven ways to get them wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from bench.grounding.claim import CONTRADICTED, SUPPORTED, TRUE, Claim, Collection, Facts, Label, fact
from bench.grounding.recorded import LogItem, RecordedCall, RecordedSession
from bench.grounding.wording import Clock, capital, offset_clock, span
from bench.grounding.words_times import AT, BEFORE, FIRST, LAST, LASTING

_PER_CALL = 5
_LINE = re.compile(r"(?<!level )\{level\} (?:line|entry|record|message)\b")


class Times:
    """The claims about times of one session."""

    def __init__(self, session: RecordedSession, random: Random) -> None:
        self._session = session
        self._half = session.spec.half
        self._random = random
        self._clock = Clock(session.spec)

    def add(self, into: Collection) -> None:
        for call in self._session.tagged("browse", "errors", "level"):
            items = list(call.items())
            self._random.shuffle(items)
            for item in items[:_PER_CALL]:
                for claim in self._at(item):
                    into.add(claim)
            for claim in self._order(items):
                into.add(claim)
            if call.agrees and len(call.matching) > 2:
                for claim in (*self._ends(call), *self._lasting(call)):
                    into.add(claim)

    def _at(self, item: LogItem) -> Iterator[Claim]:
        record, at = item.record, item.record.at
        level = record.level or "log"
        patterns = self._patterns_at(has_level=record.level is not None)
        written = self._random.choice(self._true_times(at))
        facts: Facts = (fact(f"{item.path}.level", level),) if record.level and self._random.random() < 0.5 else ()
        yield self._of(item, patterns[0], written, level, truth=SUPPORTED, facts=facts, keys=(f"{at:%Y-%m-%dT%H:%M}",))
        yield self._of(item, patterns[1], f"{self._clock.seconds(at)} UTC", level, truth=SUPPORTED)
        minute = at + timedelta(minutes=self._random.choice((-2, -1, 1, 2)))
        hour = at + timedelta(hours=self._random.choice((-2, -1, 1, 2)))
        for pattern, moment, falsehood in (
            (patterns[2], minute, "time_shift_minute"),
            (patterns[3], minute, "time_shift_minute"),
            (patterns[4], hour, "time_shift_hour"),
            (patterns[5], hour, "time_shift_hour"),
        ):
            shown = self._random.choice((f"{self._clock.seconds(moment)} UTC", self._clock.seconds(moment)))
            yield self._of(item, pattern, shown, level, truth=CONTRADICTED, falsehood=falsehood)
        for pattern in patterns[6:8]:
            shown = self._zone_shifted(at)
            yield self._of(item, pattern, shown, level, truth=CONTRADICTED, falsehood="zone_shift")
        for other in sorted({"ERROR", "WARN", "INFO"} - {level}):
            if record.level:
                facts = (fact(f"{item.path}.level", other),) if facts else ()
                yield self._of(item, patterns[0], written, other, truth=CONTRADICTED, falsehood="level_swapped", facts=facts)

    def _patterns_at(self, *, has_level: bool) -> list[str]:
        """Return eight wordings; for a record without a level such as speak of "a log line", some of them twice."""
        usable = [pattern for pattern in AT[self._half] if has_level or _LINE.search(pattern)]
        self._random.shuffle(usable)
        return (usable * 2)[:8]

    def _true_times(self, at: datetime) -> list[str]:
        return [
            self._clock.seconds(at),
            f"{self._clock.seconds(at)} UTC",
            f"{self._clock.minutes(at)} UTC",
            f"{at:%Y-%m-%dT%H:%M:%S}Z",
            offset_clock(at, self._random.choice((1, 2, -5, 8)), self._session.spec),
            f"epoch {int(at.timestamp())}",
        ]

    def _zone_shifted(self, at: datetime) -> str:
        hours = self._random.choice((1, 2, 8, -5, -8))
        plain = self._clock.seconds(at)
        shifted = self._clock.seconds(at + timedelta(hours=hours))
        return self._random.choice((f"{plain}{hours:+03d}:00", f"{shifted} UTC", f"{plain} EST", f"{plain} JST"))

    def _of(
        self,
        item: LogItem,
        pattern: str,
        written: str,
        level: str,
        *,
        truth: str,
        falsehood: str | None = None,
        facts: Facts = (),
        keys: tuple[str, ...] = (),
    ) -> Claim:
        text = pattern.format(svc=item.record.service, t=written, level=level)
        return self._claim(text, (item.ref,), pattern, Label(truth, falsehood), family="time", facts=facts, keys=keys)

    def _order(self, items: list[LogItem]) -> Iterator[Claim]:
        pairs = [(one, other) for one in items[:8] for other in items[:8]]
        pairs = [(one, other) for one, other in pairs if other.record.at - one.record.at > timedelta(seconds=5)]
        self._random.shuffle(pairs)
        for earlier, later in pairs[:3]:
            named = _named(earlier), _named(later)
            if None in named or named[0] == named[1]:
                continue
            for pattern in self._random.sample(BEFORE[self._half], 3):
                right = pattern.format(a=named[0], b=named[1])
                wrong = pattern.format(a=named[1], b=named[0])
                refs = (earlier.ref, later.ref)
                yield self._claim(right, refs, pattern, TRUE, family="order")
                yield self._claim(wrong, refs, pattern, Label(CONTRADICTED, "order_reversed"), family="order")

    def _ends(self, call: RecordedCall) -> Iterator[Claim]:
        first, last = call.matching[0].at, call.matching[-1].at
        if last - first < timedelta(seconds=90):
            return
        for patterns, right, wrong in ((FIRST, first, last), (LAST, last, first)):
            for pattern in patterns[self._half]:
                yield self._end(call, pattern, right, TRUE)
                yield self._end(call, pattern, wrong, Label(CONTRADICTED, "first_last_swapped"))
                shifted = right + timedelta(minutes=self._random.choice((-3, -1, 1, 3)))
                yield self._end(call, pattern, shifted, Label(CONTRADICTED, "time_shift_minute"))

    def _end(self, call: RecordedCall, pattern: str, at: datetime, label: Label) -> Claim:
        text = pattern.format(what=_what(call), whats=_what(call, "s"), t=f"{self._clock.seconds(at)} UTC")
        return self._claim(capital(text), (call.whole,), pattern, label, family="first_last")

    def _lasting(self, call: RecordedCall) -> Iterator[Claim]:
        length = call.matching[-1].at - call.matching[0].at
        if length < timedelta(seconds=30):
            return
        for pattern in LASTING[self._half]:
            wrong = Label(CONTRADICTED, "duration_wrong")
            longer = length + max(timedelta(minutes=4), length * 0.4)
            for duration, label in ((length, TRUE), (length * 2, wrong), (longer, wrong)):
                text = pattern.format(what=_what(call), whats=_what(call, "s"), d=span(duration))
                yield self._claim(capital(text), (call.whole,), pattern, label, family="duration")

    def _claim(
        self,
        text: str,
        refs: tuple[str, ...],
        template: str,
        label: Label,
        *,
        family: str,
        facts: Facts = (),
        keys: tuple[str, ...] = (),
    ) -> Claim:
        spec = self._session.spec
        return Claim(
            session=spec.name,
            half=spec.half,
            text=text,
            refs=refs,
            truth=label.truth,
            falsehood=label.falsehood,
            family=family,
            template=template,
            facts=facts,
            keys=keys,
        )


def _named(item: LogItem) -> str | None:
    """Return the record named by its first words, or None when they are no good as a quote."""
    line = item.record.first_line
    words = line.split(" SpanID: ")[-1].split(" ")
    start = " ".join(words[1:8] if "SpanID: " in line else words[:7]).strip(" ,.:;")
    return f"{item.record.service}'s “{start}”" if start in line and 12 <= len(start) <= 110 else None


def _what(call: RecordedCall, plural: str = "") -> str:
    level = call.params.get("level")
    noun = "error" if level == "error" else "record" if level is None else f"{str(level).upper()}-or-worse record"
    noun += plural
    service = f" of {call.params['service']}" if call.params.get("service") else ""
    words = f" with {call.params['query']}" if call.params.get("query") else ""
    return f"{noun}{service}{words}"
