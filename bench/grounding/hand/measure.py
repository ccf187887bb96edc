"""Measure grounding on the claims written one by one over the two real incidents, beside the agreement of their two labellings.

    python -m bench.grounding.hand.measure INCIDENTS [--show LABEL N]

INCIDENTS is the folder that holds the incidents. The sessions are recorded through the command line first, about a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from groundwire.adapters.process import SystemClock
from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.domain.verdict import ClaimVerdict
from groundwire.grounding.ground import ground_claims
from groundwire.services.replay import question_of
from groundwire.services.verifier import Verifier
from groundwire.store.sql_store import open_store

_HERE = Path(__file__).parent
_LABELS = ("supported", "contradicted", "unsupported")


def main() -> None:
    """Record, ground and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("incidents", type=Path)
    parser.add_argument("--show", nargs=2, metavar=("LABEL", "N"), help="print N claims of a label that came out wrong")
    given = parser.parse_args()
    claims = _lines("claims.jsonl")
    second = {item["id"]: item["label_b"] for item in _lines("labels_b.jsonl")}
    with tempfile.TemporaryDirectory() as folder:
        verdicts = _ground(claims, given.incidents, Path(folder) / "hand.db")
    pairs = [(item["label_a"], second[item["id"]]) for item in claims]
    print(f"two labellings of {len(pairs)} claims agree on {_share(a == b for a, b in pairs)}, kappa {_kappa(pairs):.2f}")
    agreed = [item for item in claims if item["label_a"] == second[item["id"]]]
    for label in _LABELS:
        ours = [item for item in agreed if item["label_a"] == label]
        accepted = [verdicts[item["id"]].verdict is Verdict.SUPPORTED for item in ours]
        print(f"{label:13} agreed by both {len(ours):4}   accepted {_share(accepted)}")
    if given.show:
        _show([item for item in agreed if item["label_a"] == given.show[0]], verdicts, given.show[0], int(given.show[1]))


def _show(claims: list[dict[str, Any]], verdicts: dict[str, ClaimVerdict], label: str, number: int) -> None:
    wrong = [item for item in claims if (verdicts[item["id"]].verdict is Verdict.SUPPORTED) is not (label == "supported")]
    for item in wrong[:number]:
        verdict = verdicts[item["id"]]
        print(f"{item['id']} {item['text']} {item['refs']}\n     {verdict.verdict}: {verdict.reason}")


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_HERE / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def _ground(claims: list[dict[str, Any]], incidents: Path, database: Path) -> dict[str, ClaimVerdict]:
    verdicts: dict[str, ClaimVerdict] = {}
    for spec in json.loads((_HERE / "sessions.json").read_text(encoding="utf-8")):
        session_id = _record(spec, incidents / spec["incident"] / "logs", database)
        with open_store(database, read_only=True) as store:
            verifier = Verifier(reader=store, outputs=store, clock=SystemClock(), judge=None)
            base = verifier.evidence_base(question_of(store.find_session(session_id)), store.invocations(session_id))
            ours = [_claim(item) for item in claims if item["session"] == spec["name"]]
            verdicts |= {verdict.claim.id: verdict for verdict in ground_claims(ours, base)}
    return verdicts


def _record(spec: dict[str, Any], logs: Path, database: Path) -> str:
    session_id = ""
    for call in spec["calls"]:
        where = ["--session", session_id] if session_id else ["--since", spec["since"], "--until", spec["until"]]
        words = ["call", call["tool"], "--params", json.dumps(call["params"]), "--logs", str(logs), *where]
        done = subprocess.run(
            [sys.executable, "-m", "groundwire", *words, "--db", str(database), "--json"],
            capture_output=True,
            check=True,
            env=dict(os.environ),
        )
        session_id = json.loads(done.stdout)["session_id"]
    return session_id


def _claim(item: dict[str, Any]) -> Claim:
    return Claim(
        id=item["id"],
        text=item["text"],
        refs=tuple(item["refs"]),
        kind=ClaimKind(item["kind"]),
        role=ClaimRole(item["role"]),
    )


def _share(values: Any) -> str:
    given = list(values)
    return f"{sum(given)} of {len(given)} ({100 * sum(given) / max(1, len(given)):.1f} %)"


def _kappa(pairs: list[tuple[str, str]]) -> float:
    """Cohen's kappa: the agreement beyond what chance gives."""
    total = len(pairs)
    observed = sum(a == b for a, b in pairs) / total
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(first[label] * second[label] for label in _LABELS) / total**2
    return (observed - expected) / (1 - expected)


if __name__ == "__main__":
    main()
