"""Units, metrics, counters and ends of cited series."""

from __future__ import annotations

import pytest

from groundwire.domain.names import Verdict
from tests.unit.series_samples import assert_verdict

S, C, U, X = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE
NOT_S = (C, U, X)


@pytest.mark.parametrize(
    ("text", "ref", "expected"),
    [
        ("CPU usage of cart spiked.", "i1.series.2", C),
        ("CPU usage of cart was flat.", "i1.series.2", S),
        ("CPU usage of cart hardly changed.", "i1.series.2", S),
        ("CPU usage of cart rose steadily.", "i1.series.2", C),
        ("Memory of checkout grew steadily over the whole window.", "i1.series.3", S),
        ("Memory of checkout shrank steadily over the whole window.", "i1.series.3", C),
        ("Memory of checkout peaked at 400 MiB.", "i1.series.3", S),
        ("Memory of checkout peaked at 400 MB.", "i1.series.3", NOT_S),
        ("Memory of checkout peaked at 0.39 GiB.", "i1.series.3", S),
        ("Memory of checkout ended at 419.4 MB.", "i1.series.3", S),
        ("Memory of checkout more than doubled.", "i1.series.3", S),
        ("Memory of checkout tripled.", "i1.series.3", C),
        ("checkout's memory doubled from 200 MB to 419 MB.", "i1.series.3", S),
        ("checkout's memory increased by 219 MB.", "i1.series.3", S),
        ("checkout's memory decreased by 219 MB.", "i1.series.3", C),
        ("checkout's memory increased by 110 %.", "i1.series.3", S),
        ("checkout's memory never decreased.", "i1.series.3", S),
        ("checkout's memory peaked at 512 MiB.", "i1.series.9", NOT_S),
        ("checkout's memory limit was constant at 512 MiB.", "i1.series.9", S),
        ("http_requests_total of checkout increased by 300.", "i1.series.4", S),
        ("http_requests_total of checkout increased by 10.", "i1.series.4", NOT_S),
        ("http_requests_total of checkout was reset twice.", "i1.series.4", S),
        ("http_requests_total of checkout was reset three times.", "i1.series.4", C),
        ("Request latency of checkout peaked at 1250 ms.", "i1.series.5", S),
        ("Request latency of checkout peaked at 1.25 s.", "i1.series.5", S),
        ("Request latency of checkout peaked at 1.25 ms.", "i1.series.5", NOT_S),
        ("Request latency of checkout peaked at 1250 s.", "i1.series.5", NOT_S),
        ("Request latency stayed above 800 ms for 3 minutes.", "i1.series.5", S),
        ("Request latency was more than five times the normal at its peak.", "i1.series.5", S),
        ("Request latency was ten times the normal at its peak.", "i1.series.5", C),
        ("Active connections of checkout dropped to zero.", "i1.series.6", S),
        ("Active connections of checkout fell to 0 at 09:35.", "i1.series.6", S),
        ("Memory of checkout dropped to zero.", "i1.series.3", C),
        ("Request latency of checkout dropped to zero.", "i1.series.5", C),
        ("The error ratio of checkout peaked at 34 %.", "i1.series.7", S),
        ("The error ratio of checkout peaked at 43 %.", "i1.series.7", C),
        ("The error ratio of checkout went above 30 %.", "i1.series.7", S),
        ("The error ratio of checkout stayed above 30 %.", "i1.series.7", C),
        ("queue depth of checkout stayed at 5 throughout.", "i1.series.8", S),
        ("The queue depth of checkout was constant.", "i1.series.8", S),
        ("The CPU usage of checkout peaked at 612.", "i1.series.1", NOT_S),
        ("The CPU usage of checkout was highest at 09:34.", "i1.series.1", NOT_S),
        ("The CPU usage rate of checkout was highest at 09:34.", "i1.series.1", S),
        ("Request latency of checkout stopped being reported after 09:35.", "i2.series.0", S),
        ("Request latency of checkout stopped being reported after 09:35.", "i1.series.5", C),
        ("Request latency of checkout dropped to zero.", "i2.series.0", C),
        ("Memory of checkout at most doubled.", "i1.series.3", NOT_S),
    ],
)
def test_a_figure_is_put_into_the_unit_of_the_series_or_refused(
    text: str, ref: str, expected: Verdict | tuple[Verdict, ...]
) -> None:
    assert_verdict(text, expected, ref)


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("12 % of the requests of checkout failed.", (6, 7), S),
        ("21 % of the requests of checkout failed.", (6, 7), C),
        ("Errors are 12 % of checkout's requests.", (6, 7), S),
        ("12 % of checkout's errors are requests.", (6, 7), NOT_S),
    ],
)
def test_a_share_is_what_one_counter_went_up_by_of_the_other(
    text: str, refs: tuple[int, int], expected: Verdict | tuple[Verdict, ...]
) -> None:
    assert_verdict(text, expected, *(f"i3.series.{place - 6}" for place in refs))
