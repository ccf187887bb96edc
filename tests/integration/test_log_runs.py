"""Reading thousands of records at once gives the answer that reading each alone gives."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.logs import lines, seeking
from groundwire.adapters.logs.files import FileLogs
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest

START = datetime(2026, 11, 12, 9, tzinfo=UTC)
LEVELS = ("INFO", "WARN", "ERROR", "DEBUG", "WARNING", "FATAL", "TRACE", "NOTICE", "info", "Information")
WORDS = (
    "pool exhausted", "order 503", "ERROR inside", "a: b : c", 'say \\"hi\\"', "caf\u00e9 \u212aelvin", "x\\ty",
    "\\u0065xhausted", "[main] INFO a.B - c", "2026-11-12 09:00:00 ERROR x", "Exhaustion", "k=v", "",
    "\u03a3\u03a3", "1e5", "back\\\\slash", "{}",
)  # fmt: skip
PLAIN = (
    "{time} {level:>5} 7 --- [{app}] [nio-{n}] c.s.Handler : {text}",
    "{time} {level:>5} 7 --- [nio-{n}] c.s.HandlerError : {text}",
    "{time} {level} {text}",
    "{time}  {level} [{app},1f,2e] 7 --- [main] c.s.Handler : {text}",
    "{time}  {level} [{app},,] [x] {text}",
    "{time} {level} [c.s.H] (nio-{n}) {text}",
    "{time} [{n}] [{level}] {text}",
    "{time} +02:00 {level} {text}",
    "{time} {level} {n} {text}",
    "{time} {level}: {text}",
    "{time} [{level}] {text}",
    "{time} [nio-{n}] {level} c.s.Handler - {text}",
    "{time} - app.{app} - {level} - {text}",
    "{time} {level} c.s.Handler: {text}",
    "[{time}] {level}  [thread:Class@12] - {text}",
    "{time} UTC {level} {text}",
    "{time} {app}-host sshd[12]: {level} {text}",
    "{time} {text}",
    "{level} {time} {text}",
)
JSON = (
    '{{"time":"{time}","level":"{level}","service":"{app}","msg":"{text}"}}',
    '{{"time":"{time}","level":"{level}","service":"{app}","msg":"{text}","status":{n},"ok":true}}',
    '{{"ts":{epoch},"lvl":{n},"msg":"{text}"}}',
    '{{"time":"{time}","severity":"{level}","kubernetes":{{"pod_name":"{app}-{n}","labels":{{"app":"{app}"}}}},"message":"{text}"}}',
    '{{"time": "{time}", "level": 30, "pid": 12, "hostname": "h{n}", "name": "{app}", "msg": "{text}"}}',
    '{{"time":"{time}","level":"{level}","note":"{text}"}}',
    '{{"time":"{time}","level":"{level}","msg":"{text}","msg":"again","n":{n}.50}}',
    '{{"msg":"{text}","level":"{level}","tags":["{text}"],"@timestamp":"{time}"}}',
    '{{"msg":"{text}","level":"{level}"',
    '{{"timeUnixNano":"{epoch}000000","severityText":"{level}","body":{{"stringValue":"{text}"}},"_app":"{app}"}}',
)
INSIDE = (
    "\tat a.b.C(D.java:1)", "java.sql.SQLException: none", "Caused by: a.b.CError: exhausted", "  indented", "",
    "plain words", "Caused by: a.b.Exception: x [12/Nov/2026:09:00:00 +0000] \"GET / HTTP/1.1\" 200 1", "... 4 more",
)  # fmt: skip
QUERIES = (
    "", "exhausted", "pool exhausted", "error", '"order 503"', "order -pool", "status:3", "msg:order", "k=v", "1e5", "kelvin",
    "again", "service:cart", "instance:cart-3", "level:error", "lower-case", '"a: b"', "3.5", "back\\slash", "shop", "hi",
    '": b"', '"x\ty"', "sigma \u03c3\u03c3", "info", "nio-3", "re:pool.*sted", "exhausted re:\\d{3}", "-re:^a", "ty", "/", "cart",
)  # fmt: skip


def log_file(seed: int, templates: tuple[str, ...], words: tuple[str, ...] = WORDS) -> str:
    """Return some hundred lines: mostly of one or two layouts, as logs are, with what stands between records."""
    rng = random.Random(seed)
    few = rng.sample(templates, rng.choice([1, 1, 2, 3]))
    step = rng.choice([1, 30, 700])
    form = rng.choice(["{:%Y-%m-%dT%H:%M:%S.%fZ}", "{:%Y-%m-%d %H:%M:%S},123", "{:%Y-%m-%dT%H:%M:%S+02:00}"])
    moment = START
    shown = []
    for _ in range(rng.choice([5, 60, 300])):
        moment += timedelta(seconds=rng.choice([0, step, step, -step if rng.random() < 0.05 else 1]))
        shown.append(
            rng.choice(few).format(
                time=form.format(moment),
                level=rng.choice(LEVELS),
                app=rng.choice(("cart", "shop", "pay")),
                n=rng.randrange(9),
                text=rng.choice(words),
                epoch=int(moment.timestamp() * 1000),
            )
        )
        if rng.random() < 0.15:
            shown += rng.choices(INSIDE, k=rng.randrange(1, 4))
    return (
        rng.choice(["", "", "\ufeff", "started\n"]) + rng.choice(["\n", "\n", "\n", "\r\n"]).join(shown) + rng.choice(["", "\n"])
    )


def answers(root: Path, query: str, **asked: object) -> tuple[LogPage, LogPage]:
    request = LogRequest(
        query=parse_log_query(query),
        deadline=Deadline.after(60),
        **asked,  # type: ignore[arg-type]
    )
    at_once = FileLogs("logs", root).search(request)
    return at_once, FileLogs("logs", root, reads_runs=False).search(request)


def _with_notes_in_order(page: LogPage) -> LogPage:
    """Return a page whose notes stand in one order: where files are looked at first, notes about that come first."""
    return replace(page, notes=tuple(sorted(page.notes)))


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", 1500)
    monkeypatch.setattr(seeking, "_PART", 3000)
    monkeypatch.setattr(seeking, "WORTH_SEEKING", 4000)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    is_json=st.booleans(),
    query=st.sampled_from(QUERIES),
    service=st.sampled_from([None, None, "cart", "shop", "orders", "cart-3", "nobody"]),
    min_level=st.sampled_from([None, Level.WARN, Level.ERROR]),
    since_s=st.sampled_from([-90_000, 0, 40]),
    until_s=st.sampled_from([100, 4000, 400_000]),
    limit=st.sampled_from([1, 5, 500]),
)
def test_the_answer_is_the_same_as_when_each_record_is_read_alone(
    *, seed: int, is_json: bool, query: str, service: str | None, min_level: Level | None, since_s: int, until_s: int, limit: int
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for number, name in enumerate(("orders.log", "app.log")):
            (root / name).write_text(log_file(seed + number, JSON if is_json else PLAIN), newline="")
        window = TimeWindow(start=START + timedelta(seconds=since_s), end=START + timedelta(seconds=until_s))
        at_once, alone = answers(root, query, service=service, min_level=min_level, window=window, limit=limit)
    assert _with_notes_in_order(at_once) == _with_notes_in_order(alone)


@pytest.mark.parametrize(
    ("line", "query", "total"),
    [
        # The tab is written as \t: "ty" stands in the line, but not in the record.
        ('{"time":"2026-11-12T09:00:00Z","level":"info","msg":"x\\ty"}', "ty", 0),
        ('{"time":"2026-11-12T09:00:00Z","level":"info","msg":"x\\ty"}', "y", 60),
        ('{"time":"2026-11-12T09:00:00Z","level":"info","msg":"zq","msg":"b"}', "zq", 0),
        ('{"time":"2026-11-12T09:00:00Z","level":"info","msg":"a"}', "level", 0),
        ('{"time":"2026-11-12T09:00:00Z","level":"info","msg":"a","n":1.50}', "1.5", 60),
        # The logger is "c.s.H:", the message "b".
        ("2026-11-12 09:00:00 INFO 7 --- [x] [y] c.s.H: : b", '": b"', 0),
        ("2026-11-12 09:00:00 INFO 7 --- [x] [y] c.s.H: : b", "service:x", 60),
    ],
)
def test_what_stands_in_a_line_is_not_always_in_its_record(tmp_path: Path, line: str, query: str, total: int) -> None:
    (tmp_path / "orders.log").write_text(f"{line}\n" * 60)
    window = TimeWindow(start=START, end=START + timedelta(minutes=1))
    at_once, alone = answers(tmp_path, query, service=None, min_level=None, window=window, limit=5)
    assert (at_once.matched.total, alone.matched.total) == (total, total)


def test_asked_for_the_newest_alone_it_stops_there_and_says_what_was_not_read(tmp_path: Path) -> None:
    moments = [START + timedelta(seconds=number) for number in range(4000)]
    text = "".join(f'{{"time":"{moment:%Y-%m-%dT%H:%M:%SZ}","service":"cart","msg":"pool exhausted"}}\n' for moment in moments)
    (tmp_path / "cart.log").write_text(text)
    page = FileLogs("logs", tmp_path).search(
        LogRequest(
            query=parse_log_query("exhausted"),
            service=None,
            min_level=None,
            window=TimeWindow(start=START, end=START + timedelta(days=1)),
            limit=3,
            deadline=Deadline.after(60),
            in_full=False,
        )
    )
    assert [record.timestamp for record in page.records] == moments[:-4:-1]
    assert [record.source for record in page.records] == ["cart.log:4000", "cart.log:3999", "cart.log:3998"]
    assert page.partial_reasons == ("of cart.log only the newest records were read, as many as were asked for",)
    assert 3 <= page.matched.total < 4000
    assert not page.matched.is_exact
