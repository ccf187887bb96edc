"""Distinct things: how many services, pods, addresses or users the records of a call name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from groundwire.grounding.cited import Cited
from groundwire.grounding.count_words import THINGS
from groundwire.grounding.selection import Counted, Selection, selected_items, whole_items

_ADDRESS: Final = re.compile(
    r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])", re.IGNORECASE
)
_SPAN_OF_NAMES: Final = 20_000


def count_distinct(call: Cited, noun: str, selection: Selection) -> tuple[list[Counted], bool]:
    """Return how many distinct things there are, one count for each way to read it, and whether the readings are all there are.

    Where not all records were returned, what they name is a lower bound.
    """
    thing = THINGS.get(noun)
    items = selected_items(call, selection)
    if items is None:
        items = whole_items(call) if not call.item["summary"] else None
    is_whole = items is not None
    if items is None:
        output = call.call.output or {}
        items = [item for name in ("logs", "alerts") for item in output.get(name) or () if isinstance(item, Mapping)]
        if selection.names_level or selection.service or selection.quotes:
            return [], False
    sets = list(_sets(items, thing, noun))
    return [Counted(number=len(names), where=f"distinct {noun}", is_exact=is_whole) for names in sets if names], thing not in (
        None,
        "user",
    )


def _sets(items: Sequence[Mapping[str, Any]], thing: str | None, noun: str) -> Iterator[set[str]]:
    if thing in ("service", "instance"):
        yield {str(item[thing]) for item in items if item.get(thing)}
        if thing == "service" or any(item.get("instance") for item in items):
            return
    if thing == "address" or (thing == "instance" and noun.startswith(("host", "server", "node"))):
        found = [_ADDRESS.findall(str(item.get("message") or "")[:_SPAN_OF_NAMES]) for item in items]
        if found and all(found):
            yield {each[0] for each in found}
            yield {address for each in found for address in each}
        return
    yield from _named_by_key(items, noun)


def _named_by_key(items: Sequence[Mapping[str, Any]], noun: str) -> Iterator[set[str]]:
    """Yield the values that stand behind a word such as "user" in the records, where every record has exactly one."""
    key = _singular(noun)
    after = re.compile(rf"\b{re.escape(key)}(?:name|[ _-]?id)?(?:\s?[=:]\s?|\s)[\"'#]?(?P<value>[\w.@/-]{{2,80}})", re.IGNORECASE)
    values: list[set[str]] = []
    for item in items:
        fields = item.get("fields") or {}
        if key in fields:
            values.append({str(fields[key])})
        else:
            values.append({match["value"] for match in after.finditer(str(item.get("message") or "")[:_SPAN_OF_NAMES])})
    if values and all(len(each) == 1 for each in values):
        yield set().union(*values)


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("sses", "xes", "ches", "shes")) else noun.removesuffix("s")
