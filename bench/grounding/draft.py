"""A draft: what an investigator would answer to a question, as data, and the places in a recording that its claims cite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bench.grounding.raw import Record
from bench.grounding.recorded import LogItem, RecordedCall, RecordedSession

CORRECT = "correct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One claim of a draft: ``kind`` and ``role`` are what the model that wrote it says they are."""

    text: str
    refs: tuple[str, ...]
    kind: str
    role: str = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question that a draft answers, or does not; its window is that of the session."""

    text: str
    kind: str
    subjects: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeDraft:
    """A draft over one recorded session. ``label`` is ``correct``, or what makes it beside the question."""

    session: str
    asked: Asked
    label: str
    wording: str
    statements: tuple[Statement, ...]


def symptom(text: str, *refs: str, role: str = "answer") -> Statement:
    return Statement(text=text, refs=refs, kind="symptom", role=role)


def cause(text: str, *refs: str, role: str = "answer") -> Statement:
    return Statement(text=text, refs=refs, kind="cause", role=role)


def observation(text: str, *refs: str, role: str = "support") -> Statement:
    return Statement(text=text, refs=refs, kind="observation", role=role)


def absence(text: str, *refs: str, role: str = "answer") -> Statement:
    return Statement(text=text, refs=refs, kind="absence", role=role)


def advice(text: str, *refs: str, role: str = "answer") -> Statement:
    return Statement(text=text, refs=refs, kind="recommendation", role=role)


def guess(text: str, *refs: str, role: str = "answer") -> Statement:
    return Statement(text=text, refs=refs, kind="hypothesis", role=role)


class Evidence:
    """Where things stand in a recorded session. What is not there, or differs from the raw files, is a fault of the draft.

    Raises:
        LookupError: From every method, when nothing fits.
    """

    def __init__(self, recorded: RecordedSession) -> None:
        self._recorded = recorded

    def lines(self, service: str, words: str, *tags: str) -> list[LogItem]:
        """Return the records of a service that hold ``words`` to the letter, oldest first, each at one place."""
        found: dict[tuple[str, int], LogItem] = {}
        for call in self._recorded.tagged(*(tags or ("errors", "level", "browse"))):
            for item in call.items():
                if item.record.service == service and words in item.record.text:
                    found.setdefault((item.record.file, item.record.line), item)
        if not found:
            raise LookupError(f"{self._recorded.spec.name}: no line of {service} with {words!r}")
        return sorted(found.values(), key=lambda item: item.record.at)

    def line(self, service: str, words: str, *tags: str, level: str | None = None) -> LogItem:
        """Return the first of those records, of a level where one is given."""
        return next(item for item in self.lines(service, words, *tags) if level is None or item.record.level == level)

    def call(self, tag: str, service: str | None = None, *, query: str | None = None, nth: int = 0) -> RecordedCall:
        """Return a log search of a tag about a service whose total is that of the raw files; it may show fewer records."""
        fitting = [call for call in self._recorded.tagged(tag) if call.params.get("service") == service and _counts(call)]
        if query is not None:
            fitting = [call for call in fitting if query in str(call.params.get("query"))]
        if nth >= len(fitting):
            raise LookupError(f"{self._recorded.spec.name}: no call {tag} that counts, about {service}")
        return fitting[nth]

    def calls(self, tag: str) -> list[RecordedCall]:
        """Return the complete calls of a tag."""
        return [call for call in self._recorded.tagged(tag) if call.complete]

    def alert(self, name: str) -> str:
        """Return the ref of an alert in the answer that lists all alerts."""
        for call in self._recorded.tagged("alerts"):
            for index, item in enumerate(call.output.get("alerts", ())):
                if item["alert_name"] == name and "service" not in call.params:
                    return f"i{call.seq}.alerts.{index}"
        raise LookupError(f"{self._recorded.spec.name}: no alert {name}")

    def alert_call(self, **params: str) -> RecordedCall:
        """Return the look at alerts that was narrowed just so."""
        return next(call for call in self._recorded.tagged("alerts") if dict(call.params) == params)

    def block(self, title: str, words: str) -> str:
        """Return the ref of a runbook section that holds ``words``, white space folded."""
        for call, index, item in self._blocks():
            if item["title"] == title and words in " ".join(item["content"].split()):
                return f"i{call.seq}.blocks.{index}"
        raise LookupError(f"{self._recorded.spec.name}: no section of {title!r} with {words!r}")

    def lookup_of(self, ref: str) -> str:
        """Return the ref of the whole lookup that a section came from."""
        return ref.split(".")[0]

    def _blocks(self) -> Iterator[tuple[RecordedCall, int, dict[str, str]]]:
        for call in self._recorded.tagged("runbook"):
            for index, item in enumerate(call.output.get("evidence_blocks", ())):
                yield call, index, item


def _counts(call: RecordedCall) -> bool:
    return call.agrees and not call.output["partial"]


def moment(at: datetime) -> str:
    """Return a time as reports write it."""
    return at.strftime("%Y-%m-%d %H:%M:%S UTC")


def clock(at: datetime) -> str:
    return at.strftime("%H:%M:%S UTC")


def first_and_last(call: RecordedCall) -> tuple[Record, Record]:
    """Return the oldest and the newest raw record that a search matched."""
    return call.matching[0], call.matching[-1]
