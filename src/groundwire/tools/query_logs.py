"""``query_logs``: records of the log sources, newest first, with counts over everything that matched."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, Final

from groundwire.domain.errors import BackendError, InvalidParamsError, NotConfiguredError
from groundwire.domain.incident import Scope, TimeWindow
from groundwire.domain.levels import ACCEPTED_LEVELS, Level, parse_level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import UNKNOWN_LEVEL, LogCounts, LogPage, LogQuery, LogRecord, LogRequest, bucket_width
from groundwire.domain.names import ToolName
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.domain.times import format_instant
from groundwire.ports import CallContext, LogBackend
from groundwire.tools.envelope import SourceOutcome, envelope
from groundwire.tools.fan_out import SourceAnswer, ask_all
from groundwire.tools.params import Params
from groundwire.tools.selection import NO_SCOPES, Asked, Scopes, Selection, labels_of_query
from groundwire.tools.silence import silence_notes

_ACCEPTED: Final = ("service", "query", "level", "since", "until", "limit")
_DEFAULT_LIMIT: Final = 50
_MOST_RECORDS: Final = 500
_LONGEST_TEXT: Final = 16 * 1024
_MOST_FIELDS: Final = 60
_LEVEL_ORDER: Final = (*(level.name for level in sorted(Level, reverse=True)), UNKNOWN_LEVEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """A page, and what its source says of itself. ``newest_record``: a saved source is silent about what came after."""

    page: LogPage
    live: bool
    newest_record: datetime | None
    notes: tuple[str, ...]


class QueryLogs:
    """Asks every log source that covers what is asked the same, and returns one answer in time order."""

    name: str = ToolName.QUERY_LOGS

    def __init__(self, backends: Sequence[LogBackend], scopes: Scopes = NO_SCOPES) -> None:
        self._backends = tuple(backends)
        self._scopes = scopes
        self._described: dict[str, SourceDescription] = {}

    def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        """Return the tool's JSON object; see the contract's ``query_logs``.

        Raises:
            InvalidParamsError: A parameter does not fit, or the query does not parse; no source was asked.
            NotConfiguredError: There is no log source.
        """
        request, asked = _request(params, context)
        if not self._backends:
            raise NotConfiguredError(
                "no log source is configured, so no logs were looked at",
                hint="pass --logs DIR, or name folders in groundwire.toml",
            )
        selection = Selection.of(self._backends, self._scopes, Asked.of(request.service, labels_of_query(request.query)))
        answers = ask_all(selection.asked, lambda backend: self._ask(backend, request), context.deadline)
        answered = [answer.page.page for answer in answers if answer.page is not None]
        records = _newest(answered, request.limit)
        total = sum(page.matched.total for page in answered) if answered else None
        return envelope(
            scope=Scope(window=request.window, filter=asked, labels={"service": request.service} if request.service else {}),
            outcomes=[*(self._outcome(answer, records) for answer in answers), *selection.left_out(SourceKind.LOGS)],
            returned_count=len(records),
            total_count=total,
            fetched_count=_fetched(answered),
            items={
                "logs": [_item(record) for _, record in records],
                "summary": _summary(answered, request.window, is_whole=len(answered) == len(answers)),
            },
        )

    def _ask(self, backend: LogBackend, request: LogRequest) -> _Answer:
        page = backend.search(request)
        notes = page.notes
        is_unseen = page.in_scope.total == 0 and page.undated_count == 0
        description = self._describe(backend, afresh=is_unseen)
        if description is None:
            # A source that cannot say whether it is live is not taken to be: its silence is no absence.
            return _Answer(page=page, live=False, newest_record=None, notes=notes)
        if is_unseen and request.service is not None:
            notes += _unknown_service(request.service, description)
        if request.service is not None:
            notes += silence_notes(request.service, page.in_scope, request.window, description)
        newest = None if description.live else description.newest_record
        return _Answer(page=page, live=description.live, newest_record=newest, notes=notes)

    def _describe(self, backend: LogBackend, *, afresh: bool) -> SourceDescription | None:
        known = self._described.get(backend.name)
        if known is None or afresh or not known.live:
            try:
                self._described[backend.name] = backend.describe()
            except BackendError:
                return known
        return self._described[backend.name]

    def _outcome(self, answer: SourceAnswer[_Answer], records: Sequence[tuple[LogPage, LogRecord]]) -> SourceOutcome:
        known = self._described.get(answer.name)
        if answer.page is None:
            return SourceOutcome(
                name=answer.name, kind=SourceKind.LOGS, live=known is not None and known.live, error=answer.error
            )
        page = answer.page.page
        return SourceOutcome(
            name=answer.name,
            kind=SourceKind.LOGS,
            live=answer.page.live,
            returned_count=sum(owner is page for owner, _ in records),
            total_count=page.matched.total,
            partial_reasons=page.partial_reasons,
            notes=answer.page.notes,
            more={
                "in_scope_count": page.in_scope.total,
                "newest_record": _shown(answer.page.newest_record),
                "fetched_count": page.fetched_count,
            },
        )


def _request(params: Mapping[str, Any], context: CallContext) -> tuple[LogRequest, dict[str, Any]]:
    read = Params(ToolName.QUERY_LOGS, params, _ACCEPTED)
    service, query_text, level_text = read.text("service"), read.text("query"), read.text("level")
    limit = read.count("limit", default=_DEFAULT_LIMIT, most=_MOST_RECORDS)
    window = read.window(context.window)
    level = None
    if level_text is not None:
        level = parse_level(level_text)
        if level is None:
            raise InvalidParamsError(f"level takes one of {ACCEPTED_LEVELS}, not {level_text!r}")
    asked: dict[str, Any] = {"limit": limit}
    if query_text is not None:
        asked["query"] = query_text
    if level is not None:
        asked["level"] = level.name
    request = LogRequest(
        query=_parsed(query_text), service=service, min_level=level, window=window, limit=limit, deadline=context.deadline
    )
    return request, asked


def _parsed(query_text: str | None) -> LogQuery:
    if query_text is None:
        return LogQuery()
    try:
        return parse_log_query(query_text)
    except ValueError as exc:
        raise InvalidParamsError(f"query: {exc}") from exc


def _unknown_service(service: str, description: SourceDescription) -> tuple[str, ...]:
    if description.problems and not description.services:
        return ()  # it could not say whom it knows
    by_folded = {known.casefold(): known for known in description.services}
    if service.casefold() in by_folded:
        return ()
    near = difflib.get_close_matches(service.casefold(), by_folded, n=3, cutoff=0.7)
    near += [folded for folded in by_folded if service.casefold() in folded and folded not in near][:3]
    if near:
        return (f"nothing here is named {service!r}; near to it are {', '.join(by_folded[folded] for folded in near)}",)
    return (f"nothing here is named {service!r}",)


def _fetched(pages: Sequence[LogPage]) -> int | None:
    counts = [page.fetched_count for page in pages if page.fetched_count is not None]
    return sum(counts) if counts else None


def _newest(pages: Sequence[LogPage], limit: int) -> list[tuple[LogPage, LogRecord]]:
    found = [(record.timestamp, page, record) for page in pages for record in page.records if record.timestamp is not None]
    # Stable: records of the same time stay in the order of their source.
    found.sort(key=itemgetter(0), reverse=True)
    return [(page, record) for _, page, record in found[:limit]]


def _summary(pages: Sequence[LogPage], window: TimeWindow, *, is_whole: bool) -> dict[str, Any]:
    width = bucket_width(window)
    histogram: dict[datetime, int] = {}
    for page in pages:
        for start, count in page.histogram.items():
            histogram[start] = histogram.get(start, 0) + count
    matched = [page.matched for page in pages]
    return {
        **_counts(matched),
        "total_is_exact": is_whole and all(counts.is_exact for counts in matched),
        "histogram": [{"start": format_instant(start), "count": histogram[start]} for start in sorted(histogram)],
        "bucket_ms": width // timedelta(milliseconds=1),
        "in_scope": _counts([_scope_of(page) for page in pages])
        | {"total_is_exact": all(page.in_scope.is_exact for page in pages)},
        "undated_count": sum(page.undated_count for page in pages),
    }


def _scope_of(page: LogPage) -> LogCounts:
    """Return the counts of a page's scope; where they are lower bounds, what matched is in scope too."""
    scope, matched = page.in_scope, page.matched
    if scope.is_exact or scope.total >= matched.total:
        return scope
    levels = {*scope.by_level, *matched.by_level}
    by_level = {level: max(scope.by_level.get(level, 0), matched.by_level.get(level, 0)) for level in levels}
    return replace(scope, total=sum(by_level.values()), by_level=by_level)


def _counts(several: Sequence[LogCounts]) -> dict[str, Any]:
    by_level: dict[str, int] = {}
    for counts in several:
        for level, count in counts.by_level.items():
            by_level[level] = by_level.get(level, 0) + count
    return {
        "total": sum(counts.total for counts in several),
        "by_level": {level: by_level[level] for level in _LEVEL_ORDER if level in by_level},
        "first_at": _shown(min((c.first_at for c in several if c.first_at is not None), default=None)),
        "last_at": _shown(max((c.last_at for c in several if c.last_at is not None), default=None)),
    }


def _shown(moment: datetime | None) -> str | None:
    return None if moment is None else format_instant(moment)


def _item(record: LogRecord) -> dict[str, Any]:
    return {
        "timestamp": _shown(record.timestamp),
        "level": None if record.level is None else record.level.name,
        "service": record.service,
        "instance": record.instance,
        "message": _bounded(record.message),
        "source": record.source,
        "fields": _bounded_fields(record.fields.items()),
    }


def _bounded(text: str) -> str:
    if len(text) <= _LONGEST_TEXT:
        return text
    return f"{text[:_LONGEST_TEXT]} [cut: {len(text) - _LONGEST_TEXT} more characters]"


def _bounded_fields(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    bounded: dict[str, Any] = {}
    left = _LONGEST_TEXT
    dropped = 0
    for name, value in fields:
        size = len(name) + len(str(value))
        if len(bounded) >= _MOST_FIELDS or (size > left and not isinstance(value, str)) or left <= 0:
            dropped += 1
            continue
        bounded[name] = value if size <= left else f"{value[:left]} [cut: {len(value) - left} more characters]"
        left -= size
    if dropped:
        bounded["[left out]"] = f"{dropped} more fields"
    return bounded
