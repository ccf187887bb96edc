"""Claims about why: links that the evidence states, and joined halves that nothing links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from bench.grounding.claim import CONTRADICTED, TRUE, UNSUPPORTED, Claim, Collection, Label
from bench.grounding.recorded import LogItem, RecordedSession
from bench.grounding.sessions import REPORTING
from bench.grounding.wording import capital
from bench.grounding.words_causes import DEVELOPMENT_LINKS, EVENTS, JOINS, REPORTING_LINKS, USER_TEXTS

_EACH = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """One half of a causal statement and the record that shows it."""

    item: LogItem
    clause: str


class Causes:
    """The causal claims of one session."""

    def __init__(self, session: RecordedSession, random: Random) -> None:
        self._session = session
        self._half = session.spec.half
        self._random = random
        self._items = _items(session)

    def add(self, into: Collection) -> None:
        links = REPORTING_LINKS if self._half == REPORTING else DEVELOPMENT_LINKS
        effects: list[Half] = []
        for pattern, effect, cause in links:
            found = self._found(pattern)
            for item, match in found[:_EACH]:
                half = Half(item=item, clause=effect.format(**match.groupdict()))
                effects.append(half)
                for join in self._random.sample(JOINS[self._half], 3):
                    into.add(self._claim(join, half.clause, cause.format(**match.groupdict()), (item.ref,), TRUE))
        events = self._events()
        for effect_half in effects:
            for claim in (*self._unlinked(effect_half, events), *self._too_late(effect_half, events)):
                into.add(claim)
        for claim in self._user_texts(effects):
            into.add(claim)

    def _found(self, pattern: str) -> list[tuple[LogItem, re.Match[str]]]:
        compiled = re.compile(pattern, re.DOTALL)
        found = [(item, match) for item in self._items if (match := compiled.search(item.record.text)) is not None]
        self._random.shuffle(found)
        return found

    def _events(self) -> list[Half]:
        return [
            Half(item=item, clause=clause.format(**match.groupdict()))
            for pattern, clause in EVENTS[self._half]
            for item, match in self._found(pattern)[:_EACH]
        ]

    def _unlinked(self, effect: Half, events: list[Half]) -> Iterator[Claim]:
        """Two true halves, the second of another service and earlier, with nothing between them."""
        apart = [
            event
            for event in events
            if event.item.record.service != effect.item.record.service
            and timedelta(seconds=2) < effect.item.record.at - event.item.record.at
            and event.item.record.service not in effect.item.seen
            and effect.item.record.service not in event.item.seen
        ]
        for event in self._random.sample(apart, min(3, len(apart))):
            join = self._random.choice(JOINS[self._half])
            refs = (effect.item.ref, event.item.ref)
            yield self._claim(join, effect.clause, event.clause, refs, Label(UNSUPPORTED, "false_because"))

    def _too_late(self, effect: Half, events: list[Half]) -> Iterator[Claim]:
        later = [
            event
            for event in events
            if event.item.record.at - effect.item.record.at > timedelta(seconds=20)
            and event.item.record.service != effect.item.record.service
        ]
        for event in self._random.sample(later, min(3, len(later))):
            join = self._random.choice(JOINS[self._half])
            refs = (effect.item.ref, event.item.ref)
            yield self._claim(join, effect.clause, event.clause, refs, Label(CONTRADICTED, "effect_before_cause"))

    def _user_texts(self, effects: list[Half]) -> Iterator[Claim]:
        for words, clause in USER_TEXTS:
            for item, _ in self._found(re.escape(words)):
                for effect in self._random.sample(effects, min(14, len(effects))):
                    join = self._random.choice(JOINS[self._half])
                    refs = (effect.item.ref, item.ref) if self._random.random() < 0.6 else (item.ref,)
                    yield self._claim(join, effect.clause, clause, refs, Label(UNSUPPORTED, "user_text_as_cause"))

    def _claim(self, join: str, effect: str, cause: str, refs: tuple[str, ...], label: Label) -> Claim:
        spec = self._session.spec
        text = join.format(e=effect, c=cause)
        return Claim(
            session=spec.name,
            half=spec.half,
            text=capital(text),
            refs=refs,
            truth=label.truth,
            falsehood=label.falsehood,
            family="cause",
            template=join,
            kind="cause",
            role="answer",
        )


def _items(session: RecordedSession) -> list[LogItem]:
    """Return the records that were returned, each once."""
    seen: dict[tuple[str, int], LogItem] = {}
    for call in session.tagged("browse", "errors", "level"):
        for item in call.items():
            seen.setdefault((item.record.file, item.record.line), item)
    return list(seen.values())
