"""Takes lines out of what the collector put around them: a container runtime's time and stream, or a name in front.

Sources:
    Kubernetes CRI logging format, Docker ``json-file`` driver, ``kubectl logs --timestamps`` and ``--prefix``,
    ``docker compose logs``, OpenStack's collated files.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final, NamedTuple, Protocol

from groundwire.adapters.logs.structured import parse_object

_CRI: Final = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([FP])(?::\S*)? ?(.*)", re.DOTALL
)
_STAMPED: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7,9}(?:Z|[+-]\d\d:\d\d)) (.*)", re.DOTALL)
_NAMED: Final = re.compile(
    r"(?:(?P<file>\S{1,200}\.log\S{0,80}) (?=\d{4}-\d\d-\d\d)"
    r"|\[pod/(?P<pod>[^/\]\s]{1,253})/[^\]\s]{1,253}\] "
    r"|(?P<container>[a-z][\w.-]{0,100}) +\| )(?P<inner>.*)",
    re.DOTALL,
)


class Framed(NamedTuple):
    """A line's inside. Lines of one ``stream`` follow one another. ``is_partial``: the next of the stream goes on with it.

    ``time`` is the runtime's; ``origin`` is a file's, a pod's or a container's name that stood in front.
    """

    stream: str
    time: datetime | None
    inner: str
    is_partial: bool = False
    origin: str | None = None


class Frame(Protocol):
    """One way to wrap lines. ``has_time`` says that every line carries the runtime's time."""

    name: str
    has_time: bool

    def unwrap(self, line: str) -> Framed | None:
        """Return a line's inside, or None when it is not wrapped so."""
        ...


class CriFrame:
    """``TIME stdout F line``, where ``P`` marks a line that was split."""

    name = "cri"
    has_time = True

    def unwrap(self, line: str) -> Framed | None:
        match = _CRI.match(line)
        if match is None:
            return None
        return Framed(match[2], _utc(match[1]), match[4], match[3] == "P")


class DockerFrame:
    r"""``{"log":"line\n","stream":"stdout","time":"..."}``, where a line without its newline was split."""

    name = "docker"
    has_time = True

    def unwrap(self, line: str) -> Framed | None:
        if not line.startswith('{"'):
            return None
        fields = parse_object(line)
        if fields is None or not isinstance(fields.get("log"), str) or not isinstance(fields.get("time"), str):
            return None
        inner = fields["log"]
        return Framed(str(fields.get("stream", "")), _utc(fields["time"]), inner.rstrip("\r\n"), not inner.endswith("\n"))


class StampedFrame:
    """``TIME line`` with nanoseconds, as ``kubectl logs --timestamps`` and ``docker logs --timestamps`` print."""

    name = "stamped"
    has_time = True

    def unwrap(self, line: str) -> Framed | None:
        match = _STAMPED.match(line)
        return None if match is None else Framed("", _utc(match[1]), match[2])


class NamedFrame:
    """A file's name, ``[pod/NAME/CONTAINER]`` or ``container  |`` in front of every line."""

    name = "named"
    has_time = False

    def unwrap(self, line: str) -> Framed | None:
        match = _NAMED.match(line)
        if match is None:
            return None
        origin = match["file"] or match["pod"] or match["container"]
        return Framed(origin, None, match["inner"], origin=origin)


class NamedStampedFrame:
    """A name in front of the time, as ``kubectl logs --prefix --timestamps`` and ``docker compose logs --timestamps`` print."""

    name = "named, stamped"
    has_time = True

    def unwrap(self, line: str) -> Framed | None:
        named = _NAMED_FRAME.unwrap(line)
        match = None if named is None else _STAMPED.match(named.inner)
        if named is None or match is None:
            return None
        return Framed(named.stream, _utc(match[1]), match[2], origin=named.origin)


_NAMED_FRAME: Final = NamedFrame()
FRAMES: Final[tuple[Frame, ...]] = (CriFrame(), DockerFrame(), NamedStampedFrame(), _NAMED_FRAME, StampedFrame())


def _utc(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
