"""PostgreSQL through psycopg 3."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final

import orjson
from sqlalchemy import Connection, create_engine, event, text

from groundwire.domain.errors import StoreError, StoreUnavailableError
from groundwire.store.column_types import dump_json
from groundwire.store.database import Database
from groundwire.store.faults import first_line, postgres_fault, sentence
from groundwire.store.location import PostgresUrl

_MIGRATION_LOCK: Final = 0x67726F756E647769  # "groundwi"; any number does that nobody else takes
_CONNECT_TIMEOUT_S: Final = 10


class PostgresDatabase(Database):
    """A `Database` on a server."""

    def __init__(self, location: PostgresUrl, *, read_only: bool, wait_s: float) -> None:
        try:
            import psycopg
        except ImportError as error:
            raise StoreUnavailableError(
                "A PostgreSQL store needs the driver psycopg.", hint='pip install "groundwire[postgres]"'
            ) from error
        self.driver_error = psycopg.Error
        self._location = location
        engine = create_engine(
            location.url.update_query_dict({"client_encoding": "utf8"}),
            connect_args={} if "connect_timeout" in location.url.query else {"connect_timeout": _CONNECT_TIMEOUT_S},
            pool_size=4,
            max_overflow=12,
            pool_timeout=wait_s,
            pool_pre_ping=True,  # a server that was restarted costs a long-lived process no call
            json_serializer=dump_json,
            json_deserializer=orjson.loads,
        )
        event.listen(engine, "connect", lambda connection, _: _set_up(connection, read_only=read_only, wait_s=wait_s))
        super().__init__(engine, location.name, read_only=read_only)

    def fault(self, error: Exception) -> StoreError:
        return postgres_fault(error, self.name, self._location.without_password(first_line(error)))

    def holds(self, table: str) -> bool:
        with self.reading() as connection:
            return connection.scalar(text("SELECT to_regclass(:name)"), {"name": table}) is not None

    def prepare_writing(self) -> None:
        with self.reading() as connection:
            encoding = connection.scalar(text("SHOW server_encoding"))
        if encoding != "UTF8":
            raise StoreUnavailableError(
                sentence(f"{self.name} is encoded as {encoding}, which cannot hold every log line"),
                hint="Create one with createdb --encoding=UTF8 --template=template0.",
            )

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        with self.translating(), self.engine.connect() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            yield connection
            connection.commit()

    def turn(self) -> nullcontext[None]:
        return nullcontext()  # the server makes writers of one session wait for each other


def _set_up(connection: Any, *, read_only: bool, wait_s: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('TimeZone', 'UTC', false), set_config('lock_timeout', %s, false)", (f"{wait_s:g}s",))
        # A server may be set to answer before a commit is on its disk; any stronger setting stays.
        cursor.execute("SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'")
        if read_only:
            cursor.execute("SET default_transaction_read_only = on")
    connection.commit()
