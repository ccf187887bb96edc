"""Thresholds, changes and negations of a cited series: each word that turns the sense is computed or holds the claim back."""

from __future__ import annotations

import pytest

from groundwire.domain.names import Verdict
from tests.unit.series_samples import assert_verdict

S, C, U, X = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE
NOT_S = (C, U, X)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checkout's CPU usage stayed above 400 millicores for 3 minutes.", S),
        ("checkout's CPU usage exceeded 400 millicores in 3 of the 10 samples.", S),
        ("checkout's CPU usage exceeded 400 millicores in 4 of the 10 samples.", C),
        ("checkout's CPU usage was above 400 millicores in 30 % of the samples.", S),
        ("CPU usage of checkout was mostly above 121 millicores.", S),
        ("CPU usage of checkout was above 80 millicores.", S),
        ("CPU usage of checkout was above 700 millicores.", C),
        ("The first sample of checkout's CPU usage is below the last.", C),
        ("The first sample of checkout's CPU usage is above the last.", S),
        ("At some point checkout's CPU usage exceeded 700 millicores.", C),
        ("700 millicores was exceeded by checkout's CPU usage at least once.", C),
        ("At least one sample of checkout's CPU usage lies north of 700 millicores.", C),
        ("At least one sample of checkout's CPU usage lies north of 600 millicores.", S),
        ("checkout's CPU usage climbed beyond 700 millicores.", C),
        ("checkout's CPU usage was seen above 600 millicores.", S),
        ("Every single sample has checkout's CPU usage above 200 millicores.", C),
        ("checkout's CPU usage had a permanent place above 200 millicores.", C),
        ("At every sample the CPU usage of checkout was over 200 millicores.", C),
    ],
)
def test_a_threshold_is_held_against_every_sample(text: str, expected: Verdict | tuple[Verdict, ...]) -> None:
    assert_verdict(text, expected, "i1.series.0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checkout's CPU usage went from 120 to 612 millicores and then fell to 90.", S),
        ("checkout's CPU usage went from 120 to 612 millicores and then fell to 10.", C),
        ("CPU usage of checkout spiked.", S),
        ("CPU usage of checkout was flat.", C),
        ("CPU usage of checkout rose and then fell.", S),
        ("checkout's CPU usage jumped from 125 to 480 millicores within one minute.", S),
        ("At the end of the window checkout's CPU usage was back to 90 millicores.", S),
        ("checkout's CPU usage ended higher than it started.", C),
        ("checkout's CPU usage ended lower than it started.", S),
        ("checkout's CPU usage was higher at the end than at the beginning.", C),
        ("checkout's CPU usage was lower at the end than at the beginning.", S),
        ("checkout's CPU usage began lower than it ended.", C),
        ("checkout's CPU usage began higher than it ended.", S),
        ("checkout's CPU usage grew from 120 to 90 millicores.", C),
        ("checkout's CPU usage grew, from 120 millicores to 90.", C),
        ("checkout's CPU usage went down overall.", S),
        ("checkout's CPU usage went up overall.", C),
        ("checkout's final CPU usage of 90 millicores is less than the 120 it began with.", S),
        ("checkout's final CPU usage of 90 millicores is more than the 120 it began with.", C),
        ("checkout's CPU usage was up at the end, compared with the start.", C),
        ("checkout's CPU usage was down at the end, compared with the start.", S),
        ("checkout's CPU usage opened at 120 millicores and closed at 90.", S),
        ("checkout's CPU usage opened at 90 millicores and closed at 120.", C),
        ("checkout's CPU usage lost 30 millicores between first and last sample.", S),
        ("Net change of checkout's CPU usage: 120 -> 90 millicores.", S),
        ("checkout's CPU usage went up to 612.4 millicores at most.", S),
        ("The upper end of checkout's CPU usage is 612.4 millicores.", S),
        ("checkout's CPU usage fell to a minimum of 90 millicores.", S),
        ("The lower end of checkout's CPU usage is 90 millicores.", S),
        ("checkout's CPU usage went from 90 millicores at the lowest to 612.4 millicores at the highest.", S),
        ("checkout's CPU usage took values from 90 millicores to 612.4 millicores.", S),
        ("checkout's CPU usage ranges from a low of 90 millicores to a high of 612.4 millicores.", S),
        ("checkout's CPU usage moved in a corridor from 90 millicores to 612.4 millicores.", S),
        ("The series of checkout's CPU usage ends on 90 millicores.", S),
        ("checkout's CPU usage came down from 120 millicores to 90 millicores.", S),
        ("checkout's CPU usage went from 120 millicores down to 90 millicores.", S),
        ("checkout's CPU usage fell 25 %.", S),
        ("checkout's CPU usage fell by a quarter.", S),
        ("checkout's CPU usage is 30 millicores lower at the end than at the start.", S),
        ("checkout's CPU usage was 120 millicores to begin with and 90 millicores in the end.", S),
        ("checkout's CPU usage: 120 millicores at the start, 90 millicores at the end, so it fell.", S),
        ("checkout's CPU usage decreased over time.", S),
        ("At the end checkout's CPU usage was below where it started.", S),
        ("At the end checkout's CPU usage was above where it started.", C),
        ("The end value of checkout's CPU usage is lower than the start value.", S),
        ("checkout's CPU usage finished below its starting point.", S),
        ("checkout's CPU usage trended down over the window.", S),
        ("checkout's CPU usage shows a decrease from the first sample (120 millicores) to the last (90 millicores).", S),
        ("checkout's CPU usage shows an increase from the first sample (120 millicores) to the last (90 millicores).", C),
    ],
)
def test_a_change_is_one_from_the_first_sample_to_the_last(text: str, expected: Verdict | tuple[Verdict, ...]) -> None:
    assert_verdict(text, expected, "i1.series.0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Between 09:30 and 09:32 the CPU usage of checkout never exceeded 130 millicores.", S),
        ("Between 09:30 and 09:34 the CPU usage of checkout never exceeded 130 millicores.", C),
        ("At 09:33 checkout's CPU usage was not 480 millicores.", C),
        ("CPU usage of checkout did not spike.", C),
        ("checkout's CPU usage never decreased.", C),
        ("CPU usage of checkout did not exceed 400 millicores.", C),
        ("CPU usage of checkout failed to exceed 400 millicores.", C),
        ("CPU usage of checkout failed to reach 700 millicores.", S),
        ("No sample of checkout's CPU usage is above 613 millicores.", S),
        ("No sample of checkout's CPU usage is above 600 millicores.", C),
        ("Not all samples of checkout's CPU usage are above 100 millicores.", S),
        ("Not all samples of checkout's CPU usage are above 80 millicores.", C),
        ("CPU usage of checkout was not always below 600 millicores.", S),
        ("CPU usage of checkout peaked at 612 millicores, then it never fell.", NOT_S),
        ("It is not true that CPU usage of checkout peaked at 612 millicores.", NOT_S),
        ("checkout's CPU usage never dropped below its minimum of 90 millicores.", S),
        ("checkout's CPU usage never went below 612 millicores.", C),
        ("checkout's CPU usage did not get any lower than 612 millicores.", NOT_S),
        ("checkout's CPU usage did not get any lower than 90 millicores.", S),
        ("Not for a moment did checkout's CPU usage drop below 200 millicores.", NOT_S),
        ("Not for a moment did checkout's CPU usage drop below 80 millicores.", S),
        ("200 millicores was a floor that checkout's CPU usage never broke.", NOT_S),
        ("There was no moment at which checkout's CPU usage was under 200 millicores.", NOT_S),
        ("There was no moment at which checkout's CPU usage was under 85 millicores.", S),
        ("checkout's CPU usage never left the region above 200 millicores.", NOT_S),
        ("checkout showed no CPU usage greater than 612.4 millicores.", S),
        ("checkout showed no CPU usage greater than 512.4 millicores.", C),
        ("checkout never used more CPU than 612.4 millicores.", S),
        ("checkout never used more CPU than 512.4 millicores.", C),
        ("checkout's CPU usage did not get any higher than 612.4 millicores.", S),
        ("Nothing above 612.4 millicores was seen in checkout's CPU usage.", S),
        ("checkout's CPU usage was never greater than 612.4 millicores.", S),
        ("checkout's CPU usage was never smaller than 90 millicores.", S),
        ("checkout's CPU usage did not dip below 90 millicores.", S),
        ("checkout's CPU usage sank no further than 90 millicores.", S),
        ("No sample of checkout's CPU usage lies outside 90 millicores to 612.4 millicores.", S),
        ("checkout's CPU usage never left the range from 90 millicores to 612.4 millicores.", S),
        ("checkout's CPU usage never left the range from 90 millicores to 512.4 millicores.", C),
        ("None of the samples of checkout's CPU usage is higher than the one at 09:34.", S),
        ("checkout's CPU usage was never higher than at 09:34.", S),
        ("checkout's CPU usage was never higher than at 09:33.", C),
        ("checkout's CPU usage sank no further than 95 millicores.", NOT_S),
    ],
)
def test_a_negation_is_computed_in_its_sense(text: str, expected: Verdict | tuple[Verdict, ...]) -> None:
    assert_verdict(text, expected, "i1.series.0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CPU on checkout reached 612 cores at its peak.", NOT_S),
        ("checkout's CPU usage stayed above 400 millicores for 6 minutes.", NOT_S),
        ("The p95 of checkout's CPU usage over the window is 512 millicores.", NOT_S),
        ("The CPU usage rate of checkout was highest at 09:34.", NOT_S),
        ("The memory usage of checkout was highest at 09:34.", NOT_S),
        ("CPU usage of checkout barely exceeded 400 millicores.", NOT_S),
        ("CPU usage of checkout rarely exceeded 130 millicores.", NOT_S),
        ("CPU usage of checkout was almost always above 130 millicores.", NOT_S),
        ("CPU usage of checkout was above 400 millicores.", NOT_S),
        ("CPU usage of checkout would have exceeded 400 millicores.", NOT_S),
        ("The claim that CPU usage of checkout exceeded 400 millicores is false.", NOT_S),
        ("The second highest CPU usage of checkout was 612.4 millicores.", NOT_S),
        ("Except at 09:34, the CPU usage of checkout stayed below 610 millicores.", NOT_S),
        ("CPU usage of checkout was below 150 millicores until 09:36.", NOT_S),
        ("612 millicores is as far down as checkout's CPU usage went.", NOT_S),
        ("checkout's CPU usage used more than 200 millicores at any given time.", NOT_S),
        ("checkout's CPU usage was over 200 millicores from the first sample to the last.", NOT_S),
        ("There was nothing below 95 millicores seen in checkout's CPU usage.", NOT_S),
    ],
)
def test_what_cannot_be_read_is_never_supported(text: str, expected: Verdict | tuple[Verdict, ...]) -> None:
    assert_verdict(text, expected, "i1.series.0")
