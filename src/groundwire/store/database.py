"""A database as the store uses it: transactions on it, with the driver's errors translated at this edge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, exc

from groundwire.domain.errors import StoreError, StoreReadOnlyError
from groundwire.store.faults import READ_ONLY_HINT, locked, sentence


class Cursor(Protocol):
    """What is used of a driver's cursor."""

    @property
    def rowcount(self) -> int: ...

    def execute(self, statement: str, parameters: Any = ..., /) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> Sequence[Any]: ...


class Database(ABC):
    """An open engine; safe for many threads."""

    driver_error: type[Exception]
    begin_writing: str | None = None
    """Opens a transaction that will write, where the driver does not open one by itself."""
    writes_alone: bool = False
    """Whether a transaction that writes is the only one in the database."""

    def __init__(self, engine: Engine, name: str, *, read_only: bool) -> None:
        self.engine = engine
        self.name = name
        self.read_only = read_only

    @abstractmethod
    def fault(self, error: Exception) -> StoreError:
        """Return what an error of the driver means."""

    @abstractmethod
    def holds(self, table: str) -> bool:
        """Return whether a table is there.

        Raises:
            StoreUnavailableError: This is somebody else's database.
        """

    @abstractmethod
    def prepare_writing(self) -> None:
        """Set up what stays with the database itself, before its first migration and each time it is opened."""

    @abstractmethod
    def migrating(self) -> AbstractContextManager[Connection]:
        """Give a connection in a transaction beside which no other process migrates; durable when this ends."""

    @abstractmethod
    def turn(self) -> AbstractContextManager[object]:
        """Hold the turn to write within this process."""

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection to read with."""
        with self.translating(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection in a transaction that is durable when this ends, and undone when it raises."""
        self.check_writable()
        with self.turn(), self.translating(), self.engine.connect() as connection:
            if self.begin_writing is not None:
                connection.exec_driver_sql(self.begin_writing)
            yield connection
            connection.commit()

    @contextmanager
    def driver_reading(self) -> Iterator[Cursor]:
        """Give the driver's own cursor: for reads of many rows."""
        with self.translating():
            connection = self.engine.raw_connection()
            try:
                yield connection.cursor()
            finally:
                connection.close()

    def driver_writing(self) -> AbstractContextManager[Cursor]:
        """Give the driver's own cursor in a transaction as :meth:`writing` does: for the two writes of every call."""
        return self._pooled_writing()

    @contextmanager
    def translating(self) -> Iterator[None]:
        """Raise a StoreError in place of any error of the driver or of its pool."""
        try:
            yield
        except exc.TimeoutError as error:  # every connection of the pool is in use
            raise locked(self.name) from error
        except exc.DBAPIError as error:
            if isinstance(error.orig, self.driver_error):
                raise self.fault(error.orig) from error
            raise
        except self.driver_error as error:
            raise self.fault(error) from error

    @contextmanager
    def _pooled_writing(self) -> Iterator[Cursor]:
        self.check_writable()
        with self.turn(), self.translating():
            connection = self.engine.raw_connection()
            try:
                cursor = connection.cursor()
                if self.begin_writing is not None:
                    cursor.execute(self.begin_writing)
                yield cursor
                connection.commit()
            finally:
                connection.close()  # the pool rolls back what was not committed

    def check_writable(self) -> None:
        """Refuse to write where only reading was asked for."""
        if self.read_only:
            raise StoreReadOnlyError(sentence(f"{self.name} is open for reading only"), hint=READ_ONLY_HINT)
