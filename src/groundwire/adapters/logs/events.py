"""Rewrites exported events as JSON lines: Windows events in XML, and journald's export format.

Sources:
    Windows event schema (``wevtutil qe /f:xml``, Event Viewer's "Save as XML"); systemd "Journal Export Formats".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from xml.etree import ElementTree

import orjson

from groundwire.adapters.logs.lines import LINE_LIMIT

_EVENT: Final = re.compile(rb"<Event[\s>].*?</Event>", re.DOTALL)
_XML_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<Events[^>]{0,200}>\s*)?<Event[\s>]")
_LONGEST: Final = LINE_LIMIT * 4
_LONGEST_FIELD: Final = 8 << 20
_LEVELS: Final = {"0": "info", "1": "critical", "2": "error", "3": "warning", "4": "info", "5": "verbose"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowsXmlLayout:
    """``<Event>`` elements, one after another or in ``<Events>``."""

    name: str = "Windows events"
    can_seek: bool = False

    def rewrite(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a JSON line for each event, with as many empty lines about it as keep the numbers of lines."""
        data, is_mid_line = b"", False
        for chunk in chunks:
            data += chunk
            rewritten, at = [], 0
            for event in _EVENT.finditer(data):
                lines = data.count(b"\n", at, event.start())
                rewritten.append(b"\n" * max(lines, is_mid_line))
                lines = event[0].count(b"\n")
                rewritten.append(_event_json(event[0]) + b"\n" * lines)
                at, is_mid_line = event.end(), lines == 0
            data = data[at:]
            if len(data) > _LONGEST:  # no event is as long: skip to where the next may start
                at = max(data.rfind(b"<Event"), 0)
                data = data[at:] if 0 < len(data) - at <= _LONGEST else b""
            yield b"".join(rewritten)


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalExportLayout:
    """``NAME=value`` lines, or a name, a length and bytes; an empty line ends an entry."""

    name: str = "journald export"
    can_seek: bool = False

    def rewrite(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a JSON line for each entry, with as many empty lines behind it as keep the numbers of lines."""
        data, entry, lines = b"", dict[str, Any](), 0
        for chunk in chunks:
            data += chunk
            rewritten, at = [], 0
            while (field := _next_field(data, at)) is not None:
                name, value, end = field
                lines += data.count(b"\n", at, end)
                at = end
                if name:
                    entry[name] = value.decode("utf-8", "backslashreplace")
                elif entry:
                    rewritten.append(orjson.dumps(entry) + b"\n" * lines)
                    entry, lines = {}, 0
            data = data[at:]
            if len(data) > _LONGEST_FIELD:
                data = b""  # damaged: no field that is meant to be read is as long
            yield b"".join(rewritten)
        if entry:
            yield orjson.dumps(entry) + b"\n" * lines


def find_events(head: bytes) -> WindowsXmlLayout | JournalExportLayout | None:
    """Return how a file that starts so holds events; None for one that holds none."""
    if head.startswith((b"__CURSOR=", b"__REALTIME_TIMESTAMP=")):
        return JournalExportLayout()
    return WindowsXmlLayout() if _XML_START.match(head) else None


def _next_field(data: bytes, at: int) -> tuple[str, bytes, int] | None:
    """Return name, value and end of the field at ``at``; an empty name for the end of an entry, None where more is needed."""
    end = data.find(b"\n", at)
    if end < 0:
        return None
    name, equals, value = data[at:end].partition(b"=")
    if equals or not name:
        return name.decode("ascii", "replace"), value, end + 1
    if len(data) < end + 9:
        return None
    size = int.from_bytes(data[end + 1 : end + 9], "little")
    if size > _LONGEST_FIELD:
        return "", b"", end + 1  # no such length: the line is damaged, and the entry ends here
    if len(data) < end + 9 + size + 1:
        return None
    return name.decode("ascii", "replace"), data[end + 9 : end + 9 + size], end + 9 + size + 1


def _event_json(event: bytes) -> bytes:
    try:
        # One element cut out of the file: it cannot declare entities, so none can be expanded.
        root = ElementTree.fromstring(event.decode("utf-8", "replace"))  # noqa: S314
    except ElementTree.ParseError:
        return event.replace(b"\n", b" ")
    parts = {_local(element): element for element in root.iter()}
    fields: dict[str, Any] = {}
    if "TimeCreated" in parts:
        fields["time"] = parts["TimeCreated"].get("SystemTime")
    if "Provider" in parts:
        fields["program"] = parts["Provider"].get("Name") or parts["Provider"].get("EventSourceName")
    for name, element in (("host", "Computer"), ("event_id", "EventID"), ("channel", "Channel"), ("record_id", "EventRecordID")):
        if element in parts and parts[element].text:
            fields[name] = parts[element].text
    system_level = next((each.text for each in root.iter() if _local(each) == "Level" and (each.text or "") in _LEVELS), None)
    if system_level is not None:
        fields["level"] = _LEVELS[system_level]
    data = list(_event_data(root))
    message = parts["Message"].text if "Message" in parts else None
    fields["message"] = message or f"event {fields.get('event_id', '')}: " + ", ".join(f"{name}={value}" for name, value in data)
    return orjson.dumps({name: value for name, value in fields.items() if value is not None} | dict(data))


def _event_data(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    for section in root:
        if _local(section) not in {"EventData", "UserData"}:
            continue
        for number, element in enumerate(section.iter()):
            if element is not section and element.text and element.text.strip():
                name = element.get("Name") or (f"data{number}" if _local(element) == "Data" else _local(element))
                yield name, element.text.strip()


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
