"""Settings: a flag wins over the environment, the environment over ``groundwire.toml``, the file over the defaults.

No module outside reads the environment, and of this package ``loading`` alone.
"""

from __future__ import annotations

from groundwire.settings.declared import Settings
from groundwire.settings.loading import load_settings, wants_colour
from groundwire.settings.names import CONFIG_FILE, DEMO, ENV_PREFIX
from groundwire.settings.places import Place, PlaceKind, log_place_of, place_of
from groundwire.settings.tables import LogTable, ServerTable, SourceTable
from groundwire.settings.values import ModelPrice

__all__ = [
    "CONFIG_FILE",
    "DEMO",
    "ENV_PREFIX",
    "LogTable",
    "ModelPrice",
    "Place",
    "PlaceKind",
    "ServerTable",
    "Settings",
    "SourceTable",
    "load_settings",
    "log_place_of",
    "place_of",
    "wants_colour",
]
