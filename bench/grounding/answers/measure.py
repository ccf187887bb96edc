"""Measure grounding on the claims of another model, beside that model's own sorting of them.

    python -m bench.grounding.answers.measure ALERTS_FOLDER [--json] [--show]

ALERTS_FOLDER holds a folder for each scenario: its evidence files and the model's ``answer.yml``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any, Final

from bench.grounding.answers.agreement import Agreement, agreement_of
from bench.grounding.answers.answer_file import AnswerClaim, read_claims
from bench.grounding.answers.labels import LABELS, SUPPORTED, Label, labelled, read_labels
from bench.grounding.answers.sessions import ScenarioSession, open_scenario
from groundwire.domain.answer import Claim
from groundwire.domain.names import MATERIAL_KINDS, ClaimKind, ClaimRole, Verdict
from groundwire.domain.verdict import ClaimVerdict
from groundwire.grounding.ground import ground_claim
from groundwire.grounding.search import attribute

_HELD_BACK: Final = "not supported"
_NAMED: Final = (
    ("rds-008-storage-full-missing-metric", "v1", "a metric at 0 before it was"),
    ("rds-006-replication-lag-cpu-redherring", "v1", "monotonic what falls again"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A claim beside our label and what grounding says of it; ``missing`` are the files it cites that are not there."""

    claim: AnswerClaim
    label: Label
    verdict: ClaimVerdict
    missing: tuple[str, ...]

    @property
    def is_accepted(self) -> bool:
        return self.verdict.verdict is Verdict.SUPPORTED

    @property
    def is_labelled_supported(self) -> bool:
        return self.label.label == SUPPORTED

    def to_json(self) -> dict[str, Any]:
        """Return all that is known of the claim, for reading one by one."""
        return {
            "scenario": self.claim.scenario,
            "claim": self.claim.number,
            "text": self.claim.text,
            "sources": list(self.claim.sources),
            "missing": list(self.missing),
            "kind": self.label.kind,
            "label": self.label.label,
            "why": self.label.why,
            "verdict": self.verdict.verdict,
            "reason": self.verdict.reason,
        }


def check(folder: Path, labels: Sequence[Label]) -> tuple[list[Checked], list[AnswerClaim]]:
    """Return every labelled claim with its verdict, and the claims that have no label."""
    checked: list[Checked] = []
    unlabelled: list[AnswerClaim] = []
    for scenario in sorted(path for path in folder.iterdir() if path.is_dir()):
        pairs, without = labelled(read_claims(scenario), labels)
        unlabelled += without
        if pairs:
            session = open_scenario(scenario)
            checked += [_check_claim(claim, label, session) for claim, label in pairs]
    return checked, unlabelled


def _check_claim(said: AnswerClaim, label: Label, session: ScenarioSession) -> Checked:
    claim = Claim(
        id=f"{said.scenario}/{said.number}",
        text=said.text,
        refs=session.refs_of(said.sources),
        kind=ClaimKind(label.kind),
        role=ClaimRole.ANSWER,
    )
    # As `groundwire verify` does: what cites nothing is held against the one entry that bears it out, where there is one.
    found = attribute(claim, session.base) if not claim.refs and claim.kind in MATERIAL_KINDS else None
    return Checked(
        claim=said,
        label=label,
        verdict=found or ground_claim(claim, session.base),
        missing=tuple(name for name in said.sources if name not in session.calls_of),
    )


def figures_of(checked: Sequence[Checked]) -> list[dict[str, Any]]:
    """Return one object a figure: accepted by label, then how far grounding and the model's own sorting agree with our labels."""
    rows: list[dict[str, Any]] = []
    for label in LABELS:
        ours = [item for item in checked if item.label.label == label]
        verdicts = Counter(str(item.verdict.verdict) for item in ours)
        accepted, called = sum(item.is_accepted for item in ours), sum(item.claim.is_called_validated for item in ours)
        rows.append(
            {"label": label, "n": len(ours), "accepted": accepted, "called_validated": called, "verdicts": dict(verdicts)}
        )
    two_way = [(item.is_accepted, item.claim.is_called_validated, item.is_labelled_supported) for item in checked]
    grounding = [(_two_way(accepted), _two_way(holds)) for accepted, _, holds in two_way]
    sorting = [(_two_way(called), _two_way(holds)) for _, called, holds in two_way]
    three_way = [(_three_way(item.verdict.verdict), item.label.label) for item in checked]
    rows.append(_agreement("grounding: accepted or not", agreement_of(grounding)))
    rows.append(_agreement("grounding: all three labels", agreement_of(three_way)))
    rows.append(_agreement("its own sorting: validated or not", agreement_of(sorting)))
    return rows


def _two_way(is_supported: bool) -> str:
    return SUPPORTED if is_supported else _HELD_BACK


def _three_way(verdict: Verdict) -> str:
    """What cannot be checked is left open by the evidence, as far as grounding can tell."""
    return "unsupported" if verdict is Verdict.UNCHECKABLE else verdict.value


def _agreement(name: str, found: Agreement) -> dict[str, Any]:
    return {
        "agreement": name,
        "same": found.same,
        "n": found.count,
        "share": round(found.share, 4),
        "kappa": round(found.kappa, 2),
    }


def main() -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alerts", type=Path, metavar="ALERTS_FOLDER")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--show", action="store_true", help="every claim with label, verdict and reason; disagreements first")
    given = parser.parse_args()
    checked, unlabelled = check(given.alerts, read_labels())
    if given.json:
        for row in figures_of(checked):
            print(json.dumps(row))
        print(json.dumps({"unlabelled": len(unlabelled), "with_a_file_that_is_not_there": sum(bool(c.missing) for c in checked)}))
    else:
        _print_figures(checked, unlabelled)
    if given.show:
        for item in sorted(checked, key=lambda item: item.is_accepted is item.is_labelled_supported):
            print(json.dumps(item.to_json(), ensure_ascii=False)) if given.json else _print_claim(item)


def _print_figures(checked: Sequence[Checked], unlabelled: Sequence[AnswerClaim]) -> None:
    missing = sum(bool(item.missing) for item in checked)
    print(
        f"{len(checked)} claims; {missing} cite a file that is not there; {len(unlabelled)} left out, without a label that fits"
    )
    print(f"\n{'our label':14}{'n':>4}{'accepted':>10}{'called validated':>18}   verdicts of grounding")
    for row in figures_of(checked):
        if "label" in row:
            verdicts = ", ".join(f"{name} {count}" for name, count in sorted(row["verdicts"].items()))
            print(f"{row['label']:14}{row['n']:4}{row['accepted']:10}{row['called_validated']:18}   {verdicts}")
    print("\nagreement with our labels")
    for row in figures_of(checked):
        if "agreement" in row:
            print(f"  {row['agreement']:36}{row['same']:3} of {row['n']} ({100 * row['share']:.1f} %), kappa {row['kappa']:.2f}")
    print("\nnamed cases")
    for scenario, number, what in _NAMED:
        for item in checked:
            if (item.claim.scenario, item.claim.number) == (scenario, number):
                said = shorten(item.verdict.reason, 160, placeholder=" ...")
                print(f"  {scenario} {number} ({what}): label {item.label.label}; {item.verdict.verdict}: {said}")


def _print_claim(item: Checked) -> None:
    mark = "alike" if item.is_accepted is item.is_labelled_supported else "UNLIKE"
    print(f"\n{mark} {item.claim.scenario} {item.claim.number} {item.claim.text} {list(item.claim.sources)}")
    print(f"    label   {item.label.label}: {item.label.why}")
    print(f"    verdict {item.verdict.verdict}: {item.verdict.reason}")


if __name__ == "__main__":
    main()
