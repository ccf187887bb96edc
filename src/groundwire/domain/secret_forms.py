"""What secrets look like: known forms of keys and tokens, and values after names such as ``password=``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple


class Rule(NamedTuple):
    """One kind of secret; ``mask`` is worth calling where one of ``literals`` is in a text, or in its lower case (``folded``)."""

    literals: tuple[str, ...]
    mask: Callable[[str], str]
    folded: bool


Rules = tuple[Rule, ...]

# A key alone is no name of a secret: "primary key=42".
_KEYS: Final = "|".join(f"(?<={word}{mark}key)" for word in ("api", "access", "secret", "private") for mark in ("", "[_-]"))
_NAME: Final = rf"(?:pass(?:word|wd|phrase)|pwd|secret|token|key(?:{_KEYS}))"
_NAME_STARTS: Final = ("pass", "pwd", "secret", "token", "key")
_NAME_AND_VALUE: Final = re.compile(
    _NAME + r"(?P<quoted>\\?[\"'])?[ \t]{0,8}(?:={1,2}>?|:=|:(?!//)|(?P<in_url>%3d))[ \t]{0,8}\\?[\"']?"
    r"(?P<value>[^\s\"'&,;)\]}\\]{1,512})"
)
"""In the lower case of a text: ``re`` runs five times as fast through one whose names all begin with letters as they are."""

_LONGEST_QUOTED: Final = 256
_LONGEST_NESTED: Final = 512
_LONGEST_JSON: Final = 20_000
_BRACKETS: Final = re.compile(r'"[^"\n]{0,256}"' r"|'[^'\n]{0,256}'|[\[{]|[\]}]")
"""The brackets of a nested value; those in its strings are passed over."""

SECRET_KEY: Final = re.compile(rf"[a-z0-9_.-]{{0,60}}?{_NAME}", re.IGNORECASE)
"""A whole key of an object, under which every text is a secret."""

NOT_A_VALUE: Final = frozenset({"", "null", "none", "true", "false", "***", "xxx", "redacted", "[redacted]", "nil", "undefined"})


def _mask_named(text: str) -> str:
    """Mask the value after each name of a secret, such as ``password=``."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text.replace("İ", "i").lower()  # the one letter that grows
    parts: list[str] = []
    done = at = 0
    while match := _NAME_AND_VALUE.search(lowered, at):
        at, end = match.span("value")
        # secret, token and keys are also what parsers, pages and tables are called by.
        is_weak = match[0][0] != "p" and match["in_url"] is None
        if text[at] in "[{" and (match["quoted"] or not is_weak) and not text.startswith("[masked:", at):
            # Under a key that stands in quotes everything is a secret, as it is where the text is read as JSON.
            end, is_weak = _closing_bracket(text, at, is_json=match["quoted"] is not None), False
        elif not is_weak and text[at - 1] in "\"'":
            end = max(end, _closing_quote(text, at))
        if _is_secret(text[at:end], weak=is_weak):
            parts += (text[done:at], "[masked:password]")
            at = done = end
    return "".join((*parts, text[done:])) if parts else text


def _closing_quote(text: str, at: int) -> int:
    """Return where a quoted value ends, since it may hold spaces; -1 where its line or 256 characters end before it does."""
    closing = text.find(text[at - 1], at, at + _LONGEST_QUOTED)
    if closing < 0 or "\n" in text[at:closing]:
        return -1
    return closing - 1 if text[closing - 1] == "\\" else closing


def _closing_bracket(text: str, at: int, *, is_json: bool) -> int:
    """Return where a nested value ends: behind its bracket; without one, with its line, or where it is too long."""
    depth, most = 0, min(len(text), at + (_LONGEST_JSON if is_json else _LONGEST_NESTED))
    for match in _BRACKETS.finditer(text, at, most):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if not depth:
            return match.end()
    line_end = text.find("\n", at, most)
    return most if is_json or line_end < 0 else line_end


def _is_secret(value: str, *, weak: bool) -> bool:
    if value.strip("*\"'<>[]{} ").lower() in NOT_A_VALUE or value.startswith("[masked:"):
        return False
    return not weak or _looks_random(value)  # "unexpected token: EOF", "max_token=12"


def _looks_random(text: str) -> bool:
    mixed = text.lower() != text and text.upper() != text and not text.istitle()
    return len(text) > 32 or mixed or (any(c.isdigit() for c in text) and not text.replace(".", "").isdigit())


def _mask_credentials(match: re.Match[str]) -> str:
    return match["lead"] + "[masked:credentials]" if _looks_random(match["value"]) else match[0]


def _sub(pattern: str, write: str | Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    return partial(re.compile(pattern).sub, write)


# Every repetition is bounded, so that hostile text cannot make a pattern run away.
RULES: Final[Rules] = (
    Rule(("IA",), _sub(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", "[masked:aws-access-key]"), folded=False),
    Rule(("AIza",), _sub(r"\bAIza[A-Za-z0-9_-]{35}", "[masked:google-api-key]"), folded=False),
    Rule(("gh",), _sub(r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b", "[masked:github-token]"), folded=False),
    Rule(("github_pat_",), _sub(r"\bgithub_pat_[A-Za-z0-9_]{22,255}\b", "[masked:github-token]"), folded=False),
    Rule(("glpat-",), _sub(r"\bglpat-[A-Za-z0-9_-]{20,64}", "[masked:gitlab-token]"), folded=False),
    Rule(("xox",), _sub(r"\bxox[abprs]-[A-Za-z0-9-]{10,250}", "[masked:slack-token]"), folded=False),
    Rule(("sk-",), _sub(r"\bsk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{20,250}", "[masked:api-key]"), folded=False),
    Rule(("k_",), _sub(r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}\b", "[masked:api-key]"), folded=False),
    Rule(
        ("eyJ",),
        _sub(r"\beyJ[A-Za-z0-9_-]{8,4096}+\.eyJ[A-Za-z0-9_-]{8,8192}+\.[A-Za-z0-9_-]{0,2048}", "[masked:jwt]"),
        folded=False,
    ),
    Rule(
        ("-----BEGIN ",),
        _sub(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?",
            "[masked:private-key]",
        ),
        folded=False,
    ),
    Rule(
        ("bearer ", "basic "),
        _sub(r"(?P<lead>\b[Bb](?:earer|EARER|asic|ASIC) )(?P<value>[A-Za-z0-9._~+/=-]{12,4096})", _mask_credentials),
        folded=True,
    ),
    Rule(
        ("@",),
        _sub(
            r"(?P<lead>://[^\s/:@\"'<>]{0,256}:)"
            # With a slash in it, it may also be a port and a path.
            r"(?:[^\s/\"'<>]{1,256}(?=@)|(?!\d{1,5}[/?#])[^\s\"'<>]{1,256}?(?=@(?!sha\d)))",
            r"\g<lead>[masked:password]",
        ),
        folded=False,
    ),
    Rule(
        ("curl", "wget"),
        _sub(
            r"(?P<lead>(?:curl|wget)\b[^\n]{0,300}? (?:-u|--user)[ =][\"']?[\w.@-]{1,64}:)[^\s\"']{1,256}",
            r"\g<lead>[masked:password]",
        ),
        folded=False,
    ),
    Rule(_NAME_STARTS, _mask_named, folded=True),
)
_NARROWER: Final[Mapping[str, str]] = {
    "IA": "A(?:KIA|SIA)",
    "eyJ": "J(?<=eyJ)",  # from its rarest letter
    "gh": "gh[pousr]_",
    "k_": "k_(?:live|test)_",
    "@": r"://[^\s@]{0,520}@",
}
"""What must be there with a literal that many texts have."""

SIGNS: Final = {literal: re.compile(_NARROWER.get(literal, re.escape(literal))) for rule in RULES for literal in rule.literals}
"""Literals as ``re`` finds them: through 30 KB in half the time of ``in``, which is quicker in a line."""
