"""Which writer's wordings the development half is put in.

``first`` are those that stand in ``words_*.py``; ``second`` to ``sixth`` came later, to see more ways of saying things;
``held`` is another writer's, whose figures are looked at and whose single claims are not. Each says the same in other words.
"""

from __future__ import annotations

import importlib
from collections.abc import MutableMapping
from typing import Any, Final, cast

from bench.grounding import cores, wording
from bench.grounding.sessions import DEVELOPMENT

WRITERS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "held", "seventh")
_FAMILIES: Final = ("absences", "causes", "counts", "hearsay", "lines", "series", "states", "times")


def speak_as(writer: str) -> None:
    """Put every wording of the development half in another writer's words, for the rest of the process."""
    if writer == "first":
        return
    theirs: Any = importlib.import_module(f"bench.grounding.wordings.{writer}")
    modules = {name: importlib.import_module(f"bench.grounding.words_{name}") for name in _FAMILIES}
    for key, templates in theirs.WORDINGS.items():
        family, _, name = key.partition(".")
        cast(MutableMapping[str, tuple[str, ...]], getattr(modules[family], name))[DEVELOPMENT] = templates
    wording.FRAMES[DEVELOPMENT] = theirs.FRAMES
    cores.CLAUSES.update(theirs.NUMBERS)
    cores.DENIALS.update(theirs.NEGATIONS)
