"""Wordings of absence and of presence. ``{level}`` is a level, ``{words}`` what was looked for, ``{a}`` to ``{b}`` the window."""

from __future__ import annotations

from bench.grounding.words_counts import Wordings

NO_LEVEL: Wordings = {
    "development": (
        "{svc} logged no {level} lines between {a} and {b}.",
        "There are no {level} lines of {svc}.",
        "No {level} from {svc} from {a} to {b}.",
        "{svc} has nothing at level {level} between {a} and {b}.",
        "The log of {svc} is free of {level} lines.",
    ),
    "reporting": (
        "{svc} is clean, no {level} between {a} and {b}.",
        "zero {level} lines out of {svc}, {a} to {b}",
        "{svc} did not log a single {level} from {a} to {b}.",
        "Nothing at {level} from {svc} between {a} and {b}.",
        "We don't see any {level} from {svc}.",
        "I couldn't find a {level} line by {svc} between {a} and {b}.",
        "No {level} in {svc}",
        "{svc} shows no sign of {level} lines from {a} through {b}.",
        "{svc} never logged {level} between {a} and {b}.",
        "There wasn't one {level} in {svc}'s log.",
        "{level} count for {svc} is nil between {a} and {b}.",
        "{svc} kept quiet at level {level} between {a} and {b}.",
        "Not one {level} entry exists for {svc} ({a}-{b}).",
        "Between {a} and {b} {svc} went without {level} lines.",
    ),
}
NO_WORDS: Wordings = {
    "development": (
        "No line in {where} has “{words}” between {a} and {b}.",
        "“{words}” does not occur in {where}.",
        "There is no “{words}” in {where} from {a} to {b}.",
        "Nothing in {where} says “{words}” between {a} and {b}.",
    ),
    "reporting": (
        'no "{words}" in {where} from {a} to {b}',
        'Nobody logged "{words}" in {where} between {a} and {b}.',
        '{where} never mentions "{words}".',
        'I looked for "{words}" in {where} and there is none between {a} and {b}.',
        '"{words}": zero hits in {where}, {a} to {b}.',
        'Not a single line with "{words}" in {where} from {a} until {b}.',
        'We can exclude "{words}", it is not in {where} between {a} and {b}.',
        'No trace of "{words}" in {where}.',
        'There was no "{words}" in {where} between {a} and {b}.',
        '"{words}" was not logged at all in {where} ({a}-{b}).',
        'You won\'t find "{words}" in {where} from {a} to {b}.',
        'between {a} and {b} no record in {where} contains "{words}"',
    ),
}
NO_ALERTS: Wordings = {
    "development": ("No alerts are firing for {svc}.", "{svc} has no active alert.", "There is no alert about {svc}."),
    "reporting": (
        "nothing is alerting on {svc}",
        "No alert fires for {svc} right now.",
        "{svc} has zero alerts.",
        "We don't have any alert for {svc}.",
        "Alerting is quiet about {svc}.",
        "There are no firing or pending alerts on {svc}.",
        "not one alert on {svc}",
        "The alert list has nothing for {svc}.",
    ),
}
NO_SERIES: Wordings = {
    "development": ("The CPU usage of {svc} did not rise.", "There is no CPU usage of {svc} above normal."),
    "reporting": (
        "CPU of {svc} did not move",
        "No CPU spike on {svc}.",
        "{svc} had no increase of CPU usage.",
        "There's no load on {svc} to speak of.",
        "CPU usage of {svc} never went up.",
        "We see no CPU trouble at {svc}.",
    ),
}
SOME_LEVEL: Wordings = {
    "development": ("{svc} logged {level} lines between {a} and {b}.", "There are {level} lines of {svc}."),
    "reporting": (
        "{svc} did log {level} lines between {a} and {b}.",
        "there is at least one {level} from {svc}",
        "We do see {level} lines from {svc}, {a} to {b}.",
        "{svc} threw {level} lines between {a} and {b}.",
        "{svc} isn't clean: {level} lines from {a} to {b}.",
    ),
}
SOME_WORDS: Wordings = {
    "development": ("There is a line with “{words}” in {where} between {a} and {b}.",),
    "reporting": (
        'there is "{words}" in {where}',
        'Somebody logged "{words}" in {where} between {a} and {b}.',
        '{where} mentions "{words}".',
        '"{words}" was logged in {where} between {a} and {b}.',
        'We have a hit for "{words}" in {where} from {a} to {b}.',
    ),
}
