"""Real incidents with their metrics in a running Prometheus: what is measured is found beside what is logged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from corpus.conftest import Command
from tests.integration.monitoring import prometheus_over


@contextmanager
def _incident(corpus: Path, name: str) -> Iterator[tuple[dict[str, Any], tuple[str | Path, ...]]]:
    """Yield the truth, which is for grading only, and the flags that a person on call would give."""
    folder = corpus / "incidents" / name
    truth = json.loads((folder / "truth.json").read_text())
    began = datetime.fromtimestamp(truth["inject_time_epoch_utc"], UTC)
    window = (
        "--since",
        (began - timedelta(minutes=12)).isoformat(),
        "--until",
        (began + timedelta(minutes=8)).isoformat(),
    )
    with prometheus_over(folder / "metrics.om") as url:
        yield truth, ("--logs", folder / "logs", "--metrics", url, *window)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def test_cpu_that_no_log_speaks_of_is_found_by_its_measurement_and_not_called_the_confirmed_cause(
    corpus: Path, groundwire: Command
) -> None:
    with _incident(corpus, "trainticket-food-cpu") as (truth, flags):
        for question in (f"Why is {truth['root_cause_service']} slow?", "What is wrong with the booking system?"):
            code, answer = groundwire("diagnose", question, *flags)
            assert (code, answer["decision"]) == (3, "LOW_CONFID")
            measured = [claim for claim in answer["claims"] if "cpu_usage_rate_percent of" in claim["text"]]
            symptoms = [claim for claim in measured if claim["kind"] == "symptom"]
            assert [claim["text"].split(" at ")[0] for claim in symptoms] == [
                f"cpu_usage_rate_percent of {truth['root_cause_service']} peaked"
            ]
            assert [claim["verdict"] for claim in symptoms] == ["supported"]
            assert any(claim["kind"] == "hypothesis" for claim in measured)
            assert not [claim for claim in answer["claims"] if claim["kind"] == "cause"]


def test_an_exception_is_found_in_the_logs_and_measurements_that_are_as_usual_do_not_hide_it(
    corpus: Path, groundwire: Command
) -> None:
    with _incident(corpus, "trainticket-travel-exception") as (truth, flags):
        for question in (f"Why is {truth['root_cause_service']} failing?", "Why are requests failing?"):
            code, answer = groundwire("diagnose", question, *flags)
            assert (code, answer["decision"]) == (0, "PASS")
            causes = [claim["text"] for claim in answer["claims"] if claim["kind"] == "cause"]
            assert causes[0].startswith(f"{truth['root_cause_service']}'s log says")
            assert not [claim for claim in answer["claims"] if "peaked" in claim["text"]]
