"""Sessions over the demo incident and the made ones: they need no folder of real inputs."""

from __future__ import annotations

from pathlib import Path

from bench.grounding.sessions import DEVELOPMENT, REPORTING, Call, Session, alert_call, log_call, refused_metrics, runbook_call

_ADAPTERS = Path(__file__).resolve().parents[2] / "src" / "groundwire" / "adapters"
DEMO_LOGS = _ADAPTERS / "logs" / "demo_files"
DEMO_ALERTS = _ADAPTERS / "metrics" / "demo_files" / "alerts.json"
DEMO_RUNBOOKS = _ADAPTERS / "knowledge" / "demo_files"


def demo_sessions(*, orders_half: str, unreadable: Path) -> list[Session]:
    """Return the demo incident in two sessions: the edge of the shop, and its orders."""
    return [
        Session(
            name="shop-edge",
            half=DEVELOPMENT,
            question="Why does checkout-web time out, and is coupon-service behind it?",
            subjects=("api-gateway", "payment-service"),
            absent_names=("checkout-web", "coupon-service"),
            since="2026-11-12T09:20:00Z",
            until="2026-11-12T10:15:00Z",
            calls=(
                *(
                    _demo("browse", service=service, limit=200)
                    for service in ("api-gateway", "payment-service", "inventory-service")
                ),
                _demo("errors", service="api-gateway", level="error", limit=200),
                _demo("level", service="payment-service", level="warn", limit=200),
                _demo("absent", service="inventory-service", level="warn", limit=50),
                _demo("absent", service="payment-service", level="error", limit=50),
                _demo("absent", service="api-gateway", query='"connection reset"', limit=50),
                _demo("cut", service="api-gateway", limit=5),
                _demo("narrow", service="api-gateway", level="error", since="2026-11-12T09:21:00Z", until="2026-11-12T09:24:00Z"),
                _demo("silent", service="inventory-service", since="2026-11-12T10:12:00Z", until="2026-11-12T10:15:00Z"),
                log_call("failed", unreadable, DEMO_LOGS, service="api-gateway", level="error"),
                refused_metrics(service="api-gateway"),
                alert_call("demo"),
                runbook_call("demo", "payment provider read timed out"),
            ),
        ),
        Session(
            name="shop-orders",
            half=orders_half,
            question="Why do orders fail, and did ledger-sync or basket-service break them?",
            subjects=("order-service",),
            absent_names=("ledger-sync", "basket-service"),
            since="2026-11-12T09:20:00Z",
            until="2026-11-12T10:15:00Z",
            calls=(
                _demo("browse", service="order-service", limit=250),
                _demo("errors", service="order-service", level="error", limit=200),
                _demo("errors", level="error", limit=300),
                _demo("absent", service="order-service", query='"deadlock detected"', limit=50),
                _demo("cut", service="order-service", limit=4),
                _demo(
                    "narrow", service="order-service", level="error", since="2026-11-12T09:22:00Z", until="2026-11-12T09:27:00Z"
                ),
                _demo("silent", service="order-service", since="2026-11-12T08:30:00Z", until="2026-11-12T09:15:00Z"),
                log_call("failed", unreadable, DEMO_LOGS, service="order-service", level="error"),
                refused_metrics(service="order-service"),
                alert_call("demo"),
                runbook_call("demo", "OrderServiceHighErrorRate"),
                runbook_call("demo", "connection pool exhausted database"),
                runbook_call("demo", "disk space filling up"),
            ),
        ),
    ]


def _demo(tag: str, **params: object) -> Call:
    return log_call(tag, "demo", DEMO_LOGS, **params)


def ferry_session(folder: Path, *, unreadable: Path) -> Session:
    """Return the made ferry incident."""
    logs, day = folder / "logs", "2026-11-20T"
    return Session(
        name="ferry",
        half=DEVELOPMENT,
        question="Why were no tickets issued, is berth-planner or crew-roster at fault?",
        subjects=("ticket-shop", "manifest"),
        absent_names=("berth-planner", "crew-roster"),
        since=f"{day}14:00:00Z",
        until=f"{day}15:00:00Z",
        calls=(
            *(
                log_call("browse", logs, logs, service=service, limit=120)
                for service in ("ticket-shop", "manifest", "pay-bridge", "timetable", "rollouts", "web-front")
            ),
            log_call("errors", logs, logs, level="error", limit=200),
            log_call("errors", logs, logs, service="ticket-shop", level="error", limit=200),
            log_call("level", logs, logs, level="warn", limit=200),
            log_call("absent", logs, logs, service="web-front", level="error", limit=50),
            log_call("absent", logs, logs, service="manifest", query='"OutOfMemoryError"', limit=50),
            log_call("cut", logs, logs, limit=6),
            log_call("cut", logs, logs, service="pay-bridge", limit=3),
            log_call(
                "narrow", logs, logs, service="ticket-shop", level="error", since=f"{day}14:03:00Z", until=f"{day}14:09:00Z"
            ),
            log_call("silent", logs, logs, service="weather-feed", since=f"{day}14:20:00Z", until=f"{day}15:00:00Z"),
            log_call("partial", folder / "damaged", logs, query='"berth changed"', limit=50),
            log_call("partial", folder / "damaged", logs, query='"seat plan rebuilt"', limit=50),
            log_call("failed", unreadable, logs, service="manifest", level="error"),
            refused_metrics(service="ticket-shop"),
            alert_call(folder / "alerts.json"),
            runbook_call(folder / "runbooks", "tickets not issued seat plan redis"),
            runbook_call(folder / "runbooks", "harbour certificate expired"),
        ),
    )


def clinic_session(folder: Path, *, unreadable: Path) -> Session:
    """Return the made clinic incident."""
    logs, day = folder / "logs", "2026-11-18T"
    return Session(
        name="clinic",
        half=REPORTING,
        question="Why do bookings fail tonight? People say insurance-check and queue-manager are broken, triage-bot too.",
        subjects=("appointment-api", "patient-records"),
        absent_names=("insurance-check", "queue-manager", "triage-bot"),
        since=f"{day}02:00:00Z",
        until=f"{day}03:00:00Z",
        calls=(
            *(
                log_call("browse", logs, logs, service=service, limit=150)
                for service in (
                    "appointment-api",
                    "patient-records",
                    "billing-gateway",
                    "notify-worker",
                    "slot-finder",
                    "audit-writer",
                    "edge-proxy",
                    "lab-import",
                    "deployer",
                    "bank-adapter",
                )
            ),
            log_call("errors", logs, logs, level="error", limit=200),
            log_call("errors", logs, logs, service="appointment-api", level="error", limit=200),
            log_call("errors", logs, logs, service="audit-writer", level="error", limit=200),
            log_call("level", logs, logs, level="warn", limit=200),
            log_call("level", logs, logs, service="slot-finder", level="warn", limit=200),
            log_call("absent", logs, logs, service="bank-adapter", level="warn", limit=50),
            log_call("absent", logs, logs, service="edge-proxy", level="error", limit=50),
            log_call("absent", logs, logs, service="patient-records", query='"deadlock"', limit=50),
            log_call("absent", logs, logs, service="audit-writer", query='"segment lost"', limit=50),
            log_call("cut", logs, logs, limit=7),
            log_call("cut", logs, logs, service="notify-worker", limit=3),
            log_call("cut", logs, logs, service="patient-records", level="info", limit=6),
            log_call(
                "narrow", logs, logs, service="appointment-api", level="error", since=f"{day}02:02:00Z", until=f"{day}02:11:00Z"
            ),
            log_call(
                "narrow", logs, logs, service="patient-records", level="error", since=f"{day}02:10:00Z", until=f"{day}02:18:00Z"
            ),
            log_call(
                "narrow", logs, logs, service="audit-writer", level="error", since=f"{day}02:05:00Z", until=f"{day}02:15:00Z"
            ),
            log_call(
                "narrow", logs, logs, service="notify-worker", level="error", since=f"{day}02:00:00Z", until=f"{day}02:09:00Z"
            ),
            log_call("silent", logs, logs, service="lab-import", since=f"{day}02:20:00Z", until=f"{day}03:00:00Z"),
            log_call("silent", logs, logs, service="deployer", since=f"{day}02:10:00Z", until=f"{day}02:40:00Z"),
            log_call("partial", folder / "damaged", logs, service="bank-adapter", level="error", limit=50),
            log_call("partial", folder / "damaged", logs, service="appointment-api", query='"slot calendar rebuilt"', limit=50),
            log_call("partial", folder / "damaged", logs, query='"failover finished"', limit=50),
            log_call("partial", folder / "damaged", logs, query='"pool resized"', limit=50),
            log_call("partial", folder / "damaged", logs, service="edge-proxy", level="error", limit=50),
            log_call("failed", unreadable, logs, service="patient-records", level="error"),
            log_call("failed", unreadable, logs, service="billing-gateway", query='"timeout"'),
            refused_metrics(service="appointment-api"),
            alert_call(folder / "alerts.json"),
            alert_call(folder / "alerts.json", state="pending"),
            runbook_call(folder / "runbooks", "slot locks redis pool exhausted"),
            runbook_call(folder / "runbooks", "mail relay refuses connections"),
            runbook_call(folder / "runbooks", "tablespace disk quota exceeded"),
        ),
    )
