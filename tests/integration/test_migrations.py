"""One set of migrations for both databases, up and down, with rows in them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, inspect, text

from groundwire.domain.errors import StoreError
from groundwire.store import migrate
from groundwire.store.schema import HEAD, REVISIONS, VERSION_TABLE
from groundwire.store.sql_store import open_store
from groundwire.store.tables import metadata
from tests.integration.postgres import PostgresServer
from tests.trace_rows import a_completion, a_session, a_start, a_step, an_evaluation

TABLES = {"diagnosis_session", "agent_step", "tool_invocation", "tool_output", "verifier_evaluation"}


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'rows.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.url(server.create_database())


@pytest.fixture
def engine(place: str) -> Iterator[Engine]:
    """An engine of the test's own, which knows nothing of the store's."""
    made = create_engine(place.replace("postgresql://", "postgresql+psycopg://"))
    yield made
    made.dispose()


def test_the_revisions_written_in_the_code_are_those_of_the_scripts() -> None:
    assert migrate.script_revisions() == REVISIONS
    assert REVISIONS[-1] == HEAD


def test_migrations_make_the_tables_that_the_code_has(place: str, engine: Engine) -> None:
    open_store(place).close()
    migrated = _reflected(engine)
    with engine.begin() as connection:
        migrate.downgrade(connection, "base")
        metadata.create_all(connection)

    assert migrated == _reflected(engine)
    assert migrated.keys() == TABLES


def test_rows_survive_the_way_down_one_revision_and_up_again(place: str, engine: Engine) -> None:
    before = _filled(place)
    with engine.begin() as connection:
        migrate.downgrade(connection, "0001")
    assert _revision(engine) == "0001"
    assert not inspect(engine).get_indexes("diagnosis_session")

    with open_store(place) as store:
        after = _everything(store, before[0].id)

    assert after == before
    assert _revision(engine) == HEAD
    assert {index["name"] for index in inspect(engine).get_indexes("diagnosis_session")} == {
        "ix_diagnosis_session_created_at",
        "ix_diagnosis_session_running",
    }


def test_the_way_down_to_the_base_leaves_no_table_and_the_way_up_makes_them_again(place: str, engine: Engine) -> None:
    _filled(place)
    with engine.begin() as connection:
        migrate.downgrade(connection, "base")
    assert set(inspect(engine).get_table_names()) == {VERSION_TABLE}

    with open_store(place) as store:
        assert store.sessions() == ()
    assert set(inspect(engine).get_table_names()) == {*TABLES, VERSION_TABLE}


def test_a_first_revision_with_rows_in_it_is_brought_up_to_date(place: str, engine: Engine) -> None:
    session = a_session()
    _filled(place)
    with engine.begin() as connection:
        migrate.downgrade(connection, "base")
        migrate.upgrade(connection, "0001")
        connection.execute(
            text(
                "INSERT INTO diagnosis_session (id, question, question_kind, subjects, window_start, window_end, window_source,"
                " status, step_count, tool_call_count, investigator, owner, created_at, schema_version) VALUES (:id, 'Why?',"
                " 'diagnose', '[]', '2026-11-30T11:00:00.000000Z', '2026-11-30T12:00:00.000000Z', 'flag', 'running', 0, 0,"
                """ 'playbook', '{"host": "h", "process_id": 1, "process_start": 1.5}', '2026-11-30T12:00:00.000000Z', 1)"""
            ).bindparams(id=session.id)
        )

    with open_store(place) as store:
        assert store.find_session("last").id == session.id
        assert store.begin_invocation(a_start(session)) == 1


def test_foreign_keys_hold(place: str, engine: Engine) -> None:
    before = _filled(place)
    with open_store(place) as store, pytest.raises(StoreError, match=r"(?i)foreign key"), store._database.writing() as connection:
        connection.execute(text("DELETE FROM diagnosis_session"))
    with open_store(place) as store:
        assert _everything(store, before[0].id) == before


def test_a_store_that_is_current_is_opened_without_alembic(tmp_path: Path) -> None:
    path = tmp_path / "rows.db"
    open_store(path).close()
    script = (
        "import sys; from groundwire.store.sql_store import open_store; "
        f"open_store({str(path)!r}).close(); open_store({str(path)!r}, read_only=True).close(); "
        "sys.exit('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], env=_paths(), check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def _paths() -> dict[str, str]:
    return {"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": "/usr/bin:/bin"}


def _filled(place: str) -> tuple[Any, ...]:
    session = a_session()
    with open_store(place) as store:
        store.open_session(session)
        for _ in range(3):
            start = a_start(session)
            store.begin_invocation(start)
            store.complete_invocation(a_completion(start))
        store.begin_invocation(a_start(session))
        store.add_step(a_step(session))
        store.add_evaluation(an_evaluation(session))
        return _everything(store, session.id)


def _everything(store: Any, session_id: str) -> tuple[Any, ...]:
    rows = store.invocations(session_id)
    return (
        store.find_session(session_id),
        rows,
        tuple(store.load_output(row.id) for row in rows),
        store.steps(session_id),
        store.evaluations(session_id),
    )


def _revision(engine: Engine) -> str:
    with engine.connect() as connection:
        return str(connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")))


def _reflected(engine: Engine) -> dict[str, Any]:
    """Return what the database itself says of every table of ours."""
    inspector = inspect(engine)
    return {
        table: {
            "columns": [
                (column["name"], str(column["type"]), getattr(column["type"], "timezone", None), column["nullable"])
                for column in inspector.get_columns(table)
            ],
            "primary_key": inspector.get_pk_constraint(table),
            "foreign_keys": inspector.get_foreign_keys(table),
            "unique": sorted(inspector.get_unique_constraints(table), key=str),
            "indexes": sorted(
                str(
                    (
                        index["name"],
                        index["column_names"],
                        index["unique"],
                        {name: str(option) for name, option in index.get("dialect_options", {}).items()},
                    )
                )
                for index in inspector.get_indexes(table)
            ),
        }
        for table in inspector.get_table_names()
        if table != VERSION_TABLE
    }
