"""Whether the SDKs are there that tests drive over the wire."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

_NEEDED = ("pydantic_ai", "openai", "anthropic")


def require_sdks() -> None:
    """Skip the calling module where an SDK is not installed, and fail instead where CI is set. Call it before the imports."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if not missing:
        return
    message = f"not installed: {', '.join(missing)}"
    if os.environ.get("CI"):
        pytest.fail(f"{message}, and CI must test it", pytrace=False)
    pytest.skip(message, allow_module_level=True)
