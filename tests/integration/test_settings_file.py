"""Settings from flags, environment and file together: who wins, where paths count from, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from groundwire.domain.errors import UsageError
from groundwire.settings import ModelPrice, Settings, load_settings, wants_colour


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text('timezone = "Europe/Berlin"\nlogs = ["logs"]\nyear = 2021\n')
    return path


def test_a_flag_wins_over_the_environment_the_environment_over_the_file_and_the_file_over_the_default(file: Path) -> None:
    environ = {"GROUNDWIRE_TIMEZONE": "Asia/Tokyo"}
    assert load_settings({}, config=None, environ={}).timezone == "UTC"
    assert load_settings({}, config=file, environ={}).timezone == "Europe/Berlin"
    assert load_settings({}, config=file, environ=environ).timezone == "Asia/Tokyo"
    assert load_settings({"timezone": "America/Lima"}, config=file, environ=environ).timezone == "America/Lima"


def test_the_winner_of_a_list_is_taken_whole_and_leaves_the_others(file: Path) -> None:
    environ = {"GROUNDWIRE_LOGS": "/env", "GROUNDWIRE_ALERTS": "http://a/x"}
    settings = load_settings({"logs": ("/flag/one", "/flag,two")}, config=file, environ=environ)
    assert (settings.logs, settings.alerts, settings.year) == (("/flag/one", "/flag,two"), ("http://a/x",), 2021)


@pytest.mark.parametrize("nothing", [None, ()])
def test_a_flag_that_was_not_given_wins_over_nothing(file: Path, nothing: Any) -> None:
    settings = load_settings({"logs": nothing, "timezone": None}, config=file, environ={})
    assert (settings.logs, settings.timezone) == ((str(file.parent / "logs"),), "Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("/a", ("/a",)),
        ("/a, /b,", ("/a", "/b")),
        ('["/a", "/b,c"]', ("/a", "/b,c")),
        ("demo", ("demo",)),
        ("", ()),
    ],
)
def test_a_list_in_the_environment_is_separated_by_commas_or_json(text: str, items: tuple[str, ...]) -> None:
    assert load_settings({}, environ={"GROUNDWIRE_LOGS": text}).logs == items


def test_paths_in_the_file_count_from_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ops")
    path = tmp_path / "conf" / "gw.toml"
    path.parent.mkdir()
    path.write_text(
        'logs = "logs,old"\nalerts = ["a.json", "http://am:9093/x", "demo"]\nrunbooks = ["~/rb", "/abs"]\ndb = "gw.db"\n'
    )
    settings = load_settings({}, environ={"GROUNDWIRE_CONFIG": str(path)})
    assert settings.logs == (str(path.parent / "logs,old"),)
    assert settings.alerts == (str(path.parent / "a.json"), "http://am:9093/x", "demo")
    assert settings.runbooks == ("/home/ops/rb", "/abs")
    assert settings.db == str(path.parent / "gw.db")


def test_the_file_in_the_current_folder_is_read_and_need_not_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings({}, environ={}).year is None
    (tmp_path / "groundwire.toml").write_text("year = 1999\n")
    assert load_settings({}, environ={}).year == 1999


def test_a_home_folder_is_expanded_wherever_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ops")
    settings = load_settings({"db": "~/gw.db"}, environ={"GROUNDWIRE_LOGS": "~/logs"})
    assert (settings.db, settings.logs) == ("/home/ops/gw.db", ("/home/ops/logs",))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'log = "x"', "sets 'log', which is no setting of Groundwire"),
        (b"[sources]\nlogs = 1", "sets 'sources'"),
        (b"logs = [1]", "logs in "),
        (b"call_timeout_s = 9000", "cannot be 9000: it takes a number from 1 to 600"),
        (b"call_timeout_s = nan", "cannot be nan: it takes a number from 1 to 600"),
        (b"year = 12", "cannot be 12: it takes a whole number from 1970 to 2200"),
        (b"model_max_cost = 0", "cannot be 0: it takes a number from 0.0001 to 100000"),
        (b"model_max_requests = 1", "cannot be 1: it takes a whole number from 2 to 1000"),
        (b'model_tools = "json"', "cannot be 'json': it takes 'native' or 'prompted'"),
        (b"model_max_context = 10", "cannot be 10: it takes a whole number from 4000 to 10000000"),
        (b"model_max_total_tokens = 1e9", "it takes a whole number from 1000 to 100000000"),
        (b"model_prices = 3", "cannot be 3: it takes a table of models, each with an input and an output"),
        (
            b'[model_prices."m"]\ninput = -1\noutput = 1',
            "cannot be -1: the price of 'm' takes an input and an output from 0 to 100000",
        ),
        (b'[model_prices."m"]\ninput = 1', "cannot be {'input': 1}: the price of 'm' takes"),
        (b'[model_prices."m"]\ninput = 1\noutput = "2"', "cannot be '2': the price of 'm' takes"),
        (b'[model_prices."m"]\ninput = nan\noutput = 2', "cannot be nan: the price of 'm' takes"),
        (b'[model_prices."m"]\ninput = 1\noutput = 2\ncached = 1', "cannot be 1: the price of 'm' takes"),
        (b'db = ""', "db in "),
        (b"logs = [", "not TOML"),
        (b'db = "\xff"', "not UTF-8"),
    ],
)
def test_a_file_that_does_not_fit_is_one_sentence_that_names_it(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        load_settings({}, config=path, environ={})
    assert said in caught.value.message
    assert "bad.toml" in caught.value.message


def test_a_key_that_is_nearly_a_setting_is_met_with_the_right_one(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("runbook = []\n")
    with pytest.raises(UsageError) as caught:
        load_settings({}, config=path, environ={})
    assert caught.value.hint == "Did you mean runbooks?"


def test_a_value_that_does_not_fit_is_blamed_on_where_it_was_set(file: Path) -> None:
    for overrides, environ, said in (
        ({"timezone": "Mars/X"}, {"GROUNDWIRE_TIMEZONE": "UTC"}, "--timezone cannot be 'Mars/X'"),
        ({}, {"GROUNDWIRE_YEAR": "ninety"}, "GROUNDWIRE_YEAR cannot be 'ninety'"),
        ({}, {"GROUNDWIRE_LOGS": "[oops"}, "GROUNDWIRE_LOGS cannot be '[oops'"),
        ({}, {"GROUNDWIRE_MODEL_PRICES": "m=1"}, "GROUNDWIRE_MODEL_PRICES cannot be 'm=1': it takes JSON, such as"),
    ):
        with pytest.raises(UsageError, match=said.replace("[", r"\[")):
            load_settings(overrides, config=file, environ=environ)


def test_prices_are_a_table_in_the_file_and_json_in_the_environment_which_replaces_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "gw.toml"
    path.write_text(
        'model_max_cost = 0.5\n[model_prices."gpt-x"]\ninput = 2.5\noutput = 10.0\n[model_prices.local]\ninput = 0\noutput = 0\n'
    )
    from_file = load_settings({}, config=path, environ={})
    assert from_file.model_max_cost == 0.5
    assert from_file.model_prices == {"gpt-x": ModelPrice(input=2.5, output=10), "local": ModelPrice(input=0, output=0)}
    environ = {"GROUNDWIRE_MODEL_PRICES": '{"openai:gpt-x": {"input": 1, "output": 4.5}}'}
    assert load_settings({}, config=path, environ=environ).model_prices == {"openai:gpt-x": ModelPrice(input=1, output=4.5)}
    assert load_settings({}, environ={}).model_prices == {}


def test_a_password_in_a_value_that_does_not_fit_is_not_printed() -> None:
    with pytest.raises(UsageError) as caught:
        load_settings({"db": "postgresql://ops:h4nter2Secret@db/x\x00"}, environ={})
    assert "h4nter2Secret" not in caught.value.message


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_a_named_file_must_be_readable(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot read settings from"):
        load_settings({}, config=tmp_path / name, environ={})


def test_settings_made_by_hand_read_nothing_from_outside_and_never_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_YEAR", "1999")
    settings = Settings(db="x.db")
    assert (settings.year, settings.call_timeout_s, settings.investigator) == (None, 30.0, "playbook")
    with pytest.raises(ValidationError):
        settings.db = "y.db"


def test_colour_is_refused_by_a_no_color_that_is_not_empty() -> None:
    assert [wants_colour(environ) for environ in ({}, {"NO_COLOR": ""}, {"NO_COLOR": "0"})] == [True, True, False]


def test_no_other_module_reads_the_environment() -> None:
    source = Path(__file__).parents[2] / "src" / "groundwire"
    reads = re.compile(r"\benvirons?b?\b|\bgetenvb?\b")
    readers = {str(path.relative_to(source)) for path in source.rglob("*.py") if reads.search(path.read_text(encoding="utf-8"))}
    assert readers == {"settings/loading.py"}
