"""What a model sees of a call: status, scope, counts, what was cut, the items with their refs, and what it may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from groundwire.domain.evidence import EvidenceRef
from groundwire.domain.invocation import RecordedCall
from groundwire.domain.marking import Marking
from groundwire.domain.names import ErrorType, InvocationStatus, ToolName
from groundwire.domain.raw_path import resolve
from groundwire.investigators.marked_text import marked_line, tagged, tagged_line

_LONGEST_ITEM: Final = 1_200
_LONGEST_WORDS: Final = 2_000
_MOST_REFS_NAMED: Final = 12

_WHAT_NOW: Final[Mapping[str, str]] = {
    ErrorType.INVALID_PARAMS: "No source was asked. Correct the arguments and call again.",
    ErrorType.NOT_CONFIGURED: "No source that could answer is configured. Do not ask again; it says nothing of the system.",
    ErrorType.REJECTED: "The source refused the query. Write it otherwise.",
    ErrorType.TIMEOUT: "Nothing is known of what is there. Ask for less (a shorter span), or say that it was not seen.",
    ErrorType.UNAVAILABLE: "Nothing is known of what is there. Ask another source, or say that it was not seen.",
}
_NOT_SEEN: Final = "Nothing is known of what is there: it is no finding, and no absence."


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownItem:
    """One item of a result: its ref, always kept, and its text, which may be dropped; empty where there never was room for it."""

    ref_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownResult:
    """One result as a model sees it. ``head`` and ``foot`` are always kept; texts of items are given while there is room."""

    head: str
    items: tuple[ShownItem, ...] = ()
    foot: str = ""

    def text(self, marking: Marking, *, room: int | None = None, keep: frozenset[str] = frozenset()) -> str:
        """Return the text with the items that fit into ``room`` characters; None: all. Those to ``keep`` come first."""
        shown = self.items if room is None else _fitting(self.items, room, keep)
        parts = [self.head]
        if shown:
            parts.append(tagged([f"{item.ref_id} {item.text}" for item in shown], marking))
        given = {item.ref_id for item in shown}
        left = [item.ref_id for item in self.items if item.ref_id not in given]
        if left:
            parts.append(f"Texts left out here, {len(left)} of {len(self.items)}: {_named(left)}. read_ref shows one.")
        if self.foot:
            parts.append(self.foot)
        return "\n".join(parts)


def _fitting(items: tuple[ShownItem, ...], room: int, keep: frozenset[str]) -> tuple[ShownItem, ...]:
    taken: set[str] = set()
    for item in sorted(items, key=lambda item: item.ref_id not in keep):
        room -= len(item.ref_id) + len(item.text) + 2
        if room < 0 or not item.text:
            break
        taken.add(item.ref_id)
    return tuple(item for item in items if item.ref_id in taken)


def _named(refs: list[str]) -> str:
    """Return refs by name; of many, which they run from and to."""
    if len(refs) <= _MOST_REFS_NAMED:
        return ", ".join(refs)
    runs: list[list[str]] = []
    for ref in refs:
        stem, _, index = ref.rpartition(".")
        last_stem, _, last = runs[-1][-1].rpartition(".") if runs else ("", "", "")
        if stem == last_stem and int(index) == int(last) + 1:
            runs[-1].append(ref)
        else:
            runs.append([ref])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def shown_call(
    call: RecordedCall, marking: Marking, *, ref_of: Mapping[str, str], asked_before: str | None, room: int
) -> ShownResult:
    """Return what a model sees of a call. ``ref_of`` names calls by their ids, ``asked_before`` the same call of before.

    Items beyond ``room`` characters have no text: marking what is never shown would cost more than all the rest.
    """
    row = call.invocation
    lines = [f"{row.tool_name} -> {row.ref_id}", f"status: {row.status}", *_scope(call, marking)]
    match row.status:
        case InvocationStatus.FAILED:
            words = tagged_line((row.error_message or "")[:_LONGEST_WORDS], marking)
            lines += [f"error: {row.error_type}: {words}"]
            foot = _WHAT_NOW.get(str(row.error_type), _NOT_SEEN)
        case InvocationStatus.DEDUPED:
            foot = _deduped(call, ref_of)
        case InvocationStatus.NO_EVIDENCE:
            lines += _counts(call, marking)
            foot = f"Looked, and found nothing in this scope; {row.ref_id} can be cited for that."
            if row.partial:
                foot = "Nothing came back, but the answer is partial: it is no proof that nothing is there."
        case _:
            lines += _counts(call, marking)
            foot = "The answer is partial: what is missing is not known." if row.partial else ""
    if asked_before is not None:
        foot = f"{foot} This is the same call as {asked_before}: do not repeat it.".strip()
    return ShownResult(head="\n".join(lines), items=tuple(_items(call, marking, room)), foot=foot)


def _scope(call: RecordedCall, marking: Marking) -> Iterator[str]:
    scope = call.invocation.scope or {}
    window = scope.get("window") or {}
    if window:
        yield f"window: {window.get('start')} to {window.get('end')}"
    asked = {**(scope.get("labels") or {}), **(scope.get("filter") or {})}
    if asked:
        yield "asked: " + tagged_line(", ".join(f"{name}={value}" for name, value in asked.items()), marking)


def _counts(call: RecordedCall, marking: Marking) -> Iterator[str]:
    row = call.invocation
    total = "of an unknown number" if row.total_count is None else f"of {row.total_count}"
    yield f"returned: {row.returned_count} {total}"
    summary = call.output.get("summary")
    if isinstance(summary, Mapping):
        exact = "" if summary.get("total_is_exact", True) else " or more"
        levels = ", ".join(f"{name} {count}" for name, count in (summary.get("by_level") or {}).items())
        span = f"; first {summary.get('first_at')}, last {summary.get('last_at')}" if summary.get("first_at") else ""
        shown = tagged_line(levels or "none", marking)
        yield f"{row.ref_id}.summary: {summary.get('total')}{exact} matched; by level: {shown}{span}"
    if row.relevance_level:
        yield f"relevance: {row.relevance_level}"
    if row.partial:
        yield "partial: " + tagged_line("; ".join(row.partial_reasons)[:_LONGEST_WORDS], marking)
    notes = [str(note) for source in call.output.get("sources") or () for note in source.get("notes") or ()]
    if notes:
        yield "notes: " + tagged_line("; ".join(notes)[:_LONGEST_WORDS], marking)


def _deduped(call: RecordedCall, ref_of: Mapping[str, str]) -> str:
    row = call.invocation
    earlier = ref_of.get(row.dedup_of or "")
    has = f"You have it from {earlier}; cite its refs." if earlier else "This session was given it before."
    return f"No new evidence ({row.dedup_reason}). {has} Ask in other words, or go on."


def _items(call: RecordedCall, marking: Marking, room: int) -> Iterator[ShownItem]:
    for ref in call.refs:
        if room <= 0:
            yield ShownItem(ref_id=ref.ref_id, text="")
            continue
        text = _item_text(call, ref)
        cut = len(text) - _LONGEST_ITEM
        shown = marked_line(text[:_LONGEST_ITEM], marking)
        more = f" (and {cut} characters more)" if cut > 0 else ""
        item = ShownItem(ref_id=ref.ref_id, text=f"[{ref.level}, {ref.trust}] {shown}{more}")
        room -= len(item.ref_id) + len(item.text) + 2
        yield item


def _item_text(call: RecordedCall, ref: EvidenceRef) -> str:
    """Return the text of a ref, and behind it what of the item was too long for a ref, or has no place in one."""
    try:
        item = resolve(call.output, ref.raw_path)
    except LookupError:
        return ref.text
    if call.invocation.tool_name == ToolName.LOOKUP_KNOWLEDGE:
        title = " / ".join(str(item[name]) for name in ("title", "section") if item.get(name))
        return f"{title}: {item.get('content')}"
    if call.invocation.tool_name == ToolName.QUERY_LOGS:
        head = " ".join(str(item[name]) for name in ("timestamp", "level", "service") if item.get(name))
        return f"{head}: {item.get('message')}"
    annotations = item.get("annotations") or {}
    return " ".join((ref.text, *(f"{name}: {value}" for name, value in annotations.items())))
