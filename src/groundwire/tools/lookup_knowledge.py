"""Looks up what people wrote about such incidents, in every configured collection of runbooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.domain.errors import NotConfiguredError
from groundwire.domain.incident import Scope
from groundwire.domain.knowledge import KnowledgeBlock, KnowledgePage, KnowledgeRequest
from groundwire.domain.names import DedupReason, RelevanceLevel, RetrievalLayer, ToolName
from groundwire.domain.sources import SourceKind
from groundwire.ports import CallContext, KnowledgeBase
from groundwire.tools.envelope import SourceOutcome, envelope
from groundwire.tools.fan_out import SourceAnswer, ask_all
from groundwire.tools.lookup_dedup import Block, EarlierLookups, without_copies
from groundwire.tools.params import Params
from groundwire.tools.selection import NO_SCOPES, Asked, Scopes, Selection

_PARAMS: Final = ("query", "service", "alert_name", "limit")
_DEFAULT_LIMIT: Final = 5
_MOST_BLOCKS: Final = 20
_HIGHEST_FIRST: Final = (RelevanceLevel.HIGH, RelevanceLevel.MEDIUM, RelevanceLevel.LOW, RelevanceLevel.NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Findings:
    """What all sources said together, before anything is left out because the session already has it."""

    answers: tuple[SourceAnswer[KnowledgePage], ...]
    left_out: tuple[SourceOutcome, ...] = ()

    @property
    def pages(self) -> list[KnowledgePage]:
        return [answer.page for answer in self.answers if answer.page is not None]

    @property
    def relevance_level(self) -> RelevanceLevel:
        return min((page.relevance_level for page in self.pages), key=_HIGHEST_FIRST.index, default=RelevanceLevel.NONE)

    def blocks(self, limit: int) -> list[Block]:
        """Return the best blocks of all pages, each once."""
        found = [block for page in self.pages for block in page.blocks]
        best = sorted(found, key=lambda block: -block.score)  # stable: a page's own order holds among equals
        return without_copies(map(_item, best))[:limit]

    def outcomes(self) -> list[SourceOutcome]:
        return [*map(_outcome, self.answers), *self.left_out]


class LookupKnowledge:
    """The tool ``lookup_knowledge``: blocks of runbooks, best first, none that this session was already given.

    ``limit`` is 5 when it is not given, and 20 at most.
    """

    name: str = ToolName.LOOKUP_KNOWLEDGE

    def __init__(self, bases: Sequence[KnowledgeBase], scopes: Scopes = NO_SCOPES) -> None:
        self._bases = tuple(bases)
        self._scopes = scopes

    def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        request = _read(self.name, params, context)
        if not self._bases:
            raise NotConfiguredError("no runbooks are configured", hint="Give a folder of Markdown files with --runbooks DIR.")
        earlier = EarlierLookups(context.earlier_calls(), default_limit=_DEFAULT_LIMIT)
        original = earlier.original_of(params)
        if original is not None:
            return _repeated(request, original)
        selection = Selection.of(self._bases, self._scopes, Asked.of(request.service, {}))
        findings = _Findings(
            answers=ask_all(selection.asked, lambda base: base.lookup(request), context.deadline),
            left_out=tuple(selection.left_out(SourceKind.KNOWLEDGE)),
        )
        return _answer(request, findings, earlier)


def _read(tool_name: str, params: Mapping[str, Any], context: CallContext) -> KnowledgeRequest:
    given = Params(tool_name, params, _PARAMS)
    return KnowledgeRequest(
        query=given.required_text("query"),
        service=given.text("service"),
        alert_name=given.text("alert_name"),
        limit=given.count("limit", default=_DEFAULT_LIMIT, most=_MOST_BLOCKS),
        deadline=context.deadline,
    )


def _repeated(request: KnowledgeRequest, original: str) -> dict[str, Any]:
    items = _items((), RetrievalLayer.NONE, RelevanceLevel.NONE, reason=DedupReason.REPEAT_QUERY, dedup_of=original)
    return envelope(scope=_scope(request), outcomes=(), returned_count=0, total_count=None, deduped=True, items=items)


def _answer(request: KnowledgeRequest, findings: _Findings, earlier: EarlierLookups) -> dict[str, Any]:
    blocks = findings.blocks(request.limit)
    sifted = earlier.sift(blocks)
    is_all_seen = bool(blocks) and not sifted.fresh
    pages = findings.pages
    l0_count, l1_count = sum(page.l0_count for page in pages), sum(page.l1_count for page in pages)
    return envelope(
        scope=_scope(request),
        outcomes=findings.outcomes(),
        returned_count=len(sifted.fresh),
        total_count=l0_count + l1_count if pages else None,
        fetched_count=len(blocks) if pages else None,
        deduped=is_all_seen,
        items=_items(
            sifted.fresh,
            _deepest(blocks),
            findings.relevance_level,
            l0_count=l0_count,
            l1_count=l1_count,
            reason=DedupReason.BLOCKS_ALREADY_SEEN if is_all_seen else None,
            dedup_of=sifted.dedup_of if is_all_seen else None,
            suppressed_count=sifted.suppressed_count,
        ),
    )


def _items(
    blocks: Sequence[Block],
    layer: RetrievalLayer,
    relevance_level: RelevanceLevel,
    *,
    l0_count: int = 0,
    l1_count: int = 0,
    reason: DedupReason | None,
    dedup_of: str | None,
    suppressed_count: int = 0,
) -> dict[str, Any]:
    return {
        "evidence_blocks": list(blocks),
        "retrieval_layer": layer,
        "l0_count": l0_count,
        "l1_count": l1_count,
        "relevance_level": relevance_level,
        "dedup_reason": reason,
        "dedup_of": dedup_of,
        "suppressed_count": suppressed_count,
    }


def _item(block: KnowledgeBlock) -> Block:
    return {
        "title": block.title,
        "source": block.source,
        "section": block.section,
        "content": block.content,
        "layer": block.layer,
        "score": block.score,
    }


def _deepest(blocks: Sequence[Block]) -> RetrievalLayer:
    layers = {block["layer"] for block in blocks}
    return next((layer for layer in (RetrievalLayer.L1, RetrievalLayer.L0) if layer in layers), RetrievalLayer.NONE)


def _outcome(answer: SourceAnswer[KnowledgePage]) -> SourceOutcome:
    page = answer.page
    if page is None:
        return SourceOutcome(name=answer.name, kind=SourceKind.KNOWLEDGE, live=False, error=answer.error)
    return SourceOutcome(
        name=answer.name,
        kind=SourceKind.KNOWLEDGE,
        live=False,  # what is written says nothing about now, whenever it is read
        returned_count=len(page.blocks),
        total_count=page.l0_count + page.l1_count,
        partial_reasons=page.partial_reasons,
        notes=page.notes,
        more={"l0_count": page.l0_count, "l1_count": page.l1_count, "relevance_level": page.relevance_level},
    )


def _scope(request: KnowledgeRequest) -> Scope:
    asked = {"query": request.query, "alert_name": request.alert_name, "limit": request.limit}
    return Scope(
        window=None,
        filter={name: value for name, value in asked.items() if value is not None},
        labels={} if request.service is None else {"service": request.service},
    )
