"""One request on its way through the files: what is asked, and what was found so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import tzinfo

from groundwire.adapters.logs.matching import QueryMatcher
from groundwire.adapters.logs.remarks import Remarks
from groundwire.adapters.logs.tally import Tally
from groundwire.domain.logs import LogRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A request, its matcher, and what has been counted and has to be said. ``reads_runs`` false: every record is read alone."""

    request: LogRequest
    matcher: QueryMatcher
    tally: Tally
    zone: tzinfo
    year: int | None
    reads_runs: bool = True
    problems: Remarks = field(default_factory=Remarks)
    notes: Remarks = field(default_factory=Remarks)

    @property
    def looks_ahead(self) -> bool:
        """Whether what holds none of the words need not be read: nobody counts it."""
        return (
            self.reads_runs
            and not (self.request.in_full and self.tally.counts_scope)
            and self.matcher.asks_for_text
            and self.matcher.stands_in_json
        )
