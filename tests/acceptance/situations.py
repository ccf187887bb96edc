"""Servers on 127.0.0.1 in the situations that an adapter must tell apart, and what a row says of a call in words."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from groundwire.domain.invocation import RecordedCall
from tests.loopback import serving

DOCS = Path(__file__).parent.parent.parent / "docs" / "backends.md"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer. ``stall_s`` is how long the second half of its body is waited for; ``ahead_s`` how far the clock is ahead."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    stall_s: float = 0
    ahead_s: float = 0


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What a server answers by path; a path that is not there is answered by ``otherwise``. ``asked`` fills with the paths."""

    name: str
    answers: Mapping[str, Answer] = field(default_factory=dict)
    otherwise: Answer = field(default_factory=lambda: Answer(body=b"404 page not found\n", status=404, content_type="text/plain"))
    asked: list[str] = field(default_factory=list)


UNREACHABLE = Situation(name="no such host")
REFUSED = Situation(name="connection refused")


def everywhere(name: str, answer: Answer) -> Situation:
    """Return a situation in which every path is answered alike."""
    return Situation(name=name, otherwise=answer)


@contextmanager
def url_of(situation: Situation) -> Iterator[str]:
    """Yield the URL of a server that is in a situation."""
    if situation is UNREACHABLE:
        yield "http://nowhere.test:9090"
    elif situation is REFUSED:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            yield f"http://127.0.0.1:{unused.getsockname()[1]}"
    else:
        with serving(_answering(situation)) as url:
            yield url


def no_such_host(real: Callable[..., object]) -> Callable[..., object]:
    """Return a resolver that does not know names that end in .test."""

    def resolve(host: object, *more: object, **named: object) -> object:
        if str(host).endswith(".test"):
            raise socket.gaierror(-2, "Name or service not known")
        return real(host, *more, **named)

    return resolve


def _answering(situation: Situation) -> Callable[[BaseHTTPRequestHandler], None]:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        path = handler.path.split("?")[0]
        situation.asked.append(path)
        answer = situation.answers.get(path, situation.otherwise)
        handler.date_time_string = lambda timestamp=None: formatdate(time.time() + answer.ahead_s, usegmt=True)  # type: ignore[method-assign]
        handler.send_response(answer.status)
        handler.send_header("Content-Type", answer.content_type)
        handler.send_header("Content-Length", str(len(answer.body)))
        handler.end_headers()
        half = len(answer.body) // 2 if answer.stall_s else len(answer.body)
        try:
            handler.wfile.write(answer.body[:half])
            handler.wfile.flush()
            time.sleep(answer.stall_s)
            handler.wfile.write(answer.body[half:])
        except OSError:
            return

    return respond


def said_by_the_row(call: RecordedCall, url: str) -> str:
    """Return status, counts, reasons and notes of a row on one line, with ``URL`` for the server's own."""
    row = call.invocation
    if row.error_type is not None:
        said = f"`{row.status.value}`, `{row.error_type}`: {row.error_message}"
    else:
        total = "an unknown number" if row.total_count is None else f"{row.total_count:,}"
        said = f"`{row.status.value}`, {row.returned_count} of {total}"
        if row.partial_reasons:
            said += f"; in part: {'; '.join(row.partial_reasons)}"
        notes = [note for source in call.output.get("sources", ()) for note in source.get("notes", ())]
        if notes:
            said += f"; note: {'; '.join(notes)}"
    return said.replace(url, "URL").replace("|", "\\|")


def documented(section: str, situation: str, column: str) -> str:
    """Return a cell of the table of situations in a section of the document on backends."""
    head, *rows = _table(section)
    for row in rows:
        if row[0] == situation:
            return row[head.index(column)]
    raise LookupError(f"docs/backends.md says nothing of {situation!r} under {section!r}")


def rows_of(section: str) -> list[str]:
    """Return the situations of the table in a section of the document on backends."""
    return [row[0] for row in _table(section)[1:]]


def _table(section: str) -> list[list[str]]:
    text = DOCS.read_text(encoding="utf-8").split(f"\n## {section}\n", 1)[1].split("\n## ", 1)[0]
    table = text[text.index("| situation |") :].split("\n\n", 1)[0]
    head, _, *rows = ([cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in table.splitlines())
    return [head, *rows]
