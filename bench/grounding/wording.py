"""How values, times and sentences are written down, differently in the two halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from bench.grounding.sessions import Session


def capital(text: str) -> str:
    """Return the sentence with a capital, unless it begins with the name of something."""
    first = text.partition(" ")[0]
    return text if any(mark in first for mark in "-_/.") else text[:1].upper() + text[1:]


# A frame puts a clause ({c}, or {C} with a capital) about service {svc} at time {t} into a sentence.
FRAMES: dict[str, tuple[str, ...]] = {
    "development": (
        "{C}.",
        "{C}, see the log of {svc}.",
        "At {t} UTC {c}.",
        "According to {svc}'s log, {c}.",
        "{svc} says at {t} that {c}.",
        "One line of {svc} tells that {c}.",
        "We found that {c} ({t}).",
        "{t} UTC: {c}.",
    ),
    "reporting": (
        "{C} ({svc}, {t} UTC).",
        "Line from {t}: {c}.",
        "As {svc} logged it, {c}.",
        "{svc} has it on record that {c}",
        "From the log of {svc}: {c}.",
        "Note that {c}.",
        "The entry of {t} UTC shows that {c}.",
        "{svc} wrote at {t} that {c}.",
        "I can see in {svc} that {c}.",
        "Turns out {c}.",
        "fwiw {c}",
        "{C}, going by the {t} entry.",
        "Timeline: {t} {c}.",
        "We have {svc} saying {c}, at {t}.",
        "Confirmed in the logs: {c}.",
        "{C} - that is {svc} at {t}Z.",
    ),
}


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to put a clause."""

    name: str
    pattern: str

    def put(self, clause: str, *, svc: str, at: str) -> str:
        return self.pattern.format(c=clause, C=capital(clause), svc=svc, t=at)


def frames(half: str) -> Sequence[Frame]:
    """Return the frames of a half; no frame is in both."""
    return [Frame(f"{half[0]}{number}", pattern) for number, pattern in enumerate(FRAMES[half])]


class Clock:
    """Times as a session's writer puts them: with the date where the session lasts longer than a day."""

    def __init__(self, session: Session) -> None:
        start, end = datetime.fromisoformat(session.since), datetime.fromisoformat(session.until)
        self._dated = end - start > timedelta(hours=23)

    def seconds(self, at: datetime) -> str:
        return f"{at:%Y-%m-%d %H:%M:%S}" if self._dated else f"{at:%H:%M:%S}"

    def minutes(self, at: datetime) -> str:
        return f"{at:%Y-%m-%d %H:%M}" if self._dated else f"{at:%H:%M}"


def offset_clock(at: datetime, hours: int, session: Session) -> str:
    """Return the moment as a clock with this offset shows it, the offset behind it."""
    return f"{Clock(session).seconds(at + timedelta(hours=hours))}{hours:+03d}:00"


def short(value: float) -> str:
    """Return a number with three significant digits, without an exponent."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def grouped(value: int) -> str:
    """Return an integer with thousands separators."""
    return f"{value:,}"


_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def spelled(value: int, random: Random) -> str:
    """Return a small number as a word, half of the time."""
    return _WORDS[value] if 2 <= value <= 12 and random.random() < 0.4 else str(value)


def span(duration: timedelta) -> str:
    """Return a duration in the words of a log: ``1 h 5 min``, ``24 min 32 s``, ``7 s``."""
    seconds = round(duration.total_seconds())
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    parts = [(hours, "h"), (minutes, "min"), (rest, "s")]
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"
