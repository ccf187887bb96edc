"""Writes LogsQL: filters over the fields that there are, which lose nothing of what is asked.

Source:
    VictoriaLogs 1.x documentation, "LogsQL": time, regular expression, empty value and logical filters. A regular expression
    finds its text anywhere in a field; a field that is not there is an empty one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from groundwire.adapters.logs.entry import Span
from groundwire.adapters.logs.entry_labels import are_told_apart, instance_labels, level_labels, service_labels, weak_labels
from groundwire.adapters.logs.loki_query import quoted
from groundwire.adapters.logs.needed_texts import is_plain, literal
from groundwire.domain.levels import Level, spellings

_OWN_FIELDS: Final = ("_time", "_stream", "_stream_id")
_MESSAGE: Final = "_msg"
_LONGEST: Final = 20_000
_ANY_LEVEL: Final = f"^({'|'.join(spellings())}|[0-9]{{1,2}})$"


def time_filter(span: Span) -> str:
    """Return the filter for a span of time, to the nanosecond."""
    return f"_time:[{_written(span.start)}, {_written(span.end)})"


def service_filters(service: str, fields: Sequence[str]) -> tuple[str, str]:
    """Return two filters: one for the entries whose fields name the service, or an instance as it is called, and one for
    those whose fields name no service and whose text may.
    """
    whole = f"^{literal(service)}$"
    shipped = weak_labels(fields)
    # The agents of Loki make a service_name of the job: it is none of the service's own.
    naming = [name for name in service_labels(fields) if not (shipped and name == "service_name")]
    services, instances = service_labels(fields), instance_labels(fields)
    if are_told_apart(fields):
        named = [chain for chain in (_first_holds(services, whole), _first_holds(instances, whole)) if chain]
    else:
        named = [_holds(name, whole) for name in (*services, *instances)]
    nameless = [f'{quoted(name)}:""' for name in naming]
    if is_plain(service):
        texts = [_holds(_MESSAGE, literal(service)), *(_holds(name, whole) for name in shipped)]
        nameless.append(f"({' or '.join(texts)})")
    return f" ({' or '.join(named)})" if named else "", f" ({' '.join(nameless)})" if nameless else ""


def level_filter(min_level: Level | None, fields: Sequence[str]) -> str:
    """Return the filter that leaves out entries whose fields say, for certain, a lesser level."""
    if min_level is None or not (low := spellings(below=min_level)):
        return ""
    condition, lesser = "", f"^({'|'.join(low)})$"
    for name in reversed(level_labels(fields)):
        own = f"!{_holds(name, lesser)}"
        condition = own if not condition else f"{own} ({_holds(name, _ANY_LEVEL)} or ({condition}))"
    return f" ({condition})" if condition else ""


def text_filters(texts: Sequence[str], fields: Sequence[str]) -> str:
    """Return filters that want each of the expressions in some field; none where that would be too long a query."""
    searched = [name for name in dict.fromkeys((_MESSAGE, *fields)) if name not in _OWN_FIELDS]
    written = "".join(f" ({' or '.join(_holds(name, text) for name in searched)})" for text in texts)
    return written if len(written) <= _LONGEST else ""


def _holds(field: str, expression: str) -> str:
    return f"{quoted(field)}:~{quoted(f'(?i){expression}')}"


def _first_holds(fields: Sequence[str], expression: str) -> str:
    """Return the filter for entries of which the first of the fields that is there holds an expression."""
    condition = ""
    for name in reversed(fields):
        own = _holds(name, expression)
        condition = own if not condition else f'{own} or ({quoted(name)}:"" ({condition}))'
    return condition


def _written(at_ns: int) -> str:
    seconds, rest = divmod(at_ns, 1_000_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:19]}.{rest:09}Z"
