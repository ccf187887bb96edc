"""Claims that quote a line, whole or with an ellipsis, and that name who wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from bench.grounding.claim import CONTRADICTED, SUPPORTED, UNSUPPORTED, Claim, Collection
from bench.grounding.recorded import LogItem, RecordedSession
from bench.grounding.wording import Clock
from bench.grounding.words_lines import NAMED, POD, QUOTE

_PER_CALL = 7
_WORD = re.compile(r"[A-Za-z]{4,}")
_POD = re.compile(r"-([a-z0-9]{8,10})-([a-z0-9]{5})$")
_HASH_LETTERS = "bcdfghjklmnpqrstvwxz2456789"

# A word and one that a tired reader could have read instead.
_OTHER_WORDS = {
    "failed": "passed",
    "available": "reachable",
    "confirmed": "cancelled",
    "exhausted": "restored",
    "timed": "phased",
    "order": "invoice",
    "connection": "transaction",
    "booking": "payment",
    "record": "report",
    "reminder": "message",
    "delivered": "discarded",
    "released": "renewed",
    "request": "response",
    "session": "process",
    "channel": "tunnel",
    "password": "passphrase",
    "invalid": "valid",
    "instance": "volume",
    "memory": "storage",
    "driver": "worker",
    "server": "client",
    "block": "chunk",
    "batch": "bundle",
    "search": "lookup",
    "error": "notice",
    "down": "slow",
    "lease": "claim",
    "empty": "full",
    "found": "lost",
    "timeout": "delay",
    "sent": "kept",
    "Seat": "Berth",
    "ticket": "voucher",
    "queue": "stack",
}


class Quotes:
    """The claims of one session that quote or name."""

    def __init__(self, session: RecordedSession, random: Random) -> None:
        self._session = session
        self._half = session.spec.half
        self._random = random
        self._clock = Clock(session.spec)

    def add(self, into: Collection) -> None:
        items = [item for call in self._session.tagged("browse", "errors", "level") for item in self._picked(call.items())]
        for item in items:
            for claim in (*self._quoted(item), *self._absent_name(item), *self._pod(item)):
                into.add(claim)
        for claim in self._other_service(items):
            into.add(claim)

    def _picked(self, items: Iterator[LogItem]) -> list[LogItem]:
        all_items = list(items)
        self._random.shuffle(all_items)
        return all_items[:_PER_CALL]

    def _quoted(self, item: LogItem) -> Iterator[Claim]:
        piece = self._piece(item)
        if piece is None:
            return
        patterns = self._random.sample(QUOTE[self._half], 4)
        yield self._claim(patterns[0], item, q=piece, truth=SUPPORTED, keys=(piece,))
        elided = _elided(piece)
        if elided is not None:
            yield self._claim(patterns[1], item, q=elided, truth=SUPPORTED)
        altered = self._altered(piece)
        if altered is not None and altered not in item.seen:
            for pattern in patterns[2:4]:
                yield self._claim(pattern, item, q=altered, truth=CONTRADICTED, falsehood="quote_word_altered")

    def _piece(self, item: LogItem) -> str | None:
        """Return some words of the first line as they stand there, or None when it has too few."""
        words = item.record.first_line.partition(" SpanID: ")[2].split(" ")[1:] or item.record.first_line.split(" ")
        if len(words) < 4:
            return None
        size = min(len(words), self._random.randrange(4, 11))
        start = self._random.randrange(0, len(words) - size + 1)
        piece = " ".join(words[start : start + size]).strip(" .,;:")
        usable = piece in item.record.first_line and 16 <= len(piece) <= 160 and not re.search(r'["“”\\]', piece)
        return piece if usable else None

    def _altered(self, piece: str) -> str | None:
        known = [word for word in _WORD.findall(piece) if word in _OTHER_WORDS]
        if not known:
            return None
        word = self._random.choice(known)
        return re.sub(rf"\b{word}\b", _OTHER_WORDS[word], piece, count=1)

    def _absent_name(self, item: LogItem) -> Iterator[Claim]:
        """The line of one service, said of a service that only the question names."""
        name = self._random.choice(self._session.spec.absent_names)
        piece = self._piece(item)
        level = item.record.level
        if level:
            for pattern in self._random.sample(NAMED[self._half], 2):
                yield self._claim(pattern, item, svc=name, truth=UNSUPPORTED, falsehood="name_from_question_only")
            for pattern in self._random.sample(NAMED[self._half], 2):
                yield self._claim(pattern, item, truth=SUPPORTED, family="identifier")
        if piece is not None:
            pattern = self._random.choice(QUOTE[self._half])
            yield self._claim(pattern, item, q=piece, svc=name, truth=UNSUPPORTED, falsehood="name_from_question_only")

    def _pod(self, item: LogItem) -> Iterator[Claim]:
        pod = item.record.instance
        match = _POD.search(pod or "")
        if pod is None or match is None:
            return
        at = self._random.randrange(match.start() + 1, len(pod))
        letter = self._random.choice([letter for letter in _HASH_LETTERS if letter != pod[at]])
        wrong = pod[:at] + letter + pod[at + 1 :] if pod[at] != "-" else pod[: at + 1] + letter + pod[at + 2 :]
        for pattern in self._random.sample(POD[self._half], 3):
            yield self._claim(pattern, item, pod=pod, truth=SUPPORTED, family="identifier", keys=(pod,))
            if wrong != pod:
                yield self._claim(pattern, item, pod=wrong, truth=CONTRADICTED, falsehood="pod_hash_altered")

    def _other_service(self, items: list[LogItem]) -> Iterator[Claim]:
        """A line of one service, said of another one that logs too."""
        names = sorted({item.record.service for item in items})
        for item in items:
            others = [name for name in names if name != item.record.service and name not in item.seen]
            if not others:
                continue
            name, piece = self._random.choice(others), self._piece(item)
            if piece is not None:
                pattern = self._random.choice(QUOTE[self._half])
                yield self._claim(pattern, item, q=piece, svc=name, truth=CONTRADICTED, falsehood="other_service_line")
            if item.record.level:
                pattern = self._random.choice(NAMED[self._half])
                yield self._claim(pattern, item, svc=name, truth=CONTRADICTED, falsehood="other_service_line")

    def _claim(
        self,
        pattern: str,
        item: LogItem,
        *,
        truth: str,
        falsehood: str | None = None,
        family: str = "quote",
        q: str = "",
        svc: str | None = None,
        pod: str = "",
        keys: tuple[str, ...] = (),
    ) -> Claim:
        spec = self._session.spec
        record = item.record
        text = pattern.format(
            q=q,
            svc=svc or record.service,
            pod=pod,
            t=f"{self._clock.seconds(record.at)} UTC",
            level=record.level or "",
        )
        return Claim(
            session=spec.name,
            half=spec.half,
            text=text,
            refs=(item.ref,),
            truth=truth,
            falsehood=falsehood,
            family=family,
            template=pattern,
            keys=keys,
        )


def _elided(piece: str) -> str | None:
    words = piece.split(" ")
    return None if len(words) < 6 else f"{' '.join(words[:2])} ... {' '.join(words[-2:])}"
