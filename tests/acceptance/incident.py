"""An incident on disk: two services, one of which cannot reach a third; alerts and runbooks about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire.domain.incident import TimeWindow

SINCE, UNTIL = "2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z"
WINDOW = TimeWindow(start=datetime(2026, 11, 20, 10, tzinfo=UTC), end=datetime(2026, 11, 20, 11, tzinfo=UTC))
IN_WINDOW = ("--since", SINCE, "--until", UNTIL)
WHY = "Why is checkout failing?"
CAUSE = "Caused by: java.net.ConnectException: Connection refused: inventory:8443"

_TRACE = f"""java.lang.IllegalStateException: reservation failed
\tat shop.checkout.Reserve.run(Reserve.java:41)
{CAUSE}
\tat shop.net.Client.open(Client.java:88)
\t... 3 more"""

RUNBOOK = """# CheckoutErrors

## Meaning

More than five percent of the orders that customers place in checkout fail.

## Diagnosis

Look for `Connection refused: inventory:8443` in the log of checkout: inventory is down or its port is closed, and every
reservation fails.

## Mitigation

- Start the inventory deployment again and watch its readiness.
"""
OTHER_RUNBOOK = """# PaymentsSlow

## Meaning

The card provider answers slowly and payments queue up.

## Mitigation

- Switch to the second card provider.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """Where it lies."""

    logs: Path
    alerts: Path
    runbooks: Path

    @property
    def flags(self) -> tuple[str, ...]:
        return ("--logs", str(self.logs), "--alerts", str(self.alerts), "--runbooks", str(self.runbooks))


def write_incident(folder: Path) -> Incident:
    """Write the files and return where they are.

    In the window checkout logs 60 INFO records (at second 10 of each minute) and 3 ERROR records with a stack trace, at
    10:20:05, 10:21:05 and 10:22:05; half an hour before it, one ERROR record. payments logs 60 INFO records and 1 WARN.
    """
    logs, runbooks = folder / "logs", folder / "runbooks"
    logs.mkdir(parents=True)
    runbooks.mkdir()
    (logs / "checkout.log").write_text("\n".join(checkout_lines()) + "\n")
    (logs / "payments.log").write_text("\n".join(payments_lines()) + "\n")
    (runbooks / "CheckoutErrors.md").write_text(RUNBOOK)
    (runbooks / "PaymentsSlow.md").write_text(OTHER_RUNBOOK)
    alerts = folder / "alerts.json"
    alerts.write_text(json.dumps(prometheus_alerts(firing(), pending())))
    return Incident(logs=logs, alerts=alerts, runbooks=runbooks)


def checkout_lines() -> list[str]:
    lines = ["2026-11-20T09:30:00.000Z ERROR order 900 failed: card declined by the bank"]
    for minute in range(60):
        if minute in (20, 21, 22):
            lines.append(f"2026-11-20T10:{minute}:05.000Z ERROR order 10{minute} failed: cannot reserve stock\n{_TRACE}")
        lines.append(f"2026-11-20T10:{minute:02}:10.000Z INFO order 20{minute:02} placed in {30 + minute} ms")
    return lines


def payments_lines() -> list[str]:
    lines = [f"2026-11-20T10:{minute:02}:20.000Z INFO payment 30{minute:02} authorised" for minute in range(60)]
    lines.insert(30, "2026-11-20T10:29:50.000Z WARN payment 3029 took 900 ms")
    return lines


def firing(**changes: Any) -> dict[str, Any]:
    alert = {
        "labels": {"alertname": "CheckoutErrors", "service": "checkout", "severity": "critical"},
        "annotations": {"summary": "31% of orders fail"},
        "state": "firing",
        "activeAt": "2026-11-20T10:21:00Z",
        "value": "0.31",
    }
    return alert | changes


def pending() -> dict[str, Any]:
    return {
        "labels": {"alertname": "PaymentsSlow", "service": "payments", "severity": "warning"},
        "annotations": {},
        "state": "pending",
        "activeAt": "2026-11-20T10:30:00Z",
        "value": "0.9",
    }


def prometheus_alerts(*alerts: dict[str, Any]) -> dict[str, Any]:
    """Return what Prometheus answers at /api/v1/alerts."""
    return {"status": "success", "data": {"alerts": list(alerts)}}
