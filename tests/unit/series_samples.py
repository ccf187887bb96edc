"""Ten samples of some series, a minute apart from 09:30:00, for tests of what is said of them."""

from __future__ import annotations

from typing import Any, Final

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.grounding.ground import ground_claim
from tests.unit.rows import alerts_output, at, base, call, scope


def series(metric: str, *values: float, service: str = "checkout") -> dict[str, Any]:
    return {
        "metric": metric,
        "labels": {"service": service, "pod": f"{service}-7d9f8b6c5d-x2x4z"},
        "points": [[1794475800 + 60 * place, value] for place, value in enumerate(values)],
    }


LATENCY: Final = (0.2, 0.21, 0.19, 0.9, 1.25, 1.1, 0.22, 0.2, 0.21, 0.2)
SERIES: Final = (
    # The mean is 254.84, the median 131.5.
    series("cpu_usage_millicores", 120, 130, 125, 480, 612.4, 590, 140, 133, 128, 90),
    series("cpu_usage_rate_percent", 12, 13, 12.5, 48, 61.24, 59, 14, 13.3, 12.8, 9),
    series("cpu_usage_millicores", 80, 82, 81, 85, 79, 84, 83, 80, 81, 82, service="cart"),
    series("memory_working_set_bytes", 200e6, 210e6, 220e6, 240e6, 260e6, 300e6, 330e6, 360e6, 400e6, 400 * 2**20),
    # Reset twice: 50 + 50, 20 + 40 + 30, 10 + 30 + 30 + 40.
    series("http_requests_total", 100, 150, 200, 20, 60, 90, 10, 40, 70, 110),
    series("request_latency_seconds", *LATENCY),
    series("connections_active", 10, 12, 9, 7, 3, 0, 0, 4, 8, 10),
    series("error_ratio", 0.01, 0.01, 0.02, 0.12, 0.34, 0.2, 0.05, 0.01, 0.01, 0.0),
    series("queue_depth", *[5] * 10),
    series("memory_limit_bytes", *[512 * 2**20] * 10),
)
# Stops at 09:35, ten minutes before the window does.
ENDED: Final = {**scope(), "window": {"start": at("09:30:00"), "end": at("09:45:00")}}
# 250 requests, 30 of them errors.
COUNTERS: Final = (
    series("http_requests_total", *range(1000, 1275, 25)[:11]),
    series("http_errors_total", *range(50, 83, 3)[:11]),
)
EVIDENCE: Final = base(
    call(1, "query_metrics", {**alerts_output(), "evidence_status": "evidence", "series": list(SERIES)}),
    call(
        2,
        "query_metrics",
        {
            **alerts_output(),
            "evidence_status": "evidence",
            "series": [series("request_latency_seconds", *LATENCY[:6])],
            "scope": ENDED,
        },
    ),
    call(3, "query_metrics", {**alerts_output(), "evidence_status": "evidence", "series": list(COUNTERS)}),
)


def assert_verdict(text: str, expected: Verdict | tuple[Verdict, ...], *refs: str) -> None:
    """Hold a claim about these series to a verdict, or to one of several."""
    claim = Claim(id="c", text=text, refs=refs, kind=ClaimKind.OBSERVATION, role=ClaimRole.ANSWER)
    found = ground_claim(claim, EVIDENCE)
    assert found.verdict in (expected if isinstance(expected, tuple) else (expected,)), found.reason
