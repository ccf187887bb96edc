"""Claims about numbers in log lines, and six ways to get them wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from bench.grounding.claim import CONTRADICTED, TRUE, UNSUPPORTED, Claim, Collection, Label
from bench.grounding.cores import NumberCore, number_cores
from bench.grounding.recorded import LogItem, RecordedCall, RecordedSession
from bench.grounding.wording import Clock, capital, frames, grouped

_PER_CORE = 14
_FAMILY = "number"


def add_numbers(into: Collection, session: RecordedSession, random: Random) -> None:
    """Add true and false claims about the numbers of single records."""
    for core in number_cores(session.spec.half):
        found = [(item, match) for item in _browsed(session) if (match := core.find(item.record)) is not None]
        random.shuffle(found)
        for item, match in found[:_PER_CORE]:
            for claim in _of_item(session, core, item, match, random):
                into.add(claim)
        for (first, one), (second, other) in pairwise(found[: _PER_CORE + 1]):
            if one["v"] != other["v"] and one["key"] != other["key"]:
                into.add(_wrong_subject(session, core, (first, one), (second, other), random))


def _browsed(session: RecordedSession) -> Iterator[LogItem]:
    seen = set()
    calls: Iterator[RecordedCall] = session.tagged("browse", "errors", "level")
    for call in calls:
        for item in call.items():
            place = (item.record.file, item.record.line)
            if place not in seen:
                seen.add(place)
                yield item


def _of_item(session: RecordedSession, core: NumberCore, item: LogItem, match: re.Match[str], random: Random) -> Iterator[Claim]:
    value, key = match["v"], match["key"]
    plain = _plain(value, core.unit)
    said = [(key, random.choice(_true_forms(value, core.unit)), TRUE), (key, plain, TRUE)]
    said += [(key, wrong, Label(CONTRADICTED, kind)) for kind, wrong in _false_forms(value, core.unit, random)]
    swapped = _transposed(key, random)
    if swapped is not None and swapped not in item.seen:
        said.append((swapped, plain, Label(UNSUPPORTED, "digits_transposed")))
    for frame, (name, written, label) in zip(random.sample(frames(session.spec.half), len(said)), said, strict=True):
        pattern = random.choice(core.clauses)
        record = item.record
        yield Claim(
            session=session.spec.name,
            half=session.spec.half,
            text=frame.put(pattern.format(key=name, v=written), svc=record.service, at=Clock(session.spec).seconds(record.at)),
            refs=(item.ref,),
            truth=label.truth,
            falsehood=label.falsehood,
            family=_FAMILY,
            template=f"{frame.name}/{pattern}",
            keys=(key,) if label is TRUE else (),
        )


def _wrong_subject(
    session: RecordedSession,
    core: NumberCore,
    first: tuple[LogItem, re.Match[str]],
    second: tuple[LogItem, re.Match[str]],
    random: Random,
) -> Claim:
    clause = random.choice(core.clauses).format(key=first[1]["key"], v=_plain(second[1]["v"], core.unit))
    return Claim(
        session=session.spec.name,
        half=session.spec.half,
        text=f"{capital(clause)}.",
        refs=(first[0].ref, second[0].ref),
        truth=CONTRADICTED,
        falsehood="right_number_wrong_subject",
        family=_FAMILY,
        template=core.pattern.pattern,
    )


def _plain(value: str, unit: str) -> str:
    if unit in {"", "ratio"}:
        return value
    return f"{value} {unit}"


def _true_forms(value: str, unit: str) -> list[str]:
    """Return the value in its own unit and in others, each within half of what is printed."""
    number = float(value)
    forms = [_plain(value, unit)]
    if unit == "ms" and number >= 1000:
        forms += [
            f"{number / 1000:.3f} s",
            f"{number / 1000:.1f} s",
            f"{grouped(int(number))} ms",
            f"about {number / 1000:.0f} seconds",
        ]
    elif unit == "ms":
        forms += [f"{value}ms", f"{number / 1000:.3f} s", f"{value} milliseconds"]
    elif unit == "s":
        forms += [f"{value}s", f"{value} seconds", f"{number * 1000:.0f} ms"]
    elif unit == "bytes" and number >= 10_000:
        forms += [f"{grouped(int(number))} bytes", f"{number / 1000:.1f} kB", f"{number / 1024:.1f} KiB"]
    elif unit == "bytes":
        forms += [f"{grouped(int(number))} bytes", f"{value} B"]
    elif unit == "ratio":
        forms += [f"{number * 100:g} %", f"{number * 100:g}%", f"{number * 100:g} percent"]
    elif unit == "EUR":
        forms += [f"EUR {value}", f"{value} euros"]
    return forms


_OTHER_UNIT = {
    "ms": ("s", "min"),
    "s": ("ms", "min"),
    "bytes": ("kB", "MB"),
    "KB": ("MB", "GB"),
    "MB": ("GB", "KB"),
    "ratio": ("%", "%"),
}


def _false_forms(value: str, unit: str, random: Random) -> list[tuple[str, str]]:
    """Return (falsehood, written value)."""
    decimals = len(value.partition(".")[2])
    step = 10**-decimals
    up = random.choice((1, -1)) if float(value) > step else 1
    by_one = f"{float(value) + up * step:.{decimals}f}"
    by_ten = (
        f"{float(value) * 10:.{decimals}f}" if float(value) and random.random() < 0.5 else f"{float(value) + 10:.{decimals}f}"
    )
    forms = [("off_by_one", _plain(by_one, unit)), ("off_by_ten", _plain(by_ten, unit))]
    if unit in _OTHER_UNIT and float(value):
        forms.append(("unit_changed", f"{value} {random.choice(_OTHER_UNIT[unit])}"))
    return forms


def _transposed(text: str, random: Random) -> str | None:
    """Return the text with two neighbouring digits that differ in each other's place."""
    places = [i for i in range(len(text) - 1) if text[i].isdigit() and text[i + 1].isdigit() and text[i] != text[i + 1]]
    if len(places) < 3:
        return None
    i = random.choice(places)
    return text[:i] + text[i + 1] + text[i] + text[i + 2 :]
