"""Where a source is, as people write it: ``/var/log/shop``, ``demo``, ``loki+http://loki:3100``, ``journald:/mnt/journal``."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from groundwire.settings.names import DEMO

JOURNALD: Final = "journald"
LOG_PLACES: Final = (
    "a folder or file of logs, demo, journald, journald:DIR, loki+http://HOST, elasticsearch+http://HOST, "
    "opensearch+http://HOST or victorialogs+http://HOST (each with https too)"
)
_SCHEMES: Final = ("http", "https")


class PlaceKind(StrEnum):
    """What answers at a place."""

    DEMO = "demo"
    FILES = "files"
    JOURNALD = "journald"
    SERVER = "server"
    LOKI = "loki"
    ELASTICSEARCH = "elasticsearch"
    OPENSEARCH = "opensearch"
    VICTORIALOGS = "victorialogs"


_LOG_SERVERS: Final = (PlaceKind.LOKI, PlaceKind.ELASTICSEARCH, PlaceKind.OPENSEARCH, PlaceKind.VICTORIALOGS)


@dataclass(frozen=True, slots=True)
class Place:
    """``target`` is a path, or a URL without the prefix that names what answers; empty for the demo and this host's journal."""

    kind: PlaceKind
    target: str = field(repr=False)

    @property
    def is_server(self) -> bool:
        return self.kind not in (PlaceKind.DEMO, PlaceKind.FILES, PlaceKind.JOURNALD)


def place_of(text: str) -> Place:
    """Return what a place of alerts, metrics or knowledge says."""
    if text == DEMO:
        return Place(PlaceKind.DEMO, "")
    return Place(PlaceKind.SERVER if "://" in text else PlaceKind.FILES, text)


def log_place_of(text: str) -> Place:
    """Return what a place of logs says.

    Raises:
        ValueError: It is a URL that does not say which server answers there, or names one that is none of ours.
    """
    if text == JOURNALD or text.startswith(f"{JOURNALD}:"):
        folder = text[len(JOURNALD) + 1 :]
        if not folder and text != JOURNALD:
            raise ValueError("journald: needs a folder behind the colon, and journald alone is the journal of this host")
        return Place(PlaceKind.JOURNALD, folder)
    if "://" not in text:
        return place_of(text)
    server, plus, scheme = text.partition("://")[0].rpartition("+")
    if not plus:
        raise ValueError(f"it does not say what answers there: it takes {LOG_PLACES}")
    if server not in _LOG_SERVERS or scheme not in _SCHEMES:
        close = difflib.get_close_matches(server, _LOG_SERVERS, n=1) if server not in _LOG_SERVERS else []
        raise ValueError(f"did you mean {close[0]}+http://?" if close else f"it takes {LOG_PLACES}")
    return Place(PlaceKind(server), text.removeprefix(f"{server}+"))


def holds_credentials(text: str) -> bool:
    """Return whether a URL has a user name or a password in it."""
    try:
        return "://" in text and "@" in urlsplit(text).netloc
    except ValueError:
        return "@" in text


def with_path(text: str, change: Callable[[str], str]) -> str:
    """Return a place with ``change`` made to the path in it; what is no path stays as it is."""
    if not text.strip() or "://" in text or text in (DEMO, JOURNALD):
        return text
    if text.startswith(f"{JOURNALD}:"):
        folder = text.removeprefix(f"{JOURNALD}:")
        return f"{JOURNALD}:{change(folder)}" if folder else text
    return change(text)


def from_home(path: str) -> str:
    """Return a path with the user's home folder in place of ``~``."""
    return str(Path(path).expanduser()) if path.startswith("~") else path
