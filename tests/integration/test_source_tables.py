"""Sources as tables of the settings file: what they take, what is refused, and where a secret may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.domain.errors import UsageError
from groundwire.settings import LogTable, PlaceKind, Settings, load_settings, log_place_of

PASSWORD = "h4nter2Secret"


def loaded(folder: Path, content: str, environ: dict[str, str] | None = None) -> Settings:
    path = folder / "gw.toml"
    path.write_text(content)
    return load_settings({}, config=path, environ=environ or {})


def table(settings: Settings, number: int = 0) -> LogTable:
    source = settings.logs[number]
    assert isinstance(source, LogTable)
    return source


def test_a_table_says_what_a_source_covers_and_how_it_is_read(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        """
        [[logs]]
        name = "shop"
        place = "exports/today"
        services = ["checkout", "pay-*"]
        labels = {cluster = "eu-1"}
        zone = "Europe/Berlin"
        year = 2024
        [[logs]]
        place = "journald:saved"
        [[knowledge]]
        place = "runbooks"
        services = "checkout"
        """,
    )
    shop = table(settings)
    assert (shop.name, shop.place) == ("shop", str(tmp_path / "exports/today"))
    assert (shop.services, shop.labels, shop.zone, shop.year) == (
        ("checkout", "pay-*"),
        {"cluster": "eu-1"},
        "Europe/Berlin",
        2024,
    )
    assert table(settings, 1).place == f"journald:{tmp_path / 'saved'}"
    knowledge = settings.runbooks[0]
    assert not isinstance(knowledge, str)
    assert (knowledge.place, knowledge.services) == (str(tmp_path / "runbooks"), ("checkout",))


def test_a_list_may_mix_places_and_tables_and_one_table_stands_for_a_list_of_one(tmp_path: Path) -> None:
    mixed = loaded(tmp_path, 'logs = ["/var/log/shop", {place = "loki+http://loki:3100", name = "eu"}]\n')
    assert mixed.logs[0] == "/var/log/shop"
    assert (table(mixed, 1).name, table(mixed, 1).where.target) == ("eu", "http://loki:3100")
    assert table(loaded(tmp_path, '[logs]\nplace = "/var/log/shop"\n')).place == "/var/log/shop"


def test_tables_in_the_environment_are_json_and_a_flag_replaces_them_whole(tmp_path: Path) -> None:
    environ = {"GROUNDWIRE_LOGS": '[{"place": "/var/log/shop", "services": ["checkout"]}]'}
    assert table(load_settings({}, environ=environ)).services == ("checkout",)
    assert load_settings({"logs": ("/srv",)}, environ=environ).logs == ("/srv",)


def test_a_home_folder_and_a_file_of_certificates_are_found_from_where_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ops")
    settings = loaded(
        tmp_path,
        '[[logs]]\nplace = "~/logs"\n[[logs]]\nplace = "loki+https://loki"\nca_file = "ca.pem"\n[[metrics]]\n'
        'place = "https://prom"\nca_file = "~/ca.pem"\n',
    )
    assert (table(settings).place, table(settings, 1).ca_file) == ("/home/ops/logs", str(tmp_path / "ca.pem"))
    metrics = settings.metrics[0]
    assert not isinstance(metrics, str)
    assert metrics.ca_file == "/home/ops/ca.pem"


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ("demo", PlaceKind.DEMO, ""),
        ("/var/log/shop", PlaceKind.FILES, "/var/log/shop"),
        ("journald", PlaceKind.JOURNALD, ""),
        ("journald:/mnt/j", PlaceKind.JOURNALD, "/mnt/j"),
        ("./journald", PlaceKind.FILES, "./journald"),
        ("loki+http://loki:3100/x", PlaceKind.LOKI, "http://loki:3100/x"),
        ("elasticsearch+https://es:9200", PlaceKind.ELASTICSEARCH, "https://es:9200"),
        ("opensearch+https://os:9200", PlaceKind.OPENSEARCH, "https://os:9200"),
        ("victorialogs+http://vl:9428", PlaceKind.VICTORIALOGS, "http://vl:9428"),
    ],
)
def test_a_place_of_logs_says_what_answers_there(text: str, kind: PlaceKind, target: str) -> None:
    place = log_place_of(text)
    assert (place.kind, place.target) == (kind, target)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("http://loki:3100", "it does not say what answers there: it takes a folder or file of logs, demo, journald"),
        ("lokki+http://loki:3100", "did you mean loki+http://?"),
        ("loki+ftp://loki:3100", "it takes a folder or file of logs"),
        ("splunk+http://x", "it takes a folder or file of logs"),
        ("journald:", "journald: needs a folder behind the colon"),
    ],
)
def test_a_flag_that_names_no_place_of_logs_says_what_is_accepted(given: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_settings({"logs": (given,)}, environ={})
    assert caught.value.message.startswith(f"--logs cannot be {given!r}: ")
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('name = "x"', "[[logs]] 1 in {path} has no place: it takes what would stand in the list without a table"),
        ('place = "http://h"', "[[logs]] 1 in {path}: place cannot be 'http://h': it does not say what answers there"),
        ('place = "/x"\ntenant = "a"', "tenant cannot be 'a': a place of the kind files has no use for it (it takes zone, year)"),
        ('place = "loki+http://h"\nyear = 2024', "year cannot be 2024: a place of the kind loki has no use for it"),
        ('place = "demo"\nzone = "UTC"', "zone cannot be 'UTC': a place of the kind demo has no use for it"),
        ('place = "/x"\nyear = 12', "year cannot be 12: it takes a whole number from 1970 to 2200"),
        ('place = "/x"\nzone = "Mars/X"', "zone cannot be 'Mars/X': it takes an IANA time zone"),
        ('place = "/x"\nservices = [1]', "services cannot be 1: it takes a list of texts"),
        ('place = "/x"\nlabels = "eu"', "labels cannot be 'eu': it takes a table of texts, such as"),
        ('place = "/x"\nname = ""', "name cannot be '': it must not be empty"),
        ('place = "loki+http://h"\nusername = "ops"', "username cannot be 'ops': it needs password_env beside it"),
        ('place = "loki+http://h"\npassword_env = "P"', "password_env cannot be [masked]: it needs username beside it"),
        (
            'place = "loki+http://h"\ntoken_env = "T"\nusername = "ops"\npassword_env = "P"',
            "username cannot be 'ops': token_env and username are several identities; a source has one",
        ),
    ],
)
def test_a_table_that_does_not_fit_names_itself_its_key_what_was_given_and_what_is_accepted(
    tmp_path: Path, content: str, said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        loaded(tmp_path, f"[[logs]]\n{content}\n")
    assert said.format(path=repr(str(tmp_path / "gw.toml"))) in caught.value.message


def test_an_unknown_key_of_a_table_is_met_with_the_right_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\[\[knowledge\]\] 2 in .* sets 'servises', which it does not take") as caught:
        loaded(tmp_path, '[[knowledge]]\nplace = "a"\n[[knowledge]]\nplace = "b"\nservises = "c"\n')
    assert caught.value.hint == "Did you mean services?"


def test_knowledge_and_runbooks_are_one_setting(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sets both 'knowledge' and 'runbooks', which are the same"):
        loaded(tmp_path, 'runbooks = ["a"]\n[[knowledge]]\nplace = "b"\n')


@pytest.mark.parametrize(
    "content",
    [
        f'[[logs]]\nplace = "loki+http://h"\npassword = "{PASSWORD}"',
        f'[[logs]]\nplace = "loki+http://h"\ntoken = "{PASSWORD}"',
        f'[[metrics]]\nplace = "http://h"\nheaders = {{Authorization = "Bearer {PASSWORD}"}}',
        f'[[logs]]\nplace = "loki+http://h"\ntoken_env = "{PASSWORD}"',
        f'[[alerts]]\nplace = "http://h"\nheaders_env = {{Authorization = "Bearer {PASSWORD}"}}',
        f'[[logs]]\nplace = "loki+http://ops:{PASSWORD}@h"',
        f'metrics = ["http://ops:{PASSWORD}@h"]',
        f'metrics = "http://{PASSWORD}@h"',
    ],
)
def test_a_secret_in_the_file_is_refused_without_being_shown(tmp_path: Path, content: str) -> None:
    with pytest.raises(UsageError) as caught:
        loaded(tmp_path, content)
    assert PASSWORD not in caught.value.message + str(caught.value.hint)
    assert "environment variable" in caught.value.message + str(caught.value.hint)


def test_a_variable_that_a_table_names_is_read_and_shown_nowhere(tmp_path: Path) -> None:
    content = '[[logs]]\nplace = "loki+http://h"\ntoken_env = "LOKI_TOKEN"\n'
    settings = loaded(tmp_path, content, {"LOKI_TOKEN": PASSWORD, "OTHER": "x"})
    assert settings.variable("LOKI_TOKEN") == PASSWORD
    assert settings.variable("OTHER") is None
    shown = repr(settings) + str(settings) + str(settings.model_dump()) + settings.model_dump_json() + repr(vars(settings))
    assert PASSWORD not in shown
    assert loaded(tmp_path, content).variable("LOKI_TOKEN") is None
