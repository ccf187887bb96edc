"""The runbooks that ship with Groundwire, for its demo."""

from __future__ import annotations

from pathlib import Path

from groundwire.adapters.knowledge.markdown import MarkdownKnowledge


class DemoKnowledge(MarkdownKnowledge):
    """A `KnowledgeBase` of five runbooks for a made-up shop."""

    backend = "demo"

    def __init__(self) -> None:
        super().__init__("demo", Path(__file__).with_name("demo_files"))
