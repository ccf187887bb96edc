"""Strategies for the properties of grounding: evidence as tools return it, and claims about it, true and false."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole
from groundwire.grounding.cited import CallEvidence, EvidenceBase
from tests.unit.rows import alert, alerts_output, base, block, blocks_output, call, log, logs_output

IRRELEVANT = ("i6.logs.0", "i6.logs.1", "i6.summary", "i7.alerts.0", "i8.blocks.0")
"""Refs to evidence that no claim here is about: a service, an alert and a runbook of its own, and no number in them."""

_FIRST_SAMPLE = datetime(2026, 11, 12, 9, 30, tzinfo=UTC)
_STATES = ("firing", "pending", "suppressed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A claim. ``is_existential``: it says that something is there, not that nothing is, how many, or which is the most."""

    claim: Claim
    is_true: bool
    is_existential: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The values that the evidence has; every false claim gives one of them wrongly."""

    order: int
    waiting: int
    minutes: tuple[int, ...]
    state: str
    value: float
    errors: int
    samples: tuple[int, ...]

    def clock(self, number: int) -> str:
        return f"09:{self.minutes[number]:02}:05"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A session and one claim about it; ``more`` stands behind the text of every record, alert and section."""

    world: World
    said: Said
    more: str = ""

    @property
    def calls(self) -> tuple[CallEvidence, ...]:
        return _calls(self.world, self.more)

    @property
    def evidence(self) -> EvidenceBase:
        return base(*self.calls)


worlds = st.builds(
    World,
    order=st.integers(100_000, 899_999),
    waiting=st.integers(1, 899),
    minutes=st.lists(st.integers(10, 55), min_size=3, max_size=3, unique=True).map(
        lambda found: tuple(sorted(found, reverse=True))
    ),
    state=st.sampled_from(_STATES),
    value=st.integers(1, 400).map(lambda number: number / 4),
    errors=st.integers(3, 5000),
    samples=st.lists(st.integers(1, 99), min_size=3, max_size=6, unique=True).map(tuple),
)


def samples(
    more: st.SearchStrategy[str] | None = None, *, about: Callable[[Said], bool] = lambda said: True
) -> st.SearchStrategy[Sample]:
    """Return sessions, each with one of the claims about it that ``about`` holds of."""
    return worlds.flatmap(
        lambda world: st.builds(
            Sample,
            world=st.just(world),
            said=st.sampled_from([said for said in claims_about(world) if about(said)]),
            more=st.just("") if more is None else more,
        )
    )


def _calls(world: World, more: str) -> tuple[CallEvidence, ...]:
    """Return the session: alerts, a service's errors, series, a quiet service, another one's line, and what nobody speaks of."""
    pool = f"order {world.order} failed: pool exhausted (active=50/50, waiting={world.waiting})"
    card = f"payment {world.order} declined because the card is expired"
    start = int(_FIRST_SAMPLE.timestamp())
    cpu = {
        "metric": "cpu_percent",
        "labels": {"pod": "checkout-7d9f8b6c5d-x2x4z", "service": "checkout"},
        "points": [[start + 60 * number, sample] for number, sample in enumerate(world.samples)],
    }
    firing = alert(state=world.state, value=world.value)
    series: dict[str, Any] = {
        **alerts_output(),
        "evidence_status": "evidence",
        "returned_count": 1,
        "total_count": 1,
        "series": [cpu],
    }
    stale = alert("WeatherStale", state="pending", service="weather-feed", value=0.0)
    return (
        call(1, "query_metrics", alerts_output({**firing, "annotations": {"summary": f"orders fail {more}"}})),
        call(
            2,
            "query_logs",
            logs_output(
                log(f"{pool} {more}", clock=world.clock(0)),
                log(f"{card} {more}", clock=world.clock(1)),
                log(f"order {world.order} is slow {more}", level="WARN", clock=world.clock(2)),
                total=world.errors + 1,
                by_level={"ERROR": world.errors, "WARN": 1},
                in_scope=world.errors + 400,
            ),
            {"service": "checkout"},
        ),
        call(3, "query_metrics", series),
        call(4, "query_logs", logs_output(service="inventory", in_scope=120), {"service": "inventory"}),
        call(5, "query_logs", logs_output(log(f"checkout is down {more}", service="cart"), service="cart"), {"service": "cart"}),
        call(
            6,
            "query_logs",
            logs_output(
                log("forecast of the gannet buoy came in", service="weather-feed", level="INFO"),
                log("a station sends nothing", service="weather-feed", level="WARN"),
                service="weather-feed",
            ),
            {"service": "weather-feed"},
        ),
        call(7, "query_metrics", alerts_output(stale, service="weather-feed"), {"service": "weather-feed"}),
        call(8, "lookup_knowledge", blocks_output(block(f"Buoys drift in a storm. {more}", title="Buoys"))),
    )


def claims_about(world: World) -> Iterator[Said]:
    """Yield every claim, true and false."""
    yield from _of_lines(world)
    yield from _of_alerts(world)
    yield from _of_series(world)
    yield from _of_calls(world)
    yield from _of_causes()


def _of_lines(world: World) -> Iterator[Said]:
    clock, later = world.clock(0), world.clock(1)
    for waiting in (world.waiting, world.waiting + 1):
        is_true = waiting == world.waiting
        yield _said(f"checkout's log says “pool exhausted (active=50/50, waiting={waiting})”.", is_true, "i2.logs.0")
        yield _said(f"checkout logged waiting={waiting} at {clock} UTC.", is_true, "i2.logs.0")
        yield _said(f"At {clock} UTC, according to its log, checkout had waiting={waiting}.", is_true, "i2.logs.0")
    yield _said(f"checkout logged an exhausted pool at {later} UTC.", False, "i2.logs.0")
    yield _said(f"checkout logged an ERROR line at {clock} UTC.", True, "i2.logs.0")
    yield _said(f"checkout logged a WARN line at {clock} UTC.", False, "i2.logs.0")
    yield _said(f"cart's log says order {world.order} failed.", False, "i2.logs.0")
    yield _said(f"checkout's log says order {world.order} failed.", True, "i2.logs.0")
    yield _said(f"checkout's log says order {world.order} did not fail.", False, "i2.logs.0")
    yield _said(f"checkout's log says order {world.order + 1} failed.", False, "i2.logs.0")
    yield _said("checkout is down.", False, "i5.logs.0")
    yield _said("cart's log says “checkout is down”.", True, "i5.logs.0")


def _of_alerts(world: World) -> Iterator[Said]:
    for state in _STATES:
        is_true = state == world.state
        yield _said(f"CheckoutErrors is {state} for checkout.", is_true, "i1.alerts.0")
        yield _said(f"CheckoutErrors has been {state} since 09:25:00 UTC.", is_true, "i1.alerts.0")
    yield _said(f"CheckoutErrors has been {world.state} since 09:24:00 UTC.", False, "i1.alerts.0")
    for value in (world.value, world.value + 2):
        yield _said(f"CheckoutErrors is {world.state} with value={value:g}.", value == world.value, "i1.alerts.0")
    yield _said(f"CartErrors is {world.state}.", False, "i1.alerts.0")


def _of_series(world: World) -> Iterator[Said]:
    top = max(world.samples)
    for number, sample in enumerate(world.samples[:2]):
        for said in (sample, sample + 200):
            text = f"cpu_percent of checkout was {said} at 09:3{number} UTC."
            yield _said(text, said == sample, "i3.series.0")
    for said in (top, top + 1):
        yield _said(f"cpu_percent of checkout peaked at {said}.", said == top, "i3.series.0", is_existential=False)


def _of_calls(world: World) -> Iterator[Said]:
    for number in (world.errors, world.errors + 1, world.errors * 10):
        is_true = number == world.errors
        yield _said(f"checkout logged {number} ERROR records.", is_true, "i2.summary", is_existential=False)
        yield _said(f"The log of checkout has {number} ERROR records.", is_true, "i2", is_existential=False)
    nothing = "No log line of {} of level ERROR or more severe."
    for service, ref in (("inventory", "i4.summary"), ("checkout", "i2.summary"), ("cart", "i4.summary")):
        is_true = service == "inventory"
        yield _said(nothing.format(service), is_true, ref, kind=ClaimKind.ABSENCE, is_existential=False)


def _of_causes() -> Iterator[Said]:
    stated = "checkout's log says “declined because the card is expired”."
    yield _said(stated, True, "i2.logs.1", kind=ClaimKind.CAUSE)
    yield _said(stated, False, "i2.logs.0", kind=ClaimKind.CAUSE)
    yield _said("checkout's log says “pool exhausted”.", False, "i2.logs.0", kind=ClaimKind.CAUSE)
    yield _said("Orders fail because the card is expired, says checkout's log.", False, "i2.logs.0", kind=ClaimKind.CAUSE)


def _said(text: str, is_true: bool, *refs: str, kind: ClaimKind = ClaimKind.OBSERVATION, is_existential: bool = True) -> Said:
    claim = Claim(id="c", text=text, refs=refs, kind=kind, role=ClaimRole.ANSWER)
    return Said(claim=claim, is_true=is_true, is_existential=is_existential)
