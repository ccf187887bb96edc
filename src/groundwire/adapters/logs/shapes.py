"""Shapes: patterns that prove of a line how it will be read, so that most lines need not be read one by one.

Two lines of the same shape with equal ``key`` groups have the same level, service and instance, and their time is what the
``time`` group says. A shape may refuse lines that the formats understand (those are read in full), never the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.logs.heads import BRACKETS, LEVEL_PATTERN
from groundwire.adapters.logs.plain_formats import ISO_TIME, ISO_ZONE
from groundwire.adapters.logs.structured import INSTANCE_KEYS, MESSAGE_KEYS, SERVICE_KEYS, TIME_KEYS, parse_object
from groundwire.adapters.logs.structured_levels import LEVEL_KEYS

LONGEST_LINE: Final = 32 * 1024
"""Characters; longer lines are read in full."""

_NAMED: Final = re.compile(r"\(\?P<\w+>")
# Brackets that are no characters to match: escaped ones, and those in sets, are taken as a whole before.
_BRACKET: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])+\]|[()]")
# What stands at the start of a line that belongs to the record before it, whatever the formats: indented, or an exception's name.
_INSIDE: Final = (
    r"(?:(?:\t|  )[^\n]{0,500}+\n"
    r"|(?:Caused by: )?[A-Za-z_$][\w$]*+(?:\.[\w$]++)++(?:(?<=Exception)|(?<=Error))(?=[:\n])[^\n\[]{0,500}+\n)"
)
_CONTINUED: Final = r"[^\n]{0,8000}+\n" + _INSIDE + r"{0,100}+"
IS_INSIDE: Final = re.compile(_INSIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """``pattern`` has a group ``time``, groups ``key``, ``key1`` ... and where it is known a group ``message``, in any order.

    It takes a record's lines with their line ends. ``is_epoch`` times are numbers; the others are ISO 8601. ``is_json`` lines
    have escapes in their strings, and text that the record does not show.
    """

    pattern: str
    is_epoch: bool = False
    is_json: bool = False

    def up_to_last(self, name: str) -> str:
        """Return the pattern as far as the end of the last group whose name matches ``name``; of JSON only."""
        last = [match for match in _NAMED.finditer(self.pattern) if re.fullmatch(name, match[0][4:-1])][-1]
        depth = 1
        at = last.end()
        for token in _BRACKET.finditer(self.pattern, at):
            depth += {"(": 1, ")": -1}.get(token[0], 0)
            if depth == 0:
                at = token.end()
                break
        return self.pattern[:at]


def without_groups(pattern: str, *, but: str | None = None) -> str:
    """Return a pattern that matches the same and captures nothing, or only the groups whose name matches ``but``."""

    def keep(match: re.Match[str]) -> str:
        name = match[0][4:-1]
        return "(" if but is not None and re.fullmatch(but, name) else "(?:"

    return _NAMED.sub(keep, pattern)


def group_names(pattern: str) -> list[str]:
    """Return the names of the groups that a pattern captures, in their order."""
    return [match[0][4:-1] for match in _NAMED.finditer(pattern)]


def shape_of(line: str, format_name: str) -> Shape | None:
    """Return the shape that a line of a format has, or None when it has to be read in full, and its like too."""
    if format_name == "json":
        return _json_shape(line)
    if format_name != "iso":
        return None
    return next((shape for shape in _PLAIN if re.fullmatch(shape.pattern, line + "\n")), None)


# The format's own pattern, atomic: it takes what it takes when it stands alone. A zone behind a space is left to the format.
_TIME: Final = rf'(?>[\[(<"]?(?>(?P<time>{ISO_TIME}))(?!{without_groups(ISO_ZONE)})[\])>"]?)'
_SEPARATOR: Final = r"(?>[^\S\n]*+(?:[\]|,:-]{1,2}[^\S\n]+)?[^\S\n]*+)"
_LEVEL: Final = without_groups(LEVEL_PATTERN)
_FIRST: Final = rf"(?:\d{{1,10}} )?{_LEVEL}(?!\w)"
_ONE_LINE_BRACKETS: Final = BRACKETS.replace(r"[^\]]*", r"[^\]\n]*")
_PLAIN: Final = (
    # Spring Boot: the brackets name the application.
    Shape(
        pattern=rf"{_TIME}{_SEPARATOR}(?P<key>(?>{_FIRST}) {{1,30}}+\d{{1,10}} --- (?>{_ONE_LINE_BRACKETS})) *+"
        rf"[^\s:]++(?<!Exception)(?<!Error) *+: (?! *: )(?P<message>{_CONTINUED})"
    ),
    # A level in front, and neither a number nor [application,trace] behind it: no service.
    Shape(pattern=rf"{_TIME}{_SEPARATOR}(?P<key>(?>{_FIRST}) )(?![^\S\n]*\d)(?! *\n)(?! *\[[^\],\n]*,){_CONTINUED}"),
    # Logback: [thread] LEVEL logger - message
    Shape(pattern=rf"{_TIME}{_SEPARATOR}\[[^\]\n]*\][^\S\n]++(?P<key>(?>{_LEVEL})) ++[^\s:]++ ++- (?P<message>{_CONTINUED})"),
    # Python: logger - LEVEL - message
    Shape(pattern=rf"{_TIME}{_SEPARATOR}(?!{_FIRST})(?>[\w.-]++) - (?P<key>(?>{_LEVEL})) - (?P<message>{_CONTINUED})"),
)

TIME_TEXT: Final = r'[^"\\\x00-\x1f]*+'
"""What stands between the quotation marks of a time; a pattern."""

STRING: Final = r'"[^"\\\x00-\x1f]*+(?:\\["\\/bfnrt][^"\\\x00-\x1f]*+)*+"'
"""A string of JSON without escaped characters; a pattern."""

_NUMBER: Final = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_TOKEN: Final = re.compile(
    rf"(?P<string>{STRING})|(?P<number>{_NUMBER})|(?P<word>true|false|null)|(?P<mark>[{{}}:,])|(?P<space> )"
)
_KEYS: Final = frozenset((*LEVEL_KEYS, "levelno", "s", *SERVICE_KEYS, *INSTANCE_KEYS, "name"))
_MOST_MEMBERS: Final = 100
_DEEPEST: Final = 4


class _NoShapeError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _Piece:
    """A token of an object; ``name`` is the dotted name of the member whose value it is."""

    kind: str
    text: str
    name: str | None = None


def _json_shape(line: str) -> Shape | None:
    fields = parse_object(line)
    if fields is None or len(line) > LONGEST_LINE:
        return None
    try:
        pieces = list(_pieces(line))
    except _NoShapeError:
        return None
    names = {piece.name: piece for piece in pieces if piece.name is not None}
    if len(names) != sum(piece.name is not None for piece in pieces) or not 0 < len(names) <= _MOST_MEMBERS:
        return None
    time = next((names[key] for key in TIME_KEYS if key in names), None)
    if time is None or time.kind == "word":
        return None
    message = next((names[key] for key in MESSAGE_KEYS if key in names), None)
    shown = [r"(?P<key>\{)"]
    keys = 0
    key_at = -1
    for number, piece in enumerate(pieces[1:], start=1):
        if piece is time:
            shown.append(rf'"(?P<time>{TIME_TEXT})"' if piece.kind == "string" else rf"(?P<time>{_NUMBER})")
        elif piece is message and piece.kind == "string":
            shown.append(rf"(?P<message>{STRING})")
        elif piece.name in _KEYS and key_at > 0 and all(between.name is None for between in pieces[key_at + 1 : number]):
            # Two keys with nothing but names between them are one column.
            shown[key_at] = shown[key_at].removesuffix(")")
            shown.append(f"{_value(piece)})")
            key_at = number
        elif piece.name in _KEYS:
            keys += 1
            key_at = number
            shown.append(rf"(?P<key{keys}>{_value(piece)})")
        else:
            shown.append(re.escape(piece.text) if piece.name is None else _value(piece))
    # The brace in the key tells lines of this shape from those of others that have no more in their keys.
    pattern = "".join(shown) + r"\n"
    return Shape(pattern=pattern, is_epoch=time.kind == "number", is_json=True)


def _value(piece: _Piece) -> str:
    return {"string": STRING, "number": _NUMBER}.get(piece.kind, "(?:true|false|null)")


def _pieces(line: str) -> Iterator[_Piece]:
    path: list[str | None] = []
    at = 0
    is_key = False
    while at < len(line):
        token = _TOKEN.match(line, at)
        if token is None:
            raise _NoShapeError
        at = token.end()
        kind, text = str(token.lastgroup), token[0]
        if kind in {"mark", "space"}:
            if text == "{":
                path.append(None)
                is_key = True
            elif text == "}":
                path.pop()
            elif text in {":", ","}:
                is_key = text == ","
            if len(path) > _DEEPEST:
                raise _NoShapeError
            yield _Piece(kind, text)
        elif is_key:
            if "\\" in text:
                raise _NoShapeError
            path[-1] = text[1:-1]
            yield _Piece("key", text)
        else:
            yield _Piece(kind, text, ".".join(str(name) for name in path))
