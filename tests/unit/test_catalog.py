"""What the sources list: read side by side, and without waiting for a server that hangs."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendTimeoutError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.services.catalog import ConfiguredSources
from tests.unit.sessions import Described

PAGE = AlertPage(alerts=(), as_of=datetime(2026, 11, 30, 12, tzinfo=UTC), live=True)


@dataclass
class Server:
    """A `MetricBackend` that waits for ``lists`` before it lists and for ``answers`` before it gives alerts."""

    name: str
    lists: threading.Event = field(default_factory=threading.Event)
    answers: threading.Event = field(default_factory=threading.Event)
    asked: list[str] = field(default_factory=list)

    def describe(self) -> SourceDescription:
        self.asked.append("listing")
        self.lists.wait(30)
        return SourceDescription(name=self.name, kind=SourceKind.METRICS, backend="made", live=True, services=("checkout",))

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        self.asked.append("alerts")
        self.answers.wait(30)
        return PAGE

    def query(self, request: SeriesRequest) -> SeriesPage:
        raise NotImplementedError


def running(name: str) -> Server:
    server = Server(name)
    server.lists.set()
    server.answers.set()
    return server


def catalog_of(*servers: Server, within_s: float = 0.05) -> ConfiguredSources:
    return ConfiguredSources(logs=(), metrics=servers, knowledge=(), within_s=within_s)


def test_a_server_that_does_not_list_is_named_as_not_answering_and_the_others_are_listed() -> None:
    hanging, well = Server("prom-a"), running("prom-b")
    catalog = catalog_of(hanging, well)
    first, second = catalog.listing().sources
    assert (first.name, first.live, first.problems) == ("prom-a", True, ("no answer within 0.05 s",))
    assert (second.name, second.services, second.problems) == ("prom-b", ("checkout",), ())
    hanging.lists.set()
    assert catalog.listing().sources == (first, second)


def test_a_server_that_did_not_list_is_not_waited_for_a_second_time() -> None:
    hanging, well = Server("prom-a"), running("prom-b")
    assert catalog_of(hanging, well).alert_pages() == (PAGE,)
    assert (hanging.asked, well.asked) == (["listing"], ["listing", "alerts"])
    hanging.lists.set()


def test_a_server_that_lists_and_then_hangs_gives_no_alerts_and_holds_nobody_back() -> None:
    half, well = running("prom-a"), running("prom-b")
    half.answers.clear()
    assert catalog_of(half, well).alert_pages() == (PAGE,)
    half.answers.set()


def test_servers_are_asked_side_by_side() -> None:
    first, second = Server("prom-a"), Server("prom-b")

    class Freeing(Server):
        def describe(self) -> SourceDescription:
            first.lists.set()
            second.lists.set()
            return super().describe()

    freeing = Freeing("prom-c", lists=second.lists)
    assert all(not source.problems for source in catalog_of(first, second, freeing, within_s=30).listing().sources)


def test_a_server_that_says_itself_that_it_timed_out_is_not_asked_again() -> None:
    class Slow(Server):
        def describe(self) -> SourceDescription:
            threading.Event().wait(0.1)
            return SourceDescription(
                name=self.name, kind=SourceKind.ALERTS, backend="prometheus", live=True, problems=("no answer within 3 s",)
            )

    slow = Slow("prom-a")
    catalog = catalog_of(slow)
    assert (catalog.alert_pages(), slow.asked) == ((), [])
    assert catalog.listing().sources[0].problems == ("no answer within 3 s",)


def test_a_server_that_refuses_its_alerts_gives_none_and_a_fault_of_ours_is_not_hidden() -> None:
    class Refusing(Server):
        def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
            raise BackendTimeoutError(self.name, after_s=3)

    class Broken(Server):
        def describe(self) -> SourceDescription:
            raise ZeroDivisionError

    refusing = Refusing("prom-a")
    refusing.lists.set()
    assert catalog_of(refusing).alert_pages() == ()
    with pytest.raises(ZeroDivisionError):
        catalog_of(Broken("prom-b")).listing()


def test_the_newest_record_of_a_service_is_found_by_its_masked_name() -> None:
    older, newer = datetime(2026, 11, 30, 9, tzinfo=UTC), datetime(2026, 11, 30, 10, tzinfo=UTC)
    description = SourceDescription(
        name="app",
        kind=SourceKind.LOGS,
        backend="made",
        live=False,
        services=("password=hunter2Xx9Qq", "password=hunter3Xx9Qq"),
        newest_by_service={"password=hunter2Xx9Qq": newer, "password=hunter3Xx9Qq": older},
        metric_kinds={"up password=hunter2Xx9Qq": "password=hunter2Xx9Qq"},
    )
    catalog = ConfiguredSources(logs=[Described(description)], metrics=(), knowledge=())
    assert catalog.newest_saved_record(("password=[masked:password]",)) == newer
    assert "hunter" not in repr(catalog.listing())


def test_what_the_settings_say_of_what_is_covered_is_masked_as_what_the_sources_say_is() -> None:
    covered = ("billing", "postgres://billing:h4nter2pass@db")
    listing = ConfiguredSources(logs=(), metrics=(running("prom"),), knowledge=(), covered=covered).listing()
    assert listing.services == ("billing", "checkout", "postgres://billing:[masked:password]@db")
