"""Alerts from a file: an answer that somebody saved, or the notification that arrived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from groundwire.adapters.metrics.alert_fields import ShapeError
from groundwire.adapters.metrics.alert_shapes import ParsedAlerts
from groundwire.adapters.metrics.pasted import recognised_alerts
from groundwire.adapters.servers.json_body import JsonBody, NotJsonError, read_json
from groundwire.adapters.servers.words import text_list
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendMalformedError, BackendUnavailableError, NotConfiguredError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.domain.times import format_instant

_FILE_LIMIT: Final = 64 * 1024 * 1024
_ACCEPTED: Final = (
    "a saved answer of Prometheus /api/v1/alerts or of Alertmanager /api/v2/alerts, or the body of an alert webhook, as JSON"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """The file as it was read: its alerts, and when it was last modified."""

    parsed: ParsedAlerts
    modified_at: datetime
    reasons: tuple[str, ...]
    notes: tuple[str, ...]


class SavedAlerts:
    """A ``MetricBackend`` over one JSON file. It shows one moment, ``as_of``, and is silent about any later one.

    ``as_of`` is given, or is the newest time that stands in the file: it was saved then or later, so durations are the
    least that they can be. The file's modification time would often be later than the truth, since copying changes it; it
    is used only where no time stands in the file. The notes say which it was.
    """

    def __init__(self, name: str, path: Path, *, as_of: datetime | None = None) -> None:
        self.name = name
        self._path = path
        self._as_of = as_of

    def describe(self) -> SourceDescription:
        services: tuple[str, ...] = ()
        newest: datetime | None = None
        problems: tuple[str, ...] = ()
        try:
            reading = self._read()
            services = tuple(sorted({alert.service for alert in reading.parsed.alerts if alert.service}))
            newest = self._moment(reading)[0] if self._as_of or reading.parsed.newest else None
        except BackendError as exc:
            problems = (exc.message,)
        return SourceDescription(
            name=self.name,
            kind=SourceKind.ALERTS,
            backend="saved alerts",
            live=False,
            services=services,
            newest_record=newest,
            problems=problems,
        )

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        reading = self._read()
        as_of, note = self._moment(reading)
        return AlertPage(
            alerts=reading.parsed.alerts,
            as_of=as_of,
            live=False,
            partial_reasons=(*reading.reasons, *reading.parsed.reasons),
            notes=(note, *reading.notes),
        )

    def query(self, request: SeriesRequest) -> SeriesPage:
        raise NotConfiguredError(
            f"{self.name} is a file of saved alerts, which has no series: PromQL needs a live Prometheus",
            hint="Give the URL of a Prometheus with --metrics.",
        )

    def _moment(self, reading: _Reading) -> tuple[datetime, str]:
        """Return when the alerts were as the file shows them, and how that is known."""
        newest = reading.parsed.newest
        if self._as_of is not None:
            return self._as_of, f"saved at {format_instant(self._as_of)}; it says nothing about any later time"
        if newest is None:
            moment = reading.modified_at
            return moment, f"no time stands in the file; it was last modified at {format_instant(moment)}"
        return newest, (
            f"saved at {format_instant(newest)} or later, by the newest time in it: durations are the least that they can be, "
            "and it says nothing about any later time"
        )

    def _read(self) -> _Reading:
        content, modified_at = self._content()
        try:
            body = read_json(content)
        except NotJsonError as exc:
            raise self._malformed(f"is not JSON: {exc}", exc.start) from exc
        try:
            parsed = recognised_alerts(body.value)
        except ShapeError as exc:
            raise self._malformed(f"cannot be used: {exc}", body.start) from exc
        return _Reading(parsed=parsed, modified_at=modified_at, reasons=_warnings(body), notes=body.notes)

    def _content(self) -> tuple[bytes, datetime]:
        try:
            # Opening anything else, such as a pipe, could wait forever.
            if self._path.exists() and not self._path.is_file():
                raise self._unavailable("it is not a regular file")
            with self._path.open("rb") as file:
                content = file.read(_FILE_LIMIT + 1)
            modified_at = datetime.fromtimestamp(self._path.stat().st_mtime, UTC).replace(microsecond=0)
        except FileNotFoundError as exc:
            raise self._unavailable("no such file") from exc
        except (OSError, ValueError, OverflowError) as exc:
            raise self._unavailable(getattr(exc, "strerror", None) or str(exc)) from exc
        if len(content) > _FILE_LIMIT:
            raise self._unavailable(f"it is larger than {_FILE_LIMIT // 1024 // 1024} MB")
        return content, modified_at

    def _unavailable(self, reason: str) -> BackendUnavailableError:
        return BackendUnavailableError(self.name, f'cannot read alerts from "{self._path}": {reason}', hint=f"Give {_ACCEPTED}.")

    def _malformed(self, what: str, answer: str) -> BackendMalformedError:
        return BackendMalformedError(self.name, f'"{self._path}" {what}; accepted is {_ACCEPTED}', answer=answer)


def _warnings(body: JsonBody) -> tuple[str, ...]:
    warnings = body.value.get("warnings") if isinstance(body.value, dict) else None
    return tuple(f"warning: {text}" for text in text_list(warnings))
