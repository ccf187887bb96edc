"""Facts that the writer of a draft supplies: ``{"path", "op", "value"}``, recomputed as they stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from groundwire.domain.names import Verdict
from groundwire.domain.raw_path import resolve
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind

_OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": lambda actual, value: bool(actual == value),
    "!=": lambda actual, value: bool(actual != value),
    "<": lambda actual, value: bool(actual < value),
    "<=": lambda actual, value: bool(actual <= value),
    ">": lambda actual, value: bool(actual > value),
    ">=": lambda actual, value: bool(actual >= value),
    "contains": lambda actual, value: value in actual,
}

OPERATORS: Final = tuple(_OPERATORS)


def check_asserted(facts: Sequence[Mapping[str, Any]], cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one checked fact for each assertion; ``path`` counts from the cited item (``$.value``) or from its call's output
    (``$.summary.total``, ``$.logs[3].level``; of a cited entry only its own).
    """
    return [_check(fact, cited) for fact in facts]


def _check(fact: Mapping[str, Any], cited: Sequence[Cited]) -> CheckedFact:
    path, op, value = str(fact.get("path")), str(fact.get("op")), fact.get("value")
    claimed = f"{path} {op} {value!r}"
    compare = _OPERATORS.get(op)
    if compare is None:
        return CheckedFact(
            claimed=claimed, looked_in="", found=f"the operators are {', '.join(OPERATORS)}", verdict=Verdict.UNCHECKABLE
        )
    other: CheckedFact | None = None
    for item in cited:
        try:
            actual = _value_at(item, path)
            holds = compare(actual, value)
        except (LookupError, TypeError):
            continue
        verdict = Verdict.SUPPORTED if holds else Verdict.CONTRADICTED
        checked = CheckedFact(claimed=claimed, looked_in=f"{item.ref_id} {path}", found=repr(actual)[:200], verdict=verdict)
        if holds:
            return checked
        other = other or checked
    return other or CheckedFact(
        claimed=claimed, looked_in=", ".join(item.ref_id for item in cited), found=None, verdict=Verdict.UNSUPPORTED
    )


def _value_at(item: Cited, path: str) -> Any:
    try:
        return resolve(item.item, path)
    except LookupError:
        if item.kind is not CitedKind.CALL and not path.startswith(item.raw_path):
            raise
        return resolve(item.call.output, path)
