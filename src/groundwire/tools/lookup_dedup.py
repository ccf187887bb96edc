"""What a session already knows from its earlier lookups: neither the same question nor the same block is given twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.domain.invocation import EarlierCall
from groundwire.domain.masking import clean_value, mask_value
from groundwire.domain.names import InvocationStatus

_WORD: Final = re.compile(r"[^\W_]+")

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sifted:
    """The blocks that are new to the session; of the others, how many there are and the call that returned most of them."""

    fresh: tuple[Block, ...]
    suppressed_count: int
    dedup_of: str | None


class EarlierLookups:
    """The lookups that this session completed, in the order of their ``seq``. What failed is not remembered."""

    def __init__(self, calls: Sequence[EarlierCall], *, default_limit: int) -> None:
        self._calls = [call for call in calls if call.status is not InvocationStatus.FAILED]
        self._default_limit = default_limit

    def original_of(self, params: Mapping[str, Any]) -> str | None:
        """Return the id of the call that answered these parameters, or None where none did.

        The same question has the same words in whatever order and case, the same service and alert name, and asks for no
        more blocks. A call of which a source failed may be asked again. A repeat leads to the call that it repeats.
        """
        # The rows hold masked parameters; these come from the caller.
        masked = mask_value(clean_value(dict(params)))
        question, limit = _question(masked), self._limit(masked)
        for call in self._calls:
            if _question(call.input_params) == question and self._limit(call.input_params) >= limit and not _lacks_a_source(call):
                return call.dedup_of or call.id
        return None

    def sift(self, blocks: Sequence[Block]) -> Sifted:
        """Return ``blocks`` without those that an earlier call returned: the same section of the same file, to the letter."""
        returned_by: dict[tuple[str, ...], str] = {}
        for call in self._calls:
            for block in (call.output or {}).get("evidence_blocks", ()):
                returned_by.setdefault(_identity(block), call.id)
        callers = [returned_by.get(_identity(mask_value(clean_value(block)))) for block in blocks]
        seen = Counter(caller for caller in callers if caller is not None)
        return Sifted(
            fresh=tuple(block for block, caller in zip(blocks, callers, strict=True) if caller is None),
            suppressed_count=seen.total(),
            dedup_of=seen.most_common(1)[0][0] if seen else None,
        )

    def _limit(self, params: Mapping[str, Any]) -> int:
        limit = params.get("limit")
        return limit if isinstance(limit, int) else self._default_limit


def without_copies(blocks: Iterable[Block]) -> list[Block]:
    """Return ``blocks`` without later copies, such as those of a folder that is configured twice."""
    first: dict[tuple[str, ...], Block] = {}
    for block in blocks:
        first.setdefault(_identity(block), block)
    return list(first.values())


def _identity(block: Block) -> tuple[str, ...]:
    return tuple(str(block.get(part)) for part in ("source", "section", "layer", "content"))


def _question(params: Mapping[str, Any]) -> tuple[frozenset[str], str, str]:
    query = str(params.get("query") or "").casefold()
    words = frozenset(_WORD.findall(query)) or frozenset({query.strip()})
    return words, _folded(params.get("service")), _folded(params.get("alert_name"))


def _folded(value: Any) -> str:
    return str(value or "").strip().casefold()


def _lacks_a_source(call: EarlierCall) -> bool:
    return any(source.get("error") is not None for source in (call.output or {}).get("sources", ()))
