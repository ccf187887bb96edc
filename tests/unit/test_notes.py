"""Notes of sources: what several calls say of other files each is said once, and what differs in anything else is not."""

from __future__ import annotations

import pytest

from groundwire.evidence.notes import folded

AHEAD = "logs: the clock inside the lines of {} runs 8 h ahead of that of the container runtime, whose times are used"


def test_a_note_about_one_file_after_the_other_is_one_note_that_names_them() -> None:
    assert folded([AHEAD.format("a.log"), AHEAD.format("b.log")]) == (AHEAD.format("a.log, b.log"),)


def test_files_that_were_only_counted_stay_counted() -> None:
    notes = [AHEAD.format("a.log, b.log, c.log and 24 more"), AHEAD.format("d.log"), AHEAD.format("e.log")]
    assert folded(notes) == (AHEAD.format("a.log, b.log, c.log and 24 more"),)


def test_more_names_than_were_counted_are_counted() -> None:
    assert folded([AHEAD.format(f"{name}.log") for name in "abcde"]) == (AHEAD.format("a.log, b.log, c.log and 2 more"),)


def test_other_notes_stay_between_and_their_order_too() -> None:
    notes = ["logs: some other thing was seen", AHEAD.format("a.log"), "am: kept", AHEAD.format("b.log"), "am: kept"]
    assert folded(notes) == ("logs: some other thing was seen", AHEAD.format("a.log, b.log"), "am: kept")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (AHEAD.format("a.log"), AHEAD.replace("8 h", "2 h").format("b.log")),
        ("logs: 3 entries longer than 64 KB were cut", "logs: 5 entries longer than 64 KB were cut"),
        ("logs: it was read up to 2026-11-20T10:00:00Z alone", "logs: it was read up to 2026-11-20T11:00:00Z alone"),
        ("a.log was cut", "b.log was cut"),
        ("logs: the service checkout fell silent in the window", "logs: the service cart fell silent in the window"),
    ],
)
def test_what_differs_in_a_number_a_time_or_a_word_is_two_notes(one: str, two: str) -> None:
    assert folded([one, two]) == (one, two)
