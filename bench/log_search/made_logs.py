"""Makes a shop's logs: twelve daily files of JSON lines, the same for the same size."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

DAYS: Final = 12
FIRST_DAY: Final = datetime(2026, 11, 1, tzinfo=UTC)
RARE_WORD: Final = "deadlocked"
COMMON_WORD: Final = "exhausted"
_BYTES_A_LINE: Final = 141.4
_SERVICES: Final = ("order-service", "payment-service", "api-gateway", "inventory-service", "cart-service")
_MESSAGES: Final = (
    "request completed in {} ms",
    "connection pool exhausted, {} waiting",
    "order {} accepted",
    "cache miss for key user:{}",
    "payment {} declined by issuer",
    "queue depth is {}",
)
_CHUNK: Final = 5000


def make_logs(folder: Path, megabytes: int) -> None:
    """Write the files; a few lines of each hold the rare word, one in six the common one."""
    per_day = int(megabytes * 1_000_000 / _BYTES_A_LINE / DAYS)
    for day in range(DAYS):
        start = FIRST_DAY + timedelta(days=day)
        with (folder / f"shop-{start:%Y-%m-%d}.log").open("w", encoding="utf-8") as handle:
            _write_day(handle.write, random.Random(day), start, per_day)


def _write_day(write: Callable[[str], object], rng: random.Random, start: datetime, lines: int) -> None:
    step = timedelta(days=1) / lines
    rare = {rng.randrange(lines) for _ in range(3)}
    levels = rng.choices(("info", "debug", "warn", "error"), (80, 12, 5, 3), k=_CHUNK)
    chunk: list[str] = []
    for number in range(lines):
        moment = (start + step * number).strftime("%Y-%m-%dT%H:%M:%S.%f")[:23]
        dice = rng.getrandbits(64)
        message = _MESSAGES[dice % 6].format(dice % 999_983)
        if number in rare:
            message = f"transaction {RARE_WORD}"
        chunk.append(
            f'{{"time":"{moment}Z","level":"{levels[(number * 7 + dice) % _CHUNK]}","service":"{_SERVICES[dice % 5]}",'
            f'"trace":"{dice:016x}","msg":"{message}"}}\n'
        )
        if len(chunk) == _CHUNK:
            write("".join(chunk))
            chunk.clear()
    write("".join(chunk))
