"""Alert files as people have them: missing, unreadable, of another shape, copied, saved by another tool."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.adapters.metrics.snapshot import SavedAlerts
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendMalformedError, BackendUnavailableError

PROMETHEUS = (
    '{"status":"success","data":{"alerts":[{"labels":{"alertname":"PoolFull","service":"shop"},"annotations":{},'
    '"state":"firing","activeAt":"2026-11-12T09:52:00Z","value":"5e+01"},{"labels":{"alertname":"Slow","service":"cart"},'
    '"annotations":{},"state":"pending","activeAt":"2026-11-12T10:12:30Z","value":"2.4"}]}}'
)
ACCEPTED = (
    "a saved answer of Prometheus /api/v1/alerts or of Alertmanager /api/v2/alerts, or the body of an alert webhook, as JSON"
)


def _write(folder: Path, content: str | bytes) -> Path:
    file = folder / "alerts.json"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def _fault(source: SavedAlerts) -> BackendError:
    with pytest.raises(BackendError) as raised:
        source.alerts(Deadline.after(5))
    assert source.describe().problems == (raised.value.message,)
    return raised.value


def test_a_missing_file_a_folder_and_an_unreadable_file_are_named(tmp_path: Path) -> None:
    missing = _fault(SavedAlerts("alerts.json", tmp_path / "alerts.json"))
    assert isinstance(missing, BackendUnavailableError)
    assert missing.message == f'alerts.json: cannot read alerts from "{tmp_path}/alerts.json": no such file'
    assert missing.hint == f"Give {ACCEPTED}."
    assert _fault(SavedAlerts("a", tmp_path)).message.endswith("it is not a regular file")
    os.mkfifo(tmp_path / "pipe")
    assert _fault(SavedAlerts("a", tmp_path / "pipe")).message.endswith("it is not a regular file")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON: it is empty"),
        ("firing: PoolFull", "is not JSON: Expecting value at line 1, column 1"),
        (PROMETHEUS[:-3], f"is not JSON: Expecting ',' delimiter at line 1, column {len(PROMETHEUS) - 2}"),
        ('{"groups": []}', "cannot be used: it is an object with groups"),
        ('"down"', "cannot be used: it is a text"),
        ("[1, 2]", "cannot be used: alert 0 cannot be read: it is a number, not an object"),
        (
            '{"status":"error","errorType":"unauthorized","error":"no token"}',
            "cannot be used: it is the saved answer of a server that refused (unauthorized: no token)",
        ),
        ('{"data":{"alerts":{"a":1}}}', "cannot be used: at data.alerts there is an object with a, not a list of alerts"),
    ],
)
def test_a_file_of_another_shape_is_one_clear_sentence(content: str, said: str, tmp_path: Path) -> None:
    error = _fault(SavedAlerts("a", _write(tmp_path, content)))
    assert isinstance(error, BackendMalformedError)
    assert error.message == f'a: "{tmp_path}/alerts.json" {said}; accepted is {ACCEPTED}'
    assert error.answer == content


def test_a_file_beyond_64_mb_is_refused(tmp_path: Path) -> None:
    file = _write(tmp_path, b"")
    os.truncate(file, 64 * 1024 * 1024 + 1)
    assert _fault(SavedAlerts("a", file)).message.endswith("it is larger than 64 MB")


def test_a_copied_file_is_as_of_the_newest_time_in_it_and_not_of_the_copying(tmp_path: Path) -> None:
    file = _write(tmp_path, PROMETHEUS)
    copied_at = datetime(2026, 11, 12, 12, 0, tzinfo=UTC).timestamp()
    os.utime(file, (copied_at, copied_at))
    source = SavedAlerts("a", file)
    page = source.alerts(Deadline.after(5))
    assert page.as_of == datetime(2026, 11, 12, 10, 12, 30, tzinfo=UTC)
    assert page.live is False
    assert page.notes[0].startswith("saved at 2026-11-12T10:12:30Z or later, by the newest time in it")
    assert source.describe().newest_record == page.as_of


def test_an_alertmanagers_answer_is_as_of_when_it_last_heard_of_an_alert(tmp_path: Path) -> None:
    item = (
        '[{"labels":{"alertname":"PoolFull"},"annotations":{},"status":{"state":"active"},'
        '"startsAt":"2026-11-12T09:52:00Z","updatedAt":"2026-11-12T10:10:00Z","endsAt":"2026-11-12T10:14:00Z"}]'
    )
    assert SavedAlerts("a", _write(tmp_path, item)).alerts(Deadline.after(5)).as_of == datetime(2026, 11, 12, 10, 10, tzinfo=UTC)


def test_a_file_without_times_is_as_of_its_last_modification_and_says_so(tmp_path: Path) -> None:
    file = _write(tmp_path, '{"state":"normal","commonLabels":{"alertname":"HealthCheck","service":"shop"}}')
    saved_at = datetime(2026, 11, 12, 12, 0, tzinfo=UTC)
    os.utime(file, (saved_at.timestamp(), saved_at.timestamp()))
    source = SavedAlerts("a", file)
    page = source.alerts(Deadline.after(5))
    assert (page.alerts[0].state, page.alerts[0].active_at, page.as_of) == ("inactive", None, saved_at)
    assert page.notes == ("no time stands in the file; it was last modified at 2026-11-12T12:00:00Z",)
    assert source.describe().newest_record is None


def test_a_file_saved_with_a_byte_order_mark_or_in_utf_16_is_read(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        page = SavedAlerts("a", _write(tmp_path, PROMETHEUS.encode(encoding))).alerts(Deadline.after(5))
        assert [alert.alert_name for alert in page.alerts] == ["PoolFull", "Slow"]
        assert page.partial_reasons == ()


def test_an_empty_list_of_alerts_is_an_answer_and_no_fault(tmp_path: Path) -> None:
    for content in ("[]", '{"status":"success","data":{"alerts":[]}}', '{"alerts":[]}'):
        page = SavedAlerts("a", _write(tmp_path, content)).alerts(Deadline.after(5))
        assert (page.alerts, page.partial_reasons, page.live) == ((), (), False)


def test_warnings_saved_with_the_answer_are_kept(tmp_path: Path) -> None:
    content = PROMETHEUS.replace('"status"', '"warnings":["rule group shop was skipped"],"status"', 1)
    page = SavedAlerts("a", _write(tmp_path, content)).alerts(Deadline.after(5))
    assert page.partial_reasons == ("warning: rule group shop was skipped",)


def test_the_given_moment_wins_over_the_file(tmp_path: Path) -> None:
    moment = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
    source = SavedAlerts("a", _write(tmp_path, PROMETHEUS), as_of=moment)
    assert source.alerts(Deadline.after(5)).as_of == moment
    assert source.describe().newest_record == moment
