"""What every log backend does, run over each of them.

Each holds the same shop: order-service failing, inventory-service well, on 2026-11-12 between 09:20 and 10:15 UTC.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from groundwire.adapters.logs.demo import DEMO_FILES, DemoLogs
from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.logs.journald import JournaldLogs
from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest, bucket_width
from groundwire.domain.sources import SourceKind
from groundwire.ports import LogBackend
from tests.elastic_shop import ELASTIC_LAYOUTS, shop_in_elasticsearch
from tests.journal import entries_of_lines, entry, put_on_path
from tests.log_servers.kept import shop, shop_with_levels
from tests.log_servers.loki import MadeLoki
from tests.log_servers.victorialogs import MadeVictoriaLogs

MORNING = TimeWindow(start=datetime(2026, 11, 12, 9, 15, tzinfo=UTC), end=datetime(2026, 11, 12, 10, 15, tzinfo=UTC))


def _demo(folder: Path) -> LogBackend:
    return DemoLogs()


def _folder_of_gzip(folder: Path) -> LogBackend:
    for path in DEMO_FILES.glob("*.log"):
        (folder / f"{path.name}.1.gz").write_bytes(gzip.compress(path.read_bytes()))
    return FileLogs("packed", folder)


def _folder_of_cri(folder: Path) -> LogBackend:
    for path in DEMO_FILES.glob("*.log"):
        lines = path.read_text().splitlines()
        time = "2026-11-12T09:20:00Z"
        wrapped = []
        for line in lines:
            # The runtime stamps what follows a record with the record's time.
            start = line.find("2026-11-12T")
            if start >= 0 and line[:1] in {"2", "{", "t"}:
                time = line[start : start + 24]
            wrapped.append(f"{time} stdout F {line}\n")
        (folder / f"{path.stem}-7d9f8c6b54-x2v4q.log").write_text("".join(wrapped))
    # Its times are epoch seconds inside: the runtime's would be made up here.
    (folder / "inventory-service-7d9f8c6b54-x2v4q.log").write_bytes((DEMO_FILES / "inventory-service.log").read_bytes())
    return FileLogs("pods", folder)


def _elastic(layout: str) -> Callable[[Path], LogBackend]:
    return lambda _: shop_in_elasticsearch(layout, now=MORNING.end)


def _loki(folder: Path) -> LogBackend:
    return LokiLogs("loki", "http://loki.test", HttpOptions(transport=MadeLoki(shop())), now=lambda: MORNING.end)


def _small_loki(folder: Path) -> LogBackend:
    server = MadeLoki(shop(), most_entries=40)
    return LokiLogs("loki", "http://loki.test", HttpOptions(transport=server), now=lambda: MORNING.end)


def _large_loki(folder: Path) -> LogBackend:
    options = HttpOptions(transport=MadeLoki(shop_with_levels(), categorized=True))
    return LokiLogs("loki", "http://loki.test", options, whole_up_to=0, now=lambda: MORNING.end)


def _victorialogs(folder: Path) -> LogBackend:
    return VictoriaLogs("vl", "http://vl.test", HttpOptions(transport=MadeVictoriaLogs(shop())), now=lambda: MORNING.end)


def _large_victorialogs(folder: Path) -> LogBackend:
    options = HttpOptions(transport=MadeVictoriaLogs(shop_with_levels()))
    return VictoriaLogs("vl", "http://vl.test", options, whole_up_to=0, now=lambda: MORNING.end)


def _journal(folder: Path) -> LogBackend:
    # The journal goes back to before the window: otherwise its beginning would be a gap.
    entries = [entry(MORNING.start - timedelta(hours=1), "Started.", _SYSTEMD_UNIT="init.scope")]
    for path in DEMO_FILES.glob("*.log"):
        # A record starts with its time or as an object; what else there is belongs to the one before.
        records = re.split(r"\n(?=2026|\{|time=)", path.read_text().rstrip("\n"))
        entries += entries_of_lines(records, path.stem, map(_time_in, records))
    with pytest.MonkeyPatch.context() as patch:
        journal = put_on_path(folder / "bin", patch)
    journal.tell(*sorted(entries, key=lambda each: int(each["__REALTIME_TIMESTAMP"])))
    return JournaldLogs("journal", folder)


def _time_in(record: str) -> datetime:
    found = re.search(r'2026-11-12T[\d:.]+Z|(?<="ts":)[\d.]+', record)
    assert found is not None
    return datetime.fromtimestamp(float(found[0]), UTC) if found[0][:3] == "179" else datetime.fromisoformat(found[0])


BACKENDS: dict[str, Callable[[Path], LogBackend]] = {
    "demo": _demo,
    "gzip": _folder_of_gzip,
    "cri": _folder_of_cri,
    "journald": _journal,
    "loki": _loki,
    "small loki": _small_loki,
    "large loki": _large_loki,
    "victorialogs": _victorialogs,
    "large victorialogs": _large_victorialogs,
    **{f"elasticsearch {layout}": _elastic(layout) for layout in ELASTIC_LAYOUTS},
}


@pytest.fixture(params=list(BACKENDS))
def backend(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LogBackend:
    # Where the journal's command is looked for; no other backend starts one.
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return BACKENDS[request.param](tmp_path)


def search(
    backend: LogBackend,
    query: str = "",
    *,
    service: str | None = None,
    min_level: Level | None = None,
    window: TimeWindow = MORNING,
    limit: int = 50,
) -> LogPage:
    return backend.search(
        LogRequest(
            query=parse_log_query(query),
            service=service,
            min_level=min_level,
            window=window,
            limit=limit,
            deadline=Deadline.after(30),
        )
    )


def test_it_describes_its_services_and_how_new_it_is(backend: LogBackend) -> None:
    description = backend.describe()
    assert description.name == backend.name
    assert description.kind is SourceKind.LOGS
    assert description.services == ("api-gateway", "inventory-service", "order-service", "payment-service")
    assert description.newest_record is not None
    assert datetime(2026, 11, 12, 10, 14, tzinfo=UTC) <= description.newest_record < MORNING.end
    assert description.problems == ()


def test_records_come_newest_first_within_the_limit_and_are_counted_beyond_it(backend: LogBackend) -> None:
    page = search(backend, limit=5)
    times = [record.timestamp for record in page.records if record.timestamp is not None]
    assert len(times) == 5
    assert times == sorted(times, reverse=True)
    assert page.matched.total > 300
    assert page.matched.is_exact
    assert times[0] == page.matched.last_at


def test_all_that_matched_is_counted_by_level_and_time(backend: LogBackend) -> None:
    page = search(backend, limit=1)
    assert sum(page.matched.by_level.values()) == page.matched.total == sum(page.histogram.values())
    width = bucket_width(MORNING)
    assert all(MORNING.start - width < start < MORNING.end for start in page.histogram)


def test_the_window_is_half_open(backend: LogBackend) -> None:
    first = search(backend, "HikariPool", service="order-service").matched.first_at
    assert first is not None
    at_start = TimeWindow(start=first, end=first + timedelta(microseconds=1))
    at_end = TimeWindow(start=first - timedelta(seconds=1), end=first)
    assert search(backend, "HikariPool", service="order-service", window=at_start).matched.total == 1
    assert search(backend, "HikariPool", service="order-service", window=at_end).matched.total == 0


def test_a_service_and_a_level_narrow_what_is_found_but_not_what_was_in_scope(backend: LogBackend) -> None:
    everything = search(backend, service="order-service")
    errors = search(backend, service="Order-Service", min_level=Level.ERROR)
    assert {record.service for record in errors.records} == {"order-service"}
    assert 0 < errors.matched.total < everything.matched.total
    assert errors.in_scope == everything.in_scope == everything.matched
    assert all(record.level is not None and record.level >= Level.ERROR for record in errors.records)


def test_a_record_holds_its_whole_stack_trace(backend: LogBackend) -> None:
    record = search(backend, '"Caused by" HikariCP', service="order-service", limit=1).records[0]
    assert record.message.startswith("order ")
    assert record.message.splitlines()[-1].strip() == "... 4 common frames omitted"
    assert record.source.rpartition(":")[2].isdigit()


def test_words_find_other_forms_of_themselves(backend: LogBackend) -> None:
    for query in ("HikariCP connection pool exhaustion", "HikariCP connection-pool exhaustion"):
        assert search(backend, query, service="order-service").matched.total > 0


def test_a_healthy_service_is_told_from_a_silent_one(backend: LogBackend) -> None:
    healthy = search(backend, service="inventory-service", min_level=Level.WARN)
    silent = search(backend, service="no-such-service", min_level=Level.WARN)
    assert (healthy.matched.total, silent.matched.total) == (0, 0)
    assert healthy.in_scope.total > 0
    assert silent.in_scope.total == 0
    assert healthy.records == silent.records == ()


def test_excluded_words_and_fields_hold(backend: LogBackend) -> None:
    gateway = search(backend, "service:api-gateway status:503 -level:warn", limit=500)
    assert gateway.matched.total > 20
    assert {record.fields["status"] for record in gateway.records} == {503}
    assert search(backend, "-upstream -request", service="api-gateway").matched.total == 0
