"""How Markdown text becomes a document in two tiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.knowledge.document import CUT_MARK, Document, parse_document

RUNBOOK = """\
---
title: Volume Is Lost
weight: 20
---

# VolumeIsLost

## Meaning

The volume went away.

## Diagnosis

Look here first.

### Slow disk

Ask `iostat`.

```shell
# Not A Heading
iostat -x
```

## Mitigation

Mount it again.
"""


def _document(text: str, source: str = "storage/VolumeIsLost.md") -> Document:
    document = parse_document(source, text)
    assert document is not None
    return document


def test_a_runbook_gives_its_title_its_names_its_abstract_and_a_section_for_each_heading() -> None:
    document = _document(RUNBOOK)
    assert document.title == "Volume Is Lost"
    assert document.names == ("VolumeIsLost", "Volume Is Lost")
    assert document.abstract == "The volume went away."
    assert [section.name for section in document.sections] == ["Meaning", "Diagnosis", "Diagnosis > Slow disk", "Mitigation"]


def test_a_comment_in_fenced_code_opens_no_section() -> None:
    slow_disk = _document(RUNBOOK).sections[2]
    assert slow_disk.content == "Ask `iostat`.\n\n```shell\n# Not A Heading\niostat -x\n```"


@pytest.mark.parametrize("quoted", ["> # In A Quotation\n> text", "- # In A List\n  text", "    # In Indented Code"])
def test_a_heading_inside_something_else_opens_no_section(quoted: str) -> None:
    assert [section.path for section in _document(f"## Notes\n\nwords\n\n{quoted}\n").sections] == [("Notes",)]


def test_underlined_headings_and_windows_line_ends_are_read_as_others_are() -> None:
    document = _document("Disk Full\r\n=========\r\n\r\nMeaning\r\n-------\r\n\r\nNo room.\r\n")
    assert document.title == "Disk Full"
    assert [(section.name, section.content) for section in document.sections] == [("Meaning", "No room.")]


def test_a_heading_loses_its_marks_and_keeps_its_words() -> None:
    document = _document("# The `kubelet` is **down**, see [docs](http://x.test)\n\n## Check `systemd`\n\nyes\n")
    assert document.title == "The kubelet is down, see docs"
    assert document.sections[0].path == ("Check systemd",)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From Front\n---\n# From Heading\n\ntext\n", "From Front"),
        ("# From Heading\n\ntext\n", "From Heading"),
        ("## Meaning\n\ntext\n", "PagesAreSlow"),
        ("only text\n", "PagesAreSlow"),
        ("---\ntitle: 12\n---\ntext\n", "12"),
        ("---\ntitle: [a, b]\n---\ntext\n", "PagesAreSlow"),
        ("---\n- title\n---\ntext\n", "PagesAreSlow"),
        ("---\n---\ntext\n", "PagesAreSlow"),
    ],
)
def test_the_title_is_from_the_front_matter_or_the_top_heading_or_the_file_name(text: str, title: str) -> None:
    assert _document(text, "web/PagesAreSlow.md").title == title


def test_a_file_without_headings_is_one_section_and_its_first_paragraph_the_abstract() -> None:
    document = _document("First words.\n\n" + "x" * 700 + "\n")
    assert document.abstract == "First words."
    assert [section.path for section in document.sections] == [()]


def test_a_second_top_heading_is_a_section_of_its_own() -> None:
    document = _document("# Runbooks\n\nAll of them.\n\n# HighLatency\n\n## Fix\n\nScale out.\n")
    assert [(one.name, one.content) for one in document.sections] == [("", "All of them."), ("HighLatency > Fix", "Scale out.")]


def test_the_abstract_takes_as_many_first_paragraphs_as_fit_into_600_characters() -> None:
    paragraphs = ["a" * 250, "b" * 250, "c" * 250]
    document = _document("## Impact\n\nmoney\n\n## Meaning\n\n" + "\n\n".join(paragraphs) + "\n")
    assert document.abstract == f"{paragraphs[0]}\n\n{paragraphs[1]}"


def test_an_abstract_that_is_one_long_paragraph_is_cut_visibly() -> None:
    abstract = _document("## Meaning\n\n" + "word " * 300).abstract
    assert abstract.endswith(CUT_MARK)
    assert len(abstract) <= 600 + len(CUT_MARK) + 1


def test_a_long_section_is_given_in_parts_that_lose_nothing_but_white_space() -> None:
    paragraphs = [f"paragraph {number} " + "x" * 700 for number in range(9)]
    document = _document("## Diagnosis\n\n" + "\n\n".join(paragraphs) + "\n")
    assert len(document.sections) == 5  # two paragraphs of some 710 characters fit into 2,000
    assert {section.name for section in document.sections} == {"Diagnosis"}
    assert all(section.content.endswith(CUT_MARK) for section in document.sections[:-1])
    assert "\n\n".join(section.content.removesuffix(f"\n{CUT_MARK}") for section in document.sections) == "\n\n".join(paragraphs)


def test_a_line_without_any_white_space_is_cut_at_2000_characters() -> None:
    document = _document("## Blob\n\n" + "x" * 4500)
    assert [len(section.content.removesuffix(f"\n{CUT_MARK}")) for section in document.sections] == [2000, 2000, 500]


@pytest.mark.parametrize("text", ["", "\n \n", "---\ntitle: node\n---\n", "# Only\n\n## Headings\n"])
def test_a_file_that_says_nothing_is_no_document(text: str) -> None:
    assert parse_document("x.md", text) is None


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("title: [unclosed", "its front matter is not YAML"),
        ("title: a: b", "its front matter is not YAML"),
        ("title: \x07", "its front matter is not YAML"),
        ("[" * 1200, "its front matter is nested too deeply"),
    ],
)
def test_broken_front_matter_is_a_note_and_the_text_behind_it_is_read(front: str, said: str) -> None:
    document = _document(f"---\n{front}\n---\n# Real Title\n\ntext\n")
    assert document.title == "Real Title"
    (note,) = document.notes
    assert said in note


def test_tags_and_aliases_in_front_matter_are_never_carried_out() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: !!python/object/apply:os.getcwd []\ntitle: Calm\n"
    document = _document(f"---\n{bomb}---\ntext\n")
    assert (document.title, document.notes) == ("Calm", ())


@pytest.mark.parametrize("text", ["---\nno closing line\n", "---\n" + "key: value\n" * 2000 + "---\ntext\n"])
def test_front_matter_that_does_not_end_within_16_kb_is_read_as_text(text: str) -> None:
    assert _document(text, "a.md").title == "a"


@given(st.text(alphabet=st.sampled_from("#=-` \n\r\t>*[]()abc:'\"&!{}0~|<"), max_size=200) | st.text(max_size=200))
def test_whatever_text_there_is_a_document_or_none_with_bounded_blocks(text: str) -> None:
    document = parse_document("any.md", text)
    if document is not None:
        assert document.sections
        assert all(section.content.strip() for section in document.sections)
        assert all(len(section.content) <= 2000 + len(CUT_MARK) + 1 for section in document.sections)
