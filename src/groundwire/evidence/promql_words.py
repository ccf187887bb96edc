"""A PromQL query in a few words, for people: which metrics it is about. The row has it whole."""

from __future__ import annotations

import re
from typing import Final

_SHORT: Final = 48
_MOST_NAMES: Final = 2
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_SELECTED: Final = re.compile(r"\b(?!(?:or|and|unless)\b)([a-zA-Z_:][\w:]*)\s*[{\[]")
_NAMES: Final = re.compile(r'__name__\s*=~?\s*"((?:[^"\\]|\\.)*)"')
_ALTERNATIVE: Final = re.compile(r"[a-zA-Z_:][\w:]*")


def promql_words(promql: str) -> str:
    """Return a short query as it is; of a longer one the names of its metrics and how many selectors it has."""
    if len(promql) <= _SHORT:
        return promql
    listed = [name for group in _NAMES.findall(promql) for name in group.split("|")]
    bare = _TEXT.sub('""', promql)
    names = list(dict.fromkeys([*listed, *_SELECTED.findall(bare)]))
    if not names or not all(_ALTERNATIVE.fullmatch(name) for name in names):
        return f"{promql[: _SHORT - 1]}…"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    selectors = max(bare.count("{"), 1)
    return f"{', '.join(names[:_MOST_NAMES])}{more} in {selectors} selector{'s' if selectors > 1 else ''}"
