"""Collects what has to be said about files, once for each thing and not once for each file."""

from __future__ import annotations

from typing import Final

_NAMED: Final = 3


class Remarks:
    """Sentences with a ``{files}`` in them, and the files that each is about, in the order they came up."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}

    def add(self, sentence: str, file_name: str) -> None:
        files = self._files.setdefault(sentence, [])
        if file_name not in files:
            files.append(file_name)

    def add_whole(self, sentence: str) -> None:
        """Add a sentence that is about no single file."""
        self._files.setdefault(sentence.replace("{", "{{").replace("}", "}}"), [])

    def sentences(self) -> tuple[str, ...]:
        return tuple(sentence.format(files=some_names(files)) for sentence, files in self._files.items())


def some_names(names: list[str]) -> str:
    """Return the first few names and how many more there are."""
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"
