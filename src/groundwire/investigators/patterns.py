"""Log messages by their shape: which ones recur, which are gravest, and which words of one can be searched for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.domain.levels import Level, parse_level
from groundwire.grounding.cause import states_a_cause

Record = tuple[int, Mapping[str, Any]]
"""A record of a ``logs`` list, with its index."""

_VARIABLE: Final = re.compile(r"0x[0-9a-fA-F]{1,40}|[0-9a-fA-F]{8,64}(?:-[0-9a-fA-F]{4,12}){0,4}|\d{1,30}")
_CHAINED: Final = re.compile(r"Caused by: |nested exception is ")
_QUOTE_MARKS: Final = re.compile(r"[“”\n\r\t]")
_TRACE_IDS: Final = re.compile(
    r"^(?:\W{0,3}(?:trace|span|request|correlation|transaction)[\w.-]{0,20}\s{0,2}[:=]\s{0,2}[^\s,;\]]{1,80}[\s,;\]]{1,4}){1,6}",
    re.IGNORECASE,
)
_LONGEST_LINK: Final = 2_000
_SHORTEST_PHRASE: Final = 12
_LONGEST_PHRASE: Final = 120


def shape_of(message: str) -> str:
    """Return the first line of a message with its numbers and ids masked: messages of one statement have one shape."""
    return _VARIABLE.sub("#", message.split("\n", 1)[0][:400])


def strongest_records(output: Mapping[str, Any], most: int = 5) -> list[Record]:
    """Return the records worth quoting, one a shape: gravest level first, then with an exception chain, then most frequent.

    Of one shape the earliest record stands for all: what came first is nearest to the cause.
    """
    records = [(i, item) for i, item in enumerate(output.get("logs") or ()) if isinstance(item, Mapping) and item.get("message")]
    counts = Counter(shape_of(str(item["message"])) for _, item in records)
    first: dict[str, Record] = {}
    for index, item in records:  # newest first, so that the earliest stays
        first[shape_of(str(item["message"]))] = (index, item)
    ranked = sorted(first.items(), key=lambda pair: (-_gravity(pair[1][1]), -counts[pair[0]]))
    return [record for _, record in ranked[:most]]


def telling_records(output: Mapping[str, Any]) -> list[Record]:
    """Return the strongest records that themselves state a cause, the earliest first, or all the strongest when none does."""
    records = strongest_records(output)
    causal = [record for record in records if states_a_cause(record[1]) is not None]
    # What came first is nearest to the cause.
    return sorted(causal, key=lambda record: str(record[1].get("timestamp") or "~")) or records


def _gravity(item: Mapping[str, Any]) -> int:
    level = parse_level(str(item.get("level") or "")) or Level.INFO
    return int(level) * 2 + bool(_CHAINED.search(str(item["message"])))


def chain_line(message: str) -> str | None:
    """Return the deepest link of an exception chain as it is written, from its "Caused by:" or "nested exception is" on."""
    links = [match.start() for match in _CHAINED.finditer(message)]
    return quotable(_inside(message[links[-1] :])) if links else None


def telling_part(message: str) -> str:
    """Return what to quote of a message: the deepest link of its exception chain, else its start, behind the ids of a trace."""
    return chain_line(message) or quotable(_TRACE_IDS.sub("", message.strip()))


def quotable(text: str, limit: int = 200) -> str:
    """Return the longest start of a text that can be quoted to the letter: one line of whole words, free of quotation marks."""
    line = _QUOTE_MARKS.split(text.strip(), maxsplit=1)[0]
    if len(line) > limit:
        end = line.rfind(" ", limit // 2, limit + 1)
        line = line[: end if end > 0 else limit]  # a word as long as that is cut
    return line.rstrip(" .,;:([")


def _inside(link: str) -> str:
    """Return a link of a chain up to the bracket that was opened before it."""
    depth = 0
    for place, letter in enumerate(link[:_LONGEST_LINK]):
        depth += (letter in "[({") - (letter in "])}")
        if depth < 0:
            return link[:place]
    return link


def key_phrase(records: Sequence[Record]) -> str | None:
    """Return words of the strongest record that do not vary, to count how often it occurs; None when it has too few."""
    for _, item in records:
        message = str(item["message"])
        line = (chain_line(message) or message.split("\n", 1)[0])[:400]
        runs = [run.strip(" ,;:()[]{}=-.#\"'") for run in re.split(r"[\"“”`\[\]{}]|" + _VARIABLE.pattern, line)]
        best = max((run for run in runs if "masked:" not in run), key=len, default="")
        if len(best) >= _SHORTEST_PHRASE:
            return best[:_LONGEST_PHRASE].rsplit(" ", 1)[0] if len(best) > _LONGEST_PHRASE else best
    return None
