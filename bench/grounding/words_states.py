"""Wordings about alerts."""

from __future__ import annotations

from bench.grounding.words_counts import Wordings

STATE: Wordings = {
    "development": (
        "{name} is {state}.",
        "The alert {name} has the state {state}.",
        "{name} was {state} when we looked.",
        "{state}: {name}.",
        "The state of {name} is {state}.",
    ),
    "reporting": (
        "{name} is in state {state}.",
        "{name} shows as {state}.",
        "alert {name} - {state}",
        "we have {name} {state}",
        "{name} reads {state} in the alert list.",
        "Status of {name}: {state}.",
        "The {name} alert was {state} at fetch time.",
        "{name} has gone to {state}.",
        "I see {name} as {state}.",
        "{name} sits at {state}.",
        "Alertmanager/Prometheus has {name} {state}.",
        "{name} turned up as {state}.",
        "The alert list marks {name} {state}.",
        "{name}, which is {state}.",
    ),
}
SEVERITY: Wordings = {
    "development": ("{name} is of severity {severity}.", "{name} is a {severity} alert.", "Severity of {name}: {severity}."),
    "reporting": (
        "{name} carries severity {severity}.",
        "{name} ({severity})",
        "it's a {severity}, the {name} alert",
        "The severity label of {name} says {severity}.",
        "{name} was raised with severity {severity}.",
        "{severity} severity on {name}",
        "{name} is rated {severity}.",
        "we're paged with severity {severity} by {name}",
        "{name} has been labelled {severity}.",
        "As for severity, {name} is {severity}.",
        "{name} came in as {severity}.",
        "{severity} is what {name} is set to.",
    ),
}
VALUE: Wordings = {
    "development": ("The value of {name} is {v}.", "{name} stands at {v}."),
    "reporting": (
        "{name} has value {v}.",
        "{name} at {v}",
        "The measured value behind {name} is {v}.",
        "{name} reports {v}.",
        "value {v} on {name}",
        "current value of {name}: {v}",
        "{name} was evaluated to {v}.",
        "{v} is the value that {name} came with.",
    ),
}
WHOSE: Wordings = {
    "development": ("{name} is about {svc}.", "The service of {name} is {svc}."),
    "reporting": (
        "{name} belongs to {svc}.",
        "{svc} is who {name} is for.",
        "service label on {name}: {svc}",
        "{name} concerns {svc}.",
    ),
}
SINCE: Wordings = {
    "development": ("{name} has been active since {t}.", "{name} became active at {t}."),
    "reporting": (
        "{name} went active at {t}.",
        "{name} active since {t}",
        "Since {t} {name} has been active.",
        "start of {name} is {t}",
        "{name} began at {t}.",
        "It was {t} when {name} became active.",
    ),
}
FOR: Wordings = {
    "development": ("{name} had been active for {d}.", "{name} has lasted {d} so far."),
    "reporting": (
        "{name} active for {d}",
        "{name} had been going for {d} at the time of the fetch.",
        "By the time we looked, {name} was {d} old.",
        "{d} of {name} and counting",
        "{name} has been active for {d}.",
    ),
}
THEN: Wordings = {
    "development": ("At {t} {name} was {state}.",),
    "reporting": (
        "At {t} {name} was {state}.",
        "{name} was already/still {state} at {t}.",
        "at {t}: {name} {state}",
        "{name} had the state {state} at {t}.",
        "Looking at {t}, {name} is {state}.",
        "By {t} {name} was {state}.",
    ),
}
