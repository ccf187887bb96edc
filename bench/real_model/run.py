"""Whole diagnoses of the demo incident by a small real model over the wire: nothing unsupported may be shown as supported.

    python -m bench.real_model.run --venv DIR [--runs N]

DIR holds llama-cpp-python's server and weights (make real-model makes it). Such a model is wrong most of the time: that is its
use here.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bench.real_model.checks import faults_of
from bench.real_model.insistence import insisting_proxy
from bench.real_model.server import running_server
from groundwire.bootstrap import App, build
from groundwire.domain.names import MATERIAL_KINDS, StepKind, Verdict
from groundwire.settings import load_settings

_QUESTION: Final = "Why are requests to order-service failing?"
_SOURCES: Final = ("--logs", "demo", "--alerts", "demo", "--runbooks", "demo")
_DECIDED: Final = (0, 3, 4)
_BOUNDS: Final = {
    "GROUNDWIRE_MODEL_TOOLS": "prompted",
    "GROUNDWIRE_MODEL_MAX_TOKENS": "500",
    "GROUNDWIRE_MODEL_MAX_REQUESTS": "4",
    "GROUNDWIRE_MODEL_MAX_TOOL_CALLS": "3",
    "GROUNDWIRE_MODEL_MAX_CONTEXT": "10000",
    "GROUNDWIRE_MODEL_TIMEOUT_S": "300",
    "GROUNDWIRE_MODEL_MAX_SECONDS": "900",
}
"""Few and short requests, since such a model writes on until it is stopped; time enough for them on a machine that others use."""


def main() -> int:
    options = _options()
    seen: Counter[str] = Counter()
    stopped: Counter[str] = Counter()
    faults: list[str] = []
    seconds: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "groundwire.db"
        with running_server(options.venv, Path(folder) / "server.log") as server, insisting_proxy(server) as url:
            for number in range(1, options.runs + 1):
                begun = time.perf_counter()
                session_id = _diagnose(url, db)
                app = build(load_settings({"db": str(db)}, environ={}))
                try:
                    faults += [f"run {number}: {fault}" for fault in faults_of(app, session_id)]
                    seconds.append(time.perf_counter() - begun)
                    print(f"run {number}: {_counted(app, session_id, seen, stopped)}, {seconds[-1]:.0f} s", flush=True)
                finally:
                    app.close()
    _print(options.runs, seen, stopped)
    print(f"{statistics.median(seconds):.0f} s a diagnosis in the middle, {max(seconds):.0f} s at most")
    for fault in faults:
        print(f"FAULT {fault}")
    print("nothing unsupported was shown as supported" if not faults else f"{len(faults)} faults")
    return 1 if faults else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venv", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=20)
    return parser.parse_args()


def _diagnose(url: str, db: Path) -> str:
    """Return the session of one run of the command."""
    mine = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
    command = [sys.executable, "-m", "groundwire", "diagnose", _QUESTION, *_SOURCES, "--db", str(db), "--json"]
    command += ["--model", f"openai-compatible:smollm2@{url}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=mine | _BOUNDS | {"NO_PROXY": "127.0.0.1"})
    if done.returncode not in _DECIDED:
        raise SystemExit(f"real-model: diagnose ended with {done.returncode}:\n{done.stderr}")
    session_id: str = json.loads(done.stdout)["session_id"]
    return session_id


def _counted(app: App, session_id: str, seen: Counter[str], stopped: Counter[str]) -> str:
    """Count the claims of every draft that was held against the evidence, and return how the run ended."""
    trace = app.trace(session_id)
    verdicts = [item for evaluation in trace.evaluations for item in evaluation.claim_verdicts]
    material = [item for item in verdicts if item["kind"] in MATERIAL_KINDS]
    missed = [item for item in material if item["verdict"] != Verdict.SUPPORTED]
    requests = [step for step in trace.steps if step.kind is StepKind.MODEL]
    ends = [step.request_summary for step in trace.steps if (step.request_summary or "").startswith("ended without a draft")]
    seen.update(
        claims=len(verdicts), material=len(material), stopped=len(missed), drafts=int(bool(verdicts)), requests=len(requests)
    )
    seen.update(calls=len(trace.invocations), faulty=sum(step.error_message is not None for step in requests))
    seen[f"decision {trace.session.decision}"] += 1
    stopped.update(f"{item['verdict']}: {_kind_of_reason(item)}" for item in missed)
    how = f"{trace.session.decision}, {len(requests)} requests, {len(trace.invocations)} calls"
    return f"{how}, {len(missed)} of {len(material)} claims stopped{f' ({ends[-1]})' if ends else ''}"


def _kind_of_reason(item: Mapping[str, Any]) -> str:
    """Return a reason without what is particular to its claim, so that alike ones are counted together."""
    reason = re.sub(r"“[^”]*”|\"[^\"]*\"", "“…”", item["reason"])
    return re.sub(r"\bi\d+(\.\w+)*|\d+", "…", reason)[:160]


def _print(runs: int, seen: Counter[str], stopped: Counter[str]) -> None:
    decisions = ", ".join(f"{name.split()[1]} {count}" for name, count in sorted(seen.items()) if name.startswith("decision "))
    print(f"{runs} diagnoses: {decisions}; {seen['drafts']} with a draft that claims something")
    print(f"{seen['requests']} requests ({seen['faulty']} with a fault), {seen['calls']} calls, {seen['claims']} claims")
    share = f" ({seen['stopped'] / seen['material']:.0%})" if seen["material"] else ""
    print(f"{seen['stopped']} of {seen['material']} claims that state something were stopped{share}")
    for reason, count in stopped.most_common():
        print(f"  {count:4} {reason}")


if __name__ == "__main__":
    sys.exit(main())
