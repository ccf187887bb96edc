"""What a source covers, and which sources a call asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Final

NOT_ASKED: Final = "not_asked"
"""The status of a source, among the ``sources`` of a tool's answer, that covers something else than what was asked."""


def asked_sources(output: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the outcomes of the sources that a call asked, from the tool's answer."""
    return [source for source in (output or {}).get("sources") or () if source.get("status") != NOT_ASKED]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceScope:
    """What a source was said to cover: services, where ``*`` stands for any letters, and labels. All of a kind where empty."""

    services: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def covers(self, services: Collection[str], labels: Mapping[str, Collection[str]]) -> bool:
        """Return whether what is asked for may be here: nothing asked of a kind rules nothing out, and case is no difference.

        ``labels`` are the values asked for under each name, of which one must fit; a part of the source's own value does.
        """
        if self.services and services and not any(self._has(service) for service in services):
            return False
        return all(
            any(wanted.casefold() in own.casefold() for wanted in labels[name])
            for name, own in self.labels.items()
            if labels.get(name)
        )

    def _has(self, service: str) -> bool:
        wanted = service.casefold()
        # A pod goes by the name of its service with more behind it.
        patterns = [pattern for own in self.services for pattern in (own.casefold(), f"{own.casefold()}[-_.@/]*")]
        return any(fnmatchcase(wanted, pattern) for pattern in patterns)

    def __str__(self) -> str:
        return ", ".join((*self.services, *(f"{name}={value}" for name, value in self.labels.items())))


EVERYTHING: Final = SourceScope()
"""The scope of a source about which nothing was said."""
