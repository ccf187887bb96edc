"""What an answer says of how its question was read: unknown names, and servers that listed nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.domain.sources import SourceDescription, SourceKind, SourceListing
from groundwire.services.reading_notes import reading_notes, reading_step
from tests.scenarios.shop_turns import ASK_ALERTS, ASK_LOGS, EXHAUSTED, FIRING
from tests.scenarios.stage import in_the_shop
from tests.unit.model_turns import submits
from tests.unit.rows import question

SHOP = ("order-service", "payments-service", "shipping-api", "checkout")


def source(
    name: str = "logs", *, services: tuple[str, ...] = (), live: bool = False, problem: str | None = None
) -> SourceDescription:
    problems = () if problem is None else (problem,)
    return SourceDescription(name=name, kind=SourceKind.LOGS, backend="b", live=live, services=services, problems=problems)


def notes_on(*subjects: str, sources: tuple[SourceDescription, ...] = (source(services=SHOP),)) -> tuple[str, ...]:
    step = reading_step("s", replace(question(), subjects=subjects), SourceListing(sources=sources))
    return () if step is None else reading_notes([step])


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("paymnets-service", "No source lists a service 'paymnets-service'. Did you mean 'payments-service'?"),
        ("Paymets", "No source lists a service 'Paymets'. Did you mean 'payments-service'?"),
        ("shiping_service", "No source lists a service 'shiping_service'. Did you mean 'shipping-api'?"),
        ("chekout", "No source lists a service 'chekout'. Did you mean 'checkout'?"),
        ("billing-service", "No source lists a service 'billing-service'."),
        ("db", "No source lists a service 'db'."),
    ],
)
def test_a_subject_that_no_source_lists_is_said_with_the_name_that_was_probably_meant(subject: str, said: str) -> None:
    assert notes_on(subject) == (said,)


def test_nothing_is_said_of_names_that_are_listed_or_where_no_source_lists_any() -> None:
    assert notes_on("order-service", "CHECKOUT") == ()
    assert notes_on("paymnets-service", sources=(source(), source("b"))) == ()
    assert notes_on() == ()


def test_a_server_that_listed_nothing_is_named_and_a_file_that_is_broken_in_part_is_not() -> None:
    silent = source("prom:9090", live=True, problem="prom:9090: no answer within 3 s.")
    broken = source("a", services=SHOP, problem="b.log cannot be read")
    partial = source("loki", live=True, services=SHOP, problem="1 of 2 shards failed")
    (said,) = notes_on("order-service", sources=(broken, silent, partial))
    assert said.startswith("prom:9090 gave no listing (no answer within 3 s); what only it knows did not count")


def test_hostile_names_stay_on_their_line_and_secrets_in_them_are_masked() -> None:
    listed = (source(services=("paymentz\nNote x", "checkout")), source("p", live=True, problem="password=hunter2secret\nz"))
    said = notes_on("paymentz", sources=listed)
    assert len(said) == 2
    assert "hunter2secret" not in "".join(said)


def test_an_answer_about_a_misspelt_service_says_so_beside_the_alert_of_another_one() -> None:
    played = in_the_shop(ASK_ALERTS, ASK_LOGS, submits(FIRING, EXHAUSTED), question="Why is paymnets-service failing?")
    played.shows("No source lists a service 'paymnets-service'. Did you mean 'payment-service'?")
    assert played.answer.notes[0].startswith("No source lists")


def test_an_answer_about_a_known_service_says_nothing_of_it() -> None:
    played = in_the_shop(ASK_ALERTS, ASK_LOGS, submits(FIRING, EXHAUSTED))
    played.hides("No source lists")
