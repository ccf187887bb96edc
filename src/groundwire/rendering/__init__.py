"""Answers and reports as text for a person and as JSON for a program; neither shows more than the decision allows."""

from groundwire.rendering.answer_json import answer_json
from groundwire.rendering.answer_text import render_text

__all__ = ["answer_json", "render_text"]
