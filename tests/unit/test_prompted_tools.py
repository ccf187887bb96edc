"""Tools in words: what a model is told of them, which calls are read from its text, and what becomes of the rest."""

from __future__ import annotations

import json

import pytest

from groundwire.adapters.models.prompted_tools import as_text, calls_schema, tools_in_words, with_calls
from groundwire.adapters.models.written_json import elements, found_object, members
from groundwire.domain.model import MessageRole, ModelMessage, ModelReply, ToolCall, ToolOffer

LOGS = ToolOffer(name="query_logs", description="Returns lines.", parameters={"type": "object", "properties": {}})
DRAFT = ToolOffer(name="submit_draft", description="Ends it.", parameters={"type": "object", "required": ["claims"]})
ASKED = '{"calls": [{"tool": "query_logs", "arguments": {"service": "checkout"}}]}'


def said(text: str, finish: str = "stop") -> ModelReply:
    return with_calls(ModelReply(text=text, finish_reason=finish))


def asked(text: str) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in said(text).tool_calls]


def message(role: MessageRole, text: str = "", *calls: ToolCall) -> ModelMessage:
    return ModelMessage(role=role, text=text, tool_calls=calls)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (ASKED, ""),
        (f"```json\n{ASKED}\n```", ""),
        (f"```\n{ASKED}\n```", ""),
        (f"I look at the logs first.\n\n{ASKED}", "I look at the logs first."),
        (f"First the logs:\n```json\n{ASKED}\n```\nThen we see.", "First the logs:\nThen we see."),
        (f'  {ASKED}\nResult of call 1:\n{{"status": "evidence"}}', 'Result of call 1:\n{"status": "evidence"}'),
        ('{"tool": "query_logs", "arguments": {"service": "checkout"}}', ""),
        ('{"thought": "logs", ' + ASKED[1:], '{"thought": "logs"}'),
        ('{"calls": [{"arguments": {"service": "checkout"}, "tool": "query_logs", "id": 7}]}', ""),
        ('{"calls": [{"tool": "query_logs", "arguments": "{\\"service\\": \\"checkout\\"}"}]}', ""),
    ],
)
def test_a_call_is_read_however_it_is_wrapped_and_what_is_beside_it_stays_text(text: str, left: str) -> None:
    (call,) = said(text).tool_calls
    assert (call.name, json.loads(call.arguments)) == ("query_logs", {"service": "checkout"})
    assert (said(text).text, said(text).finish_reason) == (left, "tool_call")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would look at the logs.",
        ASKED[:-4],
        ASKED.replace('"checkout"', "checkout"),
        '{"calls": []}',
        '{"calls": {"query_logs": {}}}',
        '{"calls": "query_logs"}',
        '{"claims": [{"text": "It is down."}]}',
        '{"tool": "query_logs"}',
        f"A line of the log reads {ASKED}, which is odd.",
        f"```json\n{ASKED}\n```\nor\n```json\n{ASKED}\n```",
        f"[{ASKED}]",
        "{" * 100_000,
    ],
)
def test_text_that_holds_no_whole_call_stays_as_it_is(text: str) -> None:
    reply = ModelReply(text=text, finish_reason="stop")
    assert with_calls(reply) is reply


@pytest.mark.parametrize(
    ("item", "name", "arguments"),
    [
        ('{"tool": "query_logs", "arguments": {"a":1,  "a": 2.50}}', "query_logs", '{"a":1,  "a": 2.50}'),
        ('{"tool": "query_logs", "arguments": {"since": NaN}}', "query_logs", '{"since": NaN}'),
        ('{"tool": "query_logs", "arguments": [1, 2]}', "query_logs", "[1, 2]"),
        ('{"tool": "query_logs", "arguments": null}', "query_logs", "null"),
        ('{"tool": "query_logs", "arguments": "service=checkout"}', "query_logs", "service=checkout"),
        ('{"tool": "query_logs"}', "query_logs", ""),
        ('{"tool": "rm_rf", "arguments": {}}', "rm_rf", "{}"),
        ('{"name": "query_logs", "arguments": {}}', "", "{}"),
        ('{"tool": 5, "arguments": {}}', "", "{}"),
        ('"query_logs"', "", "query_logs"),
        ("7", "", "7"),
    ],
)
def test_a_name_and_arguments_are_those_that_were_written_and_never_filled_in(item: str, name: str, arguments: str) -> None:
    assert asked(f'{{"calls": [{item}]}}') == [(name, arguments)]


def test_calls_keep_their_order_and_have_ids_of_their_own() -> None:
    calls = said('{"calls": [{"tool": "a", "arguments": {}} ,\n{"tool": "b", "arguments": {}}]}').tool_calls
    assert [call.name for call in calls] == ["a", "b"]
    assert len({call.id for call in calls}) == 2


def test_an_answer_that_was_cut_by_its_length_limit_stays_one() -> None:
    assert said(ASKED, "length").finish_reason == "length"


def test_results_and_what_the_user_says_behind_them_are_one_message() -> None:
    calls = (ToolCall(id="1", name="query_logs", arguments='{"a": 1}'), ToolCall(id="2", name="x", arguments="{broken"))
    told = as_text(
        [
            message(MessageRole.SYSTEM, "Be strict."),
            message(MessageRole.USER, "Why?"),
            message(MessageRole.ASSISTANT, "Looking.", *calls),
            ModelMessage(role=MessageRole.TOOL, text="i1: a line", tool_call_id="1", tool_name="query_logs"),
            ModelMessage(role=MessageRole.TOOL, text="failed", tool_call_id="2", tool_name="x"),
            message(MessageRole.USER, "Hand in the draft."),
            message(MessageRole.ASSISTANT, "No."),
        ]
    )
    assert [(one.role, one.text) for one in told] == [
        ("system", "Be strict."),
        ("user", "Why?"),
        (
            "assistant",
            'Looking.\n{"calls": [{"tool": "query_logs", "arguments": {"a": 1}}, {"tool": "x", "arguments": "{broken"}]}',
        ),
        ("user", "Result of call 1:\ni1: a line\n\nResult of call 2:\nfailed\n\nHand in the draft."),
        ("assistant", "No."),
    ]
    assert not any(one.tool_calls for one in told)


def test_a_call_that_is_told_back_reads_as_the_same_call() -> None:
    first = said('{"calls": [{"tool": "query_logs", "arguments": {"query":  "caf\\u00e9"}}, {"tool": "\\ud800"}]}')
    (told,) = as_text([message(MessageRole.ASSISTANT, first.text, *first.tool_calls)])
    assert asked(told.text) == [("query_logs", '{"query":  "caf\\u00e9"}'), ("\ud800", "")]
    told.text.encode()


def test_the_words_name_each_tool_with_its_description_and_parameters() -> None:
    words = tools_in_words([LOGS, DRAFT])
    assert 'query_logs: Returns lines.\n{"type":"object","properties":{}}' in words
    assert 'submit_draft: Ends it.\n{"type":"object","required":["claims"]}' in words
    assert '{"calls": [{"tool": "NAME", "arguments": {}}]}' in words


def test_the_schema_ties_each_tool_to_its_own_parameters() -> None:
    calls = calls_schema([LOGS, DRAFT])["properties"]["calls"]
    tied = [(item["properties"]["tool"]["enum"], item["properties"]["arguments"]) for item in calls["items"]["anyOf"]]
    assert tied == [(["query_logs"], LOGS.parameters), (["submit_draft"], DRAFT.parameters)]
    assert (calls["minItems"], calls["maxItems"]) == (1, 8)


def test_a_tool_that_is_offered_alone_is_called_once() -> None:
    calls = calls_schema([DRAFT])["properties"]["calls"]
    assert calls["items"]["properties"]["tool"] == {"type": "string", "enum": ["submit_draft"]}
    assert calls["maxItems"] == 1


def test_json_is_taken_apart_without_being_rewritten() -> None:
    assert list(members('{ "a" : [1 ,2], "b":{"c": "}, ,"} , "":null}')) == [
        ("a", "[1 ,2]"),
        ("b", '{"c": "}, ,"}'),
        ("", "null"),
    ]
    assert elements('[ {"a":1} ,"]", [ ] ]') == ['{"a":1}', '"]"', "[ ]"]
    assert (list(members("[1]")), list(members('{"a"')), elements("{}"), elements("[1,")) == ([], [], [], [])
    assert found_object('so:\n{"a": "```\\n{}"} end') == ("so:", '{"a": "```\\n{}"}', "end")
