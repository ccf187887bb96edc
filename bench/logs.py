"""How fast logs are searched, beside ripgrep, GNU grep and DuckDB on the same files: make bench, or --mb 500 for the whole."""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.log_search.made_logs import COMMON_WORD, DAYS, FIRST_DAY, RARE_WORD, make_logs
from bench.measuring import Figure, report
from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.logs.grep import GrepLook
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest

_ROUNDS: Final = 3
_ALL: Final = TimeWindow(start=FIRST_DAY, end=FIRST_DAY + timedelta(days=DAYS))
_NARROW_START: Final = FIRST_DAY + timedelta(days=8, hours=14)
_NARROW: Final = TimeWindow(start=_NARROW_START, end=_NARROW_START + timedelta(minutes=30))
_NARROW_PATTERN: Final = r'"time":"2026-11-09T14:[0-2].*"level":"error","service":"order-service"'
_DUCKDB: Final = """
import sys, time, duckdb
duckdb.sql("set enable_progress_bar = false")
started = time.perf_counter()
lines = duckdb.sql(
    f"select count(*) from read_json('{sys.argv[1]}/*.log', format='newline_delimited') where msg ilike '%{sys.argv[2]}%'"
).fetchall()[0][0]
print(lines, time.perf_counter() - started)
"""

_Timed = tuple[float, int]


def main() -> None:
    size = _size_from_arguments()
    with tempfile.TemporaryDirectory() as folder:
        make_logs(Path(folder), size)
        figures = _measure(Path(folder))
    report(*figures, description=f"{__doc__} This run: {size} MB.")


def _size_from_arguments() -> int:
    if "--mb" not in sys.argv:
        return 50
    at = sys.argv.index("--mb")
    size = int(sys.argv[at + 1])
    del sys.argv[at : at + 2]
    return size


def _measure(folder: Path) -> list[Figure]:
    started = time.perf_counter()
    first = _search(FileLogs("shop", folder), COMMON_WORD, limit=1, in_full=False)
    first_ms = (time.perf_counter() - started) * 1000
    assert len(first.records) == 1
    logs = FileLogs("shop", folder)
    without_rg = FileLogs("shop", folder, look=GrepLook("grep"))
    for known in (logs, without_rg):
        _search(known, RARE_WORD, window=_ALL)  # the files are looked at once

    day_file = folder / "shop-2026-11-09.log"
    runs: dict[str, Callable[[], _Timed]] = {
        "narrow": lambda: _ours(lambda: _search(logs, "", service="order-service", level=Level.ERROR, window=_NARROW)),
        "rg narrow": lambda: _lines_of(["rg", "-c", _NARROW_PATTERN, str(day_file)]),
        "newest": lambda: _timed(lambda: len(_search(logs, COMMON_WORD, in_full=False).records)),
        "rare": lambda: _ours(lambda: _search(logs, RARE_WORD)),
        "rare without rg": lambda: _ours(lambda: _search(without_rg, RARE_WORD)),
        "rg rare": lambda: _lines_of(["rg", "-j2", "-ciF", RARE_WORD, str(folder)]),
        "grep rare": lambda: _lines_of(["grep", "-rcF", RARE_WORD, str(folder)]),
        "duckdb rare": lambda: _duckdb(folder, RARE_WORD),
        "summary": lambda: _ours(lambda: _search(logs, COMMON_WORD)),
        "summary without rg": lambda: _ours(lambda: _search(without_rg, COMMON_WORD)),
        "rg common": lambda: _lines_of(["rg", "-ciF", COMMON_WORD, str(folder)]),
        "grep common": lambda: _lines_of(["grep", "-rcF", COMMON_WORD, str(folder)]),
        "duckdb common": lambda: _duckdb(folder, COMMON_WORD),
    }
    # In turns, so that what else the machine does meets all engines alike.
    slow = {"summary without rg", "duckdb rare", "duckdb common"}  # these take long enough to be measured once
    rounds = [{name: run() for name, run in runs.items() if turn == 0 or name not in slow} for turn in range(_ROUNDS)]
    seconds = {name: median(one[name][0] for one in rounds if name in one) for name in runs}
    counts = {name: rounds[0][name][1] for name in runs}
    differing = 50 - _newest_agree(_search(logs, COMMON_WORD, in_full=False), folder)
    return [
        Figure(name="of the newest 50, other ones than the files' last", value=differing, unit="", limit=0),
        *_figures(seconds, counts, first_ms),
    ]


def _figures(seconds: dict[str, float], counts: dict[str, int], first_ms: float) -> list[Figure]:
    def ratio(ours: str, theirs: str) -> float:
        return seconds[ours] / seconds[theirs] if seconds[theirs] > 0 else 0.0

    differing = sum(
        len({count for name, count in counts.items() if word in name and count >= 0}) - 1 for word in ("narrow", "rare")
    ) + (len({count for name, count in counts.items() if ("summary" in name or "common" in name) and count >= 0}) - 1)
    narrow_limit = max(50.0, 2000 * seconds["rg narrow"])
    figures = [
        Figure(name="queries on which the engines' counts differ", value=differing, unit="", limit=0),
        Figure(
            name="window, level and service",
            value=seconds["narrow"] * 1000,
            unit="ms",
            goal=narrow_limit,
            limit=20 * narrow_limit,
        ),
        Figure(name="newest 50 of a common word", value=seconds["newest"] * 1000, unit="ms", goal=100, limit=1000),
        Figure(name="first result, nothing known of the files", value=first_ms, unit="ms", goal=50),
        Figure(name="a rare word over rg -j2", value=ratio("rare", "rg rare"), unit="x", goal=2),
        Figure(name="a rare word by grep, without rg, over rg -j2", value=ratio("rare without rg", "rg rare"), unit="x", goal=4),
        Figure(name="summary of a common word over rg -c", value=ratio("summary", "rg common"), unit="x", goal=8),
        Figure(name="the same without rg", value=ratio("summary without rg", "rg common"), unit="x", goal=8),
        Figure(name="memory of this process at most", value=_memory_mb(), unit="MB", limit=120),
    ]
    figures += [Figure(name=f"seconds: {name}", value=took, unit="s") for name, took in seconds.items() if took > 0]
    return figures


def _search(
    logs: FileLogs,
    query: str,
    *,
    service: str | None = None,
    level: Level | None = None,
    window: TimeWindow = _ALL,
    limit: int = 50,
    in_full: bool = True,
) -> LogPage:
    return logs.search(
        LogRequest(
            query=parse_log_query(query),
            service=service,
            min_level=level,
            window=window,
            limit=limit,
            deadline=Deadline.after(600),
            in_full=in_full,
        )
    )


def _timed(work: Callable[[], int]) -> _Timed:
    started = time.perf_counter()
    count = work()
    return time.perf_counter() - started, count


def _ours(search: Callable[[], LogPage]) -> _Timed:
    return _timed(lambda: search().matched.total)


def _lines_of(command: list[str]) -> _Timed:
    """Return the time that a command took and the lines it counted; 0 s and -1 where it is not installed."""
    if shutil.which(command[0]) is None:
        return 0.0, -1

    def run() -> int:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return sum(int(number) for number in re.findall(r"(?:^|:)(\d+)$", done.stdout, re.MULTILINE))

    return _timed(run)


def _duckdb(folder: Path, word: str) -> _Timed:
    done = subprocess.run([sys.executable, "-c", _DUCKDB, str(folder), word], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return 0.0, -1
    count, took = done.stdout.split()[-2:]
    return float(took), int(count)


def _newest_agree(page: LogPage, folder: Path) -> int:
    with max(folder.iterdir()).open("rb") as handle:
        handle.seek(-1_000_000, 2)
        last_lines = handle.read().splitlines()[1:]
    holding = [json.loads(line)["time"] for line in last_lines if COMMON_WORD.encode() in line][-50:]
    wanted = {datetime.fromisoformat(text) for text in holding}
    return sum(record.timestamp in wanted for record in page.records)


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
