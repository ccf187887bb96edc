"""The claims of another model: read from a scenario's ``answer.yml``, with the evidence that each says it rests on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

ANSWER_FILE: Final = "answer.yml"
_LISTS: Final = {"VALIDATED_CLAIMS": "v", "NON_VALIDATED_CLAIMS": "n"}
_HEADING: Final = re.compile(r"([A-Z_]+):")
_CITATION: Final = re.compile(r"\s*\[evidence:\s*([^\]]*)\]\s*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerClaim:
    """One claim: ``number`` is its list (``v``: called validated, ``n``: not) and its place in it, from 1.

    ``sources`` are the names of evidence that it cites, as written; ``text`` is the claim without them.
    """

    scenario: str
    number: str
    text: str
    sources: tuple[str, ...]

    @property
    def is_called_validated(self) -> bool:
        return self.number.startswith("v")

    @property
    def digest(self) -> str:
        """The start of the text's SHA-256: enough to see that a label still belongs to the claim that it was given to."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def read_claims(folder: Path) -> tuple[AnswerClaim, ...]:
    """Return the claims of a scenario's answer, in their order; none where the folder has no answer."""
    path = folder / ANSWER_FILE
    if not path.is_file():
        return ()
    item: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(claims_of(folder.name, str(item.get("model_response", ""))))


def claims_of(scenario: str, response: str) -> Iterator[AnswerClaim]:
    """Yield the claims of the two lists. The root cause and the causal chain around them cite nothing and are no claims."""
    letter, count = "", 0
    for line in response.splitlines():
        heading = _HEADING.match(line)
        if heading is not None:
            letter, count = _LISTS.get(heading[1], ""), 0
        elif letter and line.lstrip().startswith("- "):
            count += 1
            said = line.strip().removeprefix("- ")
            citation = _CITATION.search(said)
            yield AnswerClaim(
                scenario=scenario,
                number=f"{letter}{count}",
                text=_CITATION.sub("", said),
                sources=() if citation is None else tuple(name.strip() for name in citation[1].split(",") if name.strip()),
            )
