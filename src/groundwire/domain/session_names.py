"""The short ways to name a session: the start or end of its id, or ``last``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from groundwire.domain.errors import NotFoundError

SHORTEST_PART: Final = 4
_HINT: Final = "`groundwire sessions` lists them."
_SHOWN: Final = 3


def choose_session(part: str, newest_first: Sequence[str]) -> str:
    """Return the one id that ``part`` names; dashes and letter case do not matter.

    Raises:
        NotFoundError: None, or more than one, goes by it.
    """
    name = part.strip()
    if name.lower() == "last":
        if not newest_first:
            raise NotFoundError("No session is recorded yet.", hint="`groundwire diagnose` records one.")
        return newest_first[0]
    if name in newest_first:
        return name
    wanted = _bare(name)
    if len(wanted) < SHORTEST_PART:
        raise NotFoundError(
            f"{_shown(name)} is too short to name a session; give the id, {SHORTEST_PART} characters or more of it, or `last`.",
            hint=_HINT,
        )
    matches = [known for known in newest_first if _bare(known).startswith(wanted) or _bare(known).endswith(wanted)]
    if not matches:
        raise NotFoundError(f"No session goes by {_shown(name)}.", hint=_HINT)
    if len(matches) > 1:
        some = ", ".join(matches[:_SHOWN]) + (", ..." if len(matches) > _SHOWN else "")
        raise NotFoundError(
            f"{len(matches)} sessions go by {_shown(name)}: {some}.", hint="Give more of the id; its end is best."
        )
    return matches[0]


def _bare(name: str) -> str:
    return name.replace("-", "").lower()


def _shown(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:60] + "...")
