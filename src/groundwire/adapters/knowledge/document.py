"""A Markdown document in two tiers: what it is as a whole, and its sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from markdown_it import MarkdownIt

from groundwire.adapters.knowledge.front_matter import split_front_matter
from groundwire.adapters.knowledge.words import name_key

LONGEST_CONTENT: Final = 2000
CUT_MARK: Final = "[... cut here]"
_LONGEST_ABSTRACT: Final = 600
_LONGEST_HEADING: Final = 200
_ABSTRACT_HEADINGS: Final = frozenset({"meaning", "summary", "overview", "description", "abstract"})
_BLANK_LINES: Final = re.compile(r"\n[ \t]*\n\s*")

_BLOCKS: Final = MarkdownIt("commonmark")
_BLOCKS.core.ruler.enableOnly(["normalize", "block"])  # headings and code need no inline pass, which costs most of the time
_BLOCKS.disable("reference")
_INLINE: Final = MarkdownIt("commonmark")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The text under one heading, or a part of it. ``path`` names the headings above it, ``()`` before the first one.

    ``content`` has at most 2,000 characters besides its cut mark; a longer section is several of these with one path.
    """

    path: tuple[str, ...]
    content: str

    @property
    def name(self) -> str:
        return " > ".join(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One runbook. ``names`` are the spellings it goes by as a whole: its file's stem, its titles."""

    source: str
    title: str
    names: tuple[str, ...]
    abstract: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        """Characters of text, headings not counted."""
        return sum(len(section.content) for section in self.sections)


@dataclass(frozen=True, slots=True)
class _Heading:
    depth: int
    text: str
    first_line: int
    end_line: int


def parse_document(source: str, text: str) -> Document | None:
    """Return the document that ``text`` is, or None when it says nothing besides headings and front matter."""
    front = split_front_matter(text.replace("\r\n", "\n").replace("\r", "\n"))
    headings = _headings(front.body)
    stem = PurePosixPath(source).stem
    title_line = headings[0].text if headings and headings[0].depth == 1 else None
    sections = tuple(_sections(front.body.split("\n"), headings, title_line))
    if not sections:
        return None
    return Document(
        source=source,
        title=front.title or title_line or stem,
        names=tuple(dict.fromkeys(name for name in (stem, front.title, title_line) if name)),
        abstract=_abstract(sections),
        sections=sections,
        notes=(front.note,) if front.note else (),
    )


def _headings(body: str) -> list[_Heading]:
    tokens = _BLOCKS.parse(body)
    found = []
    for at, token in enumerate(tokens):
        # Headings inside a list or a quotation belong to it and open no section.
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            text = _plain(tokens[at + 1].content)
            found.append(_Heading(int(token.tag[1:]), text, token.map[0], token.map[1]))
    return found


def _plain(heading: str) -> str:
    (inline,) = _INLINE.parseInline(heading[:_LONGEST_HEADING])
    text = "".join(child.content for child in inline.children or () if child.type in {"text", "code_inline"})
    return " ".join(text.split())


def _sections(lines: Sequence[str], headings: Sequence[_Heading], title_line: str | None) -> Iterator[Section]:
    """Yield what has text, in order; the heading that is the document's title stands in no path."""
    yield from _parts((), lines[: headings[0].first_line if headings else len(lines)])
    above: list[_Heading] = []
    for at, heading in enumerate(headings):
        if at > 0 or title_line is None:
            above = [one for one in above if one.depth < heading.depth]
            above.append(heading)
        end = headings[at + 1].first_line if at + 1 < len(headings) else len(lines)
        yield from _parts(tuple(one.text for one in above if one.text), lines[heading.end_line : end])


def _parts(path: tuple[str, ...], lines: Sequence[str]) -> Iterator[Section]:
    """Yield a section in parts that end at the last blank line, or else line, within the bound."""
    text = "\n".join(lines).strip("\n").rstrip()
    start = 0
    while len(text) - start > LONGEST_CONTENT:
        end = _cut(text, start)
        yield Section(path=path, content=f"{text[start:end].rstrip()}\n{CUT_MARK}")
        start = end
        while text.startswith("\n", start):
            start += 1
    if text[start:].strip():
        yield Section(path=path, content=text[start:])


def _cut(text: str, start: int) -> int:
    limit = start + LONGEST_CONTENT
    for mark in ("\n\n", "\n", " "):
        at = text.rfind(mark, start + LONGEST_CONTENT // 4, limit)
        if at > 0:
            return at
    return limit


def _abstract(sections: Sequence[Section]) -> str:
    """Return the first paragraphs, as many as fit, of the section that says what the document is about."""
    told = next((one for one in sections if len(one.path) == 1 and name_key(one.path[0]) in _ABSTRACT_HEADINGS), sections[0])
    paragraphs = _BLANK_LINES.split(told.content)
    abstract = paragraphs[0]
    for paragraph in paragraphs[1:]:
        if len(abstract) + len(paragraph) > _LONGEST_ABSTRACT:
            break
        abstract += f"\n\n{paragraph}"
    return abstract if len(abstract) <= _LONGEST_ABSTRACT else f"{abstract[:_LONGEST_ABSTRACT].rstrip()} {CUT_MARK}"
