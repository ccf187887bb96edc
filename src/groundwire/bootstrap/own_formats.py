"""The line formats that the settings add to those that are known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from groundwire.domain.errors import UsageError
from groundwire.settings.formats import LogFormatTable

if TYPE_CHECKING:
    from groundwire.adapters.logs.reading import LineFormat


def own_formats(tables: Iterable[LogFormatTable]) -> list[LineFormat]:
    """Return the formats of the settings, in their order.

    Raises:
        UsageError: One cannot be used.
    """
    formats: list[LineFormat] = []
    for table in tables:
        from groundwire.adapters.logs.own_formats import own_format

        try:
            formats.append(own_format(table.name, table.pattern, table.time_format))
        except ValueError as exc:
            raise UsageError(f"log_formats {table.name!r} cannot be used: {exc}") from exc
    return formats
