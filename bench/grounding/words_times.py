"""Wordings about times. ``{t}`` is a moment, ``{d}`` a duration, ``{what}`` one thing searched for, ``{whats}`` several."""

from __future__ import annotations

from bench.grounding.words_counts import Wordings

AT: Wordings = {
    "development": (
        "{svc} wrote this {level} line at {t}.",
        "At {t} {svc} logged it at level {level}.",
        "The {level} record of {svc} is from {t}.",
        "{t}: {level} from {svc}.",
        "It was {t} when {svc} logged a {level} line.",
        "{svc} has a {level} line at {t}.",
        "The line of {svc} dates from {t}, level {level}.",
        "{level} in {svc} at {t}.",
    ),
    "reporting": (
        "{svc} threw a {level} at {t}",
        "Saw a {level} from {svc}, timestamp {t}.",
        "{t} - {svc} - {level}",
        "The clock on that {level} entry from {svc} reads {t}.",
        "{svc} put out a {level} message at {t}.",
        "this {svc} {level} is from {t}",
        "At {t} there is a {level} line in {svc}.",
        "{level} entry, {svc}, {t}.",
        "{svc} emitted it with level {level} at {t}.",
        "We have one {level} line by {svc} stamped {t}.",
        "That {level} line in {svc}? {t}.",
        "The {svc} record (level {level}) was logged at {t}.",
        "timestamp of the {level} from {svc} is {t}",
        "{svc} logged this with {level}, time {t}.",
    ),
}
BEFORE: Wordings = {
    "development": (
        "{a} came before {b}.",
        "{b} was logged after {a}.",
        "First {a}, then {b}.",
        "{a} is earlier than {b}.",
        "{b} followed {a}.",
    ),
    "reporting": (
        "{a} was there before {b}.",
        "{b} shows up only after {a}.",
        "{a} precedes {b}",
        "we get {a} first and {b} later",
        "Sequence: {a} -> {b}",
        "{b} happened later than {a}.",
        "{a} had been logged by the time of {b}.",
        "{a} is the older one, {b} the newer.",
        "After {a} comes {b}.",
        "By the time {b} was written, {a} already stood in the log.",
        "{a} happened prior to {b}.",
        "{b} trails {a}.",
    ),
}
FIRST: Wordings = {
    "development": ("The first {what} was at {t}.", "The {whats} begin at {t}.", "It started at {t} with the first {what}."),
    "reporting": (
        "earliest {what} is from {t}",
        "First {what}: {t}.",
        "The very first {what} appeared at {t}.",
        "{whats} start at {t}.",
        "No {what} before {t}, that is when the first one came.",
        "We see the first {what} at {t}.",
        "it kicks off with a {what} at {t}",
    ),
}
LAST: Wordings = {
    "development": ("The last {what} was at {t}.", "The {whats} end at {t}.", "The latest {what} is of {t}."),
    "reporting": (
        "latest {what} is from {t}",
        "Last {what}: {t}.",
        "The final {what} in the window came at {t}.",
        "{whats} stop at {t}.",
        "the newest {what} has timestamp {t}",
        "We see the last {what} at {t}.",
    ),
}
LASTING: Wordings = {
    "development": (
        "From the first to the last {what}, {d} passed.",
        "The {whats} went on for {d}.",
        "The {whats} cover {d}.",
    ),
    "reporting": (
        "{d} between first and last {what}",
        "The {whats} kept coming for {d}.",
        "Duration from first {what} to last: {d}.",
        "this went on for {d}, first {what} to last",
        "The {whats} span {d}.",
        "it took {d} from the first {what} to the final one",
        "For {d} we were getting {whats}.",
        "The {whats} stretch over {d}.",
        "{whats} lasted {d} in the window.",
        "first to last {what} is {d}",
        "Over {d} the {whats} came in.",
        "We had {whats} during {d}.",
    ),
}
