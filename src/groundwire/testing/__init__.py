"""Fakes for tests of Groundwire and of what is built on it: no database, no network, no model, no waiting.

They keep the rules of the real things: :class:`InMemoryTraceStore` passes the same suite as the stores on disk.
"""

from __future__ import annotations

from groundwire.testing.clock import SteppingClock
from groundwire.testing.judge import ScriptedJudge
from groundwire.testing.model import ModelRequest, ScriptedModel
from groundwire.testing.tool import ScriptedTool
from groundwire.testing.trace_store import InMemoryTraceStore

__all__ = ["InMemoryTraceStore", "ModelRequest", "ScriptedJudge", "ScriptedModel", "ScriptedTool", "SteppingClock"]
