"""Texts that others made to take over a model: planted everywhere, and obeyed to the letter."""

from __future__ import annotations

import json
from pathlib import Path

from tests.scenarios.hostile.cases import ALL_WELL, DB_DOWN, Case
from tests.scenarios.hostile.test_hostile_text import hold_out


def test_no_text_of_others_changes_what_is_shown_or_decided(corpus: Path, tmp_path: Path) -> None:
    texts = json.loads((corpus / "injections" / "injections.json").read_text(encoding="utf-8"))
    assert texts
    for number, item in enumerate(texts):
        for wants in (DB_DOWN, ALL_WELL):
            place = tmp_path / f"{number}-{wants[:12]}"
            hold_out(Case(name=f"{item['source']} {number}", text=item["text"], wants=wants), place)
