"""What a model costs, in whatever currency the user's prices are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model costs: units of some currency for a million tokens that it reads, and for a million that it writes.

    Raises:
        ValueError: A price is below zero, or no number.
    """

    input: float
    output: float

    def __post_init__(self) -> None:
        if not (0 <= self.input < float("inf") and 0 <= self.output < float("inf")):
            raise ValueError(f"a price is zero or more, not {self.input} and {self.output}")

    def of(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000


def cost_of(price: Price | None, input_tokens: int | None, output_tokens: int | None) -> float | None:
    """Return what the counted tokens of one request cost; None without a price, or where none were counted."""
    if price is None or (input_tokens is None and output_tokens is None):
        return None
    return price.of(input_tokens or 0, output_tokens or 0)


def amount(money: float) -> str:
    """Return money as it is shown."""
    return f"{money:.6f}".rstrip("0").rstrip(".")
