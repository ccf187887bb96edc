"""Model traffic on a file and back: what a recording keeps, what it never keeps, and what a replay refuses."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.models.recorded import RecordedModel, Recording
from groundwire.adapters.models.replayed import Replay, ReplayedModel
from groundwire.adapters.models.traffic import FORMAT, Asker
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import UsageError
from groundwire.domain.marking import Marking
from groundwire.domain.model import MessageRole, ModelFault, ModelMessage, ModelReply, ToolCall, ToolOffer
from groundwire.ports import LanguageModel
from groundwire.testing.model import ScriptedModel

SYSTEM = ModelMessage(role=MessageRole.SYSTEM, text="Be strict.")
CALL = ToolCall(id="c1", name="query_logs", arguments='{"service": "broken')
CALLED = ModelReply(text="", tool_calls=(CALL,), finish_reason="tool_call", model="m", input_tokens=7, duration_ms=1.5)
SAID = ModelReply(text="Done.\u2028Really.", finish_reason="stop")
FAULT = ModelReply(fault=ModelFault.RATE_LIMITED, error_message="HTTP 429: slow down")
OFFER = ToolOffer(name="query_logs", description="d", parameters={"type": "object"})


def user(text: str) -> ModelMessage:
    return ModelMessage(role=MessageRole.USER, text=text)


def ask(model: LanguageModel, *messages: ModelMessage, tools: tuple[ToolOffer, ...] = (), schema: Any = None) -> ModelReply:
    return model.request((SYSTEM, *messages), tools=tools, schema=schema, deadline=Deadline.after(5))


def recording_at(path: Path) -> Recording:
    return Recording(path, {Asker.INVESTIGATOR: "scripted:model"})


def replayed(path: Path) -> ReplayedModel:
    model = Replay(path).investigator
    assert model is not None
    return model


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., Path]:
    """Record a conversation of user messages, a reply each, and return the file."""

    def record_them(*turns: tuple[str, ModelReply]) -> Path:
        path = tmp_path / "traffic.jsonl"
        recording = recording_at(path)
        model = RecordedModel(ScriptedModel(*(reply for _, reply in turns)), recording)
        for text, _ in turns:
            ask(model, user(text), tools=(OFFER,))
        recording.close()
        return path

    return record_them


def test_replies_of_every_kind_come_back_in_their_order(record: Callable[..., Path]) -> None:
    turns = (("one", CALLED), ("two\ud800\x00", SAID), ("three", FAULT))
    path = record(*turns)
    model = replayed(path)
    assert model.name == "scripted:model"
    assert [ask(model, user(text), tools=(OFFER,)) for text, _ in turns] == [CALLED, SAID, FAULT]
    assert len(path.read_text(encoding="utf-8").split("\n")) == 5


def test_another_request_is_a_fault_that_says_where_it_differs(record: Callable[..., Path]) -> None:
    model = replayed(record(("one", SAID)))
    wrong = [
        (ask(model, user("other"), tools=(OFFER,)), "request 1 differs: message 2, of the user, is not the recorded one"),
        (ask(model, user("one"), user("more"), tools=(OFFER,)), "request 1 differs: it has 3 messages and the recorded one 2"),
        (ask(model, user("one")), "request 1 differs: its tools are not the recorded ones"),
        (ask(model, user("one"), tools=(OFFER,), schema={}), "request 1 differs: its schema is not the recorded one"),
    ]
    for reply, said in wrong:
        assert (reply.fault, reply.text) == (ModelFault.REJECTED, "")
        assert reply.error_message == f"the replay of 'traffic.jsonl': {said}"
    assert ask(model, user("one"), tools=(OFFER,)) == SAID
    after = ask(model, user("one"), tools=(OFFER,))
    assert (after.error_message or "").endswith("the recording ends after 1 requests, and this is request 2")


def test_a_replay_knows_where_it_left_its_recording(record: Callable[..., Path]) -> None:
    path = record(("one", SAID), ("two", SAID))
    model = replayed(path)
    assert model.difference == "the replay of 'traffic.jsonl': of 2 recorded requests only 0 were made"
    ask(model, user("one"), tools=(OFFER,))
    assert model.difference == "the replay of 'traffic.jsonl': of 2 recorded requests only 1 were made"
    ask(model, user("two"), tools=(OFFER,))
    assert model.difference is None
    ask(model, user("three"), tools=(OFFER,))
    ask(model, user("four"), tools=(OFFER,))
    assert (model.difference or "").endswith("the recording ends after 2 requests, and this is request 3")


def test_a_request_that_differs_stays_a_difference_when_the_next_one_fits(record: Callable[..., Path]) -> None:
    model = replayed(record(("one", SAID)))
    ask(model, user("other"), tools=(OFFER,))
    ask(model, user("one"), tools=(OFFER,))
    assert (model.difference or "").endswith("request 1 differs: message 2, of the user, is not the recorded one")


def test_the_random_marks_of_a_conversation_differ_and_its_text_does_not(tmp_path: Path) -> None:
    path = tmp_path / "traffic.jsonl"
    then, now = Marking(token="a" * 16, marker="─"), Marking(token="b" * 16, marker="━")
    quoting = ModelReply(text=then.mark("pool is empty"), tool_calls=(ToolCall(id="1", name="n", arguments="is─empty"),))

    def messages(marking: Marking) -> tuple[ModelMessage, ...]:
        return user(marking.describe()), user(marking.mark("pool is empty"))

    recording = recording_at(path)
    ask(RecordedModel(ScriptedModel(quoting), recording), *messages(then))
    recording.close()
    reply = ask(replayed(path), *messages(now))
    assert (reply.text, reply.tool_calls[0].arguments) == (now.mark("pool is empty"), "is━empty")
    assert then.token not in path.read_text(encoding="utf-8")


def test_secrets_of_known_forms_are_masked_in_the_file(record: Callable[..., Path]) -> None:
    path = record(("password=hunter2secret", ModelReply(text="Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345")))
    text = path.read_text(encoding="utf-8")
    assert "hunter2secret" not in text
    assert "abcdefghijklmnopqrstuvwxyz012345" not in text
    assert ask(replayed(path), user("password=hunter2secret"), tools=(OFFER,)).fault is None


def test_each_reply_stands_in_the_file_before_the_next_request_is_made(tmp_path: Path) -> None:
    path = tmp_path / "traffic.jsonl"

    def lines() -> int:
        return path.read_text(encoding="utf-8").count("\n")

    recording = recording_at(path)
    model = RecordedModel(ScriptedModel(SAID), recording)
    written = [lines()]
    for text in ("one", "two"):
        ask(model, user(text), tools=(OFFER,))
        written.append(lines())
    assert written == [1, 2, 3]
    again = replayed(path)  # as after a process that was killed
    assert [ask(again, user(text), tools=(OFFER,)) for text in ("one", "two")] == [SAID, SAID]
    recording.close()


def test_the_file_is_its_owners_and_is_written_anew(record: Callable[..., Path]) -> None:
    path = record(("one", SAID), ("two", SAID))
    path.chmod(0o644)
    assert record(("one", CALLED)) == path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert ask(replayed(path), user("one"), tools=(OFFER,)) == CALLED


def test_what_is_no_recording_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "precious.txt"
    path.write_text("precious")
    for place in (path, tmp_path):
        with pytest.raises(UsageError, match="something else than a recording"):
            recording_at(place)
    assert path.read_text() == "precious"
    with pytest.raises(UsageError, match="cannot write the recording"):
        recording_at(tmp_path / "none" / "file")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "line 1 of"),
        (b"hello\n", "line 1 of"),
        (b"[1]\n", "line 1 of"),
        (b'{"format": "x", "version": 1, "model": "m"}\n', "line 1 of"),
        (b'{"format": "groundwire-model-traffic", "version": 3, "model": "m", "judge": null}\n', "line 1 of"),
        (b'{"format": "groundwire-model-traffic", "version": 2, "model": "m", "judge": 1}\n', "line 1 of"),
        (b"\xff\n", "not UTF-8"),
    ],
)
def test_a_file_that_is_no_recording_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "traffic.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        replayed(path)


def changed(item: dict[str, Any], part: str, **new: Any) -> str:
    return json.dumps(item | {part: item[part] | new})


@pytest.mark.parametrize(
    "broken",
    [
        lambda item: json.dumps(item)[:-20],
        lambda item: changed(item, "request", schema={"type": "string"}),
        lambda item: changed(item, "reply", fault="a_word_of_tomorrow"),
        lambda item: changed(item, "reply", tool_calls=[{"id": 1}]),
        lambda item: changed(item, "reply", more=1),
        lambda item: json.dumps(item | {"asked_by": "nobody"}),
        lambda item: "null",
        lambda item: "",
    ],
)
def test_a_line_that_is_cut_or_changed_is_named(record: Callable[..., Path], broken: Callable[[dict[str, Any]], str]) -> None:
    path = record(("one", SAID), ("two", CALLED))
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[2] = broken(json.loads(lines[2]))
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(UsageError, match=r"line 3 of .* is no line of a recording"):
        replayed(path)


def test_the_head_says_what_the_file_is(record: Callable[..., Path]) -> None:
    head = json.loads(record(("one", SAID)).read_text(encoding="utf-8").split("\n")[0])
    assert head == {"format": FORMAT, "version": 2, "model": "scripted:model", "judge": None}


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """Record an investigator's two requests with a judge's one between them."""
    path = tmp_path / "traffic.jsonl"
    recording = Recording(path, {Asker.INVESTIGATOR: "a:one", Asker.JUDGE: "b:two"})
    investigator = RecordedModel(ScriptedModel(CALLED, SAID, name="a:one"), recording)
    judge = RecordedModel(ScriptedModel(FAULT, name="b:two"), recording, Asker.JUDGE)
    ask(investigator, user("one"))
    ask(judge, user("judge this"))
    ask(investigator, user("two"))
    recording.close()
    return path


def test_investigator_and_judge_share_a_file_and_each_gets_its_own_replies(both: Path) -> None:
    lines = [json.loads(line) for line in both.read_text(encoding="utf-8").removesuffix("\n").split("\n")]
    assert lines[0] == {"format": FORMAT, "version": 2, "model": "a:one", "judge": "b:two"}
    assert [line["asked_by"] for line in lines[1:]] == ["investigator", "judge", "investigator"]
    replay = Replay(both)
    assert replay.investigator is not None
    assert replay.judge is not None
    assert (replay.investigator.name, replay.judge.name) == ("a:one", "b:two")
    assert [ask(replay.investigator, user(text)) for text in ("one", "two")] == [CALLED, SAID]
    assert (replay.judge.difference or "").endswith("the judge's request: of 1 recorded requests only 0 were made")
    assert ask(replay.judge, user("judge this")) == FAULT
    assert replay.judge.difference is None
    after = ask(replay.judge, user("judge this"))
    assert (after.error_message or "").endswith("the recording ends after 1 requests, and this is the judge's request 2")


def test_a_recording_of_version_1_is_the_investigators_and_holds_no_judge(both: Path) -> None:
    head, *pairs = [json.loads(line) for line in both.read_text(encoding="utf-8").removesuffix("\n").split("\n")]
    old = [{"format": FORMAT, "version": 1, "model": head["model"]}]
    old += [{name: pair[name] for name in ("sha256", "request", "reply")} for pair in pairs if pair["asked_by"] != "judge"]
    both.write_text("".join(json.dumps(item) + "\n" for item in old), encoding="utf-8")
    replay = Replay(both)
    assert replay.judge is None
    assert [ask(replayed(both), user("one"))] == [CALLED]
    said = ask(replay.missing_judge("b:two"), user("judge this"))
    assert (said.fault, said.error_message) == (
        ModelFault.REJECTED,
        "the replay of 'traffic.jsonl': the recording holds no answer to the judge's request",
    )
