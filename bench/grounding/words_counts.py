"""Wordings of counts. ``{n}`` is the number, ``{what}`` what was counted, ``{a}`` and ``{b}`` the window."""

from __future__ import annotations

from collections.abc import Mapping

Wordings = Mapping[str, tuple[str, ...]]

TOTAL: Wordings = {
    "development": (
        "There are {n} {what} between {a} and {b}.",
        "{n} {what} matched.",
        "We count {n} {what}.",
        "The search returned a total of {n} {what}.",
        "Between {a} and {b} there were {n} {what}.",
        "In total, {n} {what}.",
    ),
    "reporting": (
        "{n} {what} in that window.",
        "From {a} to {b} I get {n} {what}",
        "all in all {n} {what}",
        "Number of {what}: {n}.",
        "we're looking at {n} {what} since {a}",
        "Grep-wise that is {n} {what}.",
        "{n} {what} were logged from {a} until {b}.",
        "The count of {what} is {n}.",
        "Exactly {n} {what} turned up.",
        "{what} - {n} of them, {a} to {b}",
        "Counted {n} {what} for the whole window.",
        "It comes to {n} {what}.",
        "The log search finds {n} {what}.",
        "That's {n} {what}, start to finish.",
    ),
}
AT_LEAST: Wordings = {
    "development": ("At least {n} {what} were logged.", "There were {n} or more {what}."),
    "reporting": (
        "no fewer than {n} {what}",
        "At minimum {n} {what} between {a} and {b}.",
        "{n}+ {what} in there",
        "We have at least {n} {what}.",
    ),
}
OF_ALL: Wordings = {
    "development": ("{n} {what} in all, no more.", "Only {n} {what} were logged."),
    "reporting": (
        "just {n} {what}, that's everything",
        "Not more than {n} {what} exist between {a} and {b}.",
        "only {n} {what} from {a} to {b}",
        "{n} {what}, and that is the complete list.",
    ),
}
LEVEL: Wordings = {
    "development": (
        "{n} of the lines are at level {level}.",
        "There are {n} {level} records among them.",
        "{svc}: {n} {level} lines from {a} to {b}.",
        "By level: {n} {level}.",
        "{n} {what} between {a} and {b}.",
    ),
    "reporting": (
        "{level} count is {n}",
        "{n} {level} lines, {a}-{b}",
        "Of these, {n} came in as {level}.",
        "{svc} put out {n} {level} lines.",
        "I see {n} {level} entries in the result.",
        "{level}: {n}",
        "the breakdown has {n} {level}",
        "{n} entries carry level {level}.",
        "We got {n} {level} messages out of {svc} between {a} and {b}.",
        "There's {n} {level} in there.",
        "{n} {what} from {a} to {b}.",
        "{svc} logged at {level} {n} times.",
    ),
}
DISTINCT: Wordings = {
    "development": (
        "They come from {n} different {things}.",
        "{n} distinct {things} wrote these {what}.",
        "The {what} name {n} {things}.",
        "{n} {things} are involved.",
    ),
    "reporting": (
        "spread over {n} {things}",
        "{n} unique {things} show up in the {what}.",
        "I count {n} {things} behind the {what}.",
        "{n} separate {things} are in the result.",
        "The {what} belong to {n} different {things}.",
        "number of distinct {things}: {n}",
        "we have {n} {things} in this",
        "All {what} trace back to {n} {things}.",
        "It is {n} {things} that we see in the {what}.",
        "{n} {things} account for all of the {what}.",
        "Different {things} among the {what}: {n}.",
        "the {what} hit {n} distinct {things}",
    ),
}
SHARE: Wordings = {
    "development": ("{n} % of the {what} are from {svc}.", "{svc} wrote {n} % of the {what}."),
    "reporting": (
        "{n} % of the {what} come from {svc}.",
        "{svc} makes up {n} % of the {what}",
        "{svc} accounts for {n}% of all {what}.",
        "Share of {svc} in the {what}: {n} %.",
        "out of the {what}, {n} percent are {svc}",
        "{n}% of {what} is {svc}.",
        "{svc} contributed {n} % to the {what}.",
        "To be precise, {n} % of the {what} were written by {svc}.",
        "Of all {what}, {n} % belong to {svc}.",
        "{svc} = {n}% of the {what}",
        "With {n} %, {svc} has its part of the {what}.",
        "We find {svc} behind {n} % of the {what}.",
    ),
}
