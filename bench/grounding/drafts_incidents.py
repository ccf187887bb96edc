"""What really happened in the incidents that drafts are about, written by hand from their files and from how they were made."""

from __future__ import annotations

from bench.grounding.incident import Hearsay, Incident, Known, Trouble

SHOP = Incident(
    session="shop-answers",
    early="shop-early",
    troubles=(
        Trouble(
            service="order-service",
            error="the HikariCP connection pool is exhausted",
            cause="Caused by: java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, "
            "request timed out after 30000ms",
            told="no connection of HikariPool-1 was available and the request timed out after 30000 ms",
            alert=("OrderServiceHighErrorRate", "firing"),
            since="09:52:00",
        ),
        Trouble(
            service="api-gateway",
            error="upstream order-service answered 503",
            alert=("ApiGatewayLatencyHigh", "pending"),
            since="10:12:30",
            behind="order-service",
        ),
    ),
    quiet=("payment-service", "inventory-service"),
    routine={
        "order-service": "placed:",
        "api-gateway": "request served",
        "payment-service": "payment authorised",
        "inventory-service": "stock reserved",
    },
    hearsay=(
        Hearsay(speaker="payment-service", words="order-service did not confirm the payment in time", about="order-service"),
    ),
    known=(
        Known(
            question="What does the runbook on OrderServiceHighErrorRate say about its impact?",
            title="Order service answers with errors",
            sentence="Orders are lost or placed twice when people press the button again.",
            told="recommends to find out which of the kinds it is before changing anything",
            told_in="before changing anything",
        ),
        Known(
            question="What do we know about an exhausted database connection pool?",
            title="Database connection pool exhausted",
            sentence="A service has handed out every connection of its database pool.",
            told="says that each further request waits in a queue",
            told_in="Each further request waits in a queue",
        ),
        Known(
            question="How do we handle a disk that is filling up?",
            title="A disk is filling up",
            sentence="Databases stop accepting writes, and logs of the time that matters are lost.",
            told="advises to rotate and compress logs",
            told_in="Rotate and compress logs",
        ),
        Known(
            question="What is known about time-outs of the payment provider?",
            title="Payment provider does not answer in time",
            sentence="The provider may be slow, or the way to it is.",
            told="says that customers cannot pay",
            told_in="Customers cannot pay",
        ),
    ),
    absent_words=(("order-service", "deadlock detected"), ("api-gateway", "connection reset")),
)

FERRY = Incident(
    session="ferry-answers",
    early="ferry-early",
    troubles=(
        Trouble(
            service="ticket-shop",
            error="not issued, gave up after",
            cause="Caused by: io.lettuce.core.RedisCommandTimeoutException: Command timed out after 8 second(s)",
            told="a Redis command timed out after 8 seconds",
            alert=("TicketErrors", "firing"),
            since="14:24:00",
        ),
        Trouble(
            service="manifest",
            error="could not be transmitted",
            cause="Caused by: javax.net.ssl.SSLHandshakeException: certificate of the harbour office has expired",
            told="the certificate of the harbour office has expired",
            alert=("ManifestBacklog", "pending"),
            since="14:56:00",
        ),
        Trouble(
            service="pay-bridge",
            error="declined because the card is expired",
            cause="declined because the card is expired",
            told="the card is expired",
            alert=("PaymentDeclines", "firing"),
            since="14:41:00",
        ),
        Trouble(
            service="timetable",
            error="cancelled because the wind limit is exceeded",
            cause="cancelled because the wind limit is exceeded",
            told="the wind limit is exceeded",
            alert=("TimetableStale", "pending"),
            since="14:58:00",
        ),
    ),
    quiet=("web-front",),
    routine={
        "ticket-shop": "sold for",
        "manifest": "passengers",
        "pay-bridge": "payment captured",
        "timetable": "departure published",
        "web-front": "page rendered",
        "rollouts": "released ticket-shop 8.4.1",
    },
    hearsay=(
        Hearsay(speaker="pay-bridge", words="ticket-shop is overloaded", about="ticket-shop"),
        Hearsay(speaker="timetable", words="manifest has crashed", about="manifest"),
    ),
    known=(
        Known(
            question="What do we know about the seat plan answering too late?",
            title="Seat plan timeouts",
            sentence="Tickets are not issued.",
            told="says that a snapshot blocks Redis for seconds",
            told_in="A snapshot blocks Redis for seconds",
        ),
        Known(
            question="How do we handle an expired certificate of the harbour office?",
            title="Harbour certificates",
            sentence="The harbour office's certificate has expired.",
            told="says that the proxy keeps an old chain of certificates",
            told_in="The proxy keeps an old chain of certificates",
        ),
    ),
    absent_words=(("manifest", "OutOfMemoryError"), ("ticket-shop", "disk full")),
    pods=(("ticket-shop", "ticket-shop-67bb8dbd95-c4xnt"), ("pay-bridge", "pay-bridge-5c7d4f8b6f-hh2vq")),
)

CLINIC = Incident(
    session="clinic-answers",
    early="clinic-early",
    troubles=(
        Trouble(
            service="appointment-api",
            error="failed, answered 500 after",
            cause="Caused by: redis.clients.jedis.exceptions.JedisExhaustedPoolException: "
            "Could not get a resource since the pool is exhausted",
            told="it could not get a resource since the pool is exhausted",
            alert=("BookingFailureRatio", "firing"),
            since="02:26:00",
        ),
        Trouble(
            service="patient-records",
            error="could not be saved",
            cause="Caused by: org.postgresql.util.PSQLException: ERROR: disk quota exceeded on tablespace pg_default",
            told="the disk quota was exceeded on tablespace pg_default",
            alert=("RecordWriteErrors", "firing"),
            since="02:34:00",
        ),
        Trouble(
            service="billing-gateway",
            error="rejected because the vat id is missing",
            cause="rejected because the vat id is missing",
            told="the vat id is missing",
            alert=("InvoiceQueueLong", "pending"),
            since="02:57:00",
        ),
        Trouble(
            service="notify-worker",
            error="not delivered: mail relay refused the connection",
            alert=("ReminderBacklogGrowing", "pending"),
            since="02:55:00",
        ),
        Trouble(
            service="slot-finder",
            error="aborted because the index snapshot is corrupt",
            cause="aborted because the index snapshot is corrupt",
            told="the index snapshot is corrupt",
            alert=("SearchLatencyHigh", "pending"),
            since="02:52:00",
        ),
        Trouble(
            service="audit-writer",
            error="dropped",
            cause="Caused by: java.nio.file.FileSystemException: /var/audit: Read-only file system",
            told="/var/audit is a read-only file system",
            alert=("AuditBatchesDropped", "firing"),
            since="02:38:00",
        ),
    ),
    quiet=("edge-proxy", "bank-adapter"),
    routine={
        "appointment-api": "confirmed for practice",
        "patient-records": "read in",
        "billing-gateway": "invoice sent",
        "notify-worker": "delivered in",
        "slot-finder": "search done",
        "audit-writer": "written with",
        "edge-proxy": "request served",
        "bank-adapter": "booked in",
        "deployer": "rolled out appointment-api 4.18.2",
    },
    hearsay=(
        Hearsay(speaker="slot-finder", words="appointment-api ran out of memory", about="appointment-api"),
        Hearsay(speaker="billing-gateway", words="bank-adapter is down", about="bank-adapter"),
        Hearsay(speaker="notify-worker", words="patient-records is unreachable", about="patient-records"),
    ),
    known=(
        Known(
            question="What do we know about an exhausted Redis pool?",
            title="Redis pool exhausted",
            sentence="Every connection of a service's Redis pool is taken, and callers wait.",
            told="advises to raise the pool's size",
            told_in="Raise the pool's size",
        ),
        Known(
            question="What does the runbook say when the mail relay refuses connections?",
            title="Mail relay refuses connections",
            sentence="The mail relay is over its connection limit or not running.",
            told="says that the queue of the relay fills the disk",
            told_in="The queue of the relay fills the disk",
        ),
        Known(
            question="How do we handle a tablespace over its disk quota?",
            title="Tablespace quota",
            sentence="A tablespace has used up its disk quota.",
            told="advises to grow the quota or drop old partitions",
            told_in="Grow the quota or drop old partitions",
        ),
    ),
    absent_words=(("patient-records", "deadlock"), ("audit-writer", "segment lost")),
    pods=(("billing-gateway", "billing-gateway-5f6b9dd7c4-8sgtp"), ("audit-writer", "audit-writer-84c6fbd57d-bd2lf")),
)

TRAVEL = Incident(
    session="travel-answers",
    early=None,
    troubles=(
        Trouble(
            service="ts-travel-service",
            error="No instances available for ts-basic-service",
            cause="nested exception is java.lang.IllegalStateException: No instances available for ts-basic-service",
            told="no instances were available for ts-basic-service",
        ),
        Trouble(
            service="ts-preserve-service",
            error="No instances available for ts-security-service",
            cause="nested exception is java.lang.IllegalStateException: No instances available for ts-security-service",
            told="no instances were available for ts-security-service",
        ),
        Trouble(service="ts-food-service", error="foodStoresListResult is null"),
        Trouble(service="ts-execute-service", error="Order Status Wrong"),
    ),
    quiet=("ts-seat-service", "ts-route-service"),
    routine={
        "ts-travel-service": "TraceID",
        "ts-preserve-service": "TraceID",
        "ts-food-service": "TraceID",
        "ts-execute-service": "TraceID",
        "ts-seat-service": "TraceID",
        "ts-route-service": "TraceID",
    },
    known=(
        Known(
            question="What does the runbook on KubePodCrashLooping say?",
            title="Kube Pod Crash Looping",
            sentence="Pod is in CrashLoop which means the app dies or is unresponsive and "
            "kubernetes tries to restart it automatically.",
            told="says that the app dies or is unresponsive",
            told_in="the app dies or is unresponsive",
        ),
        Known(
            question="What does the runbook on KubePersistentVolumeFillingUp say?",
            title="Kube Persistent Volume Filling Up",
            sentence="There can be various reasons why a volume is filling up.",
            told="says that there can be various reasons why a volume is filling up",
            told_in="various reasons why a volume",
        ),
        Known(
            question="What is known about etcdNoLeader?",
            title="etcdNoLeader",
            sentence="This alert is triggered when etcd cluster does not have a leader for more than 1 minute.",
            told="says that cluster cannot process any writes or reads when there is no leader",
            told_in="cluster cannot process any writes or reads",
        ),
        Known(
            question="What do we know about NodeClockSkewDetected?",
            title="Node Clock Skew Detected",
            sentence="Time is skewed on the node.",
            told="advises to ensure that the time synchronization service is running",
            told_in="Ensure time synchronization service is running",
        ),
        Known(
            question="How do we handle KubeQuotaExceeded?",
            title="Kube Quota Exceeded",
            sentence="Inability to create resources in kubernetes.",
            told="says that the cluster reaches the allowed hard limits",
            told_in="Cluster reaches to the allowed hard limits",
        ),
    ),
    absent_words=(("ts-food-service", "OutOfMemoryError"),),
    pods=(("ts-travel-service", "ts-travel-service-64469b5b48-25zj6"),),
)

FOOD = Incident(
    session="food-answers",
    early=None,
    troubles=(
        Trouble(
            service="ts-preserve-service",
            error="No instances available for ts-food-service",
            cause="nested exception is java.lang.IllegalStateException: No instances available for ts-food-service",
            told="no instances were available for ts-food-service",
        ),
        Trouble(service="ts-execute-service", error="Order Status Wrong"),
    ),
    quiet=("ts-seat-service",),
    routine={"ts-preserve-service": "TraceID", "ts-execute-service": "TraceID", "ts-seat-service": "TraceID"},
)

INCIDENTS = (SHOP, FERRY, CLINIC, TRAVEL, FOOD)
