"""Sessions over the folder of real inputs: two incidents, eight systems' logs, and what alert servers answered."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bench.grounding.openmetrics import first_sample
from bench.grounding.sessions import (
    DEVELOPMENT,
    REPORTING,
    Call,
    Session,
    alert_call,
    log_call,
    refused_metrics,
    runbook_call,
    series_call,
    unreadable_logs,
)
from bench.grounding.system_logs import SYSTEMS, SystemLog

_FOOD_SERIES = (
    ("cpu_usage_millicores", "ts-food-service"),
    ("cpu_usage_rate_percent", "ts-food-service"),
    ("memory_usage_mebibytes", "ts-food-service"),
    ("cpu_usage_millicores", "ts-seat-service"),
    ("network_receive_bytes", "ts-seat-service"),
    ("memory_usage_mebibytes", "ts-ticket-office-service"),
    ("syscall_write", "ts-cancel-service"),
)
_TRAVEL_SERIES = (
    ("cpu_usage_millicores", "ts-travel-service"),
    ("memory_usage_mebibytes", "ts-travel-service"),
    ("network_receive_bytes", "ts-travel-service"),
    ("pod_workload_ops", "ts-seat-service"),
    ("cpu_usage_millicores", "ts-seat-service"),
    ("cpu_usage_rate_percent", "ts-basic-service"),
    ("syscall_read", "ts-cancel-service"),
    ("syscall_write", "ts-cancel-service"),
    ("network_transmit_bytes", "ts-travel2-service"),
    ("cpu_usage_millicores", "ts-route-service"),
    ("pod_workload_ops", "ts-config-service"),
)
_RUNBOOK_QUERIES = (
    "KubePodCrashLooping",
    "KubePersistentVolumeFillingUp",
    "NodeFilesystemFilesFillingUp",
    "KubeNodeUnreachable",
    "etcdNoLeader",
    "AlertmanagerFailedToSendAlerts",
    "PrometheusRemoteWriteBehind",
    "NodeClockSkewDetected",
    "KubeQuotaExceeded",
    "CPUThrottlingHigh",
)


def corpus_sessions(corpus: Path, work: Path) -> list[Session]:
    """Return the sessions that the folder of real inputs allows; ``work`` holds copies of its system logs."""
    return [_food(corpus, work), _travel(corpus, work), *(_system(log, work) for log in SYSTEMS), *_alert_sessions(corpus)]


def _queries(file: Path, wanted: tuple[tuple[str, str], ...]) -> list[Call]:
    start = first_sample(file) + 2
    window = {"since": _iso(start), "until": _iso(start + 25 * 60)}
    calls = [series_call(f'{metric}{{service="{service}"}}') for metric, service in wanted]
    return [Call(tag=call.tag, tool=call.tool, params={**call.params, **window}, sources=call.sources) for call in calls]


def _iso(epoch: int) -> str:
    return datetime.fromtimestamp(epoch, UTC).isoformat().replace("+00:00", "Z")


def _food(corpus: Path, work: Path) -> Session:
    folder = corpus / "incidents" / "trainticket-food-cpu"
    logs, day = folder / "logs", "2023-01-29T"
    return Session(
        name="food-cpu",
        half=DEVELOPMENT,
        question="Is food ordering slow because of ts-wallet-service or ts-meal-planner?",
        subjects=("ts-food-service",),
        absent_names=("ts-wallet-service", "ts-meal-planner"),
        since=f"{day}14:30:00Z",
        until=f"{day}15:00:00Z",
        series_file=folder / "metrics.om",
        calls=(
            *(
                log_call("browse", logs, logs, service=service, limit=100)
                for service in ("ts-food-service", "ts-execute-service", "ts-order-service", "ts-order-other-service")
            ),
            log_call("errors", logs, logs, level="error", limit=200),
            log_call("errors", logs, logs, service="ts-execute-service", level="error", limit=200),
            log_call("level", logs, logs, service="ts-order-other-service", level="warn", limit=200),
            log_call("absent", logs, logs, service="ts-seat-service", level="warn", limit=50),
            log_call("absent", logs, logs, service="ts-food-service", query='"OutOfMemoryError"', limit=50),
            log_call("cut", logs, logs, service="ts-order-service", limit=4),
            log_call(
                "narrow", logs, logs, service="ts-food-service", level="error", since=f"{day}14:48:00Z", until=f"{day}14:48:20Z"
            ),
            log_call("silent", logs, logs, service="ts-admin-route-service", level="error"),
            log_call("partial", work / "food-damaged", logs, service="ts-seat-service", level="error", limit=50),
            log_call("failed", unreadable_logs(work), logs, service="ts-food-service", level="error"),
            *_queries(folder / "metrics.om", _FOOD_SERIES),
            refused_metrics(promql='cpu_usage_millicores{service="ts-food-service"}'),
            runbook_call(corpus / "runbooks" / "prometheus-operator", "CPUThrottlingHigh"),
        ),
    )


def _travel(corpus: Path, work: Path) -> Session:
    folder = corpus / "incidents" / "trainticket-travel-exception"
    logs, day = folder / "logs", "2023-01-29T"
    return Session(
        name="travel-exception",
        half=REPORTING,
        question="Trips cannot be searched. Is ts-discount-service broken, or ts-loyalty-service, or ts-weather-proxy?",
        subjects=("ts-travel-service", "ts-travel2-service"),
        absent_names=("ts-discount-service", "ts-loyalty-service", "ts-weather-proxy"),
        since=f"{day}09:50:00Z",
        until=f"{day}10:15:00Z",
        series_file=folder / "metrics.om",
        calls=(
            *(
                log_call("browse", logs, logs, service=service, limit=100)
                for service in (
                    "ts-travel-service",
                    "ts-food-service",
                    "ts-order-service",
                    "ts-order-other-service",
                    "ts-verification-code-service",
                    "ts-seat-service",
                )
            ),
            log_call("errors", logs, logs, level="error", limit=200),
            log_call("errors", logs, logs, service="ts-travel-service", level="error", limit=200),
            log_call("errors", logs, logs, service="ts-food-service", level="error", limit=200),
            log_call("level", logs, logs, service="ts-order-service", level="warn", limit=200),
            log_call("level", logs, logs, service="ts-order-other-service", level="warn", limit=200),
            log_call("absent", logs, logs, service="ts-seat-service", level="warn", limit=50),
            log_call("absent", logs, logs, service="ts-basic-service", level="error", limit=50),
            log_call("absent", logs, logs, service="ts-route-service", level="error", limit=50),
            log_call("absent", logs, logs, service="ts-travel-service", query='"OutOfMemoryError"', limit=50),
            log_call("cut", logs, logs, service="ts-travel-service", limit=5),
            log_call("cut", logs, logs, service="ts-order-service", limit=3),
            log_call("cut", logs, logs, limit=8),
            log_call(
                "narrow",
                logs,
                logs,
                service="ts-travel2-service",
                level="error",
                since=f"{day}10:05:30Z",
                until=f"{day}10:05:50Z",
            ),
            log_call(
                "narrow", logs, logs, service="ts-food-service", level="error", since=f"{day}10:03:00Z", until=f"{day}10:03:12Z"
            ),
            log_call("silent", logs, logs, service="ts-notification-service", level="error"),
            log_call("silent", logs, logs, service="ts-travel-service", since=f"{day}09:50:00Z", until=f"{day}10:00:00Z"),
            log_call("partial", work / "travel-damaged", logs, service="ts-seat-service", level="error", limit=50),
            log_call("partial", work / "travel-damaged", logs, query='"circuit breaker is open"', limit=50),
            log_call("partial", work / "travel-damaged", logs, query='"retry budget spent"', limit=50),
            log_call("failed", unreadable_logs(work), logs, service="ts-travel-service", level="error"),
            log_call("failed", unreadable_logs(work), logs, service="ts-basic-service", query='"refused"'),
            *_queries(folder / "metrics.om", _TRAVEL_SERIES),
            refused_metrics(promql='cpu_usage_millicores{service="ts-travel-service"}'),
            *(runbook_call(corpus / "runbooks" / "prometheus-operator", query, limit=8) for query in _RUNBOOK_QUERIES),
        ),
    )


def _system(log: SystemLog, work: Path) -> Session:
    path = work / "systems" / log.service / f"{log.service}.log"
    return Session(
        name=log.service,
        half=log.half,
        question=f"Is {log.service} well, or does {log.absent_name} trouble it?",
        subjects=(log.service,),
        absent_names=(log.absent_name,),
        since=log.since,
        until=log.until,
        calls=(
            log_call("browse", path, path, limit=120),
            *(log_call("browse", path, path, query=f'"{words}"', limit=60) for words in log.words),
            log_call("cut", path, path, limit=5),
            *(log_call("level", path, path, level=level, limit=60) for level in log.levels),
            *(log_call("absent", path, path, query=f'"{words}"', limit=20) for words in log.absent_words),
            log_call("narrow", path, path, query=f'"{log.narrow[0]}"', since=log.narrow[1], until=log.narrow[2]),
            log_call("silent", path, path, since=log.silent[0], until=log.silent[1]),
            log_call("failed", unreadable_logs(work), path, query=f'"{log.words[0]}"'),
        ),
    )


def _alert_sessions(corpus: Path) -> list[Session]:
    answers, scenarios = corpus / "server-answers", corpus / "alerts"
    named = sorted(path for path in scenarios.iterdir() if path.is_dir())
    return [
        Session(
            name="alert-servers",
            half=REPORTING,
            question="What is wrong with order-service? Somebody blames rack-controller.",
            subjects=("order-service",),
            absent_names=("rack-controller",),
            since="2026-11-30T10:40:00Z",
            until="2026-11-30T11:00:00Z",
            calls=(
                *(
                    alert_call(answers / name)
                    for name in ("am_alerts.json", "am_alerts_2.json", "am_alerts_silenced.json", "prom_alerts.json")
                ),
                refused_metrics(alert_name="InstanceDown"),
            ),
        ),
        Session(
            name="scenario-alerts",
            half=REPORTING,
            question="Which alerts came in for payments-api, and is fraud-scoring part of it?",
            subjects=("payments-api",),
            absent_names=("fraud-scoring",),
            since="2026-11-30T10:00:00Z",
            until="2026-11-30T11:00:00Z",
            calls=tuple(alert_call(path / "alert.json") for path in named),
        ),
    ]
