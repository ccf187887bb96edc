"""Which of the cited series a clause speaks of: by their names, and by the quantity that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from groundwire.grounding.claim_text import words
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_token import Token

# Each line: words for the same quantity, the first of which stands for them all.
_ALIKE: Final = """
cpu processor cpus compute
memory mem ram rss heap
network nic bandwidth traffic
receive received receives receiving recv rx inbound incoming ingress downlink
transmit transmitted transmits transmitting sent send sends tx outbound outgoing egress uplink
disk storage filesystem fs volume
latency duration durations latencies response responsetime
connection connections conn conns
thread threads goroutine goroutines
restart restarts
request requests req reqs call calls
error errors failure failures failed errored
queue queued backlog
read reads
write writes written
syscall syscalls
packet packets
swap swapping
rate rates
lag
throughput
temperature
limit limits
quota quotas
free
available
idle
cache cached
throttled throttling throttle
dropped drops_total
file files fd fds descriptors handles
"""
_QUANTITY: Final = {word: line.split()[0] for line in _ALIKE.strip().splitlines() for word in line.split()}
# Words of a metric that make it another quantity than the one without them: a claim must say them too.
_TELLING: Final = frozenset("rate error limit quota free available idle throttled".split())
_NOT_SAID_OF: Final = frozenset(
    "drop drops dropped read reads written call calls failed free available idle limit limits "
    "send sent response cached file".split()
)
_HASH: Final = re.compile(r"-[0-9a-f]{6,10}-[0-9a-z]{5}\Z|-[0-9a-z]{5}\Z|-\d{1,3}\Z")


def alike(word: str) -> str:
    """Return the first of the words that name the same quantity."""
    return _QUANTITY.get(word, word)


def names_of(lines: Sequence[Line]) -> dict[str, frozenset[int]]:
    """Return what the series are called: metrics, label values, and pods without what their sets add to the name."""
    names: dict[str, set[int]] = {}
    for index, line in enumerate(lines):
        labels = line.item.item.get("labels") or {}
        called = {line.metric, *(str(value) for value in labels.values())}
        called |= {_HASH.sub("", name) for name in called}
        for name in called:
            if len(name) > 2 and not name.isdigit() and name.isascii():
                names.setdefault(name.lower(), set()).add(index)
    return {name: frozenset(indexes) for name, indexes in names.items()}


def nouns_of(lines: Iterable[Line]) -> frozenset[str]:
    """Return the words of the metrics' names."""
    return frozenset(word for line in lines for word in words(line.metric))


def named_by(tokens: Iterable[Token], count: int) -> frozenset[int]:
    """Return the series that all names of a clause stand for together; where none does, those that any of them does."""
    sets = [token.series for token in tokens if token.series is not None]
    if not sets:
        return frozenset(range(count))
    return frozenset.intersection(*sets) or frozenset.union(*sets)


def quantities_in(tokens: Iterable[Token]) -> frozenset[str]:
    """Return the quantities that a clause names, each by its first word."""
    return frozenset(
        _QUANTITY[token.word]
        for token in tokens
        if (token.cue is None or token.is_noun)
        and token.series is None
        and token.word in _QUANTITY
        and (token.is_noun or token.word not in _NOT_SAID_OF)
    )


def is_of(line: Line, said: frozenset[str], *, is_share: bool) -> bool:
    """Return whether a line measures the quantity that a clause names.

    Each word of the clause must be one of the metric's, and a word of the metric that makes it another quantity
    ("rate", "limit") must be said; a percentage says "rate" of a metric in percent.
    """
    if not said:
        return True
    name = frozenset(_QUANTITY.get(word, word) for word in words(line.metric)) | {
        _QUANTITY.get(word, word) for value in (line.item.item.get("labels") or {}).values() for word in words(str(value))
    }
    own = frozenset(_QUANTITY.get(word, word) for word in words(line.metric))
    is_in_percent = line.unit is not None and line.unit.dimension == "ratio"
    lacking = said - name - ({"latency"} if "seconds" in line.metric or "time" in own else set())
    if "rate" in lacking and (is_in_percent or line.is_rate):
        lacking -= {"rate"}
    unsaid = (own & _TELLING) - said - ({"rate"} if is_share else set())
    return not lacking and not unsaid
