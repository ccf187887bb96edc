"""What the documents list is what there is: every setting, every command, every flag, and no more."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from groundwire.entrypoints.catalogue import COMMANDS, front_page
from groundwire.entrypoints.group import groundwire
from groundwire.settings import ENV_PREFIX, Settings
from groundwire.settings.tables import TABLES

_DOCS = Path(__file__).parents[2] / "docs"
_NAMES = [listing.name for listing in COMMANDS]
_FLAG = re.compile(r"--[a-z][a-z-]*")


def _command(name: str) -> click.Command:
    command = groundwire.get_command(click.Context(groundwire), name)
    assert command is not None
    return command


def _flags(name: str) -> set[str]:
    options = (param for param in _command(name).params if isinstance(param, click.Option))
    return {flag for option in options for flag in option.opts}


def _sections() -> dict[str, str]:
    parts = re.split(r"^## `(.+)`$", (_DOCS / "commands.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _settings_rows() -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for line in (_DOCS / "settings.md").read_text(encoding="utf-8").partition("\n## ")[0].splitlines():
        if match := re.match(r"\| `(\w+)` \|", line):
            rows[match[1]] = [cell.strip(" `") for cell in line.replace("|URL", "").strip("|").split("|")]
    return rows


def test_every_command_has_a_section_and_every_section_a_command() -> None:
    assert list(_sections()) == _NAMES


@pytest.mark.parametrize("name", _NAMES)
def test_the_usage_of_a_command_names_exactly_the_flags_it_takes(name: str) -> None:
    usage = _sections()[name].split("```")[1]
    assert set(_FLAG.findall(usage)) == _flags(name)


@pytest.mark.parametrize("name", _NAMES)
def test_the_front_page_a_commands_help_and_the_documents_say_the_same(name: str) -> None:
    short_help = next(listing.short_help for listing in COMMANDS if listing.name == name)
    assert (_command(name).help or "").splitlines()[0] == short_help
    assert f"  {name.ljust(8)}  {short_help}\n" in front_page()
    assert _sections()[name].strip().startswith(short_help.rstrip("."))


@pytest.mark.parametrize("name", _NAMES)
def test_the_help_of_a_command_has_an_example_its_exit_codes_and_fits_80_columns(name: str) -> None:
    with click.Context(_command(name), info_name=f"groundwire {name}", terminal_width=80) as ctx:
        page = _command(name).get_help(ctx)
    assert f"Example:\n    groundwire {name}" in page
    assert "Exit codes:\n" in page
    assert max(map(len, page.splitlines())) <= 80
    assert max(map(len, front_page().splitlines())) <= 80


@pytest.mark.parametrize("name", _NAMES)
def test_every_flag_says_what_it_does(name: str) -> None:
    assert all(option.help for option in _command(name).params if isinstance(option, click.Option))


def test_every_setting_is_documented_with_its_environment_variable_and_its_flag() -> None:
    rows = _settings_rows()
    every_flag = set[str]().union(*map(_flags, _NAMES))
    assert list(rows) == list(Settings.model_fields)
    for name, (_, flag, variable, *_) in rows.items():
        assert variable == f"{ENV_PREFIX}{name.upper()}"
        assert flag == (f"--{name}" if f"--{name}" in every_flag else "")


def test_every_key_of_a_source_that_is_a_table_is_documented_and_no_other() -> None:
    section = (_DOCS / "settings.md").read_text(encoding="utf-8").partition("| key | for |")[2].partition("\n\n")[0]
    documented = {key for line in section.splitlines() for key in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert documented == set().union(*(table.model_fields for table in TABLES.values()))


def test_the_documented_defaults_and_bounds_are_those_of_the_settings() -> None:
    rows = _settings_rows()
    for name, field in Settings.model_fields.items():
        documented = rows[name][3]
        if isinstance(field.default, float):
            assert float(documented) == field.default
        elif isinstance(field.default, str):
            assert documented == field.default
        bounds = {type(bound).__name__: bound for bound in field.metadata}
        if "Ge" in bounds:
            assert f"{bounds['Ge'].ge:.12g} to {bounds['Le'].le:.12g}" in rows[name][4]
