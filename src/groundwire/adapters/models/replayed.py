"""Models that answer from a recording; they need no key, no network and none of the SDKs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from groundwire.adapters.models.traffic import (
    Asker,
    Marks,
    asker_of,
    digest,
    first_difference,
    names_in,
    reply_from_json,
    request_to_json,
)
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import UsageError
from groundwire.domain.model import ModelFault, ModelMessage, ModelReply, ToolOffer


class Replay:
    """A recording that is read: the models in it, each None where it holds none.

    Raises:
        UsageError: The file cannot be read, or is no whole recording.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.expanduser()
        self._names, self._pairs = _read(self._path)
        self.investigator = self._model(Asker.INVESTIGATOR)
        self.judge = self._model(Asker.JUDGE)

    def missing_judge(self, name: str) -> ReplayedModel:
        """Return a judge that is not in the recording: it has no opinion, and says why."""
        return ReplayedModel(name, (), what="the judge's request", file=self._path.name)

    def _model(self, asker: Asker) -> ReplayedModel | None:
        if asker not in self._names:
            return None
        pairs = [pair for pair in self._pairs if asker_of(pair) is asker]
        what = "request" if asker is Asker.INVESTIGATOR else "the judge's request"
        return ReplayedModel(self._names[asker], pairs, what=what, file=self._path.name)


class ReplayedModel:
    """Gives the recorded replies in their order, each to the request that it was recorded for and to no other."""

    def __init__(self, name: str, pairs: Sequence[Mapping[str, Any]], *, what: str, file: str) -> None:
        self.name = name
        self._pairs = pairs
        self._what = what
        self._file = file
        self._next = 0
        self._mismatched: str | None = None
        self._lock = Lock()

    @property
    def difference(self) -> str | None:
        """Where the requests so far left the recording, in words: the first that was not in it, or those that were never made."""
        with self._lock:
            if self._mismatched is not None or self._next == len(self._pairs):
                return self._mismatched
            whose = "" if self._what == "request" else f"{self._what}: "
            return self._said(f"{whose}of {len(self._pairs)} recorded requests only {self._next} were made")

    def request(
        self,
        messages: Sequence[ModelMessage],
        *,
        tools: Sequence[ToolOffer],
        schema: Mapping[str, Any] | None,
        deadline: Deadline,
    ) -> ModelReply:
        asked = request_to_json(messages, tools, schema)
        with self._lock:
            number = self._next + 1
            if number > len(self._pairs):
                return self._mismatch(self._end(number))
            pair = self._pairs[self._next]
            if pair["sha256"] != digest(asked):
                return self._mismatch(f"{self._what} {number} differs: {first_difference(pair['request'], asked)}")
            self._next = number
        return reply_from_json(pair["reply"], Marks.of(messages))

    def _end(self, number: int) -> str:
        if self._pairs:
            return f"the recording ends after {len(self._pairs)} requests, and this is {self._what} {number}"
        return f"the recording holds no answer to {self._what}"

    def _mismatch(self, what: str) -> ModelReply:
        said = self._said(what)
        self._mismatched = self._mismatched or said
        return ModelReply(provider_name="replay", fault=ModelFault.REJECTED, error_message=said)

    def _said(self, what: str) -> str:
        return f"the replay of {self._file!r}: {what}"


def _read(path: Path) -> tuple[dict[Asker, str], list[dict[str, Any]]]:
    try:
        lines = path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    except OSError as exc:
        raise UsageError(f"cannot read the recording {str(path)!r}: {exc.strerror or exc}") from exc
    except UnicodeDecodeError as exc:
        raise UsageError(f"{str(path)!r} is no recording: it is not UTF-8 text") from exc
    items: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        try:
            items.append(_checked(json.loads(line), is_head=number == 1))
        except (ValueError, TypeError, KeyError, AttributeError) as exc:
            raise UsageError(f"line {number} of {str(path)!r} is no line of a recording") from exc
    return names_in(items[0]), items[1:]


def _checked(item: dict[str, Any], *, is_head: bool) -> dict[str, Any]:
    """Return the line, or raise where something in it would be missed later."""
    if is_head:
        names_in(item)
        return item
    asker_of(item)
    reply_from_json(item["reply"], Marks.of(()))
    if item["sha256"] != digest(item["request"]):
        raise ValueError("the request was changed")
    return item
