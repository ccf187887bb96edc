"""Settings: a flag wins over the environment, the environment over ``groundwire.toml``, the file over the defaults.

No module outside reads the environment, and of this package ``loading`` alone.
"""

from __future__ import annotations

from groundwire.settings.declared import Settings
from groundwire.settings.loading import load_settings, wants_colour
from groundwire.settings.names import CONFIG_FILE, DEMO, ENV_PREFIX
from groundwire.settings.values import ModelPrice

__all__ = ["CONFIG_FILE", "DEMO", "ENV_PREFIX", "ModelPrice", "Settings", "load_settings", "wants_colour"]
