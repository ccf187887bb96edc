"""The rows of a session, merged into the entries that a verifier reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from groundwire.domain.evidence import EvidenceEntry
from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import EvidenceLevel, InvocationStatus, Trust
from groundwire.evidence.items import bounded
from groundwire.evidence.preview import read_cut_json
from groundwire.evidence.refs import evidence_ref_items
from groundwire.ports import InvocationDigest, TraceReader

EXCERPT_LIMIT: Final = 300
_MOST_EXCERPTS: Final = 3
_MOST_REASONS: Final = 3
_LEVEL_RANK: Final[Mapping[str, int]] = {EvidenceLevel.DIRECT: 2, EvidenceLevel.INDIRECT: 1, EvidenceLevel.NONE: 0}
_TRUST_RANK: Final[Mapping[str, int]] = {Trust.MEASURED: 2, Trust.EMITTED: 1, Trust.WRITTEN: 0}
_DOMAIN_LABELS: Final = ("cluster", "namespace", "service")


class ToolTraceSummaryService:
    """Reads the rows back from the store, never an investigator's memory of them."""

    def __init__(self, reader: TraceReader) -> None:
        self._reader = reader

    def summarize(self, session_id: str, window: TimeWindow) -> tuple[EvidenceEntry, ...]:
        """Return one entry for each tool and topic domain, in the order of the first call of each."""
        return summarize_digests(self._reader.digests(session_id), window)


def topic_domain(labels: Mapping[str, str]) -> str:
    """Return cluster/namespace/service as far as known, or ``general``."""
    known = [labels[name] for name in _DOMAIN_LABELS if labels.get(name)]
    return "/".join(known) or "general"


def summarize_digests(digests: Iterable[InvocationDigest], window: TimeWindow) -> tuple[EvidenceEntry, ...]:
    """Return the merged entries of rows in whatever order they come; time and memory grow with the number of rows."""
    merging: dict[tuple[str, str], _Merging] = {}
    for digest in digests:
        key = (digest.tool_name, topic_domain(digest.labels))
        if key not in merging:
            merging[key] = _Merging(*key)
        merging[key].add(digest, window)
    return tuple(each.entry() for each in merging.values())


class _Merging:
    """One entry in the making."""

    def __init__(self, tool_name: str, domain: str) -> None:
        self.tool_name = tool_name
        self.domain = domain
        self.ids: list[str] = []
        self.refs: list[str] = []
        self.level_counts = {EvidenceLevel.DIRECT: 0, EvidenceLevel.INDIRECT: 0, EvidenceLevel.NONE: 0}
        self.failed: list[str] = []
        self.failed_count = self.no_hit_count = self.deduped_count = 0
        self.partial_reasons: list[str] = []
        self.partial = False
        # (-level rank, -trust rank, seq, position, text): the smallest are the strongest, whatever came first.
        self.strongest: list[tuple[int, int, int, int, str]] = []

    def add(self, digest: InvocationDigest, window: TimeWindow) -> None:
        self.ids.append(digest.id)
        if digest.partial:
            self.partial = True
            self.partial_reasons.extend(digest.partial_reasons)
        match digest.status:
            case InvocationStatus.EVIDENCE:
                self._add_hits(digest, window)
            case InvocationStatus.NO_EVIDENCE:
                self.no_hit_count += 1
            case InvocationStatus.DEDUPED:
                self.deduped_count += 1
            case _:
                self.failed_count += 1
                self.failed.append(_failure(digest))

    def _add_hits(self, digest: InvocationDigest, window: TimeWindow) -> None:
        items = digest.evidence_refs or _refs_of_preview(digest, window)
        best = EvidenceLevel.NONE
        for position, item in enumerate(items):
            rank = (-_LEVEL_RANK[item["level"]], -_TRUST_RANK[item["trust"]], digest.seq, position)
            if -rank[0] > _LEVEL_RANK[best]:
                best = EvidenceLevel(item["level"])
            self.refs.append(item["ref_id"])
            if len(self.strongest) < _MOST_EXCERPTS or rank < self.strongest[-1][:4]:
                self.strongest.append((*rank, f"[{item['ref_id']}] {bounded(item['text'], EXCERPT_LIMIT)}"))
                self.strongest.sort()
                del self.strongest[_MOST_EXCERPTS:]
        self.level_counts[best] += 1
        if not items:
            self.no_hit_count += 1

    def entry(self) -> EvidenceEntry:
        level = next(
            (each for each in (EvidenceLevel.DIRECT, EvidenceLevel.INDIRECT) if self.level_counts[each]), EvidenceLevel.NONE
        )
        return EvidenceEntry(
            tool_name=self.tool_name,
            topic_domain=self.domain,
            evidence_level=level,
            success=self.failed_count < len(self.ids),
            output_summary=self._words(),
            excerpts=tuple(text for *_, text in self.strongest),
            call_count=len(self.ids),
            failed_count=self.failed_count,
            no_hit_count=self.no_hit_count,
            deduped_count=self.deduped_count,
            partial=self.partial,
            source_invocation_ids=tuple(self.ids),
            refs=tuple(self.refs),
        )

    def _words(self) -> str:
        parts = [
            f"{_calls(self.level_counts[level])} returned {level} evidence"
            for level in (EvidenceLevel.DIRECT, EvidenceLevel.INDIRECT)
            if self.level_counts[level]
        ]
        if self.no_hit_count:
            parts.append(f"{_calls(self.no_hit_count)} completed with no evidence: nothing usable matched")
        if self.deduped_count:
            parts.append(f"{_calls(self.deduped_count)} brought no new evidence: this session already had it")
        if self.failed_count:
            reasons = "; ".join(dict.fromkeys(self.failed[:_MOST_REASONS]))
            parts.append(f"{_calls(self.failed_count)} failed, a gap and not an absence: {reasons}")
        if self.partial:
            parts.append("answered only in part: " + "; ".join(dict.fromkeys(self.partial_reasons[:_MOST_REASONS])))
        return ". ".join(part.rstrip(".") for part in parts) + "."


def _calls(count: int) -> str:
    return "1 call" if count == 1 else f"{count} calls"


def _failure(digest: InvocationDigest) -> str:
    if digest.status == InvocationStatus.RUNNING:
        return "it was not completed"
    return f"{digest.error_type or 'internal'}: {bounded(digest.error_message or 'no reason was recorded', EXCERPT_LIMIT)}"


def _refs_of_preview(digest: InvocationDigest, window: TimeWindow) -> list[Mapping[str, Any]]:
    if not digest.output_preview:
        return []
    output = read_cut_json(digest.output_preview)
    if output is None:
        return []
    return list(evidence_ref_items(digest.tool_name, digest.seq, output, window))
