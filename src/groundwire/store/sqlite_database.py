"""SQLite: one file, in WAL mode, where a commit is on the disk when it returns."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Final

from sqlalchemy import Connection, QueuePool, create_engine

from groundwire.domain.errors import StoreError, StoreLockedError, StoreReadOnlyError, StoreUnavailableError
from groundwire.store.column_types import dump_json
from groundwire.store.database import Cursor, Database
from groundwire.store.faults import locked, sentence, sqlite_fault
from groundwire.store.location import SqliteFile
from groundwire.store.sqlite_place import check_place, has_log, may, reading_address

_RETRY_S: Final = 0.02


class SqliteDatabase(Database):
    """A `Database` in one file."""

    driver_error = sqlite3.Error
    begin_writing = "BEGIN IMMEDIATE"
    writes_alone = True

    def __init__(self, file: SqliteFile, *, read_only: bool, wait_s: float) -> None:
        self._path = file.path
        self._wait_s = wait_s
        self._turn = threading.Lock()
        self._hot = _HotTransaction(self)
        check_place(file, read_only=read_only)
        self._address = reading_address(self._path) if read_only else str(self._path)
        engine = create_engine(
            "sqlite+pysqlite://",
            creator=self.connect,
            poolclass=QueuePool,
            pool_size=4,
            max_overflow=28,
            pool_timeout=wait_s,
            paramstyle="named",
            json_serializer=dump_json,
        )
        super().__init__(engine, file.name, read_only=read_only)

    def close(self) -> None:
        self._hot.close()
        super().close()

    def fault(self, error: Exception) -> StoreError:
        if not isinstance(error, sqlite3.Error):
            return StoreUnavailableError(sentence(f"{self.name} failed: {error}"), hint="`groundwire doctor` checks it.")
        fault = sqlite_fault(error, self.name, self._path)
        cannot_open = isinstance(fault, StoreReadOnlyError | StoreUnavailableError)
        if self.read_only and cannot_open and has_log(self._path) and not may(self._path.parent, os.W_OK):
            return StoreUnavailableError(
                sentence(f"{self.name} was left by a process that died, and its log needs a folder that can be written"),
                hint="Run `groundwire sessions` once as a user who may write there.",
            )
        return fault

    def holds(self, table: str) -> bool:
        with self.reading() as connection:
            names = set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())
        if names and table not in names:
            raise StoreUnavailableError(
                sentence(f"{self.name} belongs to another program: it has the table {min(names)!r}"),
                hint="Name another file with --db.",
            )
        return table in names

    def prepare_writing(self) -> None:
        ends_at = time.monotonic() + self._wait_s
        while True:
            try:
                with self.translating(), self.engine.connect() as connection:
                    # A file system without shared memory answers "delete": as durable, readers only wait for writers.
                    connection.exec_driver_sql("PRAGMA journal_mode = WAL")
                return
            except StoreLockedError:  # SQLite does not wait for the lock that a change of mode needs
                if time.monotonic() > ends_at:
                    raise
                time.sleep(_RETRY_S)

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        with self.turn(), self.translating(), self.engine.connect() as connection:
            connection.detach()  # its foreign keys are off: it must not go back to the pool
            # A table that is copied and dropped must not take the rows that point at it along.
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
            connection.commit()
            connection.exec_driver_sql(self.begin_writing)
            yield connection
            connection.commit()

    def driver_writing(self) -> AbstractContextManager[Cursor]:
        self.check_writable()
        return self._hot

    @contextmanager
    def turn(self) -> Iterator[None]:
        self.take_turn()
        try:
            yield
        finally:
            self.end_turn()

    def take_turn(self) -> None:
        """Wait for the turn to write; threads that wait here do not wake up to poll the file as they would inside SQLite."""
        if not self._turn.acquire(timeout=self._wait_s):
            raise locked(self.name)

    def end_turn(self) -> None:
        """Let the next thread write."""
        self._turn.release()

    def connect(self) -> sqlite3.Connection:
        """Return a new connection, set up."""
        connection = sqlite3.connect(
            self._address,
            timeout=self._wait_s,
            isolation_level=None,  # transactions are begun in so many words
            check_same_thread=False,  # the pool gives a connection to one thread at a time
            uri=self._address.startswith("file:"),
        )
        try:
            if not self.read_only:
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection


class _HotTransaction:
    """The transaction of every call: one connection for all of them, past the pool, which costs a quarter of a bare write.

    Whoever enters holds the turn to write, so that there is never more than one inside.
    """

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> sqlite3.Cursor:
        self._database.take_turn()
        try:
            if self._connection is None:
                self._connection = self._database.connect()
            cursor = self._connection.cursor()
            cursor.execute(SqliteDatabase.begin_writing)
        except BaseException as error:
            self._database.end_turn()
            if isinstance(error, sqlite3.Error):
                raise self._database.fault(error) from error
            raise
        return cursor

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        connection = self._connection
        try:
            if connection is not None and error is None:
                connection.commit()
        except sqlite3.Error as failed:
            error = failed
        finally:
            if connection is not None and connection.in_transaction:
                connection.rollback()
            self._database.end_turn()
        if isinstance(error, sqlite3.Error):
            raise self._database.fault(error) from error

    def close(self) -> None:
        """Close the connection; the next transaction opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
