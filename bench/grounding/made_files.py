"""Write a made incident as files: logs by pod, an alert answer, runbooks, and logs that cannot all be read."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from bench.grounding.made_worlds import Service, Shape, World

_SLOT = re.compile(r"\{(\w+)(?::(\d+)-(\d+))?\}")


def write_world(world: World, folder: Path) -> None:
    """Write ``logs/``, ``alerts.json``, ``runbooks/`` and ``damaged/`` below the folder; the same bytes every time."""
    logs = folder / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    for service in world.services:
        for pod, lines in _lines_by_pod(world, service).items():
            (logs / f"{service.name}-{pod}.log").write_text("\n".join(lines) + "\n")
    (folder / "alerts.json").write_text(json.dumps(_alerts(world)))
    (folder / "runbooks").mkdir(exist_ok=True)
    for name, text in world.runbooks.items():
        (folder / "runbooks" / name).write_text(text)
    write_damaged(logs, folder / "damaged")


def write_damaged(logs: Path, folder: Path) -> None:
    """Copy the logs; the longest one as a gzip file that ends in the middle."""
    folder.mkdir(exist_ok=True)
    files = sorted(path for path in logs.iterdir() if path.is_file())
    longest = max(files, key=lambda path: path.stat().st_size)
    for path in files:
        if path == longest:
            packed = gzip.compress(path.read_bytes(), mtime=0)
            (folder / f"{path.name}.gz").write_bytes(packed[: len(packed) // 2])
        else:
            (folder / path.name).write_bytes(path.read_bytes())


def _lines_by_pod(world: World, service: Service) -> Mapping[str, list[str]]:
    random = Random(f"{world.name} {service.name}")
    start = datetime.fromisoformat(world.hour)
    written: list[tuple[datetime, str, str]] = []
    for shape in service.shapes:
        for _ in range(shape.count):
            at = start + timedelta(milliseconds=random.randrange(shape.minutes[0] * 60_000, shape.minutes[1] * 60_000))
            written.append((at, random.choice(service.pods), _line(service, shape, at, random)))
    by_pod: dict[str, list[str]] = {pod: [] for pod in service.pods}
    for _, pod, line in sorted(written):
        by_pod[pod].append(line)
    return by_pod


def _line(service: Service, shape: Shape, at: datetime, random: Random) -> str:
    moment = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    text = _filled(shape.text, random)
    fields = {name: _filled(value, random) for name, value in shape.fields.items()}
    if service.style == "spring":
        head = f"{moment} {shape.level:>5} 1 --- [{service.name}] [nio-8080-exec-{random.randrange(1, 9)}] o.c.Unit : {text}"
        return "\n".join([head, *shape.trace])
    if service.style == "logfmt":
        rest = "".join(f" {name}={value}" for name, value in fields.items())
        return f'time={moment} level={shape.level} msg="{text}" service={service.name}{rest}'
    numbers = {name: int(value) if value.isdecimal() else value for name, value in fields.items()}
    return json.dumps({"time": moment, "level": shape.level, "service": service.name, "msg": text, **numbers})


def _filled(text: str, random: Random) -> str:
    def fill(match: re.Match[str]) -> str:
        if match[2] is None:
            return str(random.randrange(100_000, 999_999))
        return str(random.randrange(int(match[2]), int(match[3]) + 1))

    return _SLOT.sub(fill, text)


def _alerts(world: World) -> dict[str, object]:
    start = datetime.fromisoformat(world.hour)
    alerts = [
        {
            "labels": {"alertname": alert.name, "namespace": world.name, "service": alert.service, "severity": alert.severity},
            "annotations": {"summary": alert.summary},
            "state": alert.state,
            "activeAt": (start + timedelta(minutes=alert.minute)).isoformat().replace("+00:00", "Z"),
            "value": alert.value,
        }
        for alert in world.alerts
    ]
    watchdog = {
        "labels": {"alertname": "Watchdog", "severity": "none"},
        "annotations": {"summary": "always"},
        "state": "firing",
        "activeAt": (start + timedelta(minutes=62)).isoformat().replace("+00:00", "Z"),
        "value": "1e+00",
    }
    return {"status": "success", "data": {"alerts": [*alerts, watchdog]}}
