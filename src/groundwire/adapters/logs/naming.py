"""Tells service and instance from where a log file stands and what it is called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Final

# Endings that a file takes on while it is rotated, dated and compressed; taken off one by one.
_ROTATION: Final = re.compile(
    r"(?:\.(?:gz|bz2|xz|zst|zstd|log|logs|out|err|txt|json|jsonl|ndjson|csv|xml|export|old|bak)"
    r"|[._-]\d{4}[-_.]?\d{2}[-_.]?\d{2}(?:[T_.-]\d{2}(?:[-_.:]?\d{2}){0,2}Z?)?"
    r"|\.\d{1,4}|-old)\Z",
    re.IGNORECASE,
)
_COMPRESSION: Final = re.compile(r"\.(?:gz|bz2|xz|zstd?)\Z")
_GENERIC: Final = frozenset(
    "access app application audit auth catalina console container current daemon data debug default err error errors info "
    "json kern log logs main message messages nohup out output root secure server spring std stderr stdout syslog system text "
    "trace var warn warning".split()
)
# Kubernetes makes name suffixes of these letters and digits only (apimachinery, util/rand).
_SAFE: Final = "bcdfghjklmnpqrstvwxz2456789"
_REPLICA_SET_POD: Final = re.compile(rf"(.+)-(?:[{_SAFE}]{{8,10}}|\d{{8,10}})-[{_SAFE}]{{5}}\Z")
_DAEMON_SET_POD: Final = re.compile(rf"(.+)-(?=[a-z]*\d)[{_SAFE}]{{5}}\Z")
_STATEFUL_SET_POD: Final = re.compile(r"(.+[^\d.-])-\d{1,3}\Z")
# /var/log/containers/POD_NAMESPACE_CONTAINER-ID.log and /var/log/pods/NAMESPACE_POD_UID/CONTAINER/N.log
_CONTAINER_LINK: Final = re.compile(r"([^_]+)_[^_]+_.+-[0-9a-f]{64}\Z")
_POD_FOLDER: Final = re.compile(r"[^_]+_([^_]+)_[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\Z")
_DATE: Final = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathIdentity:
    """Whose records a path says it holds. ``fallback`` is the name where neither path nor record has one."""

    service: str | None
    instance: str | None
    fallback: str

    @property
    def names(self) -> str:
        """All of them in lower case, one a line."""
        return "\n".join(name for name in (self.service, self.instance, self.fallback) if name).lower()

    def goes_by(self, name: str) -> bool:
        wanted = name.casefold()
        return any(known is not None and known.casefold() == wanted for known in (self.service, self.instance, self.fallback))


def identify(parts: Sequence[str], *, above: str | None = None) -> PathIdentity:
    """Return the identity of a file from the names of its folders and its own, outermost first.

    ``above`` is the name of the folder that was pointed at; it says less than a program's name in the lines does.
    """
    stem = strip_rotation(parts[-1])
    link = _CONTAINER_LINK.match(stem)
    if link is not None:
        return _of_pod(link[1], stem)
    for folder in reversed(parts[:-1]):
        pod = _POD_FOLDER.match(folder)
        if pod is not None:
            return _of_pod(pod[1], stem)
    for name in (stem, *reversed(parts[:-1])):
        if not is_generic(name):
            return _of_pod(name, stem)
    return PathIdentity(service=None, instance=None, fallback=stem if above is None or is_generic(above) else above)


def strip_rotation(file_name: str) -> str:
    """Return the name without endings such as ``.log``, ``.1``, ``.gz`` and dates: ``pay`` of ``pay.log.1.gz``."""
    name = PurePosixPath(file_name).name
    for _ in range(6):
        shorter = _ROTATION.sub("", name)
        if not shorter or shorter == name:
            break
        name = shorter
    return name


def strip_compression(file_name: str) -> str:
    """Return the lower-case name without ``.gz`` and its like."""
    return _COMPRESSION.sub("", file_name.lower())


def is_generic(name: str) -> bool:
    """Return whether a file or folder of that name could be anybody's: ``app``, ``stdout``, ``messages``, ``0``."""
    return name.lower().strip("._-") in _GENERIC or not any(character.isalpha() for character in name)


def service_of_pod(pod: str) -> str:
    """Return a pod's name without the hashes or the number that its controller added; any other name as it is."""
    for pattern in (_REPLICA_SET_POD, _DAEMON_SET_POD, _STATEFUL_SET_POD):
        match = pattern.match(pod)
        if match is not None:
            return match[1]
    return pod


def date_in_name(file_name: str) -> date | None:
    """Return the date that stands in a file's name, or None."""
    for match in _DATE.finditer(file_name):
        try:
            return date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            continue
    return None


def _of_pod(name: str, stem: str) -> PathIdentity:
    service = service_of_pod(name)
    return PathIdentity(service=service, instance=name if name != service else None, fallback=stem)
