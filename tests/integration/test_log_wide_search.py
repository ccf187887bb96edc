"""Searching much for words: what is found first and read then is what reading everything finds, with ``rg`` and without."""

from __future__ import annotations

import os
import random
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.logs import dense_search, lines, looking, seeking, sparse_scan, wide_search
from groundwire.adapters.logs.best_look import best_look
from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.logs.grep import GrepLook
from groundwire.adapters.logs.looking import Hits, Look, PythonLook
from groundwire.adapters.logs.ripgrep import RipgrepLook
from groundwire.adapters.logs.scan import FileScan
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogCounts, LogPage, LogRequest
from tests.integration.test_log_runs import JSON, PLAIN, QUERIES, START, log_file

WORDS = (
    "pool exhausted", "order accepted", "ERROR inside", "a: b : c", "x\\ty", "[main] INFO a.B - c", "deadlocked",
    "2026-11-12 09:00:00 ERROR x", "Exhaustion", "k=v", "", "back\\\\slash", "cart is empty",
)  # fmt: skip
MORE_QUERIES = ("deadlock", "kelvin k", "exhausted -pool", "order exhausted", "xe9on", "9on", "info pool", "java.sql", "indented")


def search(root: Path, look: Look | None, query: str, **asked: object) -> LogPage:
    request = LogRequest(query=parse_log_query(query), deadline=Deadline.after(60), **asked)  # type: ignore[arg-type]
    return FileLogs("logs", root, look=look, reads_runs=look is not None).search(request)


@pytest.fixture
def looks() -> dict[str, Look]:
    """Return all ways to look through files that this machine has; under CI it must have all."""
    rg, grep = shutil.which("rg"), shutil.which("grep")
    assert "CI" not in os.environ or (rg is not None and grep is not None), "ripgrep or grep is not installed"
    looks: dict[str, Look] = {"python": PythonLook()}
    looks |= {"rg": RipgrepLook(rg)} if rg is not None else {}
    return looks | ({"grep": GrepLook(grep)} if grep is not None else {})


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide_search, "WORTH_LOOKING", 1)
    monkeypatch.setattr(wide_search, "_BYTES_A_HIT", 50)
    monkeypatch.setattr(sparse_scan, "_REACHES", (300, 2000, 1 << 20))
    monkeypatch.setattr(looking, "_BLOCK", 700)
    monkeypatch.setattr(lines, "BLOCK", 1500)
    monkeypatch.setattr(seeking, "_PART", 3000)
    monkeypatch.setattr(seeking, "WORTH_SEEKING", 4000)


def in_a_container(text: str, rng: random.Random) -> str:
    """Return a text as a container runtime writes it: two streams in one file, and rarely a line in two parts."""
    framed = []
    for number, line in enumerate(text.splitlines()):
        moment = START + timedelta(seconds=number, microseconds=rng.randrange(10**6))
        head = f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z {rng.choice(['stdout', 'stdout', 'stderr'])}"
        if rng.random() < 0.001:
            framed += [f"{head} P {line[:9]}", f"{head} F {line[9:]}"]
        else:
            framed.append(f"{head} F {line}")
    return "\n".join(framed) + "\n"


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    form=st.sampled_from(["json", "plain", "container"]),
    query=st.sampled_from(QUERIES + MORE_QUERIES * 5),
    service=st.sampled_from([None, None, "cart", "shop", "orders", "nobody"]),
    min_level=st.sampled_from([None, Level.WARN, Level.ERROR]),
    since_s=st.sampled_from([-90_000, 0, 40]),
    until_s=st.sampled_from([100, 4000, 400_000]),
    limit=st.sampled_from([1, 5, 500]),
)
def test_what_is_found_is_what_reading_each_record_finds(
    *, looks: dict[str, Look], seed: int, form: str, query: str, service: str | None, min_level: Level | None,
    since_s: int, until_s: int, limit: int,
) -> None:  # fmt: skip
    rng = random.Random(seed)
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for number, name in enumerate(("orders.log", "app.log")):
            text = log_file(seed + number, JSON if form == "json" else PLAIN, WORDS)
            framed = in_a_container(text, rng) if form == "container" else text
            raw = framed.encode()
            if rng.random() < 0.2:
                at = rng.randrange(len(raw))
                raw = raw[:at] + rng.choice([b"\xe9on ", "\N{KELVIN SIGN}elvin".encode(), b"\\u0070ool", b"\0"]) + raw[at:]
            (root / name).write_bytes(raw)
        window = TimeWindow(start=START + timedelta(seconds=since_s), end=START + timedelta(seconds=until_s))
        asked = {"service": service, "min_level": min_level, "window": window, "limit": limit}
        alone = search(root, None, query, **asked)
        found = {name: search(root, look, query, **asked) for name, look in looks.items()}
    for page in found.values():
        assert without_scope(page) == without_scope(alone)
        assert page.in_scope.is_exact is False or page.in_scope == alone.in_scope
        assert (page.in_scope.total > 0) == (alone.in_scope.total > 0)
        assert page.in_scope.total <= alone.in_scope.total
        assert page == found["python"]


def without_scope(page: LogPage) -> LogPage:
    return replace(page, in_scope=LogCounts(), undated_count=0, notes=())


PLAIN_LINE = "2026-11-12T09:00:00Z INFO started"
FOUND_OR_NOT = [
    ("app.log", [f"2026-11-12T09:00:00Z stdout P {PLAIN_LINE} dead", "2026-11-12T09:00:00.2Z stdout F locked"], "deadlocked", 1),
    ("deadlock.log", [PLAIN_LINE], "deadlock", 1),
    ("app.log", ['{"time":"2026-11-12T09:00:00Z","msg":"de\\u0061dlocked"}'], "deadlocked", 1),
    ("app.log", ['{"time":"2026-11-12T09:00:00Z","msg":"a \\u003c b deadlocked"}'], "deadlocked", 1),
    ("app.log", [b"2026-11-12T09:00:00Z INFO \x9eonly"], "eonly", 1),
    ("app.log", ["2026-11-12T09:00:00Z INFO tas\N{KELVIN SIGN} done"], "task", 1),
    ("app.log", ["2026-11-12T09:00:00Z INFO wif\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"], "wifi", 1),
    ("app.log", [PLAIN_LINE, "\tat a.b.Deadlocked(C.java:1)", "\tdeadlocked again"], "deadlocked", 1),
    ("app.log", [PLAIN_LINE], "deadlocked", 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "written", "query", "total"), FOUND_OR_NOT)
def test_a_word_is_found_however_it_is_written(
    tmp_path: Path, looks: dict[str, Look], name: str, written: list[str | bytes], query: str, total: int
) -> None:
    raw = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in written)
    other = b"2026-11-12T09:00:01Z stdout F 2026-11-12T09:00:00Z INFO other\n" if b"stdout" in raw else f"{PLAIN_LINE}\n".encode()
    (tmp_path / name).write_bytes(raw + other * (60 if total == 1 and name == "app.log" else 0))
    window = TimeWindow(start=START - timedelta(hours=1), end=START + timedelta(hours=1))
    asked = {"service": None, "min_level": None, "window": window, "limit": 5}
    totals = [search(tmp_path, look, query, **asked).matched.total for look in (None, *looks.values())]
    assert totals == [total] * len(totals)


def shop(tmp_path: Path) -> dict[str, object]:
    moments = [START + timedelta(seconds=number) for number in range(6000)]
    lines_of_it = [
        f'{{"time":"{moment:%Y-%m-%dT%H:%M:%SZ}","service":"cart","msg":"order {moment:%H%M%S} ok"}}' for moment in moments
    ]
    lines_of_it[10] = '{"time":"2026-11-12T09:00:10Z","service":"cart","msg":"order deadlocked"}'
    lines_of_it[20] = '{"time":"2026-11-12T09:00:20Z","service":"cart","msg":"log: 12 messages suppressed"}'
    (tmp_path / "cart.log").write_text("\n".join(lines_of_it) + "\n")
    window = TimeWindow(start=START, end=START + timedelta(days=1))
    return {"service": "cart", "min_level": None, "window": window, "limit": 5}


def test_the_scope_is_counted_at_the_end_alone_and_the_answer_says_so(tmp_path: Path, looks: dict[str, Look]) -> None:
    asked = shop(tmp_path)
    for look in looks.values():
        page = search(tmp_path, look, "deadlocked", **asked)
        assert (page.matched.total, page.matched.is_exact) == (1, True)
        assert page.records[0].source == "cart.log:11"
        assert 0 < page.in_scope.total < 6000
        assert not page.in_scope.is_exact
        assert page.in_scope.last_at == START + timedelta(seconds=5999)
        assert page.partial_reasons == ()
        assert page.notes == (
            "cart.log says in the window that messages were suppressed, dropped or put together: it holds not all",
            "only records with the words were looked for in cart.log; not all others were counted (in_scope)",
        )


def test_without_a_word_or_in_few_megabytes_everything_is_read(
    tmp_path: Path, looks: dict[str, Look], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = shop(tmp_path)
    assert search(tmp_path, looks["python"], "-deadlocked", **asked).in_scope.total == 6000
    monkeypatch.setattr(wide_search, "WORTH_LOOKING", 1 << 20)
    assert search(tmp_path, looks["python"], "deadlocked", **asked).in_scope.total == 6000


def test_a_program_that_is_merely_called_rg_is_not_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rg").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "rg").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    best_look.cache_clear()
    assert isinstance(best_look(), PythonLook)
    best_look.cache_clear()


class LateLook(PythonLook):
    def find(self, *_: object, **__: object) -> Hits:
        raise TimeoutError


@pytest.mark.parametrize(
    "look",
    [
        LateLook(),
        RipgrepLook("/no/such/rg"),
        RipgrepLook(str(shutil.which("ls"))),
        GrepLook("/no/such"),
        GrepLook(str(shutil.which("ls"))),
    ],
)
def test_where_looking_fails_the_answer_is_the_same(tmp_path: Path, look: Look) -> None:
    page = search(tmp_path, look, "deadlocked", **shop(tmp_path))
    assert (page.matched.total, page.partial_reasons) == (1, ())


@pytest.mark.parametrize(("left", "reason"), [(None, "cart.log cannot be read: No such file"), ("{}\n", "cart.log was emptied")])
def test_a_file_that_is_rotated_while_it_is_looked_through_is_named(tmp_path: Path, left: str | None, reason: str) -> None:
    class Rotating(PythonLook):
        def find(self, *args: object, **kwargs: object) -> Hits:
            found = super().find(*args, **kwargs)  # type: ignore[arg-type]
            path = tmp_path / "cart.log"
            path.unlink(missing_ok=True) if left is None else path.write_text(left)
            return found

    asked = shop(tmp_path)
    (tmp_path / "pay.log").write_text(f"{PLAIN_LINE}\n" * 100)
    page = search(tmp_path, Rotating(), "nothing-of-it", **asked | {"service": None})
    assert [said for said in page.partial_reasons if said.startswith(reason)]
    assert not page.matched.is_exact


JSON_LINES = (
    '{{"time":"{time}","level":"{level}","service":"{app}","trace":"{n:08x}","msg":"{text}"}}',
    '{{"time":"{time}","level":"{level}","service":"{app}","trace":"{n:08x}","msg":"{text}"}}',
    '{{"severity":"{level}","@timestamp":"{time}","message":"{text}","n":{n},"app":"{app}"}}',
    '{{"message":"{text}","n":{n}.5,"ok":true,"ts":"{time}","level":"{level}"}}',
)
DENSE_WORDS = (
    "pool exhausted", "order Exhausted twice: EXHAUSTED", "quiet", "cart", 'say \\"exhausted\\"',
    "x\\nexhausted", "x\\\\nexhausted",
    "tas\N{KELVIN SIGN} exhausted", "ta\N{LATIN SMALL LETTER LONG S}k", "task", "\N{SNOWMAN} exhausted",
)  # fmt: skip
ODD = (
    "panic: runtime error\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d",
    '{{\n  "time": "{time}",\n  "level": "error",\n  "msg": "exhausted"\n}}',
    "\tat exhausted.Pool(P.java:1)", "Caused by: a.b.ExhaustedError: x", '{{"time":"{time}","msg":"exhausted, no level"}}', "",
    '{{"time":"{time}","level":"info","msg":"again","msg":"exhausted"}}', '{{"time":"{time}","level":"info","exhausted":1}}',
    '{{"time":"{time}","level":"exhausted","service":"cart","trace":"","msg":"no"}}', "exhausted plain words",
    '{{"time":"{time}","level":"info","service":"exhausted","trace":"exhausted","msg":"no"}}',
    '{{"level":"info","msg":"exhausted"}}',
)  # fmt: skip


def dense_file(rng: random.Random) -> bytes:
    template = rng.choice(JSON_LINES)
    form = rng.choice(["{:%Y-%m-%dT%H:%M:%S.%fZ}", "{:%Y-%m-%dT%H:%M:%SZ}", "{:%Y-%m-%d %H:%M:%S+02:00}", "{:%Y-%m-%dT%H:%M:%S}"])
    step, moment, written = rng.choice([1, 30, 700]), START, []
    for number in range(rng.choice([60, 300])):
        moment += timedelta(seconds=rng.choice([0, step]))
        values = {
            "time": form.format(moment),
            "level": rng.choice(("info", "WARN", "error")),
            "app": rng.choice(("cart", "shop")),
        }
        line = template if rng.random() < 0.95 else rng.choice(JSON_LINES)
        written.append(line.format(**values, n=number, text=rng.choice(DENSE_WORDS)).encode())
        if rng.random() < 0.05:
            written.append(rng.choice(ODD).format(**values).encode())
        if rng.random() < 0.01:
            written.append(written[-1].replace(b"msg", b"\xffmsg") + rng.choice([b"\r", b"\r\r", b"", b" "]))
    return rng.choice([b"", b"", b"\xef\xbb\xbf", b"\0\0"]) + b"\n".join(written) + rng.choice([b"", b"\n"])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    query=st.sampled_from(["exhausted", "exhausted", '"exhausted tw"', "task", "cart", "nexhausted", "exhausted quiet", "level"]),
    service=st.sampled_from([None, None, "cart", "shop"]),
    min_level=st.sampled_from([None, None, Level.WARN]),
    until_s=st.sampled_from([40, 4000, 400_000]),
)
def test_lines_that_are_counted_without_reading_them_are_those_that_match(
    *, looks: dict[str, Look], seed: int, query: str, service: str | None, min_level: Level | None, until_s: int
) -> None:
    rng = random.Random(seed)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(wide_search, "_BYTES_A_HIT", 10**9)
        patch.setattr(dense_search, "_BYTES_A_LINE", 1)
        root = Path(folder)
        for name in ("orders.log", "new\nline.log"):
            (root / name).write_bytes(dense_file(rng))
        window = TimeWindow(start=START + timedelta(seconds=3), end=START + timedelta(seconds=until_s))
        asked = {"service": service, "min_level": min_level, "window": window, "limit": rng.choice([1, 5, 500])}
        alone = search(root, None, query, **asked)
        found = [search(root, look, query, **asked) for look in looks.values()]
    for page in found:
        assert without_scope(page) == without_scope(alone)
        assert page == found[0]


def test_an_rg_that_hangs_does_not_hold_the_answer_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide_search, "_BYTES_A_HIT", 10**9)
    program = tmp_path / "rg"
    real = shutil.which("rg") or "rg"
    # It finds as ever, and sleeps where it is to filter what comes by a pipe.
    program.write_text(f'#!/bin/sh\nfor last; do :; done\n[ "$last" = - ] && exec sleep 60\nexec {real} "$@"\n')
    program.chmod(0o755)
    logs = tmp_path / "logs"
    logs.mkdir()
    asked = shop(logs)
    request = LogRequest(query=parse_log_query("order"), deadline=Deadline.after(3), **asked)  # type: ignore[arg-type]
    page = FileLogs("logs", logs, look=RipgrepLook(str(program))).search(request)
    assert (page.matched.total, page.partial_reasons) == (5999, ())


def test_hits_are_of_the_file_that_they_are_in_whatever_files_are_called(tmp_path: Path, looks: dict[str, Look]) -> None:
    inner = tmp_path / "logs" / str(tmp_path).lstrip("/")
    inner.mkdir(parents=True)
    paths = [tmp_path / "a.log", inner / "a.log", tmp_path / "a\nb.log", tmp_path / "b.log"]
    for number, path in enumerate(paths):
        path.write_text("x\n" * number + "deadlocked\n" * 2)
    wanted = {path: [(2 * number, number + 1), (2 * number + 11, number + 2)] for number, path in enumerate(paths)}
    for name, look in looks.items():
        found = look.find(paths, ["deadlocked"], most=5, deadline=Deadline.after(60))
        hits = {
            path: [(hit.offset, hit.line or wanted[path][at][1]) for at, hit in enumerate(found[path] or ())] for path in paths
        }
        assert hits == wanted, name


def test_a_file_that_is_gone_when_the_scope_is_counted_is_named(
    tmp_path: Path, looks: dict[str, Look], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: FileScan) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(FileScan, "run_tail", gone)
    page = search(tmp_path, looks["python"], "deadlocked", **shop(tmp_path))
    assert page.matched.total == 1
    assert any(said.startswith("cart.log cannot be read") for said in page.partial_reasons)
