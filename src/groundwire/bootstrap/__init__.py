"""Composition root: the only place that names concrete adapters, tools and the store."""

from __future__ import annotations

from groundwire.bootstrap.app import App, build

__all__ = ["App", "build"]
