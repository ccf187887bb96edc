"""Claims that count: records of a call, levels, distinct things, shares; recounted on the raw files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random

from bench.grounding.claim import CONTRADICTED, SUPPORTED, Claim, Collection, Facts, fact
from bench.grounding.raw import Record
from bench.grounding.recorded import RecordedCall, RecordedSession
from bench.grounding.wording import Clock, capital, spelled
from bench.grounding.words_counts import AT_LEAST, DISTINCT, LEVEL, OF_ALL, SHARE, TOTAL

_FAMILY = "count"
_IP = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A thing that is counted by its distinct values: what one is called, and how it is found in a record."""

    plural: str
    of: Callable[[Record], str | None]


def _address(record: Record) -> str | None:
    match = _IP.search(record.message)
    return match[0] if match else None


_DISTINCT = (
    Counted(plural="services", of=lambda record: record.service),
    Counted(plural="pods", of=lambda record: record.instance),
)


class Counts:
    """The counting claims of one session."""

    def __init__(self, session: RecordedSession, random: Random) -> None:
        self._session = session
        self._half = session.spec.half
        self._random = random
        self._clock = Clock(session.spec)

    def add(self, into: Collection) -> None:
        for call in self._session.tagged("browse", "errors", "level", "cut"):
            if not call.agrees or not call.matching:
                continue
            for claim in (*self._totals(call), *self._levels(call), *self._cut(call)):
                into.add(claim)
            if call.complete:
                for claim in (*self._distinct(call), *self._shares(call)):
                    into.add(claim)

    def _totals(self, call: RecordedCall) -> Iterator[Claim]:
        total = len(call.matching)
        for index, pattern in enumerate(TOTAL[self._half]):
            facts: Facts = (fact("$.summary.total", total),) if index % 2 else ()
            written = spelled(total, self._random)
            yield self._claim(pattern, call, written, truth=SUPPORTED, facts=facts, keys=(written,))
            wrong = total + self._random.choice((1, -1) if total > 2 else (1,))
            yield self._claim(
                pattern, call, str(wrong), truth=CONTRADICTED, falsehood="off_by_one", facts=_as_facts(facts, wrong)
            )
            ten = total + 10 if self._random.random() < 0.5 else total * 10
            yield self._claim(pattern, call, str(ten), truth=CONTRADICTED, falsehood="off_by_ten", facts=_as_facts(facts, ten))
        if total >= 5:
            for pattern in AT_LEAST[self._half]:
                yield self._claim(pattern, call, str(total - self._random.randrange(0, min(total - 1, 4))), truth=SUPPORTED)
                yield self._claim(
                    pattern, call, str(total + self._random.randrange(1, 5)), truth=CONTRADICTED, falsehood="off_by_one"
                )

    def _levels(self, call: RecordedCall) -> Iterator[Claim]:
        levels = Counter(record.level for record in call.matching if record.level)
        if sum(levels.values()) != len(call.matching):
            return
        for level, count in sorted(levels.items()):
            for pattern in LEVEL[self._half]:
                written = spelled(count, self._random)
                yield self._claim(pattern, call, written, level=level, truth=SUPPORTED, keys=(written, level))
                for other in ("ERROR", "WARN", "INFO"):
                    if levels.get(other, 0) != count and other != level:
                        yield self._claim(pattern, call, written, level=other, truth=CONTRADICTED, falsehood="level_swapped")

    def _cut(self, call: RecordedCall) -> Iterator[Claim]:
        returned, total = int(call.output["returned_count"]), len(call.matching)
        if returned >= total:
            return
        for pattern in (*TOTAL[self._half], *OF_ALL[self._half]):
            yield self._claim(pattern, call, str(returned), truth=CONTRADICTED, falsehood="count_of_cut_result")

    def _distinct(self, call: RecordedCall) -> Iterator[Claim]:
        kinds = [*_DISTINCT]
        if all(_address(record) for record in call.matching):
            kinds.append(Counted(plural="addresses", of=_address))
        for counted in kinds:
            values = {counted.of(record) for record in call.matching}
            if None in values:
                continue
            for pattern in DISTINCT[self._half]:
                number = spelled(len(values), self._random)
                if len(values) > 1:
                    yield self._claim(pattern, call, number, things=counted.plural, truth=SUPPORTED, family="distinct")
                    wrong = len(values) + self._random.choice((1, -1) if len(values) > 2 else (1,))
                    yield self._claim(
                        pattern, call, str(wrong), things=counted.plural, truth=CONTRADICTED, falsehood="off_by_one"
                    )
                if len(call.matching) > len(values) + 1:
                    rows = str(len(call.matching))
                    yield self._claim(
                        pattern, call, rows, things=counted.plural, truth=CONTRADICTED, falsehood="rows_for_distinct"
                    )

    def _shares(self, call: RecordedCall) -> Iterator[Claim]:
        """Shares of the matching records by service, against shares of all records in scope."""
        total, scope = len(call.matching), len(call.in_scope)
        if total < 5:
            return
        for name, count in Counter(record.service for record in call.matching).most_common(6):
            share, wrong = 100 * count / total, 100 * count / scope
            if not 3 < share < 97 or abs(share - wrong) < 3 or wrong < 1:
                continue
            for pattern in SHARE[self._half]:
                yield self._claim(pattern, call, f"{share:.0f}", svc=name, truth=SUPPORTED, family="share")
                yield self._claim(
                    pattern, call, f"{wrong:.0f}", svc=name, truth=CONTRADICTED, falsehood="percentage_of_wrong_whole"
                )

    def _claim(
        self,
        pattern: str,
        call: RecordedCall,
        number: str,
        *,
        truth: str,
        falsehood: str | None = None,
        level: str | None = None,
        things: str = "",
        svc: str | None = None,
        family: str = _FAMILY,
        facts: Facts = (),
        keys: tuple[str, ...] = (),
    ) -> Claim:
        spec = self._session.spec
        window = call.output["scope"]["window"]
        text = pattern.format(
            n=number,
            what=_what(call, level),
            level=level or "",
            things=things,
            svc=svc or call.params.get("service") or "all services",
            a=self._clock.minutes(datetime.fromisoformat(window["start"])),
            b=self._clock.minutes(datetime.fromisoformat(window["end"])),
        )
        return Claim(
            session=spec.name,
            half=spec.half,
            text=capital(text),
            refs=(call.whole,),
            truth=truth,
            falsehood=falsehood,
            family=family,
            template=pattern,
            facts=facts,
            keys=keys,
        )


def _as_facts(facts: Facts, value: int) -> Facts:
    return tuple({**item, "value": value} for item in facts)


def _what(call: RecordedCall, level: str | None) -> str:
    """Return what the call asked for, in words."""
    words = [level] if level else []
    if level is None and call.params.get("level"):
        asked = str(call.params["level"]).upper()
        words.append(asked if len({record.level for record in call.matching}) == 1 else f"{asked} or worse")
    words.append("records")
    if call.params.get("service"):
        words.append(f"of {call.params['service']}")
    if call.params.get("query"):
        words.append(f"with {call.params['query']}")
    return " ".join(words)
