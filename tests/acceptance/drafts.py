"""Claims about the incident, true and false, and what an investigator has to ask before it makes them."""

from __future__ import annotations

from typing import Any

from tests.acceptance.incident import CAUSE

Claim = dict[str, Any]

ASK_ERRORS = ["ask", "query_logs", {"service": "checkout", "level": "error"}]
"""As the first call: i1.logs.2 is the record of 10:20:05, i1.summary counts three."""


def claim(kind: str, text: str, *refs: str, role: str = "answer", name: str = "c") -> Claim:
    return {"id": name, "text": text, "refs": list(refs), "kind": kind, "role": role}


SYMPTOM = claim(
    "symptom",
    "checkout logged 3 ERROR records between 2026-11-20 10:20:05 UTC and 2026-11-20 10:22:05 UTC.",
    "i1.summary",
    name="symptom",
)
STATED_CAUSE = claim("cause", f"checkout's log says “{CAUSE}” at 2026-11-20 10:20:05 UTC.", "i1.logs.2", name="cause")
MISCOUNTED = claim("symptom", "checkout logged 7 ERROR records.", "i1.summary", name="miscounted")
ADVICE = claim("recommendation", "Start the inventory deployment again.", "i1.logs.2", role="context", name="advice")
GUESS = claim("hypothesis", "The inventory port may be closed.", "i1.logs.2", role="context", name="guess")


def script(*claims: Claim, ask: tuple[list[Any], ...] = (), complete: bool = True) -> dict[str, Any]:
    """Return a script that asks for the errors first and then what is given."""
    return {"do": [ASK_ERRORS, *ask], "draft": {"claims": list(claims), "complete": complete}}


def asking(*steps: list[Any], draft: tuple[Claim, ...]) -> dict[str, Any]:
    """Return a script that asks only what is given."""
    return {"do": list(steps), "draft": {"claims": list(draft), "complete": True}}
