"""Sessions that whole drafts are about: each asks what an investigator would ask, and no call of them fails."""

from __future__ import annotations

from pathlib import Path

from bench.grounding.sessions import DEVELOPMENT, Call, Session, alert_call, log_call, runbook_call
from bench.grounding.sessions_made import DEMO_LOGS

_SHOP = "2026-11-12T"
_FERRY = "2026-11-20T"
_CLINIC = "2026-11-18T"
_TRAIN = "2023-01-29T"


def draft_sessions(corpus: Path | None, work: Path) -> list[Session]:
    """Return the sessions; those named ``-early`` have a window that ends before the trouble that their calls also see."""
    sessions = [_shop(), _shop_early(), _ferry(work / "ferry"), _ferry_early(work / "ferry")]
    sessions += [_clinic(work / "clinic"), _clinic_early(work / "clinic")]
    return sessions if corpus is None else [*sessions, _travel(corpus), _food(corpus), _zookeeper(work)]


def _session(name: str, question: str, subjects: tuple[str, ...], window: tuple[str, str], calls: tuple[Call, ...]) -> Session:
    return Session(
        name=name,
        half=DEVELOPMENT,
        question=question,
        subjects=subjects,
        absent_names=(),
        since=window[0],
        until=window[1],
        calls=calls,
    )


def _course(logs: Path | str, raw: Path, *, failing: tuple[str, ...], quiet: tuple[str, ...]) -> tuple[Call, ...]:
    """The errors of each service, all errors, and what services without errors say all day."""
    return (
        *(log_call("errors", logs, raw, service=service, level="error", limit=200) for service in (*failing, *quiet)),
        log_call("errors", logs, raw, level="error", limit=300),
        *(log_call("browse", logs, raw, service=service, limit=250) for service in (*failing, *quiet)),
        *(log_call("fatal", logs, raw, service=service, level="fatal", limit=20) for service in failing[:2]),
    )


def _late(logs: Path | str, raw: Path, since: str, until: str, *services: str) -> tuple[Call, ...]:
    """The same services' errors at a time that the question does not ask about."""
    return tuple(
        log_call("late", logs, raw, service=service, level="error", since=since, until=until, limit=200) for service in services
    )


def _wide(logs: Path | str, raw: Path, since: str, until: str, service: str) -> Call:
    """All that a service logged from within the asked time to long after it."""
    return log_call("wide", logs, raw, service=service, since=since, until=until, limit=250)


def _shop() -> Session:
    calls = (
        alert_call("demo"),
        alert_call("demo", service="order-service"),
        *_course("demo", DEMO_LOGS, failing=("order-service", "api-gateway"), quiet=("payment-service", "inventory-service")),
        log_call("level", "demo", DEMO_LOGS, service="payment-service", level="warn", limit=100),
        log_call("word", "demo", DEMO_LOGS, service="order-service", query='"deadlock detected"', limit=20),
        log_call("word", "demo", DEMO_LOGS, service="api-gateway", query='"connection reset"', limit=20),
        log_call("words", "demo", DEMO_LOGS, service="order-service", query='"Connection is not available"', limit=100),
        runbook_call("demo", "OrderServiceHighErrorRate", alert_name="OrderServiceHighErrorRate", limit=5),
        runbook_call("demo", "connection pool exhausted database", limit=5),
        runbook_call("demo", "disk space filling up", limit=5),
        runbook_call("demo", "payment provider read timed out", limit=5),
    )
    window = f"{_SHOP}09:20:00Z", f"{_SHOP}10:15:00Z"
    return _session("shop-answers", "Why do orders fail at order-service?", ("order-service",), window, calls)


def _shop_early() -> Session:
    services = ("order-service", "api-gateway", "inventory-service")
    calls = (
        *_course("demo", DEMO_LOGS, failing=services[:2], quiet=services[2:]),
        *_late("demo", DEMO_LOGS, f"{_SHOP}09:45:00Z", f"{_SHOP}10:15:00Z", *services[:2]),
        _wide("demo", DEMO_LOGS, f"{_SHOP}09:30:00Z", f"{_SHOP}10:15:00Z", "order-service"),
        log_call(
            "narrow",
            "demo",
            DEMO_LOGS,
            service="payment-service",
            level="error",
            since=f"{_SHOP}09:25:00Z",
            until=f"{_SHOP}09:27:00Z",
        ),
    )
    window = f"{_SHOP}09:20:00Z", f"{_SHOP}09:45:00Z"
    return _session("shop-early", "Was order-service healthy before a quarter to ten?", ("order-service",), window, calls)


def _ferry(folder: Path) -> Session:
    logs = folder / "logs"
    calls = (
        alert_call(folder / "alerts.json"),
        alert_call(folder / "alerts.json", service="web-front"),
        alert_call(folder / "alerts.json", service="ticket-shop", state="suppressed"),
        *_course(logs, logs, failing=("ticket-shop", "manifest", "pay-bridge", "timetable"), quiet=("web-front",)),
        log_call("browse", logs, logs, service="rollouts", limit=20),
        log_call("level", logs, logs, service="timetable", level="warn", limit=50),
        log_call("level", logs, logs, service="pay-bridge", level="warn", limit=50),
        log_call("word", logs, logs, service="manifest", query='"OutOfMemoryError"', limit=20),
        log_call("word", logs, logs, service="ticket-shop", query='"disk full"', limit=20),
        log_call("words", logs, logs, service="ticket-shop", query='"not issued"', limit=50),
        runbook_call(folder / "runbooks", "tickets not issued seat plan redis"),
        runbook_call(folder / "runbooks", "harbour certificate expired"),
    )
    window = f"{_FERRY}14:00:00Z", f"{_FERRY}15:00:00Z"
    return _session("ferry-answers", "Why were tickets not issued by ticket-shop?", ("ticket-shop",), window, calls)


def _ferry_early(folder: Path) -> Session:
    logs = folder / "logs"
    calls = (
        *_course(logs, logs, failing=("ticket-shop", "manifest"), quiet=("web-front",)),
        *_late(logs, logs, f"{_FERRY}14:15:00Z", f"{_FERRY}15:00:00Z", "ticket-shop", "manifest"),
        _wide(logs, logs, f"{_FERRY}14:05:00Z", f"{_FERRY}15:00:00Z", "ticket-shop"),
        log_call(
            "narrow", logs, logs, service="pay-bridge", level="fatal", since=f"{_FERRY}14:02:00Z", until=f"{_FERRY}14:04:00Z"
        ),
    )
    window = f"{_FERRY}14:00:00Z", f"{_FERRY}14:15:00Z"
    return _session("ferry-early", "Was ticket-shop well in the first quarter of an hour?", ("ticket-shop",), window, calls)


def _clinic(folder: Path) -> Session:
    logs = folder / "logs"
    failing = ("appointment-api", "patient-records", "billing-gateway", "notify-worker", "slot-finder", "audit-writer")
    calls = (
        alert_call(folder / "alerts.json"),
        alert_call(folder / "alerts.json", service="bank-adapter"),
        alert_call(folder / "alerts.json", service="appointment-api", state="suppressed"),
        *_course(logs, logs, failing=failing, quiet=("edge-proxy", "bank-adapter")),
        log_call("browse", logs, logs, service="deployer", limit=20),
        log_call("level", logs, logs, service="slot-finder", level="warn", limit=50),
        log_call("level", logs, logs, service="billing-gateway", level="warn", limit=50),
        log_call("level", logs, logs, service="notify-worker", level="warn", limit=50),
        log_call("word", logs, logs, service="patient-records", query='"deadlock"', limit=20),
        log_call("word", logs, logs, service="audit-writer", query='"segment lost"', limit=20),
        log_call("words", logs, logs, service="patient-records", query='"could not be saved"', limit=50),
        runbook_call(folder / "runbooks", "slot locks redis pool exhausted"),
        runbook_call(folder / "runbooks", "mail relay refuses connections"),
        runbook_call(folder / "runbooks", "tablespace disk quota exceeded"),
    )
    window = f"{_CLINIC}02:00:00Z", f"{_CLINIC}03:00:00Z"
    return _session("clinic-answers", "Why do bookings at appointment-api fail?", ("appointment-api",), window, calls)


def _clinic_early(folder: Path) -> Session:
    logs = folder / "logs"
    services = ("appointment-api", "patient-records", "audit-writer")
    calls = (
        *_course(logs, logs, failing=services, quiet=("edge-proxy", "bank-adapter")),
        *_late(logs, logs, f"{_CLINIC}02:18:00Z", f"{_CLINIC}03:00:00Z", *services),
        _wide(logs, logs, f"{_CLINIC}02:10:00Z", f"{_CLINIC}03:00:00Z", "appointment-api"),
    )
    window = f"{_CLINIC}02:00:00Z", f"{_CLINIC}02:18:00Z"
    return _session("clinic-early", "Was appointment-api well before 02:18?", ("appointment-api",), window, calls)


def _travel(corpus: Path) -> Session:
    logs = corpus / "incidents" / "trainticket-travel-exception" / "logs"
    failing = ("ts-travel-service", "ts-preserve-service", "ts-food-service", "ts-execute-service")
    runbooks = corpus / "runbooks" / "prometheus-operator"
    names = ("KubePodCrashLooping", "KubePersistentVolumeFillingUp", "etcdNoLeader", "NodeClockSkewDetected", "KubeQuotaExceeded")
    calls = (
        *_course(logs, logs, failing=failing, quiet=("ts-seat-service", "ts-route-service")),
        log_call("word", logs, logs, service="ts-food-service", query='"OutOfMemoryError"', limit=20),
        log_call("words", logs, logs, service="ts-travel-service", query='"No instances available"', limit=50),
        *(runbook_call(runbooks, name, limit=5) for name in names),
    )
    window = f"{_TRAIN}10:02:00Z", f"{_TRAIN}10:07:00Z"
    return _session("travel-answers", "Why do searches at ts-travel-service fail?", ("ts-travel-service",), window, calls)


def _food(corpus: Path) -> Session:
    logs = corpus / "incidents" / "trainticket-food-cpu" / "logs"
    failing = ("ts-preserve-service", "ts-execute-service")
    window = f"{_TRAIN}14:47:00Z", f"{_TRAIN}14:52:00Z"
    calls = _course(logs, logs, failing=failing, quiet=("ts-seat-service",))
    return _session("food-answers", "Why did ts-preserve-service fail?", ("ts-preserve-service",), window, calls)


def _zookeeper(work: Path) -> Session:
    logs = work / "systems" / "zookeeper" / "zookeeper.log"
    calls = (
        log_call("level", logs, logs, service="zookeeper", level="error", limit=50),
        log_call("words", logs, logs, service="zookeeper", query='"Exception causing close of session"', limit=50),
    )
    window = "2015-07-29T00:00:00Z", "2015-08-26T00:00:00Z"
    return _session("zookeeper-answers", "Why does zookeeper close sessions?", ("zookeeper",), window, calls)
