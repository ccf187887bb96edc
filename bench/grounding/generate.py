"""Write labelled claims about the recorded sessions, as JSON lines.

    python -m bench.grounding.generate [--corpus DIR] [--work DIR] [--out FILE]

Reads the recorded answers and the raw files; knows nothing of how claims are checked.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from random import Random

from bench.grounding.absences import Absences
from bench.grounding.causes import Causes
from bench.grounding.claim import Claim, Collection
from bench.grounding.counts import Counts
from bench.grounding.hearsay import Hearsay
from bench.grounding.numbers import add_numbers
from bench.grounding.quotes import Quotes
from bench.grounding.record import default_work, record, recording_path
from bench.grounding.recorded import load_session
from bench.grounding.series import SeriesClaims
from bench.grounding.sessions import DEVELOPMENT, REPORTING
from bench.grounding.states import StateClaims
from bench.grounding.times import Times
from bench.grounding.wrong_refs import add_wrong_refs

SEED = 20261130
FALSE_EACH = 130
TRUE_EACH = 150


def generate(corpus: Path | None, work: Path, *, false_each: int = FALSE_EACH, true_each: int = TRUE_EACH) -> list[Claim]:
    """Return the claims; the same ones for the same recordings."""
    claims = Collection(SEED)
    for spec in record(corpus, work):
        session = load_session(spec, recording_path(work, spec), corpus)
        random = Random(f"{SEED} {spec.name}")
        add_numbers(claims, session, random)
        Counts(session, random).add(claims)
        Times(session, random).add(claims)
        SeriesClaims(session, random).add(claims)
        StateClaims(session, random).add(claims)
        Quotes(session, random).add(claims)
        Absences(session, random).add(claims)
        Causes(session, random).add(claims)
        Hearsay(session, random).add(claims)
        add_wrong_refs(claims, session, random)
    return claims.sample(false_each=false_each, true_each=true_each)


def write_claims(claims: list[Claim], path: Path) -> None:
    """Write one JSON object a line."""
    lines = [json.dumps(claim.to_json(number), ensure_ascii=False) for number, claim in enumerate(claims, start=1)]
    path.write_text("\n".join(lines) + "\n")


def main() -> None:
    """Generate from the command line, and count what was written."""
    parser = argparse.ArgumentParser(description="Write labelled claims about the recorded sessions.")
    parser.add_argument("--corpus", type=Path, help="folder of real inputs")
    parser.add_argument("--work", type=Path, help="where the recordings are kept")
    parser.add_argument("--out", type=Path, help="the claims file (claims.jsonl beside the recordings)")
    given = parser.parse_args()
    work = given.work or default_work(given.corpus)
    claims = generate(given.corpus, work)
    out = given.out or work / "claims.jsonl"
    write_claims(claims, out)
    counted = Counter((claim.falsehood or f"true: {claim.family}", claim.half) for claim in claims)
    names = sorted({name for name, _ in counted}, key=lambda name: (name.startswith("true"), name))
    print(f"{'':32}{DEVELOPMENT:>12}{REPORTING:>12}")
    for name in names:
        print(f"{name:32}{counted[name, DEVELOPMENT]:12}{counted[name, REPORTING]:12}")
    prose = sum(not claim.facts for claim in claims)
    print(f"{len(claims)} claims in {out}, {100 * prose // len(claims)} % of them prose without facts")


if __name__ == "__main__":
    main()
