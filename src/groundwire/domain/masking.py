"""Secrets of known forms are masked by value, before anything is stored or sent; a line that mentions a word stays whole.

Also what no store or terminal takes: NUL and lone surrogates are made visible here, so that every later step sees one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from groundwire.domain.secret_forms import NOT_A_VALUE, RULES, SECRET_KEY, SIGNS, Rule

_OBJECT: Final = (dict, Mapping)  # most are dicts, which are recognised sooner
_MASK: Final = "[masked:password]"
_LEAST_TOKEN: Final = 1_000_000
"""A smaller number under ``max_token`` says how many."""
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def mask_text(text: str) -> str:
    """Return ``text`` with the values of secrets replaced by ``[masked:KIND]``; everything else stays to the letter."""
    return _masked(text, RULES)


def mask_value(value: Any) -> Any:
    """Return a JSON value with every string masked, and with all that is under secret-named keys (``password``).

    A value in which nothing is a secret is returned itself.
    """
    texts: list[str] = []
    names: set[str] = set()
    _collect(value, texts, names)
    # A list of entries says most things many times: looking at each once, and at all of them for one literal after the
    # other, costs a quarter of masking text by text. Mostly it is in vain: 0.15 ms for 30 KB.
    distinct = list({*texts, *names})
    rules = _rules_for("\n".join(distinct))
    if not rules:
        return value
    suspects = _suspects(distinct, rules)
    masked = {text: changed for text in suspects if (changed := _masked(text, rules)) != text}
    secret_names = {name for name in names & suspects if SECRET_KEY.fullmatch(name)}
    if not masked and not secret_names:
        return value
    return _replaced(value, _Replacement(masked, {name: masked[name] for name in names & masked.keys()}, secret_names))


def make_storable(text: str) -> str:
    r"""Return ``text`` with NUL as ``\x00`` and lone surrogates as ``\udcff``: what no store or UTF-8 stream takes."""
    return _UNSTORABLE.sub(lambda match: "\\x00" if match[0] == "\x00" else f"\\u{ord(match[0]):04x}", text)


def clean_value(value: Any) -> Any:
    """Return a JSON value whose strings are storable: see :func:`make_storable`."""
    if isinstance(value, str):
        return make_storable(value)
    if isinstance(value, Mapping):
        return {make_storable(str(key)): clean_value(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [clean_value(member) for member in value]
    return value


def _masked(text: str, rules: Iterable[Rule]) -> str:
    lowered = text.lower()
    for literals, mask, folded in rules:
        looked_at = lowered if folded else text
        for literal in literals:
            if literal in looked_at:
                text = mask(text)
                break
    return text


def _rules_for(text: str) -> list[Rule]:
    """Return the rules of which a literal is in a long text, with those literals."""
    lowered = text.lower()
    found: list[Rule] = []
    for rule in RULES:
        looked_at = lowered if rule.folded else text
        literals = tuple(literal for literal in rule.literals if SIGNS[literal].search(looked_at))
        if literals:
            found.append(rule._replace(literals=literals))
    return found


def _suspects(texts: list[str], rules: Iterable[Rule]) -> set[str]:
    """Return the texts that have a literal of the rules in them."""
    suspects: set[str] = set()
    for rule in rules:
        looked_at = list(map(str.lower, texts)) if rule.folded else texts
        for literal in rule.literals:
            suspects.update([text for text, look in zip(texts, looked_at, strict=True) if literal in look])
    return suspects


class _Replacement(NamedTuple):
    """What stands for which text and for which key, and the keys under which every text is a secret."""

    texts: Mapping[str, str]
    names: Mapping[str, str]
    secret_names: set[str]


def _collect(value: Any, texts: list[str], names: set[str]) -> None:
    """Add every text and every key of a JSON value."""
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, _OBJECT):
        names.update(value)
        for member in value.values():
            if isinstance(member, str):
                texts.append(member)
            else:
                _collect(member, texts, names)
    elif isinstance(value, list | tuple):
        for member in value:
            _collect(member, texts, names)


def _replaced(value: Any, replacement: _Replacement) -> Any:
    texts, names, secret_names = replacement
    if isinstance(value, str):
        return texts.get(value, value)
    if isinstance(value, _OBJECT):
        replaced = dict(value)
        for name, member in value.items():
            if name in secret_names:
                replaced[name] = _masked_whole(member, is_counted=name.lower().endswith("token"))
            elif not isinstance(member, str):
                replaced[name] = _replaced(member, replacement)
            elif member in texts:
                replaced[name] = texts[member]
        return {names.get(name, name): member for name, member in replaced.items()} if names else replaced
    if isinstance(value, list | tuple):
        return [_replaced(member, replacement) for member in value]
    return value


def _masked_whole(member: Any, *, is_counted: bool) -> Any:
    """Return what is under a secret name with every text and number masked; of what is counted, short numbers stay."""
    if isinstance(member, str):
        return member if member.lower() in NOT_A_VALUE or member.startswith("[masked:") else _MASK
    if isinstance(member, _OBJECT):
        # Its keys are masked like any others.
        return {mask_text(name): _masked_whole(each, is_counted=is_counted) for name, each in member.items()}
    if isinstance(member, list | tuple):
        return [_masked_whole(each, is_counted=is_counted) for each in member]
    if (
        member is None
        or isinstance(member, bool)
        or (is_counted and isinstance(member, int | float) and abs(member) < _LEAST_TOKEN)
    ):
        return member
    return _MASK
