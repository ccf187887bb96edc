"""An application as a settings file makes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from groundwire.bootstrap import build
from groundwire.bootstrap.app import App
from groundwire.settings import load_settings


@contextmanager
def app_of(folder: Path, content: str, environ: dict[str, str] | None = None) -> Iterator[App]:
    """Yield the application of a file of such content, whose sessions are kept in ``gw.db`` beside it."""
    path = folder / "gw.toml"
    path.write_text(f'db = "gw.db"\n{content}')
    app = build(load_settings({}, config=path, environ=environ or {}))
    try:
        yield app
    finally:
        app.close()
