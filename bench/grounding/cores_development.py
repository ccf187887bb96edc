"""Clauses of the development half: (pattern, unit, clauses) for numbers, (pattern, held, denial dropped) for denials."""

from __future__ import annotations

NumberRow = tuple[str, str, tuple[str, ...]]
NegationRow = tuple[str, tuple[str, ...], tuple[str, ...]]

SHOP_ORDERS: tuple[NumberRow, ...] = (
    (r"order (?P<key>\d+) placed: .* (?P<v>\d+) ms", "ms", ("order {key} was placed in {v}", "placing order {key} took {v}")),
    (r"order (?P<key>\d+) placed: .* (?P<v>\d+\.\d+) EUR", "EUR", ("order {key} came to {v}",)),
    (r"order (?P<key>\d+) placed: (?P<v>\d+) items", "items", ("order {key} was placed with {v}",)),
    (
        r"order (?P<key>\d+) failed: .*answered 503 after (?P<v>\d+) ms",
        "ms",
        ("order {key} failed and was answered 503 after {v}",),
    ),
)
SHOP_EDGE: tuple[NumberRow, ...] = (
    (
        r"duration_ms=(?P<v>\d+).* trace_id=(?P<key>[0-9a-f]{16})",
        "ms",
        ("the request with trace {key} took {v}", "trace {key} lasted {v}"),
    ),
    (r"error_ratio=(?P<v>0\.\d+) .*trace_id=(?P<key>[0-9a-f]{16})", "ratio", ("the error ratio stood at {v} (trace {key})",)),
    (r"authorised.*payment=(?P<key>\d+) .*duration_ms=(?P<v>\d+)", "ms", ("payment {key} was authorised within {v}",)),
    (r"payment=(?P<key>\d+) amount_eur=(?P<v>[\d.]+)", "EUR", ("payment {key} was over {v}",)),
    (r"sku=(?P<key>SKU-\d+) .*duration_ms=(?P<v>\d+)", "ms", ("reserving {key} took {v}",)),
)
FERRY: tuple[NumberRow, ...] = (
    (r"ticket (?P<key>\d+) sold for \d+ EUR in (?P<v>\d+) ms", "ms", ("ticket {key} was sold in {v}",)),
    (r"ticket (?P<key>\d+) sold for (?P<v>\d+) EUR", "EUR", ("ticket {key} was sold for {v}",)),
    (
        r"ticket (?P<key>\d+) not issued, gave up after (?P<v>\d+) ms",
        "ms",
        ("ticket {key} was not issued, it gave up after {v}",),
    ),
    (r"manifest (?P<key>\d+) closed with (?P<v>\d+) passengers", "passengers", ("manifest {key} was closed with {v}",)),
    (r"payment=(?P<key>\d+) duration_ms=(?P<v>\d+)", "ms", ("payment {key} was captured in {v}",)),
    (r"departure=(?P<key>\d+) took_ms=(?P<v>\d+)", "ms", ("departure {key} was published in {v}",)),
)
SYSTEMS: tuple[NumberRow, ...] = (
    (r"Found child (?P<key>\d+) in scoreboard slot (?P<v>\d+)", "", ("child {key} was found in scoreboard slot {v}",)),
    (r"Received block (?P<key>blk_-?\d+) of size (?P<v>\d+)", "bytes", ("block {key} was received with a size of {v}",)),
    (r"Progress of TaskAttempt (?P<key>\S+) is : (?P<v>0\.\d+)", "ratio", ("the progress of TaskAttempt {key} is {v}",)),
    (
        r"Retrying connect to server: (?P<key>\S+)\. Already tried (?P<v>\d+) time",
        "",
        ("connecting to {key} was already tried {v} times",),
    ),
)
DEVELOPMENT_NUMBERS: tuple[NumberRow, ...] = (*SHOP_ORDERS, *SHOP_EDGE, *FERRY, *SYSTEMS)

DEVELOPMENT_NEGATIONS: tuple[NegationRow, ...] = (
    (
        r"Connection is not available",
        ("no connection was available", "the connection is not available"),
        ("the connection is available",),
    ),
    (
        r"order-service did not confirm the payment",
        ("order-service did not confirm the payment in time, by its word",),
        ("order-service confirmed the payment in time",),
    ),
    (r"ticket (?P<key>\d+) not issued", ("ticket {key} was not issued",), ("ticket {key} was issued",)),
    (
        r"manifest (?P<key>\d+) could not be transmitted",
        ("manifest {key} could not be transmitted",),
        ("manifest {key} could be transmitted",),
    ),
    (r"passenger (?P<key>\d+) is not on any list", ("passenger {key} is not on any list",), ("passenger {key} is on a list",)),
    (
        r"Can't find child (?P<key>\d+)",
        ("child {key} cannot be found in the scoreboard",),
        ("child {key} can be found in the scoreboard",),
    ),
    (r"Failed to renew lease", ("the lease could not be renewed, it failed",), ("the lease was renewed without failing",)),
    (r"Order not found\]\[OrderId: (?P<key>\S+)\]", ("order {key} was not found",), ("order {key} was found",)),
    (r"foodStoresListResult is null", ("foodStoresListResult is null",), ("foodStoresListResult is not null",)),
)
