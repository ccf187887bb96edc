"""The tool calls of one turn: run side by side through the gateway, told in the order in which they were asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from groundwire.domain.errors import GroundwireError, StoreError, UnknownToolError
from groundwire.domain.invocation import RecordedCall
from groundwire.domain.marking import Marking
from groundwire.domain.model import ToolCall
from groundwire.domain.names import StepKind, StepRole, new_id
from groundwire.domain.raw_path import parse_ref, resolve
from groundwire.domain.session import AgentStep
from groundwire.domain.sources import MOST_METRICS, SourceDescription, SourceKind
from groundwire.investigators.budget import Budget
from groundwire.investigators.compaction import Told, told
from groundwire.investigators.marked_text import marked_line, tagged, tagged_line
from groundwire.investigators.results import ShownItem, ShownResult, shown_call
from groundwire.investigators.tool_offers import LIST_SOURCES, READ_REF
from groundwire.investigators.waiting import one_after_another, run_all
from groundwire.ports import ToolGateway

_SHARE_OF_A_TURN: Final = 0.3
"""Of the whole context, for all results of one turn; each has at least a twelfth of it."""
_MOST_SHARES: Final = 12
_MOST_NAMES: Final = 200


class Toolbox:
    """Runs calls for one conversation and remembers what they brought."""

    def __init__(self, gateway: ToolGateway, marking: Marking, budget: Budget, subjects: Sequence[str] = ()) -> None:
        self._subjects = [_folded(subject) for subject in subjects]
        self._gateway = gateway
        self._marking = marking
        self._budget = budget
        self._by_seq: dict[int, RecordedCall] = {}
        self._first: dict[tuple[str, str], str] = {}
        self._room_of_a_turn = int(budget.limits.max_context * _SHARE_OF_A_TURN)

    def run(self, calls: Sequence[ToolCall], step_id: str) -> list[Told]:
        """Return what is told of each call, in their order. Two identical calls run once; beyond the limit none runs.

        Raises:
            StoreError: A row could not be written; nothing that was found is used.
        """
        distinct = list({_key(call): call for call in reversed(calls)}.values())[::-1]
        allowed = distinct[: self._budget.calls_left]
        self._budget.tool_calls += len(allowed)
        # In the order of the request: the numbers of the rows stand in what the model is told, and must be those of a replay.
        work = one_after_another([partial(self._outcome, call, step_id) for call in allowed], self._budget.deadline)
        outcomes = run_all(work, self._budget.deadline)
        by_key = {_key(call): outcome for call, outcome in zip(allowed, outcomes, strict=True)}
        for outcome in outcomes:
            if isinstance(outcome, StoreError) or (isinstance(outcome, BaseException) and not isinstance(outcome, Exception)):
                raise outcome
            if isinstance(outcome, RecordedCall):
                self._by_seq[outcome.invocation.seq] = outcome
        return list(self._told(calls, by_key))

    def _told(self, calls: Sequence[ToolCall], by_key: Mapping[tuple[str, str], Any]) -> Iterator[Told]:
        room = self._room_of_a_turn // min(_MOST_SHARES, max(1, len(by_key)))
        shown_as: dict[tuple[str, str], str] = {}
        for call in calls:
            key = _key(call)
            if key in shown_as:
                result = ShownResult(head=f"The same call as the one above: see {shown_as[key]}.")
            elif key in by_key:
                outcome = by_key[key]
                result = self._shown(call, outcome, room)
                shown_as[key] = outcome.invocation.ref_id if isinstance(outcome, RecordedCall) else "its result"
            else:
                result = ShownResult(head=f"Not run: the limit of {self._budget.limits.max_tool_calls} tool calls is reached.")
            yield told(call, result, self._marking, room if call.name != READ_REF else self._room_of_a_turn)

    def _outcome(self, call: ToolCall, step_id: str, begun: Callable[[], None]) -> RecordedCall | ShownResult:
        if call.name == LIST_SOURCES:
            begun()
            return self._sources()
        if call.name == READ_REF:
            return self._read(call.arguments)
        # The arguments go on as they were written, but for marks of ours that were copied out of a result.
        written = self._marking.unmark(call.arguments)
        return self._gateway.ask(call.name, written, tool_call_id=call.id, agent_step_id=step_id, begun=begun)

    def _shown(self, call: ToolCall, outcome: RecordedCall | ShownResult | BaseException, room: int) -> ShownResult:
        if isinstance(outcome, ShownResult):
            return outcome
        if isinstance(outcome, RecordedCall):
            before = self._first.setdefault(_key(call), outcome.invocation.ref_id)
            ref_of = {known.invocation.id: known.invocation.ref_id for known in self._by_seq.values()}
            repeated = None if before == outcome.invocation.ref_id else before
            return shown_call(outcome, self._marking, ref_of=ref_of, asked_before=repeated, room=room)
        words = outcome.message if isinstance(outcome, GroundwireError) else f"{type(outcome).__name__}: {outcome}"
        hint = outcome.hint if isinstance(outcome, UnknownToolError) else None
        foot = hint or "Nothing is known of what is there: it is no finding, and no absence."
        return ShownResult(head=f"status: failed: {tagged_line(words, self._marking)}", foot=foot)

    def _sources(self) -> ShownResult:
        listing = self._gateway.list_sources()
        lines = [f"services: {self._names(listing.services)}"]
        lines += [self._source(source) for source in listing.sources]
        return ShownResult(
            head="list_sources: what there is to ask; no evidence, not to be cited\n" + tagged(lines, self._marking)
        )

    def _source(self, source: SourceDescription) -> str:
        parts = [f"{source.kind}: {marked_line(source.name, self._marking)}", "live" if source.live else "saved earlier"]
        if source.titles:
            parts.append(f"titles: {self._names(source.titles)}")
        if source.metrics or source.kind is SourceKind.METRICS:
            metrics = [
                f"{name} ({source.metric_kinds[name]})" if name in source.metric_kinds else name for name in source.metrics
            ]
            parts.append(f"metrics: {self._names(metrics, is_whole=len(metrics) < MOST_METRICS)}")
        if source.problems:
            parts.append(f"problems: {self._names(source.problems)}")
        return "; ".join(parts)

    def _names(self, names: Sequence[str], *, is_whole: bool = True) -> str:
        """Return the names of the question's subjects first, and of how many more there is no room."""
        ordered, room = sorted(names, key=self._distance), self._room_of_a_turn // 4
        shown: list[str] = []
        for name in ordered[:_MOST_NAMES]:
            room -= len(name) + 2
            if room < 0:
                break
            shown.append(marked_line(name, self._marking))
        more = len(ordered) - len(shown)
        if more:
            shown.append(f"and {more}{'' if is_whole else ' or more'} that are not named")
        return ", ".join(shown) or "none known"

    def _distance(self, name: str) -> int:
        folded = _folded(name)
        return 0 if folded in self._subjects else 1 if any(subject in folded for subject in self._subjects) else 2

    def _read(self, arguments: str) -> ShownResult:
        ref, start = _reading(arguments)
        found = self._stored(ref)
        text = "" if found is None else "\n".join(_lines(found, "", self._marking))
        problem = None
        if found is None:
            problem = f"there is no ref {ref[:80]!r}"
        elif start is None or start >= max(1, len(text)):
            problem = f"start takes a whole number from 0 to {max(0, len(text) - 1)}, the last character of {ref}"
        self._gateway.record_step(
            AgentStep(
                id=new_id(),
                session_id="",
                kind=StepKind.HELPER,
                role=StepRole.EXECUTOR,
                request_summary=f"read {ref[:80]}{f' from character {start}' if start else ''}",
                error_message=problem,
            )
        )
        if problem is not None:
            known = ", ".join(call.invocation.ref_id for call in self._by_seq.values()) or "none yet"
            return ShownResult(
                head=f"status: failed\n{tagged_line(problem, self._marking)}",
                foot=f'It takes {{"ref": "i2.logs.3"}}. The calls are {known}.',
            )
        end = min((start or 0) + self._room_of_a_turn * 2 // 3, len(text))
        foot = f"{len(text) - end} characters more are not shown: read_ref with start {end} goes on." if end < len(text) else ""
        part = "whole" if not start and end == len(text) else f"characters {start} to {end} of {len(text)}"
        return ShownResult(head=f"{ref}, {part}:", items=(ShownItem(ref_id=ref, text="\n" + text[start:end]),), foot=foot)

    def _stored(self, ref: str) -> Any:
        parsed = parse_ref(ref)
        call = None if parsed is None else self._by_seq.get(parsed.seq)
        if parsed is None or call is None:
            return None
        if parsed.raw_path == "$":
            return {name: value for name, value in call.output.items() if not isinstance(value, list) or name == "sources"}
        try:
            return resolve(call.output, parsed.raw_path)
        except LookupError:
            return None


def _key(call: ToolCall) -> tuple[str, str]:
    try:
        return call.name, json.dumps(json.loads(call.arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return call.name, call.arguments


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.lower())


def _reading(arguments: str) -> tuple[str, int | None]:
    """Return the ref that is to be read, and from which character on; None where that is no such number."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        given = arguments
    ref, start = (given.get("ref"), given.get("start") or 0) if isinstance(given, Mapping) else (given, 0)
    is_number = isinstance(start, int) and not isinstance(start, bool) and start >= 0
    return ref.strip().strip("[]") if isinstance(ref, str) else "", start if is_number else None


def _lines(value: Any, path: str, marking: Marking) -> Iterator[str]:
    """Return a JSON value as lines of a path and a text: what a field holds stays on its line."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            yield from _lines(member, f"{path}.{name}" if path else str(name), marking)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _lines(member, f"{path}[{index}]", marking)
    else:
        yield f"{marked_line(path, marking)}: {marked_line(str(value), marking)}"
