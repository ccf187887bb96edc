"""What lines say about causes: linked effect and cause, events that link to nothing, users' words, and ways to join."""

from __future__ import annotations

from bench.grounding.words_counts import Wordings

# (pattern, effect, cause): one record states both and the link between them.
Links = tuple[tuple[str, str, str], ...]

_SHOP: Links = (
    (
        r"order (?P<key>\d+) failed: no database connection, the HikariCP connection pool is exhausted",
        "order {key} failed",
        "the HikariCP connection pool is exhausted",
    ),
)
DEVELOPMENT_LINKS: Links = (
    *_SHOP,
    (
        r"ticket (?P<key>\d+) not issued.*Caused by: io.lettuce.core.RedisCommandTimeoutException: Command timed out",
        "ticket {key} was not issued",
        "a Redis command timed out",
    ),
    (
        r"manifest (?P<key>\d+) could not be transmitted.*certificate of the harbour office has expired",
        "manifest {key} could not be transmitted",
        "the certificate of the harbour office has expired",
    ),
    (r"payment (?P<key>\d+) declined because the card is expired", "payment {key} was declined", "the card is expired"),
    (
        r"departure (?P<key>\d+) cancelled because the wind limit is exceeded",
        "departure {key} was cancelled",
        "the wind limit is exceeded",
    ),
)
REPORTING_LINKS: Links = (
    *_SHOP,
    (
        r"booking (?P<key>\d+) failed, .*Caused by: .*JedisExhaustedPoolException: Could not get a resource since the pool",
        "booking {key} failed",
        "the Jedis pool is exhausted",
    ),
    (
        r"record (?P<key>\d+) could not be saved.*disk quota exceeded on tablespace pg_default",
        "record {key} could not be saved",
        "the disk quota is exceeded on tablespace pg_default",
    ),
    (r"invoice (?P<key>\d+) rejected because the vat id is missing", "invoice {key} was rejected", "the vat id is missing"),
    (
        r"reminder (?P<key>\d+) not delivered: mail relay refused the connection",
        "reminder {key} was not delivered",
        "the mail relay refused the connection",
    ),
    (
        r"search (?P<key>\d+) aborted because the index snapshot is corrupt",
        "search {key} was aborted",
        "the index snapshot is corrupt",
    ),
    (
        r"batch (?P<key>\d+) dropped.*/var/audit: Read-only file system",
        "batch {key} was dropped",
        "/var/audit is a read-only file system",
    ),
    (
        r"TraceID: (?P<key>[0-9a-f]{32}) .*Request processing failed; nested exception is "
        r"java.lang.IllegalStateException: No instances available for (?P<other>[\w-]+)",
        "request processing failed in trace {key}",
        "no instances are available for {other}",
    ),
    (
        r"Expiring session (?P<key>0x[0-9a-f]+), timeout of (?P<ms>\d+)ms exceeded",
        "session {key} is expiring",
        "its timeout of {ms}ms is exceeded",
    ),
)
# (pattern, clause): things that happened, and that no other record names as a cause.
EVENTS: dict[str, tuple[tuple[str, str], ...]] = {
    "development": (
        (r"released (?P<key>[\w-]+ [\d.]+)", "{key} was released"),
        (r"departure=(?P<key>\d+) ", "departure {key} was published"),
        (r"passenger (?P<key>\d+) is not on any list", "passenger {key} is not on any list"),
        (r"payment authorised payment=(?P<key>\d+)", "payment {key} was authorised"),
        (r"stock reserved .*sku=(?P<key>SKU-\d+)", "{key} was reserved"),
    ),
    "reporting": (
        (r"rolled out (?P<key>[\w-]+ [\d.]+)", "{key} was rolled out"),
        (r"checksum of file (?P<key>\d+) does not match", "the checksum of file {key} does not match"),
        (r"no free slot for practice (?P<key>\d+)", "there was no free slot for practice {key}"),
        (r"session (?P<key>\d+) was not found in the cache", "session {key} was not found in the cache"),
        (r"transfer (?P<key>\d+) booked", "transfer {key} was booked"),
        (r"replica lag is (?P<key>\d+) s", "the replica lag is {key} s"),
        (r"Order not found\]\[OrderId: (?P<key>[\w-]+)\]", "order {key} was not found"),
        (r"SpanID: (?P<key>[0-9a-f]{16}) \[verifyCode\]\[Verify code start\]", "the verify code started in span {key}"),
        (r"SpanID: (?P<key>[0-9a-f]{16}) .*Left ticket info is empty", "the left ticket info is empty in span {key}"),
    ),
}
# (a user's words, the cause they name)
USER_TEXTS = (
    ("the redis server lost power", "the redis server lost power"),
    ("your dns provider is under attack", "the dns provider is under attack"),
    ("the firewall blocks the whole office", "the firewall blocks the whole office"),
    ("someone deleted the patients table", "someone deleted the patients table"),
    ("the backup job eating all disks", "the backup job is eating all disks"),
    ("the certificate of the clinic expired", "the certificate of the clinic expired"),
)
JOINS: Wordings = {
    "development": (
        "{e} because {c}.",
        "{c}, therefore {e}.",
        "The cause: {c}. The effect: {e}.",
        "{e}; the reason is that {c}.",
        "As {c}, {e}.",
    ),
    "reporting": (
        "{e} since {c}.",
        "{c}, so {e}",
        "{c}. As a result {e}.",
        "{c}, which is why {e}.",
        "reason {e}: {c}",
        "{e} - because {c}",
        "{e}, and that's because {c}.",
        "{e} as a consequence: {c}.",
        "{c}; this led to it that {e}.",
        "{e} as {c}.",
        "What happened is that {c} and hence {e}.",
        "why? {c}. thus {e}.",
        "{e}, caused by this: {c}.",
        "It is because {c} that {e}.",
    ),
}
