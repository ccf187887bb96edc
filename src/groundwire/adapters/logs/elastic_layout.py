"""Where documents keep time, level, service and message: found in what the server says of its fields, or as configured.

Sources:
    Elastic Common Schema 8, OpenTelemetry in Elasticsearch and OpenSearch (SS4O, Data Prepper), Fluent Bit and Fluentd with
    the Kubernetes filter, Logstash; Elasticsearch and OpenSearch ``_field_caps``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

TIME_FIELDS: Final = tuple("@timestamp timestamp time Timestamp ts observedTimestamp observed_timestamp date datetime".split())
LEVEL_FIELDS: Final = (
    *"log.level level severity_text severityText severity.text SeverityText severity loglevel log_level levelname".split(),
    *"level_name lvl log.syslog.severity.name severity_number severityNumber severity.number PRIORITY".split(),
)
SERVICE_FIELDS: Final = (
    *"service.name service resource.attributes.service.name resource.service.name resource.attributes.service@name".split(),
    *"serviceName service_name app application app_name kubernetes.labels.app_kubernetes_io/name".split(),
    *"kubernetes.labels.app.kubernetes.io/name kubernetes.labels.app kubernetes.labels.k8s-app kubernetes.container_name".split(),
    *"kubernetes.container.name container_name container.name program SYSLOG_IDENTIFIER process.name systemd.unit".split(),
)
INSTANCE_FIELDS: Final = (
    *"kubernetes.pod_name kubernetes.pod.name resource.attributes.k8s.pod.name k8s.pod.name pod_name service.node.name".split(),
    *"host.name resource.attributes.host.name host.hostname hostname host container_id container.id".split(),
)
MESSAGE_FIELDS: Final = tuple(
    "message body.text body msg log event.original log.message MESSAGE short_message error.message".split()
)

_KEYWORDS: Final = frozenset({"keyword", "constant_keyword", "wildcard"})
_TEXTS: Final = frozenset({"text", "match_only_text"})
_NUMBERS: Final = frozenset("long integer short byte unsigned_long double float half_float scaled_float".split())
_LARGEST: Final = {"byte": 127, "short": 32_767, "half_float": 65_504, "integer": 2**31 - 1}
_LARGEST_OTHER: Final = 10**15
_DATES: Final = frozenset({"date", "date_nanos"})
_WHOLE_OBJECTS: Final = frozenset({"flattened", "flat_object"})
_HOLDERS: Final = frozenset({"object", "nested"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldNames:
    """The fields of the documents that hold each thing; what is None is found among the usual names."""

    time: str | None = None
    level: str | None = None
    service: str | None = None
    instance: str | None = None
    message: str | None = None


class FieldKind(StrEnum):
    """How a field can be asked for. ``OPAQUE``: not, or not alike in all indices."""

    KEYWORD = "keyword"
    TEXT = "text"
    NUMBER = "number"
    OPAQUE = "opaque"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One field. ``asked`` is its name in queries, such as ``level.keyword`` for a text; ``countable``: by its values.

    ``largest`` is the largest number that may be asked for: servers refuse one that the type of the field cannot hold.
    """

    name: str
    asked: str
    kind: FieldKind
    countable: bool
    largest: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The columns of an index pattern, each kind in the order in which a document is read: the first that it has counts."""

    time: str
    is_time_mixed: bool
    level: tuple[Column, ...]
    service: tuple[Column, ...]
    instance: tuple[Column, ...]
    message: tuple[Column, ...]
    columns: tuple[Column, ...]

    def named(self, name: str) -> tuple[Column, ...]:
        """Return the columns that ``name:value`` asks: of that name in whatever case, or with it behind a dot."""
        wanted = name.lower()
        return tuple(c for c in self.columns if c.name.lower() == wanted or c.name.lower().endswith("." + wanted))

    def without_patterns(self) -> Layout:
        """Return the layout for a server that lets nobody ask for parts of values (``search.allow_expensive_queries``)."""

        def opaque(columns: tuple[Column, ...]) -> tuple[Column, ...]:
            return tuple(replace(column, kind=FieldKind.OPAQUE) for column in columns)

        return replace(
            self,
            service=opaque(self.service),
            instance=opaque(self.instance),
            message=opaque(self.message),
            columns=opaque(self.columns),
        )


class NoLayoutError(ValueError):
    """The fields are not what logs need; the message goes on from the name of the index."""


def read_layout(fields: Mapping[str, Any], names: FieldNames) -> Layout:
    """Return the layout of the ``fields`` of a ``_field_caps`` answer.

    Raises:
        NoLayoutError: No date field is found by the usual names, or the configured one is none.
    """
    types = {name: _types(caps) for name, caps in fields.items()}
    time = _time_field(types, names.time)
    columns = {name: _column(name, fields, types) for name in types if _is_own(name, types)}

    def chosen(configured: str | None, usual: Iterable[str]) -> tuple[Column, ...]:
        wanted = (configured,) if configured is not None else usual
        found = (columns.get(name) or _flattened(name, types) for name in wanted)
        return tuple(column for column in found if column is not None)

    return Layout(
        time=time,
        is_time_mixed=len(types[time]) > 1,
        level=chosen(names.level, LEVEL_FIELDS),
        service=chosen(names.service, SERVICE_FIELDS),
        instance=chosen(names.instance, INSTANCE_FIELDS),
        message=chosen(names.message, MESSAGE_FIELDS),
        columns=tuple(columns.values()),
    )


def _types(caps: Any) -> frozenset[str]:
    if not isinstance(caps, Mapping):
        return frozenset()
    return frozenset(kind for kind, one in caps.items() if kind != "unmapped" and isinstance(one, Mapping))


def _time_field(types: Mapping[str, frozenset[str]], configured: str | None) -> str:
    if configured is not None:
        found = types.get(configured, frozenset())
        if not found or not found <= _DATES:
            is_what = f"is {' and '.join(sorted(found))}, not a date" if found else "is not there"
            raise NoLayoutError(f"its field {configured!r} {is_what}: name a date field as its time")
        return configured
    for name in TIME_FIELDS:
        if types.get(name) and types[name] <= _DATES:
            return name
    dates = sorted(name for name, found in types.items() if found and found <= _DATES)
    raise NoLayoutError(
        f"it has no date field among {', '.join(TIME_FIELDS)}"
        + (f"; it has {', '.join(dates[:5])}: name the one that is the time of a record" if dates else " and no other one")
    )


def _is_own(name: str, types: Mapping[str, frozenset[str]]) -> bool:
    """Return whether a field holds values of its own: objects do not, and ``x.keyword`` holds those of the text ``x``."""
    found = types[name]
    parent = name.rpartition(".")[0]
    return bool(found - _HOLDERS) and not name.startswith("_") and not types.get(parent, frozenset()) & (_TEXTS | _KEYWORDS)


def _flattened(name: str, types: Mapping[str, frozenset[str]]) -> Column | None:
    """Return the column of a field that stands inside one that keeps a whole object, whose members are not listed."""
    holders = (name[:end] for end, character in enumerate(name) if character == ".")
    if not any(types.get(holder, frozenset()) & _WHOLE_OBJECTS for holder in holders):
        return None
    return Column(name=name, asked=name, kind=FieldKind.OPAQUE, countable=False)


def _column(name: str, fields: Mapping[str, Any], types: Mapping[str, frozenset[str]]) -> Column:
    found = types[name] - _HOLDERS
    asked, kind = name, FieldKind.OPAQUE
    twin = next((f"{name}.{end}" for end in ("keyword", "raw") if types.get(f"{name}.{end}", frozenset()) == {"keyword"}), None)
    if found <= _KEYWORDS:
        kind = FieldKind.KEYWORD
    elif found <= _TEXTS:
        asked, kind = (name, FieldKind.TEXT) if twin is None else (twin, FieldKind.KEYWORD)
    elif found <= _NUMBERS:
        kind = FieldKind.NUMBER
    caps = [fields[asked][one] for one in types[asked] - _HOLDERS]
    if not all(one.get("searchable") is True for one in caps):
        kind = FieldKind.OPAQUE
    largest = min((_LARGEST.get(one, _LARGEST_OTHER) for one in found), default=0) if kind is FieldKind.NUMBER else 0
    countable = kind in {FieldKind.KEYWORD, FieldKind.NUMBER} and all(one.get("aggregatable") is True for one in caps)
    return Column(name=name, asked=asked, kind=kind, countable=countable, largest=largest)
