"""The YAML block that a Markdown file may begin with; only its title is of use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import yaml

_LONGEST_BLOCK: Final = 16 * 1024
_LONGEST_TITLE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What the block said, and the ``body`` behind it. ``note`` is a sentence when the block cannot be read."""

    title: str | None
    body: str
    note: str | None = None


def split_front_matter(text: str) -> FrontMatter:
    r"""Return the title and the text behind the block; the whole text when no block is closed within 16 KB.

    ``text`` has ``\n`` line ends. The YAML is composed, never constructed: no tag is run and no alias is expanded.
    """
    lines = text[:_LONGEST_BLOCK].split("\n")
    if lines[0].rstrip() != "---":
        return FrontMatter(title=None, body=text)
    closing = next((at for at, line in enumerate(lines[1:], start=1) if line.rstrip() in {"---", "..."}), None)
    if closing is None:
        return FrontMatter(title=None, body=text)
    body = text[sum(len(line) + 1 for line in lines[: closing + 1]) :]
    try:
        node = yaml.compose("\n".join(lines[1:closing]), Loader=yaml.SafeLoader)
    except yaml.YAMLError as exc:
        return FrontMatter(title=None, body=body, note=f"its front matter is not YAML ({_first_line(exc)}); it is left out")
    except RecursionError:
        return FrontMatter(title=None, body=body, note="its front matter is nested too deeply; it is left out")
    return FrontMatter(title=_title(node), body=body)


def _title(node: yaml.Node | None) -> str | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value == "title" and isinstance(value, yaml.ScalarNode):
            return " ".join(value.value.split())[:_LONGEST_TITLE] or None
    return None


def _first_line(error: yaml.YAMLError) -> str:
    return str(error).partition("\n")[0]
