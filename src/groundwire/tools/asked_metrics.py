"""Reads what ``query_metrics`` is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from groundwire.domain.errors import InvalidParamsError
from groundwire.domain.incident import Scope, TimeWindow
from groundwire.domain.metrics import ALERT_STATES
from groundwire.ports import CallContext
from groundwire.tools.alert_selection import AlertFilter
from groundwire.tools.params import Params
from groundwire.tools.series_points import INSTANT, step_of

MOST_LIMIT: Final = 1000
"""Items that one call returns at most."""

_PARAMS: Final = ("service", "alert_name", "state", "promql", "step", "since", "until", "limit")
_DEFAULT_LIMIT: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedMetrics:
    """The parameters of one call, read. ``filter.window`` is set where the caller named a window, ``step`` of a range query."""

    filter: AlertFilter
    promql: str | None
    step: timedelta | None
    window: TimeWindow
    limit: int

    @property
    def wants_alerts(self) -> bool:
        """Whether alerts are asked for."""
        # A question for a series is not answered by alerts that nobody asked for.
        return self.promql is None or any((self.filter.service, self.filter.alert_name, self.filter.state))

    def scope(self) -> Scope:
        """Return what was asked, as the row shows it."""
        asked: dict[str, Any] = {
            "service": self.filter.service,
            "alert_name": self.filter.alert_name,
            "state": self.filter.state,
            "promql": self.promql,
            "step": None if self.promql is None else INSTANT if self.step is None else f"{self.step.total_seconds():.0f}s",
        }
        return Scope(
            window=self.window,
            filter={name: value for name, value in asked.items() if value is not None},
            labels={} if self.filter.service is None else {"service": self.filter.service},
        )


def read_asked(tool_name: str, params: Mapping[str, Any], context: CallContext) -> AskedMetrics:
    """Return the parameters of a call.

    Raises:
        InvalidParamsError: One does not fit.
    """
    given = Params(tool_name, params, _PARAMS)
    window = given.window(context.window)
    promql, step = given.text("promql"), given.text("step")
    if step is not None and promql is None:
        raise InvalidParamsError("step is of use only with promql")
    state = given.text("state")
    if state is not None and state.lower() not in ALERT_STATES:
        raise InvalidParamsError(f"state takes one of {', '.join(ALERT_STATES)}, not {state[:60]!r}")
    is_window_named = given.text("since") is not None or given.text("until") is not None
    return AskedMetrics(
        filter=AlertFilter(
            service=given.text("service"),
            alert_name=given.text("alert_name"),
            state=None if state is None else state.lower(),
            window=window if is_window_named else None,
        ),
        promql=promql,
        step=None if promql is None else step_of(step, window),
        window=window,
        limit=given.count("limit", default=_DEFAULT_LIMIT, most=MOST_LIMIT),
    )
