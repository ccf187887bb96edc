"""Monitoring servers of the tests' own: started on 127.0.0.1 in a temporary folder, stopped by their process at the end."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.integration.processes import UP_WITHIN_S, free_port, get, is_within, post, program_named, running_process

MANY = 3000
POOL = (("12", 0), ("50", 15))
"""Values of ``pool_active`` by seconds after the start; that of the pool "b" is one more."""

PAST_ALERTS = (("PoolFull", 300, 600, 1200), ("Watchdog", -3600, 0, 1800))
"""Alerts that fired, with the seconds after the start: since when active, when first firing, the end."""

_PROGRAMS = {
    "Prometheus": ("prometheus",),
    "promtool": ("promtool",),
    "Alertmanager": ("prometheus-alertmanager", "alertmanager"),
    "node-exporter": ("prometheus-node-exporter", "node_exporter"),
    "VictoriaMetrics": ("victoria-metrics", "victoria-metrics-prod"),
    "vmalert": ("vmalert", "vmalert-prod"),
}

_RULES = """
groups:
- name: shop
  interval: 1s
  rules:
  - {alert: CheckoutErrorsHigh, expr: vector(50), labels: {service: checkout, severity: critical},
     annotations: {summary: "4% of checkouts fail"}}
  - {alert: QueueGrows, expr: vector(7), for: 1h, labels: {service: queue, severity: warning}}
  - {alert: DiskFull, expr: vector(1) > 2, labels: {service: disk, severity: critical}}
  - {alert: RatioUnknown, expr: vector(0) / 0, labels: {service: ratio, severity: info}}
  - {alert: NodeDown, expr: 'up{job="gone"} == 0', labels: {service: node, severity: critical}}
  - {alert: ShopSlow, expr: vector(1), labels: {service: shop, severity: warning}}
  - {alert: Nightly, expr: vector(1), labels: {service: batch, severity: warning}}
"""
_ROUTES = """
route: {receiver: team-shop, group_by: [service], group_wait: 0s, group_interval: 1s}
receivers: [{name: team-shop}]
inhibit_rules:
- {source_matchers: ['alertname="NodeDown"'], target_matchers: ['alertname="ShopSlow"']}
"""


_STATES = {
    "CheckoutErrorsHigh": "active",
    "RatioUnknown": "active",
    "NodeDown": "active",
    "ShopSlow": "suppressed",
    "Nightly": "suppressed",
}


@dataclass(frozen=True, kw_only=True)
class Monitoring:
    """Base URLs of running servers. The series that were put into them begin at ``start``, an hour or more ago."""

    prometheus: str
    alertmanager: str
    node_exporter: str
    victoria_metrics: str
    victoria_metrics_with_rules: str
    start: datetime


@contextmanager
def running_monitoring() -> Iterator[Monitoring]:
    """Run the servers; skip the test where one of them is not installed, and fail instead where CI is set."""
    programs = {name: program_named(name, *files) for name, files in _PROGRAMS.items()}
    folder = Path(tempfile.mkdtemp(prefix="groundwire-monitoring-"))
    start = (datetime.now(UTC) - timedelta(hours=2)).replace(minute=0, second=0, microsecond=0)
    try:
        with ExitStack() as servers:
            node = servers.enter_context(_node_exporter(programs["node-exporter"], folder))
            victoria = servers.enter_context(_victoria_metrics(programs["VictoriaMetrics"], folder / "alone", start))
            with_rules = servers.enter_context(_victoria_metrics_with_rules(programs, folder, start))
            alertmanager = servers.enter_context(_alertmanager(programs["Alertmanager"], folder))
            prometheus = servers.enter_context(_prometheus(programs, folder, start, node, alertmanager))
            if not is_within(UP_WITHIN_S, lambda: _states(alertmanager) == _STATES):
                pytest.fail(f"these alerts reached Alertmanager: {_states(alertmanager)}")
            yield Monitoring(
                prometheus=prometheus,
                alertmanager=alertmanager,
                node_exporter=node,
                victoria_metrics=victoria,
                victoria_metrics_with_rules=with_rules,
                start=start,
            )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def prometheus_over(metrics: Path) -> Iterator[str]:
    """Run a Prometheus over a file of OpenMetrics with times of any age, without rules."""
    programs = {name: program_named(name, *_PROGRAMS[name]) for name in ("Prometheus", "promtool")}
    folder = Path(tempfile.mkdtemp(prefix="groundwire-monitoring-"))
    try:
        _create_blocks(programs["promtool"], metrics, folder / "data")
        config = folder / "prometheus.yml"
        config.write_text("{}")
        with _running_prometheus(programs["Prometheus"], folder, config) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prometheus(
    programs: dict[str, str], folder: Path, start: datetime, node: str, alertmanager: str
) -> AbstractContextManager[str]:
    metrics = folder / "metrics.om"
    metrics.write_text(_open_metrics(start))
    _create_blocks(programs["promtool"], metrics, folder / "data")
    (folder / "rules.yml").write_text(_RULES)
    config = folder / "prometheus.yml"
    scrapes = [
        {"job_name": "node", "static_configs": [{"targets": [_host(node)], "labels": {"service": "node"}}]},
        {"job_name": "gone", "static_configs": [{"targets": ["127.0.0.1:1"]}]},
    ]
    document = {
        "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
        "rule_files": ["rules.yml"],
        "scrape_configs": scrapes,
        "alerting": {"alertmanagers": [{"static_configs": [{"targets": [_host(alertmanager)]}]}]},
    }
    config.write_text(json.dumps(document))  # JSON is YAML
    return _running_prometheus(programs["Prometheus"], folder, config)


def _running_prometheus(program: str, folder: Path, config: Path) -> AbstractContextManager[str]:
    flags = [f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}", "--storage.tsdb.retention.time=50y"]
    # What it sends before it has found the Alertmanager is lost, and would be sent again only after a minute.
    flags += ["--rules.alert.resend-delay=3s", "--log.level=error"]
    return running_process([program, *flags], "--web.listen-address=127.0.0.1:{port}", "/-/ready")


@contextmanager
def _alertmanager(program: str, folder: Path) -> Iterator[str]:
    config = folder / "alertmanager.yml"
    config.write_text(_ROUTES)
    flags = [f"--config.file={config}", f"--storage.path={folder / 'alertmanager'}", "--cluster.listen-address="]
    command = [program, *flags, "--log.level=error"]
    with running_process(command, "--web.listen-address=127.0.0.1:{port}", "/-/ready") as url:
        now = datetime.now(UTC)
        silence = {
            "matchers": [{"name": "alertname", "value": "Nightly", "isRegex": False, "isEqual": True}],
            "startsAt": now.isoformat(),
            "endsAt": (now + timedelta(hours=1)).isoformat(),
            "createdBy": "kim",
            "comment": "move of the rack",
        }
        post(f"{url}/api/v2/silences", json.dumps(silence), "application/json")
        yield url


def _node_exporter(program: str, folder: Path) -> AbstractContextManager[str]:
    flags = ["--collector.disable-defaults", "--collector.loadavg", "--log.level=error"]
    return running_process([program, *flags], "--web.listen-address=127.0.0.1:{port}", "/")


@contextmanager
def _victoria_metrics(program: str, folder: Path, start: datetime, *more: str) -> Iterator[str]:
    # What was written just now is not held back for half a minute.
    flags = [f"-storageDataPath={folder}", "-loggerLevel=ERROR", "-memory.allowedBytes=64MB", "-search.latencyOffset=0s", *more]
    with running_process([program, *flags], "-httpListenAddr=127.0.0.1:{port}", "/health") as url:
        lines = [line for line in _open_metrics(start, unit_s=0.001).splitlines() if not line.startswith("#")]
        post(f"{url}/api/v1/import/prometheus", "\n".join(lines) + "\n", "text/plain")
        get(f"{url}/internal/force_flush")
        yield url


@contextmanager
def _victoria_metrics_with_rules(programs: dict[str, str], folder: Path, start: datetime) -> Iterator[str]:
    """VictoriaMetrics asks vmalert for the alerts, and vmalert asks it for the values of the rules."""
    rules = folder / "vmalert.yml"
    rules.write_text(_RULES)
    port = free_port()
    proxy = f"-vmalert.proxyURL=http://127.0.0.1:{port}"
    with _victoria_metrics(programs["VictoriaMetrics"], folder / "with_rules", start, proxy) as url:
        flags = [f"-rule={rules}", f"-datasource.url={url}", "-notifier.url=http://127.0.0.1:1", "-loggerLevel=FATAL"]
        flags += [f"-remoteWrite.url={url}"]  # of what was active, for later
        with running_process([programs["vmalert"], *flags], "-httpListenAddr=127.0.0.1:{port}", "/health", port=port):
            found = is_within(UP_WITHIN_S, lambda: b"CheckoutErrorsHigh" in get(f"{url}/api/v1/alerts"))
            if not found:
                pytest.fail(f"vmalert has these alerts: {get(f'{url}/api/v1/alerts').decode()}")
            yield url


def _open_metrics(start: datetime, *, unit_s: float = 1) -> str:
    """Return two series of a pool, many of a disk, and what was written of the alerts of half an hour."""
    at = round(start.timestamp())
    lines = ["# HELP pool_active Connections in use", "# TYPE pool_active gauge"]
    for more, pool in enumerate(("a", "b")):
        for value, after_s in POOL:
            labels = f'pool="{pool}",service="checkout"'
            lines.append(f"pool_active{{{labels}}} {int(value) + more} {round((at + after_s) / unit_s)}")
    lines.append("# TYPE disk_used gauge")
    lines += [f'disk_used{{disk="{number:04}"}} {number} {round(at / unit_s)}' for number in range(MANY)]
    for metric, state in (("ALERTS", ',alertstate="firing"'), ("ALERTS_FOR_STATE", "")):
        lines.append(f"# TYPE {metric} gauge")
        for name, since_s, first_s, last_s in PAST_ALERTS:
            labels = f'alertname="{name}",service="checkout",severity="critical"{state}'
            active = 1 if state else at + since_s
            lines += [f"{metric}{{{labels}}} {active} {round((at + s) / unit_s)}" for s in range(first_s, last_s, 15)]
    return "\n".join([*lines, "# EOF"]) + "\n"


def _create_blocks(promtool: str, metrics: Path, data: Path) -> None:
    command = [promtool, "tsdb", "create-blocks-from", "openmetrics", "--quiet", str(metrics), str(data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr


def _states(alertmanager: str) -> dict[str, str]:
    alerts = json.loads(get(f"{alertmanager}/api/v2/alerts"))
    return {alert["labels"]["alertname"]: alert["status"]["state"] for alert in alerts}


def _host(url: str) -> str:
    return url.removeprefix("http://")
