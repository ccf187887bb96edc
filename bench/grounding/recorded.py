"""What the recorded calls answered, beside what the raw files say about them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.grounding.raw import SEVERITY, Record, read_logs, read_system
from bench.grounding.sessions import Call, Session
from bench.grounding.system_logs import SYSTEMS


@dataclass(frozen=True, slots=True, kw_only=True)
class LogItem:
    """A returned record: its ref, the raw record behind it, and all that a reader of the ref can see."""

    ref: str
    path: str
    record: Record
    seen: str


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call: what was asked, its answer, and for a log search the raw records that match (oldest first).

    ``newest`` is when the searched files have their last record, of whatever service.
    """

    seq: int
    tag: str
    tool: str
    params: Mapping[str, Any]
    output: Mapping[str, Any]
    matching: tuple[Record, ...]
    in_scope: tuple[Record, ...]
    newest: datetime | None = None

    @property
    def whole(self) -> str:
        return f"i{self.seq}.summary" if self.seq % 2 else f"i{self.seq}"

    @property
    def complete(self) -> bool:
        """Whether the answer is whole and uncut, and agrees with the raw files."""
        answer = self.output
        return (
            answer["evidence_status"] in {"evidence", "no_evidence"}
            and not answer["partial"]
            and answer["returned_count"] == answer["total_count"] == len(self.matching)
        )

    @property
    def agrees(self) -> bool:
        """Whether the number of matching records is the one that the raw files give."""
        total: int | None = self.output["total_count"]
        return total == len(self.matching)

    def items(self) -> Iterator[LogItem]:
        """Yield the returned records that stand in the raw files just so."""
        by_place = {(record.file, record.line): record for record in self.in_scope}
        for index, item in enumerate(self.output.get("logs", ())):
            file, _, line = str(item["source"]).rpartition(":")
            record = by_place.get((file, int(line)))
            if record is not None and record.first_line.strip() == str(item["message"]).partition("\n")[0].strip():
                ref, path = f"i{self.seq}.logs.{index}", f"$.logs[{index}]"
                yield LogItem(ref=ref, path=path, record=record, seen=json.dumps(item, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """A session as it was recorded."""

    spec: Session
    calls: tuple[RecordedCall, ...]

    def tagged(self, *tags: str) -> Iterator[RecordedCall]:
        """Yield the calls of these tags, in order."""
        return (call for call in self.calls if call.tag in tags)

    def seen_at(self, ref: str) -> str:
        """Return all that stands at a ref, as text."""
        call = next(call for call in self.calls if ref.split(".")[0] == f"i{call.seq}")
        match = re.fullmatch(r"i\d+\.(logs|alerts|series|blocks)\.(\d+)", ref)
        if match is None:
            return json.dumps(call.output, ensure_ascii=False)
        name = "evidence_blocks" if match[1] == "blocks" else match[1]
        return json.dumps(call.output[name][int(match[2])], ensure_ascii=False)


def load_session(session: Session, path: Path, corpus: Path | None) -> RecordedSession:
    """Return a recorded session with its raw records."""
    recorded = json.loads(path.read_text())["calls"]
    calls = tuple(_load_call(session, call, answer, corpus) for call, answer in zip(session.calls, recorded, strict=True))
    return RecordedSession(spec=session, calls=calls)


def _load_call(session: Session, call: Call, answer: Mapping[str, Any], corpus: Path | None) -> RecordedCall:
    records = () if call.logs is None else _records(call.logs, corpus)
    in_scope = tuple(record for record in records if _in_scope(record, session, call.params))
    matching = tuple(record for record in in_scope if _matches(record, call.params))
    return RecordedCall(
        seq=answer["invocation"]["seq"],
        tag=call.tag,
        tool=call.tool,
        params=call.params,
        output=answer["output"],
        matching=matching,
        in_scope=in_scope,
        newest=max((record.at for record in records), default=None),
    )


def _records(path: Path, corpus: Path | None) -> tuple[Record, ...]:
    for log in SYSTEMS:
        if path.stem == log.service and corpus is not None:
            return read_system(corpus / "loghub" / f"{log.file}_structured.csv", log.service)
    return read_logs(path)


def _in_scope(record: Record, session: Session, params: Mapping[str, Any]) -> bool:
    start = datetime.fromisoformat(params.get("since", session.since))
    end = datetime.fromisoformat(params.get("until", session.until))
    return start <= record.at < end and params.get("service", record.service) == record.service


def _matches(record: Record, params: Mapping[str, Any]) -> bool:
    words = str(params.get("query", "")).strip('"').lower()
    if words and words not in f"{record.text}\n{record.service}\n{record.instance}".lower():
        return False
    least = params.get("level")
    if least is None:
        return True
    return record.level is not None and SEVERITY.index(record.level) >= SEVERITY.index(str(least).upper())
