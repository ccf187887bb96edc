"""Comparatives, extremes and aggregates: evaluated on the stored points of the cited series."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.times import format_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.clock import CLOCK, fits_clock
from groundwire.grounding.figures import Figure, figure_in, pattern

Point = tuple[float, float]

_GAP: Final = r"(?:[ ,]+[a-z_-]{1,20}){0,4}?[ ,]+(?:(?:at|of|was|is|were|to|reached|reaching|hit|with|a|value)[ ,]+){0,3}"
_GAP_OF: Final = r"(?:[ ,]+[A-Za-z0-9_-]{1,40}){0,9}?[ ,]+(?:(?:at|of|was|is|to|with)[ ,]+)?"
_HIGH: Final = r"peak(?:ed|ing|s)?|max(?:imum|ed|ima)?|highest|topped out|high"
_LOW: Final = r"min(?:imum|ima)?|lowest|bottomed(?: out)?|trough|low"
_EXTREME: Final = re.compile(rf"\b(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\b{_GAP}{pattern()}(?P<timed> at {CLOCK})?", re.IGNORECASE)
_EXTREME_AT: Final = re.compile(
    rf"\b(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\b(?:[ ,]+[a-z_-]{{1,20}}){{0,5}}?[ ,]+(?:at|around) {CLOCK}", re.IGNORECASE
)
_MEAN: Final = re.compile(rf"\b(?:averag(?:e|ed|es|ing)|mean)\b{_GAP}{pattern()}", re.IGNORECASE)
_VERB: Final = (
    r"(?:\b(?:rose|rises|went|goes|gone|got|climbed|grew|increased|spiked|jumped|shot up|dropped|fell|sank|decreased|declined) )?"
)
_FROM_TO: Final = re.compile(rf"{_VERB}\bfrom {pattern('1')} (?:up |down )?to {pattern('2')}", re.IGNORECASE)
_THRESHOLD: Final = re.compile(
    rf"{_VERB}\b(?:(?P<over>above|over|more than|greater than|higher than|exceed(?:ed|s|ing)?|crossed|at least)|"
    rf"(?P<under>below|under|less than|lower than|at most)) {pattern()}",
    re.IGNORECASE,
)
_FACTOR: Final = re.compile(
    r"\b(?P<word>doubled|tripled|quadrupled|halved)\b|\b(?P<zero>(?:dropped|fell|went|sank) to (?:zero|0))\b", re.IGNORECASE
)
_TREND: Final = re.compile(
    r"\b(?:(?P<steady>steadily|monotonic(?:ally)?|continuously|without a break) )?"
    r"(?:(?P<up>rose|rises|increas(?:ed|es|ing)|climb(?:ed|s|ing)|grew|grows|growing|went up|shot up|spiked|jumped)|"
    r"(?P<down>fell|falls|decreas(?:ed|es|ing)|declin(?:ed|es|ing)|dropped|went down|sank|shrank)|"
    r"(?P<flat>stayed flat|was flat|remained flat|stayed constant|was constant|unchanged|did not change))\b",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    rf"\b(?:last|latest|final|current|at the end(?: of the window)?|ended at|ends at|now)\b{_GAP_OF}{pattern()}", re.IGNORECASE
)
_VALUE_AT: Final = re.compile(rf"{pattern()}(?:[ ,]+[a-z_]{{1,20}}){{0,2}}?[ ,]+at {CLOCK}", re.IGNORECASE)
_ALL: Final = re.compile(
    r"\b(?:stayed|remained|stays|remains|always|throughout|constantly|never|all|every|the whole|kept|without exception)\b",
    re.IGNORECASE,
)
_NOW: Final = re.compile(r"\b(?:now|currently|at the end|ended|finally|last)\b", re.IGNORECASE)
_UP: Final = frozenset("rose rises climbed grew increased spiked jumped".split())
_DOWN: Final = frozenset("dropped fell sank decreased declined".split())
# Words of a unit or a quantity -> what a metric of another family never is measured in.
_FAMILIES: Final = {
    "bytes": re.compile(r"byte|memory|mem_|_mem|disk|network|mib|gib|kib", re.IGNORECASE),
    "cpu": re.compile(r"cpu|core", re.IGNORECASE),
    "ratio": re.compile(r"percent|ratio|rate|pct|share|utili[sz]ation", re.IGNORECASE),
    "time": re.compile(r"second|_ms|_s\b|latency|duration|time", re.IGNORECASE),
}
_UNIT_FAMILIES: Final = (
    (re.compile(r"(?:[kmgt]i?b|bytes?|b)\Z", re.IGNORECASE), "bytes"),
    (re.compile(r"(?:milli)?cores?\Z", re.IGNORECASE), "cpu"),
    (re.compile(r"(?:%|percent)\Z", re.IGNORECASE), "ratio"),
    (re.compile(r"(?:m?s|secs?|seconds?|mins?|minutes?|milliseconds?)\Z", re.IGNORECASE), "time"),
)
_FACTORS: Final = {"doubled": 2.0, "tripled": 3.0, "quadrupled": 4.0, "halved": 0.5}
_FLAT_SHARE: Final = 0.05
_FACTOR_SLACK: Final = 0.05


def check_series(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each comparative, extreme, aggregate or value that the claim states of a cited series.

    A claim that cites no series has none. Of several cited series one that bears a statement out is enough.
    """
    series = [(item, points_of(item)) for item in cited if item.kind is CitedKind.SERIES]
    series = _asked_about(claim.whole, [(item, points) for item, points in series if points])
    if not series:
        return []
    facts: list[CheckedFact] = []
    for take, check in _CHECKS:
        for match in claim.take(take):
            facts.append(_best(match, check, series, claim.whole))
            # The words between the statement and its figure say of what it is: they are still to be checked.
            claim.put_back(" ".join(word for word in re.findall(r"[A-Za-z_]{2,}", match[0]) if word.lower() not in _READ))
    if facts:
        for word in _COMPUTED_WITH:
            list(claim.take(word))
    return facts


def _asked_about(text: str, series: list[tuple[Cited, list[Point]]]) -> list[tuple[Cited, list[Point]]]:
    """Return the series of the things that the claim names, where it names those of some and not of others."""
    named = [pair for pair in series if any(_names(text, str(value)) for value in (pair[0].item.get("labels") or {}).values())]
    metric = [pair for pair in named or series if _names(text, str(pair[0].item.get("metric") or ""))]
    return metric or named or series


def _names(text: str, value: str) -> bool:
    return len(value) > 2 and re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text, re.IGNORECASE) is not None


def points_of(item: Cited) -> list[Point]:
    """Return the numeric points of a series, oldest first."""
    points = item.item.get("points") or ()
    return [(p[0], float(p[1])) for p in points if isinstance(p, list) and len(p) == 2 and isinstance(p[1], int | float)]


_Check = Callable[[re.Match[str], list[Point], str], tuple[bool, str]]


def _best(match: re.Match[str], check: _Check, series: Sequence[tuple[Cited, list[Point]]], whole: str) -> CheckedFact:
    results = [
        (item, *check(match, points, whole))
        if _is_of_family(match, item)
        else (item, False, f"{item.item.get('metric')} is no such quantity")
        for item, points in series
    ]
    item, holds, found = next((result for result in results if result[1]), results[0])
    return CheckedFact(
        claimed=" ".join(match[0].split()),
        looked_in=f"{item.ref_id} points",
        found=found,
        verdict=Verdict.SUPPORTED if holds else Verdict.CONTRADICTED,
    )


def _is_of_family(match: re.Match[str], item: Cited) -> bool:
    """Return whether a series can be measured in the unit that a statement has."""
    unit = match.groupdict().get("unit") or match.groupdict().get("unit1")
    family = next((name for pattern_, name in _UNIT_FAMILIES if unit and pattern_.match(unit)), None)
    return family is None or _FAMILIES[family].search(str(item.item.get("metric") or "")) is not None


def _extreme(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    choose, name = (max, "maximum") if match["high"] else (min, "minimum")
    at, value = choose(points, key=lambda point: point[1])
    in_time = match["timed"] is None or _extreme_at(match, points, whole)[0]
    return in_time and figure_in(match).fits(value), f"the {name} is {value:g} at {_shown(at)}"


def _extreme_at(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    choose, name = (max, "maximum") if match["high"] else (min, "minimum")
    _, value = choose(points, key=lambda point: point[1])
    hits = [index for index, point in enumerate(points) if point[1] == value]
    return any(_stands_for(match, points, index) for index in hits), f"the {name} {value:g} is at {_shown(points[hits[0]][0])}"


def _stands_for(match: re.Match[str], points: list[Point], index: int) -> bool:
    """A sample stands for the time since the sample before it."""
    end = points[index][0]
    start = points[index - 1][0] if index else end
    moment = datetime.fromtimestamp(end, UTC)
    return fits_clock(match, moment, since=datetime.fromtimestamp(start, UTC))


def _mean(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    mean = sum(value for _, value in points) / len(points)
    return figure_in(match).fits(mean), f"the mean of {len(points)} samples is {mean:g}"


def _from_to(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    start, end = figure_in(match, "1"), figure_in(match, "2")
    first, last = points[0][1], points[-1][1]
    lowest, highest = min(value for _, value in points), max(value for _, value in points)
    ends = (last, highest) if end.value >= start.value else (last, lowest)
    verb = match[0].split(" ", 1)[0].lower()
    if (verb in _UP and end.value < start.value) or (verb in _DOWN and end.value > start.value):
        return False, f"it says {verb} from {start.shown} to {end.shown}"
    starts = (first, lowest) if end.value >= start.value else (first, highest)
    begins = next((i for i, (_, value) in enumerate(points) if start.fits(value) and any(start.fits(s) for s in starts)), None)
    reaches = begins is not None and any(end.fits(value) for _, value in points[begins:]) and any(end.fits(e) for e in ends)
    return reaches, f"first {first:g}, last {last:g}, minimum {lowest:g}, maximum {highest:g}"


def _threshold(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    limit = figure_in(match)
    holds = [_is_beyond(match, limit, value) for _, value in points]
    sentence = _ALL.search(whole)
    found = f"{sum(holds)} of {len(holds)} samples are"
    if sentence is not None:
        never = sentence[0].lower() == "never"
        return (not any(holds) if never else all(holds)), found
    return (holds[-1] if _NOW.search(whole) else any(holds)), found


def _is_beyond(match: re.Match[str], limit: Figure, value: float) -> bool:
    word = (match["over"] or match["under"]).lower()
    bound = float(limit.value)
    if limit.unit in ("%", "percent") and 0 <= value <= 1.0 < bound:
        value *= 100
    if word == "at least":
        return value >= bound
    if word == "at most":
        return value <= bound
    return value > bound if match["over"] else value < bound


def _factor(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    values = [value for _, value in points]
    first, last = values[0], values[-1]
    found = f"first {first:g}, last {last:g}, minimum {min(values):g}, maximum {max(values):g}"
    if match["zero"]:
        return any(value == 0 < before for before, value in pairwise(values)), found
    factor = _FACTORS[match["word"].lower()]
    if not first:
        return False, found
    reached = (last / first, (min(values) if factor < 1 else max(values)) / first)
    return any(abs(ratio - factor) <= factor * _FACTOR_SLACK or _is_past(ratio, factor) for ratio in reached), found


def _is_past(ratio: float, factor: float) -> bool:
    """Return whether a ratio is still called so: "doubled" is said of 2.3 times as well, not of three times and more."""
    return factor <= ratio < factor * 1.25 if factor > 1 else factor * 0.75 < ratio <= factor


def _trend(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    values = [value for _, value in points]
    first, last, low, high = values[0], values[-1], min(values), max(values)
    found = f"first {first:g}, last {last:g}, minimum {low:g}, maximum {high:g}"
    if match["flat"]:
        return high - low <= abs(sum(values) / len(values)) * _FLAT_SHARE, found
    steps = list(pairwise(values))
    if match["steady"]:
        return all(b >= a for a, b in steps) if match["up"] else all(b <= a for a, b in steps), found
    return (last > first if match["up"] else last < first), found


def _last(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    return figure_in(match).fits(points[-1][1]), f"the last sample is {points[-1][1]:g}"


def _value_at(match: re.Match[str], points: list[Point], whole: str) -> tuple[bool, str]:
    hits = [points[index][1] for index in range(len(points)) if _stands_for(match, points, index)]
    if not hits:
        return False, "no sample stands for that time"
    return any(figure_in(match).fits(value) for value in hits), f"there it is {', '.join(f'{value:g}' for value in hits[:3])}"


def _shown(epoch_s: float) -> str:
    return format_instant(datetime.fromtimestamp(epoch_s, UTC))


_READ: Final = frozenset(
    (
        "peak peaked peaks peaking max maximum maxed highest topped out high min minimum lowest bottomed trough low at of "
        "is was were to reached reaching hit with value average averaged averages averaging mean above over below under "
        "more less than greater higher lower exceed exceeded exceeds crossed least most from up down about around percent "
        "ms seconds second minutes mib gib kib bytes millicores millicore cores core utc the rose rises rise went goes "
        "gone got climbed climbs grew grows growing increased increases increase spiked jumped shot dropped drops fell "
        "falls sank decreased decreases declined declines doubled tripled quadrupled halved zero steadily monotonically "
        "continuously stayed flat remained constant unchanged"
    ).split()
)
# Words that a check has read already.
_COMPUTED_WITH: Final = (_ALL, _NOW, re.compile(r"\b(?:reach(?:ed|es|ing)?|hit|briefly|at some point)\b", re.IGNORECASE))

# In this order: what was read as one statement is not read as another.
_CHECKS: Final[tuple[tuple[re.Pattern[str], _Check], ...]] = (
    (_EXTREME_AT, _extreme_at),
    (_EXTREME, _extreme),
    (_MEAN, _mean),
    (_FROM_TO, _from_to),
    (_THRESHOLD, _threshold),
    (_FACTOR, _factor),
    (_LAST, _last),
    (_VALUE_AT, _value_at),
    (_TREND, _trend),
)
