"""The settings file, and paths as they are meant where they stand."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from groundwire.domain.errors import UsageError
from groundwire.settings.names import LISTS, PATHS
from groundwire.settings.places import from_home, holds_credentials, with_path
from groundwire.settings.tables import SourceTable


def read_file(path: Path, *, must_exist: bool) -> dict[str, Any]:
    """Return what a settings file sets, its paths counted from its folder; nothing where it need not exist and does not.

    Raises:
        UsageError: It cannot be read, or is no TOML.
    """
    path = path.expanduser()
    try:
        values = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError as exc:
        if not must_exist:
            return {}
        raise UsageError(f"cannot read settings from {str(path)!r}: no such file", hint="Name it with --config.") from exc
    except OSError as exc:
        raise UsageError(f"cannot read settings from {str(path)!r}: {exc.strerror or exc}") from exc
    except UnicodeDecodeError as exc:
        raise UsageError(f"cannot read settings from {str(path)!r}: it is not UTF-8 text") from exc
    except tomllib.TOMLDecodeError as exc:
        raise UsageError(f"cannot read settings from {str(path)!r}: not TOML: {exc}") from exc
    if "knowledge" in values:
        if "runbooks" in values:
            raise UsageError(f"{str(path)!r} sets both 'knowledge' and 'runbooks', which are the same", hint="Keep one of them.")
        values["runbooks"] = values.pop("knowledge")
    for key in LISTS:
        _refuse_credentials(key, values.get(key), path)
    return {key: _from_folder(key, value, path.parent) for key, value in values.items()}


def expanded(name: str, value: Any) -> Any:
    """Return a value with the user's home folder in place of ``~``, where it is a path."""
    if isinstance(value, tuple):
        return tuple(expanded(name, item) for item in value)
    if isinstance(value, SourceTable):
        return value.with_paths(from_home)
    return with_path(value, from_home) if name in PATHS and isinstance(value, str) else value


def _from_folder(key: str, value: Any, folder: Path) -> Any:
    """Return a value of the file, its paths counted from ``folder``; what does not fit is left for the validation to say."""

    def counted(path: str) -> str:
        return str(folder / Path(path).expanduser())

    def read(item: Any) -> Any:
        if isinstance(item, str):
            return with_path(item, counted) if key in PATHS else item
        if isinstance(item, dict) and key in LISTS:
            place, ca_file = item.get("place"), item.get("ca_file")
            found = {"place": with_path(place, counted)} if isinstance(place, str) and key in PATHS else {}
            return item | found | ({"ca_file": counted(ca_file)} if isinstance(ca_file, str) and ca_file.strip() else {})
        return item

    if key in LISTS:
        return [read(item) for item in _listed(value)] if isinstance(value, list | str | dict) else value
    return read(value)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _refuse_credentials(key: str, value: Any, path: Path) -> None:
    for number, item in enumerate(_listed(value), 1):
        place = item.get("place") if isinstance(item, dict) else item
        if isinstance(place, str) and holds_credentials(place):
            raise UsageError(
                f"{key} {number} in {str(path)!r} has a user name or password in its URL, and a secret has no place in the file",
                hint='Write it as a table, with username = "..." and password_env = "NAME" of an environment variable.',
            )
