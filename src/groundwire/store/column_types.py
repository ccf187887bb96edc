"""Column types that read and sort the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import JSON, DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

from groundwire.domain.chain import format_column_time, settle_json


def dump_json(value: Any) -> str:
    """Return the text of a JSON column; what JSON cannot say is settled as in :func:`settle_json`."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # an integer beyond 64 bits, a mapping that is no dict
        return orjson.dumps(settle_json(value)).decode()


def load_json(stored: Any) -> Any:
    """Return the value of a JSON column as a driver gives it: text from SQLite, already read by psycopg."""
    return orjson.loads(stored) if isinstance(stored, str) else stored


def load_time(stored: str | datetime) -> datetime:
    """Return the instant of a column as a driver gives it: text from SQLite, a datetime from psycopg."""
    moment = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return moment.astimezone(UTC)


class JsonColumn(TypeDecorator[Any]):
    """JSON whose text stays as it was written: TEXT in SQLite, JSON (not JSONB, which reorders keys) in PostgreSQL."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(Text() if dialect.name == "sqlite" else JSON(none_as_null=True))

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return value if value is None or dialect.name != "sqlite" else dump_json(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return load_json(value)


class InstantColumn(TypeDecorator[datetime]):
    """Aware UTC with microseconds: ISO 8601 text that sorts in SQLite, timestamptz in PostgreSQL."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(Text() if dialect.name == "sqlite" else DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        return None if value is None else store_time(value, dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return None if value is None else load_time(value)


def store_time(moment: datetime, dialect: Dialect) -> str | datetime:
    """Return an instant as the driver of ``dialect`` takes it.

    Raises:
        ValueError: The instant has no time zone.
    """
    text = format_column_time(moment)
    return text if dialect.name == "sqlite" else moment.astimezone(UTC)
