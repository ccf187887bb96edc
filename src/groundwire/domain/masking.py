"""Secrets of known forms are masked by value, before anything is stored or sent; a line that mentions a word stays whole.

Also what no store or terminal takes: NUL and lone surrogates are made visible here, so that every later step sees one text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

Rule = tuple[tuple[str, ...], re.Pattern[str], Callable[[re.Match[str]], str]]
"""Literals of which one must be there (lower case), a pattern, and what to write instead."""

Rules = tuple[Rule, ...]

_SENSITIVE_NAMES: Final = (
    "password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|secret[_-]?key|client[_-]?secret|private[_-]?key|token"
)
_SECRET_NAME: Final = re.compile(rf"\A[a-z0-9_.-]{{0,60}}?(?:{_SENSITIVE_NAMES})\Z", re.IGNORECASE)
_WEAK_NAME: Final = re.compile(r"(?:secret|token|key)\W*\Z", re.IGNORECASE)
_NOT_A_VALUE: Final = frozenset({"", "null", "none", "true", "false", "***", "xxx", "redacted", "[redacted]", "nil", "undefined"})


def _whole(label: str) -> Callable[[re.Match[str]], str]:
    return lambda match: f"[masked:{label}]"


def _after_key(match: re.Match[str]) -> str:
    value = match["value"]
    if value.strip("*\"'<>").lower() in _NOT_A_VALUE or value.startswith("[masked:"):
        return match[0]
    if _WEAK_NAME.search(match["lead"]) and not _looks_random(value):
        return match[0]  # "unexpected token: EOF", "max_token=12"
    return f"{match['lead']}[masked:password]"


# A literal that must be there (lower case), the pattern, what to write instead. Every repetition is bounded, so that
# hostile text cannot make a pattern run away.
_RULES: Final[Rules] = (
    (("akia", "asia"), re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"), _whole("aws-access-key")),
    (("aiza",), re.compile(r"\bAIza[A-Za-z0-9_-]{35}"), _whole("google-api-key")),
    (("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"), _whole("github-token")),
    (("github_pat_",), re.compile(r"\bgithub_pat_[A-Za-z0-9_]{22,255}\b"), _whole("github-token")),
    (("glpat-",), re.compile(r"\bglpat-[A-Za-z0-9_-]{20,64}"), _whole("gitlab-token")),
    (("xox",), re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,250}"), _whole("slack-token")),
    (("sk-",), re.compile(r"\bsk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{20,250}"), _whole("api-key")),
    (("k_live_", "k_test_"), re.compile(r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}\b"), _whole("api-key")),
    (("eyj",), re.compile(r"\beyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{0,2048}"), _whole("jwt")),
    (
        ("-----begin",),
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
        ),
        _whole("private-key"),
    ),
    (
        ("bearer ", "basic "),
        re.compile(r"(?P<lead>\b[Bb](?:earer|EARER|asic|ASIC) )(?P<value>[A-Za-z0-9._~+/=-]{12,4096})"),
        lambda match: match["lead"] + "[masked:credentials]" if _looks_random(match["value"]) else match[0],
    ),
    (
        ("://",),
        re.compile(r"(?P<lead>://[^\s/:@\"'<>]{0,256}:)(?P<value>[^\s/\"'<>]{1,256})(?=@)"),
        lambda match: match["lead"] + "[masked:password]",
    ),
    (
        ("pass", "pwd", "secret", "key", "token"),
        re.compile(
            rf"(?P<lead>(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{{0,60}}?(?:{_SENSITIVE_NAMES})"
            r"(?:\\?[\"']?(?:=|:(?!//)|%3[Dd]) ?\\?[\"']?))(?P<value>[^\s\"'&,;)\]}\\]{1,512})",
            re.IGNORECASE,
        ),
        _after_key,
    ),
)
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def _looks_random(text: str) -> bool:
    mixed = text.lower() != text and text.upper() != text and not text.istitle()
    return len(text) > 32 or mixed or (any(c.isdigit() for c in text) and not text.replace(".", "").isdigit())


def rules_for(text: str) -> Rules:
    """Return the rules of which a literal is in ``text``: a cheap look over a whole serialised object, mostly in vain."""
    lowered = text.lower()
    return tuple(rule for rule in _RULES if _is_called_for(rule, lowered))


def mask_text(text: str, rules: Rules = _RULES) -> str:
    """Return ``text`` with the values of secrets replaced by ``[masked:KIND]``; everything else stays to the letter."""
    lowered = text.lower()
    for rule in rules:
        if _is_called_for(rule, lowered):
            text = rule[1].sub(rule[2], text)
    return text


def _is_called_for(rule: Rule, lowered: str) -> bool:
    for literal in rule[0]:  # noqa: SIM110 - any() would cost twice as much, and this is most of what masking costs
        if literal in lowered:
            return True
    return False


def make_storable(text: str) -> str:
    r"""Return ``text`` with NUL as ``\x00`` and lone surrogates as ``\udcff``: what no store or UTF-8 stream takes."""
    return _UNSTORABLE.sub(lambda match: "\\x00" if match[0] == "\x00" else f"\\u{ord(match[0]):04x}", text)


def mask_value(value: Any, rules: Rules = _RULES) -> Any:
    """Return a JSON value with every string masked, and with values under secret-named keys (``password``) masked whole.

    ``rules`` are those that :func:`rules_for` found for the whole value.
    """
    if isinstance(value, str):
        return mask_text(value, rules)
    if isinstance(value, dict | Mapping):
        return {mask_text(str(key), rules): _mask_member(str(key), member, rules) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [mask_value(member, rules) for member in value]
    return value


def _mask_member(key: str, member: Any, rules: Rules) -> Any:
    if isinstance(member, str) and _is_secret_name(key) and member.lower() not in _NOT_A_VALUE:
        return member if member.startswith("[masked:") else "[masked:password]"
    return mask_value(member, rules)


@lru_cache(maxsize=4096)
def _is_secret_name(key: str) -> bool:
    return _SECRET_NAME.match(key) is not None


def clean_value(value: Any) -> Any:
    """Return a JSON value whose strings are storable: see :func:`make_storable`."""
    if isinstance(value, str):
        return make_storable(value)
    if isinstance(value, Mapping):
        return {make_storable(str(key)): clean_value(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [clean_value(member) for member in value]
    return value
