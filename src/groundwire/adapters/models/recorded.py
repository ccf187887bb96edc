"""What models are asked and answer, written down: one file for the investigator's model and the judge's."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Final, TextIO

from groundwire.adapters.models.traffic import FORMAT, Asker, Marks, head_line, pair_line, request_to_json
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import UsageError
from groundwire.domain.model import ModelMessage, ModelReply, ToolOffer
from groundwire.ports import LanguageModel

_OWNER_ONLY: Final = 0o600


class Recording:
    """A file in which each request stands with its reply as soon as it is answered; ``models`` names who answers.

    The file is for its owner's eyes. It holds what was asked and answered, no key and no header, and is written anew; a file
    that holds anything but a recording is left alone.

    Raises:
        UsageError: The file cannot be written, or is something else.
    """

    def __init__(self, path: Path, models: Mapping[Asker, str]) -> None:
        self._lock = Lock()
        self._path = path
        self._file = _opened(path)
        self.write(head_line(models))

    def write(self, line: str) -> None:
        try:
            with self._lock:
                self._file.write(line)
                self._file.flush()
        except OSError as exc:
            raise _cannot(self._path, exc) from exc

    def close(self) -> None:
        with contextlib.suppress(OSError), self._lock:  # a full disk was reported when the line was written
            self._file.close()


class RecordedModel:
    """A `LanguageModel` that passes everything on to another one, and writes it into a recording."""

    def __init__(self, model: LanguageModel, recording: Recording, asker: Asker = Asker.INVESTIGATOR) -> None:
        self.name = model.name
        self._model = model
        self._recording = recording
        self._asker = asker

    def request(
        self,
        messages: Sequence[ModelMessage],
        *,
        tools: Sequence[ToolOffer],
        schema: Mapping[str, Any] | None,
        deadline: Deadline,
    ) -> ModelReply:
        reply = self._model.request(messages, tools=tools, schema=schema, deadline=deadline)
        self._recording.write(pair_line(self._asker, request_to_json(messages, tools, schema), reply, Marks.of(messages)))
        return reply


def _opened(path: Path) -> TextIO:
    path = path.expanduser()
    try:
        if path.exists() and not _may_be_replaced(path):
            raise UsageError(
                f"--record {str(path)!r} holds something else than a recording, and is left as it is", hint="Name another file."
            )
        handle = os.open(path, os.O_WRONLY | os.O_CREAT, _OWNER_ONLY)
    except OSError as exc:
        raise _cannot(path, exc) from exc
    file = os.fdopen(handle, "w", encoding="utf-8")
    os.fchmod(handle, _OWNER_ONLY)
    file.truncate(0)
    return file


def _may_be_replaced(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(200)
    return not start or FORMAT.encode() in start


def _cannot(path: Path, exc: OSError) -> UsageError:
    return UsageError(f"cannot write the recording {str(path)!r}: {exc.strerror or exc}")
