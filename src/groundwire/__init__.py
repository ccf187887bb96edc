"""Groundwire: incident diagnosis that shows only what its recorded evidence supports."""

__version__ = "0.1.0"

__all__ = ["__version__"]
