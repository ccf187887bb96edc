"""What settings are called from outside, and which of them are paths, lists or secrets."""

from __future__ import annotations

from typing import Final

CONFIG_FILE: Final = "groundwire.toml"
ENV_PREFIX: Final = "GROUNDWIRE_"
DEMO: Final = "demo"
"""Names the built-in source of its kind, wherever a folder or a file can be named."""

PATHS: Final = ("db", "logs", "alerts", "runbooks", "record", "replay")
LISTS: Final = ("logs", "alerts", "metrics", "runbooks")
SECRETS: Final = ("model_api_key", "judge_api_key")


def variable_of(name: str) -> str:
    """Return the environment variable of a setting."""
    return f"{ENV_PREFIX}{name.upper()}"
