"""The settings file, and paths as they are meant where they stand."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from groundwire.domain.errors import UsageError
from groundwire.settings.names import DEMO, LISTS, PATHS


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
    return {
        key: _from_folder(key, [value] if key in LISTS and isinstance(value, str) else value, path.parent)
        for key, value in values.items()
    }


def expanded(name: str, value: Any) -> Any:
    """Return a value with the user's home folder in place of ``~``, where it is a path."""
    if name not in PATHS:
        return value
    if isinstance(value, tuple):
        return tuple(expanded(name, item) for item in value)
    return value if "://" in value or not value.startswith("~") else str(Path(value).expanduser())


def _from_folder(key: str, value: Any, folder: Path) -> Any:
    """Return a value of the file, its paths counted from ``folder``; what does not fit is left for the validation to say."""
    if isinstance(value, list):
        return [_from_folder(key, item, folder) if isinstance(item, str) else item for item in value]
    is_path = key in PATHS and isinstance(value, str) and value.strip() and "://" not in value and value != DEMO
    return str(folder / Path(value).expanduser()) if is_path else value
