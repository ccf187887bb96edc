"""Clauses of the reporting half: (pattern, unit, clauses) for numbers, (pattern, held, denial dropped) for denials."""

from __future__ import annotations

from bench.grounding.cores_development import SHOP_ORDERS, NegationRow, NumberRow

CLINIC: tuple[NumberRow, ...] = (
    (
        r"booking (?P<key>\d+) confirmed .* in (?P<v>\d+) ms",
        "ms",
        ("booking {key} went through in {v}", "it took {v} to get booking {key} confirmed"),
    ),
    (
        r"booking (?P<key>\d+) failed, answered 500 after (?P<v>\d+) ms",
        "ms",
        ("booking {key} failed with a 500 after {v}", "the caller of booking {key} sat there for {v} and got a 500"),
    ),
    (r"lease of slot (?P<key>\d+) was not released after (?P<v>\d+) s", "s", ("the lease of slot {key} was still held {v} in",)),
    (r"record (?P<key>\d+) read in (?P<v>\d+) ms", "ms", ("reading record {key} needed {v}", "record {key} was read in {v}")),
    (
        r"transfer (?P<key>\d+) booked in (?P<v>\d+) ms",
        "ms",
        ("transfer {key} was booked in {v}", "{v} for booking transfer {key}"),
    ),
    (r"invoice=(?P<key>\d+) duration_ms=(?P<v>\d+)", "ms", ("sending invoice {key} took {v}", "invoice {key} left after {v}")),
    (r"reminder (?P<key>\d+) delivered in (?P<v>\d+) ms", "ms", ("reminder {key} was delivered in {v}",)),
    (r"search=(?P<key>\d+) hits=(?P<v>\d+)", "hits", ("search {key} came back with {v}",)),
    (r"search=(?P<key>\d+) .*took_ms=(?P<v>\d+)", "ms", ("search {key} ran for {v}",)),
    (
        r"batch (?P<key>\d+) written with (?P<v>\d+) entries",
        "entries",
        ("batch {key} holds {v}", "{v} were written with batch {key}"),
    ),
    (r"file (?P<key>\d+) imported with (?P<v>\d+) rows", "rows", ("file {key} brought in {v}",)),
    (r"path=/book/(?P<key>\d+) .*duration_ms=(?P<v>\d+)", "ms", ("/book/{key} was served in {v}",)),
    (r"path=/book/(?P<key>\d+) .*bytes=(?P<v>\d+)", "bytes", ("the answer to /book/{key} weighed {v}",)),
)
TRAVEL: tuple[NumberRow, ...] = (
    (
        r"TraceID: (?P<key>[0-9a-f]{32}) .*calculate time：(?P<v>\d+) ",
        "",
        ("the calculate time in trace {key} is {v}", "trace {key} has a calculate time of {v}"),
    ),
    (
        r"TraceID: (?P<key>[0-9a-f]{32}) .*DirectTicketAllocationProportion, value=(?P<v>0\.\d+)",
        "ratio",
        ("the direct ticket allocation proportion is {v} in trace {key}",),
    ),
)
SYSTEMS: tuple[NumberRow, ...] = (
    (
        r"Expiring session (?P<key>0x[0-9a-f]+), timeout of (?P<v>\d+)ms exceeded",
        "ms",
        ("session {key} expired once its timeout of {v} was exceeded", "session {key} ran over its {v} timeout and is expiring"),
    ),
    (
        r"Established session (?P<key>0x[0-9a-f]+) with negotiated timeout (?P<v>\d+)",
        "",
        ("session {key} was established with a negotiated timeout of {v}",),
    ),
    (
        r"Cannot open channel to (?P<v>\d+) at election address /(?P<key>[\d.:]+)",
        "",
        ("the channel to {v} at election address {key} cannot be opened",),
    ),
    (
        r"\[instance: (?P<key>[0-9a-f-]{36})\] Took (?P<v>\d+\.\d+) seconds to build instance",
        "s",
        ("instance {key} took {v} to build", "building instance {key} needed {v}"),
    ),
    (r"\[instance: (?P<key>[0-9a-f-]{36})\] Total memory: (?P<v>\d+) MB", "MB", ("total memory for instance {key} is {v}",)),
    (
        r'"GET /v2/\S+/servers/(?P<key>[0-9a-f-]{36}) HTTP/1.1" status: 200 len: (?P<v>\d+)',
        "",
        ("the GET for server {key} had a len of {v}",),
    ),
    (
        r"\(TID (?P<key>\d+)\)\. (?P<v>\d+) bytes result sent to driver",
        "bytes",
        ("TID {key} sent {v} of result to the driver", "a result of {v} went to the driver from TID {key}"),
    ),
    (
        r"Block (?P<key>broadcast_\w+) stored as values in memory \(estimated size (?P<v>\d+\.\d+) KB",
        "KB",
        ("{key} is stored in memory with an estimated size of {v}",),
    ),
    (
        r"Failed password for (?:root|invalid user \S+) from (?P<key>[\d.]+) port (?P<v>\d+)",
        "",
        ("a password failed from {key}, port {v}",),
    ),
)
REPORTING_NUMBERS: tuple[NumberRow, ...] = (*CLINIC, *TRAVEL, *SYSTEMS, *SHOP_ORDERS)

REPORTING_NEGATIONS: tuple[NegationRow, ...] = (
    (
        r"lease of slot (?P<key>\d+) was not released",
        ("the lease of slot {key} was not released", "slot {key}: lease not released"),
        ("the lease of slot {key} was released", "slot {key} got its lease released"),
    ),
    (
        r"record (?P<key>\d+) could not be saved",
        ("record {key} could not be saved", "saving record {key} did not work out: it could not be saved"),
        ("record {key} could be saved", "record {key} was saved"),
    ),
    (
        r"session (?P<key>\d+) was not found in the cache",
        ("session {key} was not found in the cache",),
        ("session {key} was found in the cache", "the cache had session {key}"),
    ),
    (
        r"reminder (?P<key>\d+) not delivered",
        ("reminder {key} was not delivered",),
        ("reminder {key} was delivered", "reminder {key} got delivered"),
    ),
    (
        r"no free slot for practice (?P<key>\d+)",
        ("there was no free slot for practice {key}",),
        ("there was a free slot for practice {key}",),
    ),
    (
        r"checksum of file (?P<key>\d+) does not match",
        ("the checksum of file {key} does not match",),
        ("the checksum of file {key} matches", "file {key} has a matching checksum"),
    ),
    (
        r"Order not found\]\[OrderId: (?P<key>\S+)\]",
        ("no order {key} was found", "order {key}: not found"),
        ("order {key} was found", "order {key} was found by its id"),
    ),
    (
        r"foodStoresListResult is null\]\[date: \S+ tripId: (?P<key>\w+)",
        ("foodStoresListResult is null for {key}",),
        ("foodStoresListResult is not null for {key}",),
    ),
    (
        r"Cannot open channel to (?P<key>\d+) at election address",
        ("the channel to {key} cannot be opened",),
        ("the channel to {key} can be opened", "the channel to {key} was opened"),
    ),
    (
        r"Did not receive identification string from (?P<key>[\d.]+)",
        ("no identification string was received from {key}",),
        ("an identification string was received from {key}",),
    ),
    (
        r"Failed password for root from (?P<key>[\d.]+)",
        ("the password for root from {key} was not good: failed",),
        ("the password for root from {key} did not fail",),
    ),
    (
        r"Unknown base file: \S+/(?P<key>[0-9a-f]{40})",
        ("base file {key} is unknown",),
        ("base file {key} is known", "{key} is not an unknown base file"),
    ),
    (r"Left ticket info is empty", ("the left ticket info is empty",), ("the left ticket info is not empty",)),
)
