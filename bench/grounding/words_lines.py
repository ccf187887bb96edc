"""Wordings about single lines: quotes, names, pods. ``{q}`` is a quote, ``{svc}`` who wrote it, ``{t}`` when."""

from __future__ import annotations

from bench.grounding.words_counts import Wordings

QUOTE: Wordings = {
    "development": (
        "{svc} logged “{q}”.",
        "The log of {svc} says “{q}”.",
        "At {t} {svc} wrote “{q}”.",
        "“{q}” is in the log of {svc}.",
        "{svc}: “{q}”",
        "We read “{q}” from {svc}.",
    ),
    "reporting": (
        '{svc} prints "{q}"',
        'There it is, {svc}: "{q}"',
        'In {svc} I found "{q}".',
        'The message from {svc} reads "{q}".',
        '"{q}", says {svc}.',
        '{svc} came up with "{q}" at {t}.',
        'quote from {svc}: "{q}"',
        'We got "{q}" out of {svc}.',
        'At {t}: "{q}" ({svc})',
        '{svc} complained "{q}".',
        'Its words ({svc}) are "{q}".',
        'line in {svc} goes "{q}"',
        '{svc} left us "{q}".',
        'What {svc} wrote is "{q}".',
    ),
}
NAMED: Wordings = {
    "development": (
        "{svc} logged this {level} line at {t}.",
        "This {level} line is from {svc}.",
        "{svc} wrote the line at {t}.",
        "The service is {svc}.",
    ),
    "reporting": (
        "it's {svc} that logged at {t}",
        "The {level} line here belongs to {svc}.",
        "{svc} is the author of the {t} line.",
        "This one is {svc}'s, level {level}.",
        "The service behind the {level} line is {svc}.",
        "{svc} had a {level} line at {t}.",
        "We're seeing {svc} at {t} with {level}.",
        "{level} from {svc}",
        "service={svc} on that {level} line",
        "The entry of {t} came out of {svc}.",
        "{svc} produced the {level} entry.",
        "Logged by {svc} at {t}.",
    ),
}
POD: Wordings = {
    "development": ("The line comes from pod {pod}.", "{pod} wrote it at {t}.", "Pod {pod} logged a line at {t}."),
    "reporting": (
        "it's pod {pod}",
        "{pod} is the pod that logged this.",
        "Pod: {pod}, {t}.",
        "This came out of {pod}.",
        "{pod} had this line at {t}.",
        "The instance is {pod}.",
        "Logged on {pod}.",
        "we see this from pod {pod} at {t}",
        "The pod behind the line is {pod}.",
        "instance {pod}, as of {t}",
        "{pod} put this out.",
        "Look at pod {pod}: it logged this at {t}.",
    ),
}
