"""A provider's words without the key that it was given."""

from __future__ import annotations

from typing import Final

from groundwire.domain.masking import make_storable, mask_text

LONGEST: Final = 1_000
_SHORTEST_KEY: Final = 4


def shown(text: str, *, api_key: str | None) -> str:
    """Return ``text`` on one line, bounded, with the key and every other secret of a known form masked."""
    text = text[: LONGEST * 20]  # a page of HTML is not searched for secrets and then thrown away
    if api_key is not None and len(api_key) >= _SHORTEST_KEY:
        text = text.replace(api_key, "[masked:key]")
    line = " ".join(mask_text(make_storable(text)).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."
