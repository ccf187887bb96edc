"""A claim with its label, and the collection that keeps as many of each kind as are wanted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bench.grounding.sessions import DEVELOPMENT, REPORTING

SUPPORTED = "supported"
CONTRADICTED = "contradicted"
UNSUPPORTED = "unsupported"

# Kinds that the development half never sees.
REPORTING_ONLY = frozenset(
    {"average_for_peak", "pod_hash_altered", "percentage_of_wrong_whole", "user_text_as_cause", "state_now_for_then"}
)

Facts = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Label:
    """What is right about a claim: the truth, and the kind of falsehood when it is not true."""

    truth: str
    falsehood: str | None = None


TRUE = Label(SUPPORTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One labelled claim.

    ``keys`` are words of the claim that stand nowhere near another ref; ``template`` names the wording, so that the sample
    takes from all of them.
    """

    session: str
    half: str
    text: str
    refs: tuple[str, ...]
    truth: str
    family: str
    template: str
    falsehood: str | None = None
    kind: str = "observation"
    role: str = "support"
    facts: Facts = ()
    keys: tuple[str, ...] = ()

    def to_json(self, number: int) -> dict[str, Any]:
        """Return the line of the claims file."""
        return {
            "id": f"{self.half[0]}{number:05d}",
            "session": self.session,
            "half": self.half,
            "text": self.text,
            "kind": self.kind,
            "role": self.role,
            "refs": list(self.refs),
            "facts": [dict(fact) for fact in self.facts],
            "truth": self.truth,
            "falsehood": self.falsehood,
            "family": self.family,
            "prose": not self.facts,
            "wording": self.template,
        }


def fact(path: str, value: object, op: str = "==") -> Mapping[str, object]:
    """Return an assertion on a field of the cited call's output."""
    return {"path": path, "op": op, "value": value}


class Collection:
    """Claims without repetition, sampled evenly over sessions and wordings."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._claims: dict[tuple[str, str, tuple[str, ...]], Claim] = {}

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims.values())

    def add(self, claim: Claim) -> None:
        """Keep a claim, unless the same words about the same refs are there, or its half must not see its kind."""
        if claim.half == DEVELOPMENT and claim.falsehood in REPORTING_ONLY:
            return
        key = (claim.session, claim.text, claim.refs)
        known = self._claims.get(key)
        if known is not None and (known.truth == SUPPORTED) != (claim.truth == SUPPORTED):
            raise ValueError(f"the same claim is true and false: {claim} {known}")
        self._claims.setdefault(key, claim)

    def sample(self, *, false_each: int, true_each: int) -> list[Claim]:
        """Return at most so many claims of each falsehood and of each family of true claims in each half."""
        chosen: list[Claim] = []
        for half in (DEVELOPMENT, REPORTING):
            groups: dict[tuple[str, str], list[Claim]] = defaultdict(list)
            for claim in self._claims.values():
                if claim.half == half:
                    groups[("false", claim.falsehood) if claim.falsehood else ("true", claim.family)].append(claim)
            for (truth, _), claims in sorted(groups.items()):
                chosen += self._spread(claims, false_each if truth == "false" else true_each)
        return chosen

    def _spread(self, claims: list[Claim], wanted: int) -> list[Claim]:
        """Take in turns from each pair of session and wording."""
        stacks: dict[tuple[str, str], list[Claim]] = defaultdict(list)
        for claim in claims:
            stacks[claim.session, claim.template].append(claim)
        order = sorted(stacks)
        self._random.shuffle(order)
        for key in order:
            self._random.shuffle(stacks[key])
        taken: list[Claim] = []
        while len(taken) < wanted and any(stacks.values()):
            for key in order:
                if stacks[key] and len(taken) < wanted:
                    taken.append(stacks[key].pop())
        return taken
