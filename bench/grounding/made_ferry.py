"""The made incident of the development half: a ferry line's ticket shop in the afternoon."""

from __future__ import annotations

from bench.grounding.made_worlds import Alert, Service, Shape, World, trace_of

_TICKETS = Service(
    name="ticket-shop",
    style="spring",
    pods=("67bb8dbd95-c4xnt", "67bb8dbd95-tm7pd"),
    shapes=(
        Shape(level="INFO", text="ticket {id} sold for {n:9-180} EUR in {ms:30-800} ms", count=50),
        Shape(
            level="ERROR",
            text="ticket {id} not issued, gave up after {ms:8001-8040} ms",
            count=12,
            minutes=(20, 48),
            trace=trace_of(
                "com.ferry.shop.SeatAssignmentException: no seat could be assigned",
                "io.lettuce.core.RedisCommandTimeoutException: Command timed out after 8 second(s)",
                "com.ferry.shop.SeatPlan",
            ),
        ),
    ),
)
_MANIFEST = Service(
    name="manifest",
    style="spring",
    pods=("f75cb8d5b-s8wlk",),
    shapes=(
        Shape(level="INFO", text="manifest {id} closed with {n:40-900} passengers", count=30),
        Shape(
            level="ERROR",
            text="manifest {id} could not be transmitted",
            count=7,
            minutes=(25, 55),
            trace=trace_of(
                "org.springframework.web.client.ResourceAccessException: I/O error on PUT request",
                "javax.net.ssl.SSLHandshakeException: certificate of the harbour office has expired",
                "com.ferry.manifest.HarbourOffice",
            ),
        ),
        Shape(level="WARN", text="passenger {id} is not on any list", count=6),
    ),
)
_PAY = Service(
    name="pay-bridge",
    style="json",
    pods=("5c7d4f8b6f-hh2vq",),
    shapes=(
        Shape(level="info", text="payment captured", count=35, fields={"payment": "{id}", "duration_ms": "{ms:70-600}"}),
        Shape(level="error", text="payment {id} declined because the card is expired", count=8),
        Shape(level="warn", text="ticket-shop is overloaded, payment {id} waits", count=7, minutes=(22, 50)),
    ),
)
_TIMETABLE = Service(
    name="timetable",
    style="logfmt",
    pods=("6589f7c6bd-r5jgz",),
    shapes=(
        Shape(level="info", text="departure published", count=30, fields={"departure": "{id}", "took_ms": "{ms:4-90}"}),
        Shape(level="warn", text="manifest has crashed, departure {id} goes without a list", count=6, minutes=(10, 58)),
        Shape(level="error", text="departure {id} cancelled because the wind limit is exceeded", count=5, minutes=(30, 59)),
    ),
)
_FRONT = Service(
    name="web-front",
    style="json",
    pods=("79f9bdcc57-9kq4m",),
    shapes=(Shape(level="info", text="page rendered", count=30, fields={"page": "/t/{id}", "duration_ms": "{ms:9-400}"}),),
)
_WEATHER = Service(
    name="weather-feed",
    style="json",
    pods=("746c9bdf4c-w2zss",),
    shapes=(Shape(level="info", text="report {id} fetched with {n:3-40} stations", count=10, minutes=(0, 14)),),
)
_ROLLOUT = Service(
    name="rollouts",
    style="json",
    pods=("5d9c7c6b8-pl7xd",),
    shapes=(
        Shape(level="info", text="released web-front 12.0.3", count=1, minutes=(6, 7)),
        Shape(level="info", text="released ticket-shop 8.4.1", count=1, minutes=(50, 51)),
        Shape(level="info", text="released manifest 1.17.0", count=1, minutes=(57, 58)),
    ),
)

FERRY = World(
    name="ferry",
    hour="2026-11-20T14:00:00Z",
    services=(_TICKETS, _MANIFEST, _PAY, _TIMETABLE, _FRONT, _WEATHER, _ROLLOUT),
    alerts=(
        Alert(
            name="TicketErrors",
            state="firing",
            service="ticket-shop",
            severity="critical",
            minute=24,
            value="0.18",
            summary="tickets are not issued",
        ),
        Alert(
            name="ManifestBacklog",
            state="pending",
            service="manifest",
            severity="warning",
            minute=56,
            value="9",
            summary="manifests wait",
        ),
        Alert(
            name="PaymentDeclines",
            state="firing",
            service="pay-bridge",
            severity="info",
            minute=41,
            value="8",
            summary="payments are declined",
        ),
        Alert(
            name="TimetableStale",
            state="pending",
            service="timetable",
            severity="critical",
            minute=58,
            value="310",
            summary="the timetable is old",
        ),
    ),
    runbooks={
        "SeatPlanTimeouts.md": (
            "# Seat plan timeouts\n\n## Meaning\n\nThe seat plan's Redis answers too late.\n\n"
            "## Impact\n\nTickets are not issued. Passengers queue at the counter.\n\n"
            "## Diagnosis\n\nA snapshot blocks Redis for seconds, and memory runs full.\n\n"
            "## Mitigation\n\nMove the snapshot to the night.\n"
        ),
        "HarbourCertificates.md": (
            "# Harbour certificates\n\n## Meaning\n\nThe harbour office's certificate has expired.\n\n"
            "## Impact\n\nManifests cannot be transmitted, and the ship leaves late.\n\n"
            "## Diagnosis\n\nThe proxy keeps an old chain of certificates.\n\n"
            "## Mitigation\n\nInstall the new chain, then send the manifests again.\n"
        ),
    },
)
