"""Numbers with their units: the same value and unit, bound to the same word, field or unit, in a cited item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText, stem, words
from groundwire.grounding.facts import fact
from groundwire.grounding.figures import NEARLY, NUMBER_WORDS
from groundwire.grounding.synonyms import synonyms
from groundwire.grounding.units import CURRENCY, UNIT, unit_of, unit_of_key

_NUMBER: Final = re.compile(
    rf"(?P<near>{NEARLY})?"
    rf"(?<![\w.,/:-])(?P<key>[A-Za-z_][\w.-]{{0,60}}\s?[=:]\s?)?(?P<currency>{CURRENCY})?"
    r"(?P<n>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d{1,18}(?:\.\d{1,18})?)(?P<ratio>/\d{1,12})?"
    rf"(?:[ -]?(?P<unit>{UNIT}))?(?![\w/]|\.\d)"
)
_WORD_NUMBER: Final = re.compile(
    rf"(?<![\w-])(?P<n>zero|{'|'.join(word for word in NUMBER_WORDS if word != 'one')})(?![\w-])", re.IGNORECASE
)
# Fields that say where a record comes from: their numbers are nobody's subject.
_PLACES: Final = frozenset("source logger thread pid stream app_time timestamp instance trust application".split())
_LINE_OF_FIELD: Final = re.compile(r"(?P<name>[A-Za-z_][\w.-]{0,60})=")
_NEAR_SHARE: Final = Decimal("0.05")
_NEAR: Final = 80
_BESIDE: Final = 20
_DIGITS: Final = re.compile(r"(?<![\w.])\d{3,9}(?![\w.])")
_CLAUSE: Final = re.compile(r"[;,.:] | (?:and|while|whereas|but) ", re.IGNORECASE)
# What tells one order, request or block from the others.
_KEY: Final = re.compile(
    rf"(?<![\w.:/-])(?:[A-Za-z_][A-Za-z_-]{{0,30}}-?\d[\w-]{{2,80}}|[0-9a-f-]{{12,40}}|\d{{4,18}})(?![\w.:-]*\w)(?! ?(?:{UNIT}))"
)
_LONGEST_READ: Final = 20_000
_SURPRISING_DIGITS: Final = 4
_SIZES: Final = frozenset(("size", "length", "byte"))
_UNBINDING: Final = frozenset(
    "a an the of for is was are were to at by in on from and or with after about around near only its it has had been be utc "
    "that this as within ms s took".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Number:
    """A number as written: its value in the base unit of its dimension (None: no unit), and the words about it."""

    shown: str
    value: Decimal
    digits: int
    slack: Decimal
    dimension: str | None
    ratio: str | None
    key: str | None
    near: frozenset[str]
    words: frozenset[str]
    at: int = 0


def check_numbers(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each number of the claim.

    Supported needs the value, a compatible unit, and something that binds it: the same key, a word beside it that the item has
    beside it too, a unit in which the item has no other number, or being the value of the alert. A number of four or more digits
    is taken without, since it hardly occurs by chance. The same ``key=`` with another value contradicts.
    """
    before = claim.rest
    numbers = [_read(match, before) for match in claim.take(_NUMBER)]
    numbers += [_spelled(match, before) for match in claim.take(_WORD_NUMBER)]
    subjects = _subjects(before, cited)
    return [_check(number, subjects.get(_clause_of(number.at, before), cited), is_keyed=bool(subjects)) for number in numbers]


def _subjects(text: str, cited: Sequence[Cited]) -> dict[int, Sequence[Cited]]:
    """Return for each clause the cited items that have the names with digits it gives: a number of one order is not another's.

    A clause that gives no name goes on with those of the one before. Empty where no cited item has any of the names.
    """
    texts = [(item, item.text.lower()) for item in cited]
    subjects: dict[int, Sequence[Cited]] = {}
    about: Sequence[Cited] | None = None
    for place, clause in enumerate(_CLAUSE.split(text)):
        names = {match[0].lower() for match in _KEY.finditer(clause)}
        names = {name for name in names if any(name in there for _, there in texts)}
        if names:
            about = [item for item, there in texts if all(name in there for name in names)] or [
                item for item, there in texts if any(name in there for name in names)
            ]
        if about is not None:
            subjects[place] = about
    first = min(subjects, default=0)
    return {place: subjects.get(place, subjects[first]) for place in range(len(_CLAUSE.split(text)))} if subjects else {}


def _clause_of(at: int, text: str) -> int:
    return sum(1 for match in _CLAUSE.finditer(text) if match.end() <= at)


def _check(number: _Number, cited: Sequence[Cited], *, is_keyed: bool) -> CheckedFact:
    same_key: CheckedFact | None = None
    texts = [(item, numbers_in(_speaking_text(item))) for item in cited]
    # Where the key of a number stands in what is cited, nothing else bears the number out.
    has_key = number.key is not None and any(other.key == number.key for _, others in texts for other in others)
    for item, others in texts:
        for other in others:
            if has_key and other.key != number.key:
                continue
            if _same_value(number, other) and _is_bound(number, other, others, item, is_keyed=is_keyed):
                return fact(number.shown, item.ref_id, other.shown, Verdict.SUPPORTED)
            if number.key and number.key == other.key and not _same_value(number, other):
                same_key = fact(number.shown, f"{item.ref_id} {other.key}", other.shown, Verdict.CONTRADICTED)
    if same_key is None and number.dimension is None and number.digits >= _SURPRISING_DIGITS and number.ratio is None:
        # A port or an id may stand between marks where no number of its own is read: 10.0.0.7:45307.
        place = next((item for item in cited if _stands_alone(number.shown, item.text[:_LONGEST_READ])), None)
        if place is not None:
            return fact(number.shown, place.ref_id, number.shown, Verdict.SUPPORTED)
    return same_key or fact(number.shown, cited, None, Verdict.UNSUPPORTED)


def _stands_alone(digits: str, text: str) -> bool:
    return digits.isdigit() and re.search(rf"(?<![\d.]){digits}(?![\d]|\.\d)", text) is not None


def _speaking_text(item: Cited) -> str:
    text = item.text[:_LONGEST_READ]
    if item.kind is not CitedKind.LOG:
        return text
    return "\n".join(line for line in text.split("\n") if not _is_place(line))


def _is_place(line: str) -> bool:
    field = _LINE_OF_FIELD.match(line)
    return field is not None and field["name"] in _PLACES


@lru_cache(maxsize=4096)
def numbers_in(text: str) -> tuple[_Number, ...]:
    """Return the numbers of a text, in order."""
    return tuple(_read(match, text) for match in _NUMBER.finditer(text))


def _read(match: re.Match[str], text: str) -> _Number:
    key = (match["key"] or "").strip(" =:").lower() or None
    dimension, factor = unit_of(match["unit"] or match["currency"] or "")
    if dimension is None and key and not match["unit"]:
        dimension, factor = unit_of_key(key)
    written = Decimal(match["n"].replace(",", ""))
    exponent = written.as_tuple().exponent
    last_digit = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) * factor
    value = written * factor
    return _Number(
        shown=match[0].strip(),
        value=value,
        slack=max(abs(value) * _NEAR_SHARE, last_digit) if match["near"] else last_digit / 2,
        digits=len(match["n"].replace(",", "").replace(".", "").lstrip("-0")),
        dimension=dimension,
        ratio=match["ratio"],
        key=key,
        near=_about(match, text, key),
        words=frozenset(stem(word) for word in _beside(match, text, key)),
        at=match.start("n"),
    )


def _spelled(match: re.Match[str], text: str) -> _Number:
    value = Decimal(NUMBER_WORDS.get(match["n"].lower(), 0))
    near = _about(match, text, None)
    words = frozenset[str]()
    return _Number(
        shown=match[0], value=value, slack=Decimal("0.5"), digits=1, dimension=None, ratio=None, key=None, near=near, words=words
    )


def _about(match: re.Match[str], text: str, key: str | None) -> frozenset[str]:
    """Return the stems about a number, and those that say the same."""
    return frozenset().union(*(synonyms(stem(word)) for word in _beside(match, text, key)))


def _beside(match: re.Match[str], text: str, key: str | None) -> list[str]:
    """Return the words about a number in its line; a key binds its number alone."""
    if key and not match["key"].rstrip(" ").endswith(":"):
        return [word for word in words(match["key"]) if word not in _UNBINDING]
    before = text[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2]
    after = text[match.end() : match.end() + _NEAR].partition("\n")[0]
    near = words(before + (match["key"] if key else ""))[-5:] + words(after)[:4]
    near += _DIGITS.findall(before[-_BESIDE:] + " " + after[:_BESIDE])
    return [word for word in near if word not in _UNBINDING]


def _same_value(claimed: _Number, found: _Number) -> bool:
    if claimed.ratio != found.ratio and claimed.ratio is not None:
        return False
    if claimed.value == 0 != found.value:  # nothing rounds to none
        return False
    off = abs(claimed.value - found.value)
    if claimed.dimension == found.dimension:
        return off <= claimed.slack
    # A percentage may stand as a fraction in a field without a unit, and a size is in bytes where nothing else is said.
    unitless = claimed.dimension == "ratio" or (claimed.dimension == "bytes" and not _SIZES.isdisjoint(found.near))
    return unitless and found.dimension is None and off <= claimed.slack


def _is_bound(claimed: _Number, found: _Number, others: Sequence[_Number], item: Cited, *, is_keyed: bool) -> bool:
    if claimed.key is not None and claimed.key in (found.key, "value"):
        return True
    # Where the claim names the very record, by an id that no other cited one has, three digits are telling enough.
    if claimed.digits >= _SURPRISING_DIGITS - is_keyed or claimed.ratio is not None:
        return True
    shared = len(claimed.near & found.words)
    if shared and shared >= max(len(claimed.near & other.words) for other in others if other.dimension == found.dimension):
        return True
    if item.kind is CitedKind.ALERT:
        return found.key == "value"
    if claimed.dimension is None:
        return False
    return all(other.dimension != claimed.dimension or _same_value(claimed, other) for other in others)
