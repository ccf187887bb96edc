"""Finds the lines in which a logger says that it did not write everything.

Sources:
    journald ("Suppressed N messages from UNIT"), rsyslog imjournal and imuxsock ("messages lost due to rate-limiting", "begin
    to drop messages due to rate-limiting"), Linux printk ("callbacks suppressed", "messages suppressed"), syslogd ("message
    repeated N times"), Vector ("has been suppressed N times"), Kubernetes event correlation ("combined from similar events").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

ANCHORS: Final = ("uppressed", "rate-limiting", "messages dropped", "message repeated", "from similar events")
_SAYS: Final = re.compile(
    r"\bSuppressed \d+ messages? from |\b\d+ (?:callbacks|messages?) suppressed\b|has been suppressed \d+ times"
    r"|\bmessages (?:lost )?due to rate-limiting|\b\d+ (?:printk )?messages dropped\b|\blast message repeated \d+ times"
    r"|\bmessage repeated \d+ times: "
    r"|\(combined from similar events\)"
)


def suppression_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that say that messages were suppressed, dropped, lost or put together."""
    if not any(anchor in text for anchor in ANCHORS):
        return
    for match in _SAYS.finditer(text):
        end = text.find("\n", match.end())
        yield text[text.rfind("\n", 0, match.start()) + 1 : end if end >= 0 else len(text)]
