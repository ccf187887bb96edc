"""Claims about alerts: state, severity, value, since when, for how long; checked against the saved answer itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from bench.grounding.claim import CONTRADICTED, SUPPORTED, UNSUPPORTED, Claim, Collection, Facts, fact
from bench.grounding.recorded import RecordedSession
from bench.grounding.sessions_made import DEMO_ALERTS
from bench.grounding.wording import Clock, span
from bench.grounding.words_states import FOR, SEVERITY, SINCE, STATE, THEN, VALUE, WHOSE

_SEVERITIES = ("critical", "warning", "info")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertItem:
    """An alert as the session shows it."""

    ref: str
    path: str
    name: str
    state: str
    service: str | None
    severity: str
    value: str | None
    active: datetime | None
    as_of: datetime


class StateClaims:
    """The claims about the alerts of one session."""

    def __init__(self, session: RecordedSession, random: Random) -> None:
        self._session = session
        self._half = session.spec.half
        self._random = random
        self._clock = Clock(session.spec)
        self._alerts = list(_alerts(session))

    def add(self, into: Collection) -> None:
        for alert in self._alerts:
            for claim in (*self._state(alert), *self._severity(alert), *self._value(alert), *self._times(alert)):
                into.add(claim)
            for other in self._alerts:
                if other.name != alert.name and other.service != alert.service and alert.service and other.service:
                    for pattern in self._random.sample(WHOSE[self._half], 2):
                        into.add(self._claim(pattern, alert, truth=SUPPORTED, family="state"))
                        into.add(
                            self._claim(
                                pattern,
                                alert,
                                svc=other.service,
                                refs=(alert.ref, other.ref),
                                truth=CONTRADICTED,
                                falsehood="right_number_wrong_subject",
                            )
                        )

    def _state(self, alert: AlertItem) -> Iterator[Claim]:
        for index, pattern in enumerate(STATE[self._half]):
            facts: Facts = (fact(f"{alert.path}.state", alert.state),) if index % 2 else ()
            yield self._claim(pattern, alert, state=alert.state, truth=SUPPORTED, facts=facts, keys=(alert.name,))
            if alert.state in {"pending", "suppressed"}:
                facts = (fact(f"{alert.path}.state", "firing"),) if facts else ()
                yield self._claim(pattern, alert, state="firing", truth=CONTRADICTED, falsehood="firing_for_pending", facts=facts)

    def _severity(self, alert: AlertItem) -> Iterator[Claim]:
        if alert.severity not in _SEVERITIES:
            return
        for index, pattern in enumerate(SEVERITY[self._half]):
            wrong = self._random.choice([word for word in _SEVERITIES if word != alert.severity])
            for severity, truth, falsehood in (
                (alert.severity, SUPPORTED, None),
                (wrong, CONTRADICTED, "severity_swapped"),
            ):
                facts: Facts = (fact(f"{alert.path}.severity", severity),) if index % 2 else ()
                yield self._claim(pattern, alert, severity=severity, truth=truth, falsehood=falsehood, facts=facts)

    def _value(self, alert: AlertItem) -> Iterator[Claim]:
        if alert.value is None or float(alert.value) < 0.01:
            return
        number = float(alert.value)
        decimals = len(alert.value.partition(".")[2])
        for index, pattern in enumerate(VALUE[self._half]):
            for written, truth, falsehood in (
                (f"{number:g}", SUPPORTED, None),
                (f"{number + 10**-decimals:.{decimals}f}", CONTRADICTED, "off_by_one"),
                (f"{number * 10:g}", CONTRADICTED, "off_by_ten"),
                (f"{number:g} %" if number < 1 else f"{number:g}k", CONTRADICTED, "unit_changed"),
            ):
                plain = falsehood != "unit_changed"
                facts: Facts = (fact(f"{alert.path}.value", float(written)),) if index % 2 and plain else ()
                yield self._claim(pattern, alert, v=written, truth=truth, falsehood=falsehood, facts=facts)
            if number < 1:
                yield self._claim(pattern, alert, v=f"{number * 100:g} %", truth=SUPPORTED)

    def _times(self, alert: AlertItem) -> Iterator[Claim]:
        if alert.active is None:
            return
        active, lasting = alert.active, alert.as_of - alert.active
        for pattern in SINCE[self._half]:
            for moment, truth, falsehood in (
                (active, SUPPORTED, None),
                (active + timedelta(minutes=self._random.choice((-4, -2, 2, 4))), CONTRADICTED, "time_shift_minute"),
                (active + timedelta(hours=self._random.choice((-1, 1))), CONTRADICTED, "time_shift_hour"),
            ):
                written = f"{self._clock.minutes(moment)} UTC"
                yield self._claim(pattern, alert, t=written, truth=truth, falsehood=falsehood, family="time")
        for pattern in FOR[self._half]:
            if lasting < timedelta(minutes=1):
                break
            for duration, truth, falsehood in (
                (lasting, SUPPORTED, None),
                (lasting * 3 + timedelta(minutes=2), CONTRADICTED, "duration_wrong"),
            ):
                yield self._claim(pattern, alert, d=span(duration), truth=truth, falsehood=falsehood, family="duration")
        early = active - timedelta(minutes=self._random.choice((6, 11, 19)))
        late = alert.as_of + timedelta(minutes=self._random.choice((25, 40, 70)))
        for pattern in THEN[self._half]:
            for moment, truth in ((early, CONTRADICTED), (late, UNSUPPORTED)):
                written = f"{self._clock.minutes(moment)} UTC"
                yield self._claim(pattern, alert, state=alert.state, t=written, truth=truth, falsehood="state_now_for_then")

    def _claim(
        self,
        pattern: str,
        alert: AlertItem,
        *,
        truth: str,
        falsehood: str | None = None,
        family: str = "state",
        refs: tuple[str, ...] | None = None,
        svc: str | None = None,
        state: str = "",
        severity: str = "",
        v: str = "",
        t: str = "",
        d: str = "",
        facts: Facts = (),
        keys: tuple[str, ...] = (),
    ) -> Claim:
        spec = self._session.spec
        text = pattern.format(
            name=alert.name,
            svc=svc or alert.service or "nobody",
            state=state or alert.state,
            severity=severity or alert.severity,
            v=v,
            t=t,
            d=d,
        )
        return Claim(
            session=spec.name,
            half=spec.half,
            text=text,
            refs=refs or (alert.ref,),
            truth=truth,
            falsehood=falsehood,
            family=family,
            template=pattern,
            facts=facts,
            keys=keys,
        )


def _alerts(session: RecordedSession) -> Iterator[AlertItem]:
    """Yield the shown alerts that stand in the saved file with the same state, severity, start and value."""
    for call, spec in zip(session.calls, session.spec.calls, strict=True):
        if call.tag != "alerts":
            continue
        source = dict(spec.sources)["--alerts"]
        raw = _raw_alerts(source)
        for index, item in enumerate(call.output["alerts"]):
            known = raw.get((item["alert_name"], item["labels"].get("instance")))
            if known is None or known[:2] != (item["state"], item["severity"]):
                continue
            yield AlertItem(
                ref=f"i{call.seq}.alerts.{index}",
                path=f"$.alerts[{index}]",
                name=item["alert_name"],
                state=known[0],
                severity=known[1],
                service=item["service"],
                value=known[3],
                active=None if known[2] is None else datetime.fromisoformat(f"{known[2][:19]}+00:00"),
                as_of=datetime.fromisoformat(item["as_of"]),
            )


_RawAlert = tuple[str, str, str | None, str | None]


def _raw_alerts(source: str) -> dict[tuple[str, str | None], _RawAlert]:
    """Return (state, severity, active since, value) by name and instance, read from the file itself."""
    body = json.loads((DEMO_ALERTS if source == "demo" else Path(source)).read_text())
    items = body if isinstance(body, list) else body.get("data", {}).get("alerts", [body])
    words = {"active": "firing", "alerting": "firing", "normal": "inactive"}
    found: dict[tuple[str, str | None], _RawAlert] = {}
    for item in items:
        labels = item.get("labels") or item["commonLabels"]
        state = item["status"]["state"] if isinstance(item.get("status"), dict) else item["state"]
        since = item.get("activeAt") or item.get("startsAt")
        value = item.get("value")
        plain = None if value is None else f"{float(value):g}"
        found[labels["alertname"], labels.get("instance")] = (words.get(state, state), labels["severity"], since, plain)
    return found
