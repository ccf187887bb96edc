"""Foreign text on single lines, marked: a line break in it cannot start a line that looks like one of ours."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.domain.marking import Marking


def marked_line(text: str, marking: Marking) -> str:
    """Return ``text`` on one line as it stands between tags, with everything hidden in it visible."""
    return marking.mark_inside(" ".join(text.split()))


def tagged_line(text: str, marking: Marking) -> str:
    """Return ``text`` on one line, between its tags."""
    return f"<data-{marking.token}>{marked_line(text, marking)}</data-{marking.token}>"


def tagged(lines: Iterable[str], marking: Marking) -> str:
    """Return lines that are marked already, between their tags."""
    return "\n".join((f"<data-{marking.token}>", *lines, f"</data-{marking.token}>"))
