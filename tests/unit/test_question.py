"""Questions: kind, subjects, window and terms, checked against what the sources have."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from groundwire.domain.errors import UsageError
from groundwire.domain.incident import Question
from groundwire.domain.metrics import Alert
from groundwire.services.question import Asked, Known, read_question

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SERVICES = ("ts-order-service", "ts-order-other-service", "ts-travel-service", "ts-travel2-service", "ts-food-service")


def asked(
    text: str, *, alerts: tuple[Alert, ...] = (), newest: datetime | None = None, services: tuple[str, ...] = ()
) -> Question:
    known = Known(services=SERVICES, alerts=alerts, newest_saved_record=lambda names: newest, now=NOW)
    return read_question(Asked(text=text, services=services), known)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("why is order-service failing?", "diagnose"),
        ("what is wrong with travel", "diagnose"),
        ("checkout broken", "diagnose"),
        ("is the food service healthy?", "status"),
        ("are there errors in ts-food-service", "status"),
        ("which alerts fired?", "status"),
        ("Show me the firing alerts", "status"),
        ("what's firing?", "status"),
        ("which alerts fired and why?", "diagnose"),
        ("what is the alert PoolFull about", "diagnose"),
        ("what do we know about connection pools", "lookup"),
        ("how many errors did ts-food-service log?", "status"),
        ("订单为什么失败", "diagnose"),
        ("ts-food-service 有错误吗?", "status"),
        ("哪些告警在触发", "status"),
        ("ts-food-service 有多少错误", "status"),
        ("是因为数据库吗", "diagnose"),
    ],
)
def test_the_kind_is_what_the_question_wants(text: str, kind: str) -> None:
    assert asked(text).kind == kind


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("why is ts-travel-service failing?", ("ts-travel-service",)),
        ("why is travel failing?", ("ts-travel-service",)),
        ("why do orders fail?", ("ts-order-service",)),
        ("is the food service healthy", ("ts-food-service",)),
        ("why are requests failing?", ()),
        ("what is wrong?", ()),
        ("why is billing-service failing?", ("billing-service",)),
        ("is checkout healthy?", ("checkout",)),
        ("why is checkout failing?", ("checkout",)),
        ("is the database healthy?", ("database",)),
        ("is billing healthy?", ("billing",)),
        ("which alerts are firing?", ()),
        ("what is firing?", ()),
        ("which alerts were active in the last hour?", ()),
        ("which alerts fired for checkout?", ("checkout",)),
        ("how many errors were logged by checkout?", ("checkout",)),
        ("are there errors in production?", ()),
    ],
)
def test_subjects_are_spelled_as_the_sources_spell_them_and_an_unknown_one_stays_one(
    text: str, subjects: tuple[str, ...]
) -> None:
    assert asked(text).subjects == subjects


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what broke in the last 30 minutes", "2026-11-30T11:30:00Z", "2026-11-30T12:00:00Z"),
        ("why did travel fail between 10:02 and 10:06", "2026-11-30T10:02:00Z", "2026-11-30T10:07:00Z"),
        ("errors between 23:50 and 00:10", "2026-11-29T23:50:00Z", "2026-11-30T00:11:00Z"),
        ("what happened at 2026-11-12T10:00:00Z", "2026-11-12T09:30:00Z", "2026-11-12T10:15:00Z"),
        ("errors on 2023-01-29", "2023-01-29T00:00:00Z", "2023-01-30T00:00:00Z"),
    ],
)
def test_a_time_in_the_question_makes_the_window(text: str, start: str, end: str) -> None:
    question = asked(text)
    assert (question.window.to_json(), question.window_source) == ({"start": start, "end": end}, "question")


def alert(onset: datetime) -> Alert:
    return Alert(
        alert_name="TravelErrors",
        state="firing",
        service="ts-travel-service",
        severity="critical",
        value=1.0,
        value_text=None,
        active_at=onset,
        ends_at=None,
    )


def test_the_window_of_an_alert_is_from_half_an_hour_before_its_onset_and_never_beyond_now() -> None:
    early, late = NOW - timedelta(hours=2), NOW - timedelta(minutes=5)
    question = asked("why is travel failing?", alerts=(alert(early),))
    assert question.window_source == "alert"
    assert (question.window.start, question.window.end) == (early - timedelta(minutes=30), early + timedelta(minutes=15))
    assert asked("why is travel failing?", alerts=(alert(late),)).window.end == NOW
    assert asked("why is food failing?", alerts=(alert(early),)).window_source == "default"


def test_saved_records_are_asked_about_up_to_the_newest_of_them() -> None:
    newest = datetime(2023, 1, 29, 10, 6, 6, 500_000, tzinfo=UTC)
    question = asked("what is wrong?", newest=newest)
    assert question.window_source == "newest_record"
    assert question.window.to_json() == {"start": "2023-01-29T09:06:07Z", "end": "2023-01-29T10:06:07Z"}


@pytest.mark.parametrize("text", ["", "  \n", "?", "...", "x" * 8001, "what broke at 25:99"])
def test_a_question_that_cannot_be_read_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        asked(text)
    assert refused.value.message


def test_a_secret_in_the_question_is_no_search_word() -> None:
    question = asked("why is travel failing? password=hunter2secret")
    assert "hunter2secret" not in f"{question.text} {question.terms}"


@pytest.mark.parametrize("newest", ["0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.500000+00:00"])
@pytest.mark.parametrize(
    "text", ["what is wrong?", "what broke at 00:00", "what broke at 23:59:59", "what broke in the last day"]
)
def test_a_record_dated_at_an_end_of_the_calendar_takes_no_question_down(text: str, newest: str) -> None:
    window = asked(text, newest=datetime.fromisoformat(newest)).window
    assert window.start < window.end


@pytest.mark.parametrize(
    "text",
    [
        "what broke at 0001-01-01T00:00",
        "what broke at 9999-12-31T23:59:59",
        "what broke between 0001-01-01T00:00 and 9999-12-31T23:59",
        "what broke on 9999-12-31",
    ],
)
def test_a_question_about_an_end_of_the_calendar_has_a_window_up_to_it(text: str) -> None:
    window = asked(text).window
    assert window.start < window.end


def test_an_instant_that_is_in_no_calendar_once_it_is_in_utc_is_refused_in_one_sentence() -> None:
    with pytest.raises(UsageError, match="the time in the question makes no window"):
        asked("what broke since 0001-01-01T00:00:00+14:00")


def test_secrets_in_labels_of_a_pasted_alert_are_masked_in_what_a_question_is_read_as() -> None:
    secret = "password=hunter2Xx9Qq"
    pasted = replace(alert(NOW), alert_name=f"Down {secret}", service=secret)
    known = Known(services=(), alerts=(), newest_saved_record=lambda names: None, now=NOW)
    question = read_question(Asked(text="Alert is firing.", alerts=(pasted,)), known)
    assert question.subjects == ("password=[masked:password]",)
    assert question.alert_names == ("Down password=[masked:password]",)
