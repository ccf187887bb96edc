"""Looks at the start and the end of a file: how it is written, whose it is, from when to when it goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import BinaryIO, Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.discovery import LogFile
from groundwire.adapters.logs.frames import FRAMES, Frame
from groundwire.adapters.logs.layouts import Layout, find_layout
from groundwire.adapters.logs.line_reader import LineReader, looks_inside, reader_for
from groundwire.adapters.logs.lines import (
    as_utf8,
    holds_other_bytes,
    is_binary,
    is_latin1,
    is_utf16,
    latin1_as_utf8,
    plain_chunks,
    split_lines,
)
from groundwire.adapters.logs.naming import PathIdentity, date_in_name, identify, strip_compression
from groundwire.adapters.logs.packing import CorruptFileError, Packing, packing_of
from groundwire.adapters.logs.reading import LineFormat, Reading
from groundwire.adapters.logs.records import RawRecord, RecordAssembler
from groundwire.adapters.logs.structured import parse_object

_SAMPLE: Final = 64 * 1024
_FEW_LINES: Final = 16
_MOST_LINES: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProfile:
    """What a sample of a file showed. ``services`` and the times are those of the sample only.

    ``is_brief``: it was a small one, and ``services`` are those of the path alone.

    Where it shows no record, the service is the path's. ``has_other_bytes``: some of it is neither UTF-8 nor Latin-1.
    ``is_document``: a JSON document over several lines, which is no log.
    """

    file: LogFile
    reader: LineReader
    frame: Frame | None
    packing: Packing | None = None
    is_latin1: bool = False
    has_other_bytes: bool = False
    layout: Layout | None = None
    can_seek: bool = False
    services: frozenset[str] = frozenset()
    oldest: datetime | None = None
    newest: datetime | None = None
    problem: str | None = None
    is_document: bool = False
    is_brief: bool = False

    @property
    def may_name_others(self) -> bool:
        """Whether records beyond the sample may be of services that it did not show."""
        is_nobodys = self.file.identity.service is None  # then syslog's program counts
        return is_nobodys or self.reader.names_services or (self.frame is not None and not self.frame.has_time)

    @property
    def is_verbatim(self) -> bool:
        """Whether what records say stands in the file byte for byte, as UTF-8."""
        return self.can_seek and self.layout is None and not self.is_latin1

    def chunks(self, handle: BinaryIO, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes of the open file as UTF-8; ``start`` and ``end`` count only where ``can_seek``.

        Raises:
            CorruptFileError: After what could be read.
        """
        if self.packing is not None:
            raw = self.packing.chunks(handle)
        else:
            raw = plain_chunks(handle, start, self.file.size if end is None else end)
        text = latin1_as_utf8(raw) if self.is_latin1 else as_utf8(raw)
        return text if self.layout is None else self.layout.rewrite(text)


def file_clock(file: LogFile, zone: tzinfo, year: int | None) -> FileClock:
    """Return a clock that takes the missing day, and the latest year, from the file's name, else from when it was changed."""
    named = date_in_name(file.name.rpartition("/")[2])
    latest = (
        file.modified if named is None else datetime(named.year, named.month, named.day, 23, 59, 59, tzinfo=file.modified.tzinfo)
    )
    return FileClock(zone=zone, latest=latest, year=year, day=named)


def profile_file(
    file: LogFile, zone: tzinfo, year: int | None, own: Sequence[LineFormat] = (), *, is_brief: bool = False
) -> FileProfile:
    """Return the profile of a file; one that cannot be read has its reason as ``problem``. ``own`` formats are tried first.

    ``is_brief``: as few lines are looked at as tell its format, and nothing is read from them but their times.
    """
    try:
        head, tail, packing = _ends(file)
    except OSError as exc:
        return _unreadable(file, f"{file.name} cannot be read: {exc.strerror or exc}")
    wide, latin1 = is_utf16(head), is_latin1(head + tail)
    start = b"".join(as_utf8([head]))
    layout = find_layout(start)
    if layout is None and is_binary(head) and (not tail or is_binary(tail)):
        return _unreadable(file, f"{file.name} is not text and was not read")
    if packing is None and head and not head.strip(b"\0") and not tail.strip(b"\0"):
        return _unreadable(file, f"{file.name} holds zeros where text should be, and was not read")
    can_seek = packing is None and not wide and (layout is None or layout.can_seek)
    lines = _lines(head, latin1=latin1) if layout is None else _split(layout.rewrite([start]))
    lines = _sampled(lines, _lines(tail, latin1=latin1)[1:] if tail and can_seek else lines, is_brief=is_brief)
    frame = _frame_of(lines)
    inner = lines if frame is None else [line if (framed := frame.unwrap(line)) is None else framed.inner for line in lines]
    clock = file_clock(file, zone, year)
    profile = FileProfile(
        file=file,
        reader=reader_for(inner, clock, own),
        frame=frame,
        packing=packing,
        is_latin1=latin1,
        has_other_bytes=not (wide or latin1) and holds_other_bytes(head, tail),
        layout=layout,
        can_seek=can_seek,
        is_brief=is_brief,
    )
    sampled = _with_sample(profile, lines, clock)
    if layout is None:
        is_document = _is_json_document(file, lines)
    else:
        is_untimed = sampled.newest is None and any(parse_object(line) is not None for line in lines)
        is_document = layout.name == "JSON document" and is_untimed
    return replace(sampled, is_document=is_document)


def _sampled(first: list[str], last: list[str], *, is_brief: bool) -> list[str]:
    """Return the first and the last lines; where few are to be returned, more if few look like the start of a record."""
    sample: list[str] = []
    for most in (_FEW_LINES, _MOST_LINES) if is_brief else (_MOST_LINES,):
        is_all = first is last and len(first) <= 2 * most
        sample = first if is_all else [*first[:most], *last[-most:]]
        if sum(not looks_inside(line) for line in sample) >= _FEW_LINES:
            break
    return sample


def newest_at_end(profile: FileProfile, zone: tzinfo, year: int | None) -> datetime | None:
    """Return the time of the last records of a file that cannot be read from its end: all of it is unpacked, its end looked at.

    Raises:
        OSError: It cannot be read.
    """
    tail = b""
    with profile.file.path.open("rb") as handle:
        try:
            for chunk in profile.chunks(handle):
                tail = (tail + chunk)[-_SAMPLE:]
        except CorruptFileError:
            pass  # the last that could be read counts
    return _with_sample(profile, _split([tail])[-_MOST_LINES:], file_clock(profile.file, zone, year)).newest


def name_record(reading: Reading, identity: PathIdentity, origin: str | None) -> None:
    """Give a reading its service and instance: its own field's first, then the name in front of the line, then the path's."""
    named = identity if origin is None else identify((origin,))
    from_field = None if reading.is_fallback_service else reading.service
    reading.service = from_field or named.service or reading.service or identity.service or named.fallback
    own_instance, path_instance = reading.instance, named.instance
    if own_instance is not None and path_instance is not None and own_instance != path_instance:
        reading.fields.setdefault("host", own_instance)
    reading.instance = path_instance or own_instance


def _ends(file: LogFile) -> tuple[bytes, bytes, Packing | None]:
    with file.path.open("rb") as handle:
        head = handle.read(_SAMPLE)
        packing = packing_of(head)
        if packing is not None:
            return _first_unpacked(packing, handle), b"", packing
        if file.size <= _SAMPLE:
            return head, b"", None
        handle.seek(max(_SAMPLE, file.size - _SAMPLE))
        return head, handle.read(_SAMPLE), None


def _unreadable(file: LogFile, problem: str) -> FileProfile:
    reader = LineReader((), is_headless=True)
    return FileProfile(file=file, reader=reader, frame=None, services=_named_by_path(file), problem=problem)


def _named_by_path(file: LogFile) -> frozenset[str]:
    # A service of which nothing can be read is silent, not unknown.
    return frozenset() if file.identity.service is None else frozenset({file.identity.service})


def _lines(sample: bytes, *, latin1: bool) -> list[str]:
    return _split(latin1_as_utf8([sample]) if latin1 else as_utf8([sample]))


def _split(chunks: Iterable[bytes]) -> list[str]:
    return [line for block in split_lines(chunks) for line in block.lines]


def _is_json_document(file: LogFile, lines: Sequence[str]) -> bool:
    if not strip_compression(file.path.name).endswith(".json"):
        return False
    first = next((line.strip() for line in lines if line.strip()), "")
    return len(lines) > 1 and first.startswith(("{", "[")) and all(parse_object(line) is None for line in lines)


def _first_unpacked(packing: Packing, handle: BinaryIO) -> bytes:
    sample = b""
    try:
        for chunk in packing.chunks(handle):
            sample += chunk
            if len(sample) >= _SAMPLE:
                break
    except CorruptFileError:
        pass  # what came before it is the sample
    return sample[:_SAMPLE]


def _frame_of(lines: Sequence[str]) -> Frame | None:
    filled = [line for line in lines if line.strip()]
    return next((frame for frame in FRAMES if filled and _wraps_most(frame, filled)), None)


def _wraps_most(frame: Frame, lines: Sequence[str]) -> bool:
    others = 0
    for line in lines:
        others += frame.unwrap(line) is None
        if others * 10 > len(lines) * 2:
            return False
    return True


def _with_sample(profile: FileProfile, lines: Sequence[str], clock: FileClock) -> FileProfile:
    services: set[str] = set()
    times: list[datetime] = []
    assembler = RecordAssembler(profile.reader, profile.frame, clock)
    records: list[RawRecord] = []
    for number, line in enumerate(lines):
        record = assembler.feed(line, number)
        if record is not None:
            records.append(record)
    for record in (*records, *assembler.finish()):
        if record.time is not None:
            times.append(record.time)
        if profile.is_brief:
            continue
        reading = record.read()
        name_record(reading, profile.file.identity, record.origin)
        if reading.service is not None:
            services.add(reading.service)
    named = frozenset(services) or _named_by_path(profile.file)
    return replace(profile, services=named, oldest=min(times, default=None), newest=max(times, default=None))
