"""The doctor looks at the models that the settings name, as it looks at the sources; nothing is sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from groundwire.bootstrap import build
from groundwire.domain.reports import DoctorCheck
from groundwire.settings import load_settings

KEY = "sk-doctor-0123456789abcdef"
JUDGE = "GROUNDWIRE_JUDGE_MODEL"
MODEL = "GROUNDWIRE_MODEL"


@contextmanager
def examined(folder: Path, environ: dict[str, str]) -> Iterator[dict[str, DoctorCheck]]:
    app = build(load_settings({"db": str(folder / "gw.db"), "logs": ("demo",)}, environ=environ))
    try:
        yield {check.name: check for check in app.doctor().checks}
    finally:
        app.close()


@pytest.mark.parametrize(
    ("environ", "name", "said", "hint"),
    [
        ({MODEL: "foo"}, "model", "none of these providers", None),
        ({MODEL: "openai:m"}, "model", "needs an API key", "OPENAI_API_KEY"),
        ({MODEL: "openai-compatible:m"}, "model", "where the server is", "model_base_url"),
        ({MODEL: "openai:m", "GROUNDWIRE_MODEL_API_KEY": "a key"}, "model", "characters that no key has", "not shown"),
        ({JUDGE: "bar"}, "judge_model", "none of these providers", None),
        ({JUDGE: "anthropic:m"}, "judge_model", "needs an API key", "ANTHROPIC_API_KEY"),
        ({"GROUNDWIRE_REPLAY": "/no/such/file"}, "replay", "cannot read the recording", None),
        ({"GROUNDWIRE_JUDGE": "oracle"}, "judge", "there is no judge 'oracle'", "Installed"),
        ({"GROUNDWIRE_INVESTIGATOR": "sherlock"}, "investigator", "there is no investigator 'sherlock'", "Installed"),
    ],
)
def test_what_cannot_be_asked_is_a_check_that_fails(
    tmp_path: Path, environ: dict[str, str], name: str, said: str, hint: str | None
) -> None:
    with examined(tmp_path, environ) as checks:
        assert (checks[name].ok, checks["database"].ok) == (False, True)
        assert said in checks[name].message
        assert hint is None or hint in (checks[name].hint or "")


def test_one_model_that_cannot_be_asked_does_not_hide_the_other(tmp_path: Path) -> None:
    with examined(tmp_path, {MODEL: "foo", JUDGE: "bar"}) as checks:
        assert [checks[name].ok for name in ("model", "judge_model")] == [False, False]


def test_models_that_can_be_asked_are_named_without_their_address_and_key(tmp_path: Path) -> None:
    pytest.importorskip("pydantic_ai")
    environ = {
        MODEL: "openai-compatible:m@http://127.0.0.1:9/v1",
        JUDGE: "openai-compatible:j@http://127.0.0.1:9/v1",
        "GROUNDWIRE_MODEL_API_KEY": KEY,
        "GROUNDWIRE_MODEL_MAX_COST": "2",
    }
    with examined(tmp_path, environ) as checks:
        assert checks["model"].message.startswith("openai-compatible:m can be asked; nothing was sent; the limit of 2 in money")
        assert checks["judge_model"].message == "openai-compatible:j can be asked; nothing was sent"
        assert all(checks[name].ok for name in ("model", "judge_model"))
        assert KEY not in str(checks)


def test_the_recording_of_the_settings_is_left_as_it_is(tmp_path: Path) -> None:
    pytest.importorskip("pydantic_ai")
    file = tmp_path / "model.jsonl"
    file.write_text('{"format": "groundwire-model-traffic", "version": 1, "model": "m"}\n')
    before = file.read_bytes()
    with examined(tmp_path, {MODEL: "openai:m", "OPENAI_API_KEY": KEY, "GROUNDWIRE_RECORD": str(file)}) as checks:
        assert checks["model"].ok
    assert file.read_bytes() == before


def test_without_a_model_nothing_is_said_of_models(tmp_path: Path) -> None:
    with examined(tmp_path, {}) as checks:
        assert not {"model", "judge_model", "replay", "judge", "investigator"} & set(checks)
