"""Values, extremes and times of a cited series, worked out by hand on ten samples."""

from __future__ import annotations

import pytest

from groundwire.domain.names import Verdict
from tests.unit.series_samples import assert_verdict

S, C, U, X = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE
NOT_S = (C, U, X)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CPU on checkout reached 0.61 cores at its peak.", S),
        ("CPU on checkout reached 0.82 cores at its peak.", C),
        ("checkout burned at most 612.4m of CPU.", S),
        ("The average CPU usage of checkout was 612.4 millicores.", C),
        ("The lowest CPU usage of checkout was 612 millicores.", C),
        ("checkout's CPU usage sank as low as 612 millicores.", C),
        ("checkout's CPU usage got down to 612 millicores at the least.", C),
        ("checkout's CPU usage bottomed at 612 millicores.", C),
        ("90 millicores is as low as checkout's CPU usage got.", S),
        ("checkout's CPU usage came down to 90 millicores at its lowest.", S),
        ("checkout's CPU usage had its high-water mark at 612.4 millicores.", S),
        ("612.4 millicores is the most CPU usage checkout ever showed.", S),
        ("The highest that checkout's CPU usage climbed was 612.4 millicores.", S),
        ("The highest CPU usage seen on checkout amounts to 612.4 millicores.", S),
        ("With 612.4 millicores, checkout's CPU usage reached its maximum.", S),
        ("checkout's CPU usage got as high as 612.4 millicores.", S),
        ("checkout saw its CPU usage max out at 612.4 millicores.", S),
        ("For CPU usage, checkout's top is 612.4 millicores.", S),
        ("checkout's CPU usage, at its greatest, was 612.4 millicores.", S),
        ("The CPU usage peak for checkout: 612.4 millicores.", S),
        ("checkout CPU usage (peak): 612.4 millicores.", S),
        ("checkout CPU usage max=612.4 millicores.", S),
        ("max CPU usage of checkout = 612.4 millicores.", S),
        ("Of all the samples of checkout's CPU usage, the largest is 612.4 millicores.", S),
        ("Among the samples of checkout's CPU usage, 612.4 millicores is the largest.", S),
        ("checkout's CPU usage hit the roof at 612.4 millicores.", S),
        ("checkout's CPU usage culminated in 612.4 millicores.", S),
        ("checkout's CPU usage maximum: 612.4 millicores.", S),
        ("612.4 millicores marks the top of checkout's CPU usage.", S),
        ("The CPU usage of checkout peaked out at 612.4 millicores.", S),
        ("Peak value of CPU usage on checkout is 612.4 millicores.", S),
        ("At the peak, checkout drew 612.4 millicores of CPU.", S),
        ("We measured a peak of 612.4 millicores in checkout's CPU usage.", S),
        ("The largest CPU usage in the series for checkout is 612.4 millicores.", S),
        ("checkout's CPU usage bottomed out at 90 millicores.", S),
        ("checkout's CPU usage dipped as low as 90 millicores.", S),
        ("90 millicores is the least CPU usage checkout showed.", S),
        ("checkout's CPU usage hit a low of 90 millicores.", S),
        ("checkout's CPU usage hit bottom at 90 millicores.", S),
        ("At the least, checkout's CPU usage was 90 millicores.", S),
        ("At its minimum, checkout's CPU usage read 90 millicores.", S),
        ("checkout's lowest CPU usage came in at 90 millicores.", S),
        ("The trough of checkout's CPU usage lies at 90 millicores.", S),
        ("checkout's CPU usage had a floor of 90 millicores and a ceiling of 612.4 millicores.", S),
        ("checkout's CPU usage fluctuated, with 90 millicores as the lowest and 612.4 millicores as the highest value.", S),
        ("checkout's CPU usage is at 90 millicores now.", S),
        ("checkout's CPU usage is down to 90 millicores.", S),
        ("checkout's CPU usage was last seen at 90 millicores.", S),
        ("checkout's CPU usage last stood at 90 millicores.", S),
        ("checkout's most recently reported CPU usage is 90 millicores.", S),
        ("As of the last sample, checkout's CPU usage is 90 millicores.", S),
        ("checkout's CPU usage winds up at 90 millicores.", S),
        ("The last thing we see of checkout's CPU usage is 90 millicores.", S),
        ("checkout's CPU usage sank by 30 millicores.", S),
    ],
)
def test_an_extreme_is_that_of_the_points(text: str, expected: Verdict | tuple[Verdict, ...]) -> None:
    assert_verdict(text, expected, "i1.series.0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The median CPU usage of checkout was 131.5 millicores.", S),
        ("The median CPU usage of checkout was 254.8 millicores.", C),
        ("The p95 of checkout's CPU usage over the window is 612 millicores.", S),
        ("The 50th percentile of checkout's CPU usage is about 130 millicores.", S),
        ("checkout's CPU usage: min 90, max 612.4, avg 254.84.", S),
        ("checkout's CPU usage: min 90, max 254.84, avg 612.4.", C),
        ("Averaging the 10 samples gives 254.84 millicores of CPU usage for checkout.", S),
        ("Averaging the 12 samples gives 254.84 millicores of CPU usage for checkout.", C),
        ("Mean of all 10 samples of checkout's CPU usage: 254.84 millicores.", S),
        ("checkout's CPU usage averages out at 254.84 millicores.", S),
        ("254.84 millicores is the average CPU usage of checkout.", S),
        ("254.84 millicores was what checkout consumed in CPU on average.", S),
        ("On average, checkout consumed 254.84 millicores of CPU.", S),
        ("If we average the samples, checkout's CPU usage is 254.84 millicores.", S),
        ("The samples of checkout's CPU usage have an arithmetic mean of 254.84 millicores.", S),
        ("checkout's CPU usage was 254.84 millicores when averaged.", S),
        ("The sample mean of checkout's CPU usage is 254.84 millicores.", S),
        ("checkout's mean CPU usage over the period equals 254.84 millicores.", S),
        ("The CPU usage of checkout averaged out to roughly 255 millicores.", S),
        ("All in all, the CPU usage of checkout averages 254.84 millicores.", S),
        ("Taking the mean, checkout used 254.84 millicores of CPU.", S),
        ("The per-sample average of checkout's CPU usage stands at 254.84 millicores.", S),
        ("The CPU usage of checkout has 254.84 millicores as its average.", S),
        ("As an average over the window, checkout's CPU usage was 254.84 millicores.", S),
        ("checkout's CPU usage: 254.84 millicores (mean).", S),
        ("checkout's CPU usage: mean 254.84 millicores.", S),
        ("Average CPU usage, checkout: 254.84 millicores.", S),
    ],
)
def test_a_mean_or_a_percentile_is_taken_over_the_samples(text: str, expected: Verdict | tuple[Verdict, ...]) -> None:
    assert_verdict(text, expected, "i1.series.0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checkout's CPU usage ranged between 90 and 612 millicores, averaging 255.", S),
        ("checkout's CPU usage ranged between 90 and 612 millicores, averaging 355.", C),
        ("checkout's CPU usage lay somewhere between 90 millicores and 612.4 millicores at all times.", S),
        ("checkout's CPU usage swung between 90 millicores and 612.4 millicores.", S),
        ("Lowest and highest CPU usage of checkout: 90 millicores and 612.4 millicores.", S),
        ("The minimum and maximum of checkout's CPU usage were 90 millicores and 612.4 millicores.", S),
        ("The minimum and maximum of checkout's CPU usage were 90 millicores and 612.4 millicores, respectively.", S),
        ("The maximum and minimum of checkout's CPU usage were 90 millicores and 612.4 millicores.", C),
        ("checkout's CPU usage covered the range 90 millicores to 612.4 millicores.", S),
        ("checkout's CPU usage was in the range of 90 to 612.4 millicores.", S),
        ("checkout's CPU usage took values between 90 millicores and 612.4 millicores.", S),
        ("checkout's CPU usage kept within 90 millicores and 612.4 millicores.", S),
        ("checkout's CPU usage stayed within the bounds of 90 millicores and 612.4 millicores.", S),
        ("Between its low of 90 millicores and its high of 612.4 millicores, checkout's CPU usage moved about.", S),
        ("checkout's CPU usage: 90–612.4 millicores.", S),
        ("checkout's CPU usage: 90..612.4 millicores.", S),
        ("The span of checkout's CPU usage is 90 millicores to 612.4 millicores.", S),
    ],
)
def test_a_range_goes_from_the_lowest_sample_to_the_highest(text: str, expected: Verdict | tuple[Verdict, ...]) -> None:
    assert_verdict(text, expected, "i1.series.0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checkout's CPU usage shot up to 612 millicores at 09:34.", S),
        ("After 09:36 the CPU usage of checkout stayed below 140 millicores.", S),
        ("From 09:33 to 09:35 checkout's CPU usage was above 400 millicores.", S),
        ("From 09:31 to 09:35 checkout's CPU usage was above 400 millicores.", C),
        ("CPU usage of checkout first exceeded 400 millicores at 09:33.", S),
        ("CPU usage of checkout first exceeded 400 millicores at 09:34.", C),
        ("checkout's CPU usage rose from 130 millicores at 09:31 to 612 at 09:34.", S),
        ("checkout's CPU usage rose from 130 millicores at 09:32 to 612 at 09:34.", C),
        ("At 09:33 checkout's CPU usage was 480 millicores.", S),
        ("CPU usage of checkout was below 150 millicores at 09:36.", S),
        ("CPU usage of checkout was below 130 millicores at 09:36.", C),
        ("CPU usage of checkout was below 150 millicores until 09:32.", S),
        ("checkout's CPU usage was at its highest at 09:34.", S),
        ("At 09:34 checkout's CPU usage stood at its maximum of 612.4 millicores.", S),
        ("The time of checkout's highest CPU usage is 09:34.", S),
        ("checkout's CPU usage peak came at 09:34.", S),
        ("checkout's CPU usage peak: 09:34 (612.4 millicores).", S),
        ("At 09:34 checkout's CPU usage topped out.", S),
        ("The maximum of checkout's CPU usage dates from 09:34.", S),
        ("The sample of 09:34 is the highest of checkout's CPU usage.", S),
        ("checkout's CPU usage reached 612.4 millicores, its maximum, at 09:34.", S),
        ("checkout's CPU usage climbed to its peak at 09:34.", S),
        ("checkout's CPU usage peaked (612.4 millicores) at 09:34 UTC.", S),
        ("2026-11-12T09:34:00Z is when checkout's CPU usage peaked.", S),
        ("checkout's CPU usage had a peak of 612.4 millicores around 09:34.", S),
        ("By 09:34 checkout's CPU usage had reached its peak.", S),
    ],
)
def test_a_time_is_that_of_the_very_sample(text: str, expected: Verdict | tuple[Verdict, ...]) -> None:
    assert_verdict(text, expected, "i1.series.0")
