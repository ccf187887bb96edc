"""How often the right runbook is found, beside plain FTS5 over whole documents in the same run.

    python bench/knowledge.py --runbooks DIR --questions FILE [--json]

FILE is a JSON list of ``{"question", "runbook"}``; ``runbook`` is the stem of the right file's name.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from groundwire.adapters.knowledge.markdown import MarkdownKnowledge
from groundwire.domain.deadline import Deadline
from groundwire.domain.knowledge import KnowledgePage, KnowledgeRequest

Finder = Callable[[str], list[str]]


def main() -> int:
    options = _options()
    if options.runbooks is None or options.questions is None:
        print("knowledge: nothing measured; give --runbooks DIR and --questions FILE", file=sys.stderr)
        return 0
    questions = [(item["question"], item["runbook"]) for item in json.loads(options.questions.read_text())]
    base = MarkdownKnowledge("bench", options.runbooks)
    started = time.perf_counter()
    _lookup(base, "warm")
    index_ms = (time.perf_counter() - started) * 1000
    plain = _scores(questions, _plain_fts5(options.runbooks))
    started = time.perf_counter()
    ours = _scores(questions, lambda question: _stems(_lookup(base, question)))
    lookup_ms = (time.perf_counter() - started) * 1000 / len(questions)
    measured: list[tuple[str, float, str, float | None, bool]] = [
        ("knowledge.index", index_ms, "ms", 300.0, index_ms <= 300.0),
        ("knowledge.lookup", lookup_ms, "ms", None, True),
    ]
    for name, value in ours.items():
        measured.append((f"knowledge.{name}", value, "share", plain[name], value >= plain[name]))
        measured.append((f"knowledge.{name}.plain_fts5", plain[name], "share", None, True))
    for row in measured:
        _print(row, as_json=options.json)
    return 0 if all(row[-1] for row in measured) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runbooks", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _scores(questions: Sequence[tuple[str, str]], find: Finder) -> dict[str, float]:
    """Return R@1, R@5 and MRR (over the first 20 blocks), by runbook: several blocks of one count once."""
    ranks = []
    for question, runbook in questions:
        found = list(dict.fromkeys(find(question)))
        ranks.append(found.index(runbook) + 1 if runbook in found else None)
    hits = [rank for rank in ranks if rank is not None]
    return {
        "r_at_1": sum(rank == 1 for rank in hits) / len(ranks),
        "r_at_5": sum(rank <= 5 for rank in hits) / len(ranks),
        "mrr": sum(1 / rank for rank in hits) / len(ranks),
    }


def _lookup(base: MarkdownKnowledge, question: str) -> KnowledgePage:
    return base.lookup(KnowledgeRequest(query=question, service=None, alert_name=None, limit=20, deadline=Deadline.after(60)))


def _stems(page: KnowledgePage) -> list[str]:
    return [PurePosixPath(block.source).stem for block in page.blocks]


def _plain_fts5(runbooks: Path) -> Finder:
    """Return the baseline: FTS5 with the porter tokenizer over whole files, any word of the question, its own ranking."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE files USING fts5(stem UNINDEXED, text, tokenize='porter unicode61')")
    for file in sorted(runbooks.rglob("*.md")):
        connection.execute("INSERT INTO files VALUES (?, ?)", (file.stem, file.read_text(errors="replace")))

    def find(question: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        found = connection.execute("SELECT stem FROM files WHERE files MATCH ? ORDER BY rank LIMIT 20", (words,))
        return [stem for (stem,) in found]

    return find


def _print(row: tuple[str, float, str, float | None, bool], *, as_json: bool) -> None:
    name, value, unit, limit, ok = row
    if as_json:
        print(json.dumps({"name": name, "value": round(value, 3), "unit": unit, "limit": limit, "ok": ok}))
    else:
        against = "" if limit is None else f"  (limit {limit:.3g})"
        print(f"{name:32} {value:8.3f} {unit}{against}{'' if ok else '  NOT OK'}")


if __name__ == "__main__":
    sys.exit(main())
