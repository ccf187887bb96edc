"""The checks that a real model is held to find each fault that is planted, and none where nothing is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bench.real_model.checks import faults_of
from groundwire.bootstrap import App
from groundwire.domain.errors import GroundwireError
from groundwire.domain.names import ClaimKind, Verdict

_LINE = {"message": 'pool exhausted after 250 ms: "no connection left"'}


def _app(text: str, refs: list[str], shown: Verdict = Verdict.SUPPORTED, faults: tuple[str, ...] = ()) -> App:
    """Stand in for one session that showed one supported claim, with one log line behind the ref i1.l1."""

    def evidence(_session: str, ref: str) -> SimpleNamespace:
        if ref != "i1.l1":
            raise GroundwireError(f"no {ref} in this session")
        return SimpleNamespace(item=_LINE)

    claim: Mapping[str, Any] = {"verdict": Verdict.SUPPORTED, "text": text, "refs": refs}
    trace = SimpleNamespace(
        session=SimpleNamespace(id="s", window=SimpleNamespace(to_json=lambda: {"start": "2026-11-30T03:00:00Z"})),
        evaluations=[SimpleNamespace(claim_verdicts=[claim])],
        invocations=[SimpleNamespace(input_params={"query": "pool"}, scope={"source": "orders"})],
    )
    answer = SimpleNamespace(
        claims=[SimpleNamespace(claim=SimpleNamespace(kind=ClaimKind.SYMPTOM, text=text), verdict=shown)],
    )
    stand_in = SimpleNamespace(
        trace=lambda _session: trace,
        show=lambda _session: answer,
        audit=lambda _session: SimpleNamespace(faults=[SimpleNamespace(message=fault) for fault in faults]),
        replay=lambda _session: SimpleNamespace(differences=[]),
        evidence=evidence,
    )
    return cast(App, stand_in)


def test_a_session_in_which_all_holds_has_no_fault() -> None:
    app = _app('The pool was exhausted after 250 ms: "no connection left".', ["i1.l1"])
    assert list(faults_of(app, "s")) == []


@pytest.mark.parametrize(
    ("app", "said"),
    [
        (_app("The pool was exhausted.", []), "supported without a ref"),
        (_app("The pool was exhausted.", ["i9.l9"]), "supported by i9.l9, which is nowhere"),
        (_app("The pool was exhausted after 777 ms.", ["i1.l1"]), "says 777 from nowhere"),
        (_app('The log says "disk full".', ["i1.l1"]), "quotes 'disk full' from nowhere"),
        (_app("The pool was exhausted.", ["i1.l1"], shown=Verdict.UNSUPPORTED), "shown although unsupported"),
        (_app("The pool was exhausted.", ["i1.l1"], faults=("row 3 was changed",)), "audit: row 3 was changed"),
    ],
)
def test_each_planted_fault_is_found(app: App, said: str) -> None:
    found = list(faults_of(app, "s"))
    assert len(found) == 1
    assert said in found[0]
