"""Reads structured lines, JSON and logfmt: the same few things go by many names.

Sources:
    Elastic Common Schema, pino, bunyan, zap, structlog, Serilog compact (CLEF), GELF 1.1, Logstash and Log4j 2 JSON layouts,
    ``journalctl -o json``, MongoDB structured logs, the logfmt convention of Heroku and go-kit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import orjson

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.lines import LINE_LIMIT
from groundwire.adapters.logs.plain_format import ACCESS_TIME, access_time
from groundwire.adapters.logs.plain_formats import PLAIN_FORMATS
from groundwire.adapters.logs.reading import Reading, Start
from groundwire.adapters.logs.structured_levels import LEVEL_KEYS, read_level

TIME_KEYS: Final = (
    "@timestamp timestamp time ts @t datetime date eventTime event_time asctime timeMillis instant.epochSecond t.$date "
    "timeUnixNano observedTimeUnixNano TimeCreated EventTime SystemTime Event.System.TimeCreated.#attributes.SystemTime "
    "Timestamp TIMESTAMP Time __REALTIME_TIMESTAMP _SOURCE_REALTIME_TIMESTAMP t time_iso8601 time_local requestReceivedTimestamp "
    "stageTimestamp EdgeStartTimestamp generated_at received_at"
).split()
MESSAGE_KEYS: Final = (
    "message msg fields.message textPayload jsonPayload.message body.stringValue @m @mt event short_message "
    "full_message log MESSAGE Message body text log.message properties.message error.message error"
).split()
SERVICE_KEYS: Final = (
    "service service.name service_name serviceName _service resource.service.name resource.attributes.service.name dd.service "
    "_app _application resource.labels.container_name "
    "app application app_name appName application_name kubernetes.labels.app kubernetes.labels.app.kubernetes.io/name "
    "kubernetes.labels.app_kubernetes_io/name kubernetes.labels.k8s-app labels.app kubernetes.container_name "
    "kubernetes.container.name container_name container.name program appname SYSLOG_IDENTIFIER _SYSTEMD_UNIT"
).split()
INSTANCE_KEYS: Final = (
    "instance resource.labels.pod_name kubernetes.pod_name kubernetes.pod.name kubernetes.pod pod pod_name k8s.pod.name "
    "service.node.name host.name hostname host MachineName Event.System.Computer Computer _HOSTNAME container_id container.id"
).split()
_MOST_FIELDS: Final = 200
_DEEPEST: Final = 6
_PAIR: Final = re.compile(r"(?<!\S)([A-Za-z_@][\w.@/-]{0,99})=(?:\"([^\"\\]*(?:\\.[^\"\\]*)*)\"|(\S*))", re.DOTALL)
_MEMBER: Final = re.compile(r"\"([^\"\\]{1,80})\": ?(?:\"([^\"\\]{0,400})\"|(-?\d{1,20}(?:\.\d{1,9})?))")
_ACCESS_TIME: Final = re.compile(ACCESS_TIME.replace(r"\[", r"\[?").replace(r"\]", r"\]?"))
_CUT_HEAD: Final = 8192
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonFormat:
    """One JSON object a line."""

    name: str = "json"
    names_services: bool = True
    is_strong: bool = True

    def start(self, line: str, clock: FileClock) -> Start | None:
        if not line.startswith("{"):
            return None
        fields = parse_object(line)
        if fields is None and len(line) >= LINE_LIMIT:
            fields = _members_of_cut(line)
        if not fields:
            return None
        flat = flatten(fields)
        key, moment = find_time(flat, clock)
        return Start(moment, self, (flat, key, line))

    def read(self, payload: tuple[dict[str, Any], str | None, str]) -> Reading:
        return read_fields(*payload)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogfmtFormat:
    """``key=value`` pairs, at least two, from the first character on, a time, a level or a message among them."""

    name: str = "logfmt"
    names_services: bool = True
    is_strong: bool = False

    def start(self, line: str, clock: FileClock) -> Start | None:
        if _PAIR.match(line) is None:
            return None
        fields = dict(_pairs(line))
        if len(fields) < 2 or not any(key in fields for key in (*TIME_KEYS, *LEVEL_KEYS, *MESSAGE_KEYS)):
            return None
        key, moment = find_time(fields, clock)
        return Start(moment, self, (fields, key, line))

    def read(self, payload: tuple[dict[str, Any], str | None, str]) -> Reading:
        return read_fields(*payload)


def parse_object(line: str) -> dict[str, Any] | None:
    """Return the JSON object that a line is, or None.

    What writers do beside the standard is let through: ``NaN``, ``Infinity``, halves of surrogate pairs.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        if not line.rstrip().endswith("}"):
            return None
        try:
            value = json.loads(line, parse_constant=str)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _members_of_cut(line: str) -> dict[str, Any]:
    """Return the plain members at the start of an object whose end was cut away."""
    members: dict[str, Any] = {}
    for match in _MEMBER.finditer(line, 0, _CUT_HEAD):
        members.setdefault(match[1], match[2] if match[3] is None else float(match[3]))
    return members


def flatten(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members with nested objects under dotted names, such as ``kubernetes.pod_name``; a bounded number of them."""
    if not any(isinstance(value, dict) for value in fields.values()):
        return dict(fields)
    flat: dict[str, Any] = {}
    for name, value in _members(fields, "", 1):
        flat[name] = value
        if len(flat) >= _MOST_FIELDS:
            break
    return flat


def _members(fields: Mapping[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in fields.items():
        if isinstance(value, dict) and value and depth < _DEEPEST:
            yield from _members(value, f"{prefix}{key}.", depth + 1)
        else:
            yield prefix + key, value


def find_time(fields: Mapping[str, Any], clock: FileClock) -> tuple[str | None, datetime | None]:
    """Return the first key that holds a time, and the time."""
    for key in TIME_KEYS:
        value = fields.get(key)
        moment = None if value is None else time_of_value(value, clock)
        if moment is not None:
            return key, moment
    return None, None


def time_of_value(value: Any, clock: FileClock) -> datetime | None:
    """Return the time that a value is: ISO 8601, a number since 1970, or what a line of a known format may start with."""
    if isinstance(value, int | float):
        return None if isinstance(value, bool) else clock.epoch(value)
    if not isinstance(value, str):
        return None
    moment = clock.iso(value)
    if moment is not None:
        return moment
    if value.startswith("/Date("):
        return clock.epoch(value[6:].rstrip(")/").partition("+")[0])
    if value[:1].isdigit() and value.replace(".", "", 1).isdigit():
        return clock.epoch(value)
    access = _ACCESS_TIME.match(value)
    if access is not None:
        return access_time(access, clock)
    for line_format in PLAIN_FORMATS:
        start = line_format.start(value + " ", clock) if line_format.is_strong else None
        if start is not None:
            return start.time
    return None


def read_fields(fields: Mapping[str, Any], time_key: str | None, line: str) -> Reading:
    """Return the parts of a record from its fields; a line without a message is its own message."""
    rest = dict(fields)
    if time_key is not None:
        del rest[time_key]
    level = read_level(rest)
    message = _take(rest, MESSAGE_KEYS)
    service = _take(rest, SERVICE_KEYS)
    instance = _take(rest, INSTANCE_KEYS)
    if service is None and "pid" in rest and instance is not None:
        service = _take(rest, ["name"])  # bunyan and pino call the application so
    return Reading(
        level=level, message=line if message is None else message.rstrip("\n"), service=service, instance=instance, fields=rest
    )


def _take(fields: dict[str, Any], keys: list[str]) -> str | None:
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            del fields[key]
            return value
    return None


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    for count, match in enumerate(_PAIR.finditer(line)):
        if count >= _MOST_FIELDS:
            return
        quoted = match[2]
        if quoted is None:
            yield match[1], match[3]
        else:
            yield (
                match[1],
                _ESCAPED.sub(lambda escape: _UNESCAPED.get(escape[1], escape[1]), quoted) if "\\" in quoted else quoted,
            )
