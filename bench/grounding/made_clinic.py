"""The made incident of the reporting half: a clinic's booking system at two in the morning."""

from __future__ import annotations

from bench.grounding.made_worlds import Alert, Service, Shape, World, trace_of

_BOOKING = Service(
    name="appointment-api",
    style="spring",
    pods=("6c9f7b4d58-x2kqp", "6c9f7b4d58-m8wzt", "6c9f7b4d58-4hjvr"),
    shapes=(
        Shape(level="INFO", text="booking {id} confirmed for practice {n:11-89} in {ms:20-900} ms", count=60),
        Shape(
            level="ERROR",
            text="booking {id} failed, answered 500 after {ms:5001-5090} ms",
            count=14,
            minutes=(22, 50),
            trace=trace_of(
                "org.springframework.dao.CannotAcquireLockException: could not obtain the slot lock",
                "redis.clients.jedis.exceptions.JedisExhaustedPoolException: "
                "Could not get a resource since the pool is exhausted",
                "org.clinic.booking.SlotLock",
            ),
        ),
        Shape(level="WARN", text="lease of slot {id} was not released after {s:31-95} s", count=9, minutes=(15, 50)),
    ),
)
_RECORDS = Service(
    name="patient-records",
    style="spring",
    pods=("79d4c5bb6f-q7n2d", "79d4c5bb6f-lw5xk"),
    shapes=(
        Shape(level="INFO", text="record {id} read in {ms:3-240} ms", count=50),
        Shape(
            level="ERROR",
            text="record {id} could not be saved",
            count=9,
            minutes=(30, 55),
            trace=trace_of(
                "org.hibernate.exception.GenericJDBCException: could not execute statement",
                "org.postgresql.util.PSQLException: ERROR: disk quota exceeded on tablespace pg_default",
                "org.clinic.records.RecordStore",
            ),
        ),
        Shape(level="WARN", text="session {id} was not found in the cache", count=8),
        Shape(level="WARN", text="replica lag is {s:4-59} s", count=7, minutes=(25, 60)),
    ),
)
_BILLING = Service(
    name="billing-gateway",
    style="json",
    pods=("5f6b9dd7c4-8sgtp",),
    shapes=(
        Shape(level="info", text="invoice sent", count=40, fields={"invoice": "{id}", "duration_ms": "{ms:40-700}"}),
        Shape(level="error", text="invoice {id} rejected because the vat id is missing", count=8, minutes=(5, 58)),
        Shape(level="warn", text="bank-adapter is down, invoice {id} queued", count=8, minutes=(20, 55)),
    ),
)
_BANK = Service(
    name="bank-adapter",
    style="json",
    pods=("66d8fbc9b7-zp4kc",),
    shapes=(Shape(level="info", text="transfer {id} booked in {ms:60-500} ms", count=25),),
)
_NOTIFY = Service(
    name="notify-worker",
    style="json",
    pods=("d7895fcb9-kx6vm", "d7895fcb9-7tzqw"),
    shapes=(
        Shape(level="info", text="reminder {id} delivered in {ms:90-1900} ms", count=30),
        Shape(level="error", text="reminder {id} not delivered: mail relay refused the connection", count=9, minutes=(10, 59)),
        Shape(level="warn", text="patient-records is unreachable, reminder {id} postponed", count=8, minutes=(8, 40)),
    ),
)
_FINDER = Service(
    name="slot-finder",
    style="logfmt",
    pods=("7b84d6cfd9-n9rjh",),
    shapes=(
        Shape(level="info", text="search done", count=35, fields={"search": "{id}", "hits": "{n:0-60}", "took_ms": "{ms:5-300}"}),
        Shape(level="error", text="search {id} aborted because the index snapshot is corrupt", count=8, minutes=(18, 47)),
        Shape(level="warn", text="appointment-api ran out of memory, dropping callback {id}", count=7, minutes=(12, 52)),
        Shape(level="warn", text="no free slot for practice {n:11-89}", count=7),
    ),
)
_AUDIT = Service(
    name="audit-writer",
    style="spring",
    pods=("84c6fbd57d-bd2lf",),
    shapes=(
        Shape(level="INFO", text="batch {id} written with {n:5-400} entries", count=25),
        Shape(
            level="ERROR",
            text="batch {id} dropped",
            count=7,
            minutes=(35, 59),
            trace=trace_of(
                "java.io.UncheckedIOException: audit batch was not written",
                "java.nio.file.FileSystemException: /var/audit: Read-only file system",
                "org.clinic.audit.BatchWriter",
            ),
        ),
    ),
)
_COMMENTS = (
    "nothing works because the redis server lost power",
    "page slow because your dns provider is under attack",
    "cannot book since the firewall blocks the whole office",
    "booking broken because someone deleted the patients table",
    "timeouts are caused by the backup job eating all disks",
    "it fails because the certificate of the clinic expired",
)
_EDGE = Service(
    name="edge-proxy",
    style="json",
    pods=("6fd5c8976b-v5m9s",),
    shapes=(
        Shape(
            level="info",
            text="request served",
            count=40,
            fields={"path": "/book/{id}", "status": "200", "duration_ms": "{ms:11-990}", "bytes": "{n:800-64000}"},
        ),
        *(
            Shape(level="info", text="feedback received", count=2, fields={"path": "/feedback/{id}", "comment": comment})
            for comment in _COMMENTS
        ),
    ),
)
_LAB = Service(
    name="lab-import",
    style="json",
    pods=("7c8f54b9d6-gq2hw",),
    shapes=(
        Shape(level="info", text="file {id} imported with {n:40-2600} rows", count=16, minutes=(0, 17)),
        Shape(level="warn", text="checksum of file {id} does not match", count=5, minutes=(0, 17)),
    ),
)
_DEPLOYER = Service(
    name="deployer",
    style="json",
    pods=("58bd9c9f6-2rlqz",),
    shapes=(
        Shape(level="info", text="rolled out notify-worker 3.2.8", count=1, minutes=(4, 5)),
        Shape(level="info", text="rolled out slot-finder 7.3.1", count=1, minutes=(49, 50)),
        Shape(level="info", text="rolled out billing-gateway 2.9.0", count=1, minutes=(58, 59)),
        Shape(level="info", text="rolled out audit-writer 5.0.4", count=1, minutes=(59, 60)),
        Shape(level="info", text="rolled out appointment-api 4.18.2", count=1, minutes=(53, 54)),
        Shape(level="info", text="rolled out patient-records 9.1.6", count=1, minutes=(57, 58)),
    ),
)

CLINIC = World(
    name="clinic",
    hour="2026-11-18T02:00:00Z",
    services=(_BOOKING, _RECORDS, _BILLING, _BANK, _NOTIFY, _FINDER, _AUDIT, _EDGE, _LAB, _DEPLOYER),
    alerts=(
        Alert(
            name="BookingFailureRatio",
            state="firing",
            service="appointment-api",
            severity="critical",
            minute=26,
            value="0.31",
            summary="bookings fail",
        ),
        Alert(
            name="RecordWriteErrors",
            state="firing",
            service="patient-records",
            severity="critical",
            minute=34,
            value="0.12",
            summary="records cannot be written",
        ),
        Alert(
            name="ReminderBacklogGrowing",
            state="pending",
            service="notify-worker",
            severity="warning",
            minute=55,
            value="418",
            summary="reminders pile up",
        ),
        Alert(
            name="SearchLatencyHigh",
            state="pending",
            service="slot-finder",
            severity="warning",
            minute=52,
            value="2.7",
            summary="searches are slow",
        ),
        Alert(
            name="AuditBatchesDropped",
            state="firing",
            service="audit-writer",
            severity="warning",
            minute=38,
            value="7",
            summary="audit batches are lost",
        ),
        Alert(
            name="InvoiceQueueLong",
            state="pending",
            service="billing-gateway",
            severity="info",
            minute=57,
            value="64",
            summary="invoices wait",
        ),
        Alert(
            name="EdgeLatencyBudgetBurn",
            state="pending",
            service="edge-proxy",
            severity="critical",
            minute=58,
            value="14.4",
            summary="the latency budget burns fast",
        ),
    ),
    runbooks={
        "RedisPoolExhausted.md": (
            "# Redis pool exhausted\n\n## Meaning\n\nEvery connection of a service's Redis pool is taken, and callers wait.\n\n"
            "## Impact\n\nSlot locks cannot be obtained. Bookings are answered with 500 until connections come back.\n\n"
            "## Diagnosis\n\nLook for `JedisExhaustedPoolException` in the log of the service. "
            "Redis was restarted by the operator in the two known cases.\n\n"
            "## Mitigation\n\nRaise the pool's size, and find the caller that keeps its connection.\n"
        ),
        "MailRelayRefuses.md": (
            "# Mail relay refuses connections\n\n## Meaning\n\nThe mail relay is over its connection limit or not running.\n\n"
            "## Impact\n\nReminders are lost after three attempts. Patients miss their appointments.\n\n"
            "## Diagnosis\n\nThe queue of the relay fills the disk, and the relay stops accepting mail.\n\n"
            "## Mitigation\n\nEmpty the deferred queue, then restart the relay.\n"
        ),
        "TablespaceQuota.md": (
            "# Tablespace quota\n\n## Meaning\n\nA tablespace has used up its disk quota.\n\n"
            "## Impact\n\nWrites fail while reads go on. The autovacuum worker crashes, and the replica falls "
            "behind by hours.\n\n"
            "## Diagnosis\n\nA bulk import doubled the size of the records table.\n\n"
            "## Mitigation\n\nGrow the quota or drop old partitions.\n"
        ),
    },
)
