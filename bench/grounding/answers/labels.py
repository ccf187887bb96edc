"""Our labels of the claims. They hold no text of anybody's: a claim is named by scenario, number and the start of its hash."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.grounding.answers.answer_file import AnswerClaim

SUPPORTED: Final = "supported"
LABELS: Final = (SUPPORTED, "contradicted", "unsupported")
_FILE: Final = Path(__file__).with_name("labels.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a reader of the raw files made of a claim: its kind, whether it holds, and why."""

    scenario: str
    claim: str
    sha256: str
    kind: str
    label: str
    why: str

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise ValueError(f"{self.scenario} {self.claim}: {self.label!r} is none of {', '.join(LABELS)}")


def read_labels(path: Path = _FILE) -> tuple[Label, ...]:
    """Return the labels of a file with one JSON object a line."""
    return tuple(Label(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def labelled(claims: Iterable[AnswerClaim], labels: Iterable[Label]) -> tuple[list[tuple[AnswerClaim, Label]], list[AnswerClaim]]:
    """Return the claims with their labels, and those without one: never labelled, or labelled when they said something else."""
    known: Mapping[tuple[str, str, str], Label] = {(label.scenario, label.claim, label.sha256): label for label in labels}
    pairs: list[tuple[AnswerClaim, Label]] = []
    without: list[AnswerClaim] = []
    for claim in claims:
        label = known.get((claim.scenario, claim.number, claim.digest))
        if label is None:
            without.append(claim)
        else:
            pairs.append((claim, label))
    return pairs, without
