"""What a claim's refs stand for: the cited items and whole calls, ready to be looked into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from groundwire.domain.evidence import EvidenceRef
from groundwire.domain.incident import Question
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import EvidenceLevel, InvocationStatus, ToolName, Trust
from groundwire.domain.raw_path import parse_ref, resolve
from groundwire.domain.source_scope import asked_sources
from groundwire.domain.times import stored_instant
from groundwire.grounding.claim_text import stem, words


class CitedKind(StrEnum):
    """What a ref names; ``call`` is a whole call, cited as ``i3`` or ``i3.summary``."""

    LOG = "log"
    ALERT = "alert"
    SERIES = "series"
    BLOCK = "block"
    CALL = "call"


_KINDS: Final = {
    "$.logs": CitedKind.LOG,
    "$.alerts": CitedKind.ALERT,
    "$.series": CitedKind.SERIES,
    "$.evidence_blocks": CitedKind.BLOCK,
}
_NAMING_KEYS: Final = ("alert_name", "service", "instance", "metric", "title")
_TIME_KEYS: Final = ("timestamp", "active_at", "ends_at", "first_at", "last_at", "start", "end")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEvidence:
    """One row of the session and its whole stored output (None where it has none)."""

    row: ToolInvocation
    output: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """One cited item or call. ``text`` holds every string and number in it, ``times`` every instant."""

    ref_id: str
    kind: CitedKind
    raw_path: str
    item: Mapping[str, Any]
    call: CallEvidence
    level: EvidenceLevel
    trust: Trust | None
    text: str
    times: tuple[datetime, ...] = field(default=())

    @property
    def service(self) -> str | None:
        value = self.item.get("service")
        return value if isinstance(value, str) else None


class EvidenceBase:
    """The evidence of one session: resolves refs, and knows the services that its evidence speaks of."""

    def __init__(self, question: Question, calls: Sequence[CallEvidence]) -> None:
        self.question = question
        self.calls = tuple(calls)
        self._by_seq = {call.row.seq: call for call in calls}
        self._resolved: dict[str, Cited | None] = {}
        self._stems: dict[str, frozenset[str]] = {}
        self._refs_by_seq: dict[int, Mapping[str, EvidenceRef]] = {}
        self.services = frozenset(_services(calls)) | frozenset(question.subjects)
        # A sentence may begin with a service's name.
        self._spelled = {name[:1].upper() + name[1:]: name for name in self.services} | {name: name for name in self.services}
        names = "|".join(re.escape(name) for name in sorted(self._spelled, key=len, reverse=True))
        self._service_names = re.compile(rf"(?<![\w-])(?:{names or '(?!)'})(?![\w-])")

    def resolve(self, ref_id: str) -> Cited | None:
        """Return what a ref stands for, or None when the session has no such entry."""
        if ref_id not in self._resolved:
            self._resolved[ref_id] = self._look_up(ref_id)
        return self._resolved[ref_id]

    def items(self) -> Iterator[Cited]:
        """Yield every entry of the session, and every call as a whole."""
        for call in self.calls:
            for ref_id in (*self._refs(call), f"i{call.row.seq}.summary"):
                item = self.resolve(ref_id)
                if item is not None:
                    yield item

    def stems_of(self, item: Cited) -> frozenset[str]:
        """Return the word stems of an entry's text, taken once."""
        if item.text not in self._stems:  # a part of an entry has the ref of the whole
            self._stems[item.text] = frozenset(stem(word) for word in words(item.text))
        return self._stems[item.text]

    def services_named_by(self, ref_id: str) -> frozenset[str]:
        """Return the known services that the evidence behind a ref belongs to or names as whole words."""
        item = self.resolve(ref_id)
        return frozenset() if item is None else self.services_in(item.text)

    def services_in(self, text: str) -> frozenset[str]:
        """Return the known services that a text names as whole words."""
        return frozenset(self._spelled[name] for name in self._service_names.findall(text))

    def service_of_name(self, name: str) -> str | None:
        """Return the known service that a name stands for; a sentence may begin with it."""
        return self._spelled.get(name)

    def _refs(self, call: CallEvidence) -> Mapping[str, EvidenceRef]:
        if call.row.seq not in self._refs_by_seq:
            self._refs_by_seq[call.row.seq] = {ref.ref_id: ref for ref in call.row.evidence_refs}
        return self._refs_by_seq[call.row.seq]

    def _look_up(self, ref_id: str) -> Cited | None:
        parsed = parse_ref(ref_id)
        call = None if parsed is None else self._by_seq.get(parsed.seq)
        if parsed is None or call is None:
            return None
        if parsed.raw_path in ("$", "$.summary"):
            return _cited_call(ref_id, call)
        ref = self._refs(call).get(ref_id)
        if ref is None or call.output is None:
            return None
        try:
            item = resolve(call.output, ref.raw_path)
        except LookupError:
            return None
        if not isinstance(item, Mapping):
            return None
        kind = _KINDS[ref.raw_path.partition("[")[0]]
        return Cited(
            ref_id=ref_id,
            kind=kind,
            raw_path=ref.raw_path,
            item=item,
            call=call,
            level=ref.level,
            trust=ref.trust,
            # The points of a series are computed with, never searched: any number is among enough of them.
            text="\n".join(leaves({key: value for key, value in item.items() if key != "points"})),
            times=tuple(_times(item)),
        )


def leaves(value: Any) -> Iterator[str]:
    """Yield every string and number of a JSON value as text, a number or short text with its key before it."""
    if isinstance(value, Mapping):
        for key, member in value.items():
            if isinstance(member, Mapping | list):
                yield from leaves(member)
            elif member is not None:
                yield str(member) if key in ("message", "content", "timestamp") else f"{key}={_scalar(member)}"
    elif isinstance(value, list):
        for member in value:
            yield from leaves(member)
    elif value is not None:
        yield _scalar(value)


def _scalar(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e15 else str(value)


def _cited_call(ref_id: str, call: CallEvidence) -> Cited:
    output = call.output or {}
    item: dict[str, Any] = {
        "status": call.row.status.value,
        "returned_count": call.row.returned_count,
        "total_count": call.row.total_count,
        "scope": call.row.scope or {},
        "summary": output.get("summary") or {},
        "sources": asked_sources(output),
    }
    found = call.row.status is InvocationStatus.EVIDENCE
    direct = any(ref.level is EvidenceLevel.DIRECT for ref in call.row.evidence_refs)
    return Cited(
        ref_id=ref_id,
        kind=CitedKind.CALL,
        raw_path="$",
        item=item,
        call=call,
        level=(EvidenceLevel.DIRECT if direct else EvidenceLevel.INDIRECT) if found else EvidenceLevel.NONE,
        trust={ToolName.QUERY_METRICS: Trust.MEASURED, ToolName.LOOKUP_KNOWLEDGE: Trust.WRITTEN}.get(
            ToolName(call.row.tool_name), Trust.EMITTED
        )
        if call.row.tool_name in list(ToolName)
        else None,
        text="\n".join([call.row.tool_name, *leaves(item), *_names_in(output)]),
        times=tuple(_times(item["summary"])) + tuple(_times((call.row.scope or {}).get("window") or {})),
    )


def _names_in(output: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the items of a call are called, so that a claim about the whole call may name them."""
    names: dict[str, None] = {}
    for key in ("logs", "alerts", "series", "evidence_blocks"):
        for item in output.get(key) or ():
            if isinstance(item, Mapping):
                names |= {f"{name}={item[name]}": None for name in _NAMING_KEYS if item.get(name)}
    yield from names


def _times(item: Mapping[str, Any]) -> Iterator[datetime]:
    for key in _TIME_KEYS:
        moment = stored_instant(item.get(key))
        if moment is not None:
            yield moment
    for point in item.get("points") or ():
        if isinstance(point, list) and point and isinstance(point[0], int | float):
            yield datetime.fromtimestamp(point[0], UTC)


def _services(calls: Sequence[CallEvidence]) -> Iterator[str]:
    for call in calls:
        for key in ("logs", "alerts"):
            for item in (call.output or {}).get(key) or ():
                if isinstance(item, Mapping) and isinstance(item.get("service"), str):
                    yield item["service"]
        service = ((call.row.scope or {}).get("labels") or {}).get("service")
        if service:
            yield service


def whole_scope(summary: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the counts of all records in scope; none where they are lower bounds, of which nothing can be a share."""
    scope: Mapping[str, Any] = summary.get("in_scope") or {}
    return scope if scope.get("total_is_exact", True) else {}
