"""What a store says when it cannot record or read: one sentence, the right kind, what to do, and nothing half-written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from groundwire.domain.errors import (
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
    UsageError,
)
from groundwire.store.schema import HEAD
from groundwire.store.sql_store import open_store
from groundwire.store.sqlite_database import SqliteDatabase
from tests.integration.postgres import PASSWORD, PostgresServer
from tests.trace_rows import NOON, a_completion, a_session, a_start


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.db"


def is_one_sentence(error: StoreError | UsageError) -> bool:
    return error.message.endswith(".") and not error.message.endswith("..") and "\n" not in error.message and bool(error.hint)


def test_a_database_that_another_process_holds_is_waited_for_and_then_given_up(path: Path) -> None:
    with open_store(path, busy_timeout_s=0.2) as store:
        session = a_session()
        store.open_session(session)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreLockedError) as caught:
                store.begin_invocation(a_start(session))
            with pytest.raises(StoreLockedError):
                store.open_session(a_session())
            other.execute("ROLLBACK")

        assert is_one_sentence(caught.value)
        assert str(path) in caught.value.message
        assert store.begin_invocation(a_start(session)) == 1


def test_a_lock_that_is_given_back_in_time_costs_nothing_but_time(path: Path) -> None:
    with open_store(path) as store, closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.2, other.execute, ["ROLLBACK"])
        release.start()
        store.open_session(a_session())
        release.join()
        assert len(store.sessions()) == 1


def test_a_full_database_refuses_the_row_and_keeps_the_others(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = SqliteDatabase.connect

    def connect_to_a_small_disk(database: SqliteDatabase) -> sqlite3.Connection:
        connection = connect(database)
        connection.execute("PRAGMA max_page_count = 60")
        return connection

    monkeypatch.setattr(SqliteDatabase, "connect", connect_to_a_small_disk)
    with open_store(path) as store:
        session = a_session()
        store.open_session(session)
        start = a_start(session)
        store.begin_invocation(start)

        with pytest.raises(StoreFullError) as caught:
            store.complete_invocation(a_completion(start, output_preview="x" * 400_000))

        assert is_one_sentence(caught.value)
        assert [row.status for row in store.invocations(session.id)] == ["running"]
        assert store.complete_invocation(a_completion(start)).completion_seq == 1


def test_a_newer_schema_is_named_beside_the_one_that_is_known(path: Path) -> None:
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE groundwire_revision SET version_num = '0999'")
        connection.commit()
    before = path.read_bytes()

    for read_only in (False, True):
        with pytest.raises(StoreVersionError, match="0999") as caught:
            open_store(path, read_only=read_only)
        assert HEAD in caught.value.message
        assert is_one_sentence(caught.value)
    assert path.read_bytes() == before


def test_reading_an_older_schema_says_who_brings_it_up_to_date(path: Path) -> None:
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE groundwire_revision SET version_num = '0001'")
        connection.commit()

    with pytest.raises(StoreUnavailableError, match="0001") as caught:
        open_store(path, read_only=True)

    assert is_one_sentence(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"2026-11-30 a log line\n" * 300, os.urandom(5000), b"SQLite format 3\x00 and then nothing"]
)
def test_a_file_that_is_no_database_is_not_read_as_one(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(StoreUnavailableError) as caught:
        open_store(path, read_only=True)

    assert is_one_sentence(caught.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"2026-11-30 a log line\n" * 300, b"SQLite format 3\x00 and then nothing"])
def test_a_file_that_is_no_database_is_not_written_over(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(StoreUnavailableError, match="not a SQLite file"):
        open_store(path)

    assert path.read_bytes() == content


def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
        connection.commit()
    before = path.read_bytes()

    for read_only in (False, True):
        with pytest.raises(StoreUnavailableError, match="bookmarks") as caught:
            open_store(path, read_only=read_only)
        assert is_one_sentence(caught.value)
    assert path.read_bytes() == before


def test_a_damaged_database_says_so(path: Path) -> None:
    with open_store(path) as store:
        session = a_session()
        store.open_session(session)
        for _ in range(30):
            start = a_start(session)
            store.begin_invocation(start)
            store.complete_invocation(a_completion(start))
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xee" * (len(content) - 4096 * 2)
    path.write_bytes(content)

    with pytest.raises(StoreUnavailableError) as caught, open_store(path, read_only=True) as store:
        store.invocations(session.id)

    assert is_one_sentence(caught.value)


def test_a_damaged_output_is_not_given_out(path: Path) -> None:
    with open_store(path) as store:
        session = a_session()
        store.open_session(session)
        starts = [a_start(session) for _ in range(3)]
        for start in starts:
            store.begin_invocation(start)
            store.complete_invocation(a_completion(start))
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE tool_output SET content = x'00ff' WHERE invocation_id = ?", (starts[0].id,))
            connection.execute("UPDATE tool_output SET original_length = 3 WHERE invocation_id = ?", (starts[1].id,))
            connection.execute("UPDATE tool_output SET encoding = 'brotli' WHERE invocation_id = ?", (starts[2].id,))
            connection.commit()

        for start in starts:
            with pytest.raises(StoreUnavailableError, match=start.id):
                store.load_output(start.id)


def test_an_output_that_an_earlier_version_compressed_is_read(path: Path) -> None:
    with open_store(path) as store:
        session = a_session()
        store.open_session(session)
        start = a_start(session)
        store.begin_invocation(start)
        store.complete_invocation(a_completion(start))
        output = store.load_output(start.id)
        assert output is not None
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE tool_output SET encoding = 'zlib', content = ?", (zlib.compress(output),))
            connection.commit()

        assert store.load_output(start.id) == output


def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    for read_only in (False, True):
        with pytest.raises(StoreUnavailableError, match="is a folder") as caught:
            open_store(tmp_path, read_only=read_only)
        assert is_one_sentence(caught.value)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreUnavailableError, match="not a regular file"):
        open_store(tmp_path / "pipe")


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path / "notes.txt" / "rows.db")
    assert is_one_sentence(caught.value)


def test_reading_what_is_not_there_yet_says_how_to_make_it_and_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="no database at") as caught:
        open_store(tmp_path / "new" / "rows.db", read_only=True)

    assert "groundwire diagnose" in (caught.value.hint or "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["mysql://root:hunter2@db/x", "sqlite://rows.db", ":memory:", "", "postgresql://u:p@h:notaport/x"]
)
def test_a_name_of_no_known_kind_is_a_mistake_of_the_caller(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_store(name)
    assert is_one_sentence(caught.value)
    assert "hunter2" not in caught.value.message


def test_a_store_that_is_open_for_reading_writes_nothing(path: Path) -> None:
    with open_store(path) as store:
        session = a_session()
        store.open_session(session)
    before = path.read_bytes()

    with open_store(path, read_only=True) as reading:
        assert reading.find_session("last") == session
        for write in (
            lambda: reading.begin_invocation(a_start(session)),
            lambda: reading.open_session(a_session()),
            lambda: reading.recount(session.id),
            lambda: reading.interrupt([], [session.id], "gone", NOON),
        ):
            with pytest.raises(StoreReadOnlyError) as caught:
                write()
            assert is_one_sentence(caught.value)

    assert path.read_bytes() == before


def test_a_reader_sees_what_a_writer_has_just_written(path: Path) -> None:
    with open_store(path) as writing, open_store(path, read_only=True) as reading:
        session = a_session()
        writing.open_session(session)
        writing.begin_invocation(a_start(session))

        assert [row.status for row in reading.invocations(session.id)] == ["running"]


def test_a_file_that_nobody_may_write_can_still_be_read() -> None:
    with folder_for_everyone() as folder:
        path = folder / "rows.db"
        with open_store(path) as store:
            session = a_session()
            store.open_session(session)
        path.chmod(0o444)
        folder.chmod(0o555)
        with unprivileged():
            with open_store(path, read_only=True) as store:
                assert store.find_session("last") == session
            assert [member.name for member in folder.iterdir()] == ["rows.db"]

            with pytest.raises(StoreReadOnlyError) as caught:
                open_store(path)
            assert is_one_sentence(caught.value)


def test_a_log_that_a_dead_process_left_is_not_read_past() -> None:
    with folder_for_everyone() as folder, tempfile.TemporaryDirectory() as elsewhere:
        with open_store(Path(elsewhere) / "rows.db") as store:
            store.open_session(a_session())
            for name in ("rows.db", "rows.db-wal"):
                shutil.copy(Path(elsewhere) / name, folder / name)
                (folder / name).chmod(0o444)
        folder.chmod(0o555)
        with unprivileged(), pytest.raises(StoreUnavailableError, match="a process that died") as caught:
            open_store(folder / "rows.db", read_only=True)
        assert is_one_sentence(caught.value)

        folder.chmod(0o755)
        with open_store(folder / "rows.db", read_only=True) as store:
            assert len(store.sessions()) == 1


def test_a_folder_that_nobody_may_write_takes_no_new_database() -> None:
    with folder_for_everyone() as folder:
        folder.chmod(0o555)
        with unprivileged():
            for path in (folder / "rows.db", folder / "deeper" / "rows.db"):
                with pytest.raises(StoreReadOnlyError) as caught:
                    open_store(path)
                assert is_one_sentence(caught.value)
            assert list(folder.iterdir()) == []


def test_a_file_that_may_not_be_read_says_so() -> None:
    with folder_for_everyone() as folder:
        path = folder / "rows.db"
        open_store(path).close()
        path.chmod(0o000)
        with unprivileged(), pytest.raises(StoreUnavailableError) as caught:
            open_store(path, read_only=True)
        assert is_one_sentence(caught.value)


def test_a_new_database_and_its_folder_are_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "groundwire" / "rows.db"
    with open_store(path):
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_path_may_hold_what_a_url_would_not(tmp_path: Path) -> None:
    path = tmp_path / "on call" / "50%?#ü&mode=ro.db"
    with open_store(path) as store:
        store.open_session(a_session())
    with open_store(f"sqlite:///{path}", read_only=True) as store:
        assert len(store.sessions()) == 1
    assert path.is_file()


def test_a_server_that_is_not_there_is_named_without_the_password() -> None:
    with pytest.raises(StoreUnavailableError) as caught:
        open_store("postgresql://gw:hunter2@127.0.0.1:1/rows?connect_timeout=2")
    assert "127.0.0.1:1" in caught.value.message
    assert "hunter2" not in caught.value.message
    assert is_one_sentence(caught.value)


def test_a_wrong_password_is_told_apart_from_a_missing_database(postgres: PostgresServer) -> None:
    with pytest.raises(StoreUnavailableError, match="refused the log-in") as refused:
        open_store(postgres.url(password="not-the-password"))
    with pytest.raises(StoreUnavailableError, match="is not there") as missing:
        open_store(postgres.url("nothing_here"))

    for caught in (refused, missing):
        assert is_one_sentence(caught.value)
        assert "not-the-password" not in caught.value.message
        assert PASSWORD not in caught.value.message


def test_a_session_that_another_transaction_holds_is_waited_for_and_then_given_up(postgres: PostgresServer) -> None:
    import psycopg

    url = postgres.url(postgres.create_database())
    with open_store(url, busy_timeout_s=0.2) as store:
        session = a_session()
        store.open_session(session)
        with psycopg.connect(url) as other:
            other.execute("SELECT id FROM diagnosis_session FOR UPDATE")
            with pytest.raises(StoreLockedError) as caught:
                store.begin_invocation(a_start(session))
            other.rollback()

        assert is_one_sentence(caught.value)
        assert store.begin_invocation(a_start(session)) == 1


def test_a_server_that_only_reads_is_named_as_such(postgres: PostgresServer) -> None:
    database = postgres.create_database()
    open_store(postgres.url(database)).close()
    postgres.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")

    with open_store(postgres.url(database)) as store, pytest.raises(StoreReadOnlyError) as caught:
        store.open_session(a_session())

    assert is_one_sentence(caught.value)


def test_a_text_that_the_server_cannot_keep_is_refused_as_a_row(postgres: PostgresServer) -> None:
    with open_store(postgres.url(postgres.create_database())) as store:
        with pytest.raises(StoreError, match="refused the row"):
            store.open_session(a_session(question="a NUL \x00 that nobody made visible"))
        assert store.sessions() == ()


def test_a_user_without_rights_on_the_tables_is_told_so(postgres: PostgresServer) -> None:
    database = postgres.create_database()
    open_store(postgres.url(database)).close()
    postgres.execute("DROP ROLE IF EXISTS guest")
    postgres.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")

    with pytest.raises(StoreReadOnlyError, match="permission denied") as caught:
        open_store(f"postgresql://guest:guest@127.0.0.1:{postgres.port}/{database}", read_only=True)

    assert is_one_sentence(caught.value)


def test_a_server_database_that_cannot_hold_every_log_line_is_refused(postgres: PostgresServer) -> None:
    database = postgres.create_database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")

    with pytest.raises(StoreUnavailableError, match="LATIN1") as caught:
        open_store(postgres.url(database))

    assert is_one_sentence(caught.value)


def test_reading_an_empty_server_database_changes_nothing_there(postgres: PostgresServer) -> None:
    database = postgres.create_database()

    with pytest.raises(StoreUnavailableError, match="holds no sessions yet") as caught:
        open_store(postgres.url(database), read_only=True)

    assert is_one_sentence(caught.value)
    assert postgres.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database) == [(0,)]


def test_a_connection_that_the_server_closed_is_replaced(postgres: PostgresServer) -> None:
    database = postgres.create_database()
    with open_store(postgres.url(database)) as store:
        session = a_session()
        store.open_session(session)
        postgres.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")

        assert store.begin_invocation(a_start(session)) == 1


@contextmanager
def folder_for_everyone() -> Iterator[Path]:
    """Give a folder that other users reach, which a test's own folder is not."""
    folder = Path(tempfile.mkdtemp(prefix="groundwire-test-"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Be a user whom permissions bind, for a while, where the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
