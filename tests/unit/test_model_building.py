"""How a model is named, which key it is given, and what is said where it cannot be made; no SDK is needed."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from groundwire.adapters.models.building import make_language_model
from groundwire.adapters.models.secrecy import LONGEST, shown
from groundwire.adapters.models.spec import Provider, parse_spec
from groundwire.bootstrap.judging import judge_access
from groundwire.bootstrap.models import Models, opened_judge, opened_models
from groundwire.domain.errors import UsageError
from groundwire.settings import Settings, load_settings

KEY = "sk-unit-0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "provider", "name", "url"),
    [
        ("openai:gpt-4o", Provider.OPENAI, "gpt-4o", "https://api.openai.com/v1"),
        ("anthropic:claude-opus-5-5", Provider.ANTHROPIC, "claude-opus-5-5", "https://api.anthropic.com"),
        ("openai:ft:gpt-4o:shop::x@1", Provider.OPENAI, "ft:gpt-4o:shop::x@1", "https://api.openai.com/v1"),
        ("openai-compatible:qwen2.5:7b@http://h:11434", Provider.COMPATIBLE, "qwen2.5:7b", "http://h:11434/v1"),
        ("openai-compatible:a/b@c@https://gw/llm/v1/", Provider.COMPATIBLE, "a/b@c", "https://gw/llm/v1"),
    ],
)
def test_a_spec_names_a_provider_a_model_and_an_address(text: str, provider: Provider, name: str, url: str) -> None:
    spec = parse_spec(text)
    assert (spec.provider, spec.name, spec.base_url) == (provider, name, url)


def test_a_gateway_may_stand_before_a_provider() -> None:
    assert parse_spec("openai:m", base_url="https://gw.internal").base_url == "https://gw.internal/v1"
    assert parse_spec("anthropic:m", base_url="https://gw.internal/v1/").base_url == "https://gw.internal"
    assert parse_spec("openai-compatible:m", base_url="http://gw:8000/v1").server == "gw:8000"
    assert parse_spec("openai-compatible:m@http://a/v1", base_url="http://b/v1").base_url == "http://a/v1"


def test_the_label_of_a_model_holds_no_address() -> None:
    assert parse_spec("openai-compatible:qwen3@http://gw.internal:8000/v1").label == "openai-compatible:qwen3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gpt-4o", "none of these providers"),
        ("gemini:pro", "none of these providers"),
        ("openai:", "names no model"),
        ("openai:  ", "names no model"),
        ("openai:a\x1bb", "names no model"),
        ("openai-compatible:m", "where the server is"),
        ("openai-compatible:m@ftp://h", "where the server is"),
        ("openai-compatible:m@http://", "no http or https URL"),
        ("openai-compatible:m@http://h:99999/v1", "no http or https URL"),
        ("openai-compatible:m@http://[h/v1", "no http or https URL"),
        ("openai-compatible:m@http://h/v 1", "no http or https URL"),
        (f"openai-compatible:m@http://ops:{KEY}@h/v1", "more than a server and a path"),
        (f"openai-compatible:m@http://h/v1?key={KEY}", "more than a server and a path"),
    ],
)
def test_a_spec_that_cannot_be_used_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        parse_spec(text)
    assert KEY not in caught.value.message


@pytest.mark.parametrize("address", ["htp:/127", f"ftp://ops:{KEY}@h", "localhost:8000/v1", "h"])
def test_the_hint_for_a_mistyped_address_can_be_typed_as_it_stands(address: str) -> None:
    with pytest.raises(UsageError, match=r"openai-compatible:x does not say .* is no http or https URL") as caught:
        parse_spec(f"openai-compatible:x@{address}")
    assert caught.value.hint == "Write openai-compatible:x@http://localhost:8000/v1, or set model_base_url."
    assert KEY not in caught.value.message
    assert parse_spec(caught.value.hint.split(",")[0].removeprefix("Write ")).name == "x"


def test_a_mistyped_address_is_no_part_of_the_name_where_the_settings_hold_one() -> None:
    with pytest.raises(UsageError, match="where the server is"):
        parse_spec("openai-compatible:x@htp://h", base_url="http://gw/v1")
    assert parse_spec("openai-compatible:claude@2024", base_url="http://gw/v1").name == "claude@2024"


def make(spec: str, key: str | None) -> Any:
    return make_language_model(spec, api_key=key, base_url=None, timeout_s=5, max_tokens=100)


@pytest.mark.parametrize(("spec", "variable"), [("openai:m", "OPENAI_API_KEY"), ("anthropic:m", "ANTHROPIC_API_KEY")])
@pytest.mark.parametrize("key", [None, "", "  "])
def test_a_provider_that_needs_a_key_says_where_to_put_it(spec: str, variable: str, key: str | None) -> None:
    with pytest.raises(UsageError, match="needs an API key") as caught:
        make(spec, key)
    assert caught.value.hint == f"Set {variable}, or GROUNDWIRE_MODEL_API_KEY."


@pytest.mark.parametrize("key", [f"{KEY}\nX: y", f"{KEY} b", f"{KEY}é"])
def test_a_key_that_is_none_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        make("openai:m", key)
    assert KEY not in caught.value.message


@pytest.mark.parametrize("missing", ["pydantic_ai", "openai", "anthropic", "httpx2"])
def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    for name in [*sys.modules]:
        if name.startswith("groundwire.adapters.models.") and name.rpartition(".")[2] in ("provider_model", "connection"):
            monkeypatch.delitem(sys.modules, name)
    for name in ("pydantic_ai", "pydantic_ai.direct", missing):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match="packages that are not installed") as caught:
        make("openai:m", KEY)
    assert caught.value.hint == 'Install them with: pip install "groundwire[models]"'


def test_words_of_a_provider_are_one_bounded_line_without_the_key() -> None:
    assert shown(f"no\n  such key: {KEY}\x00", api_key=KEY) == "no such key: [masked:key]\\x00"
    assert shown("password=hunter2secret", api_key=None) == "password=[masked:password]"
    assert len(shown("word " * 5_000, api_key=KEY)) == LONGEST
    assert shown("key k", api_key="k") == "key k"


def test_the_providers_own_variable_gives_the_key_to_that_provider_alone() -> None:
    environ = {"OPENAI_API_KEY": "o" * 20, "ANTHROPIC_API_KEY": "a" * 20}

    def key_for(model: str | None, **more: str) -> str | None:
        key = load_settings({"model": model}, environ=environ | more).model_api_key
        return None if key is None else key.get_secret_value()

    assert (key_for("openai:m"), key_for("anthropic:m")) == ("o" * 20, "a" * 20)
    assert (key_for("openai-compatible:m@http://h/v1"), key_for(None), key_for("gemini:m")) == (None, None, None)
    assert key_for("openai:m", GROUNDWIRE_MODEL_API_KEY=KEY) == KEY
    assert key_for("openai-compatible:m@http://h/v1", GROUNDWIRE_MODEL_API_KEY=KEY) == KEY


MODEL, JUDGE, OPENAI, ANTHROPIC = ("m" * 20, "j" * 20, "o" * 20, "a" * 20)
COMPATIBLE = "openai-compatible:m@http://a:8000/v1"


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"model": "openai:m", "judge_model": "anthropic:j"}, None),
        ({"model": "openai:m", "judge_model": "anthropic:j", "judge_api_key": JUDGE}, JUDGE),
        ({"model": "openai:m", "judge_model": "openai:j"}, MODEL),
        ({"model": "openai:m", "judge_model": "openai:j", "judge_api_key": JUDGE}, JUDGE),
        ({"model": "openai:m", "judge_model": "openai:j", "model_base_url": "https://gw"}, MODEL),
        (
            {"model": "openai:m", "judge_model": "openai:j", "model_base_url": "https://gw", "judge_base_url": "https://gw/v1/"},
            MODEL,
        ),
        ({"model": "openai:m", "judge_model": "openai:j", "judge_base_url": "https://gw"}, None),
        ({"model": COMPATIBLE, "judge_model": "openai-compatible:j@http://a:8000"}, MODEL),
        ({"model": COMPATIBLE, "judge_model": "openai-compatible:j@http://b:8000"}, None),
        ({"model": COMPATIBLE, "judge_model": "openai-compatible:j@http://a:8001"}, None),
        ({"model": COMPATIBLE, "judge_model": "openai:j"}, None),
        ({"judge_model": "openai:j"}, None),
        ({"judge_model": "openai:j", "judge_api_key": JUDGE}, JUDGE),
    ],
)
def test_the_models_key_is_the_judges_only_where_both_are_asked_at_the_same_place(given: dict[str, str], key: str | None) -> None:
    settings = Settings(model_api_key=MODEL, **given)  # type: ignore[arg-type]
    assert judge_access(settings, given["judge_model"]).api_key == key


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"judge_model": "anthropic:j", "model": "openai:m"}, ANTHROPIC),
        ({"judge_model": "anthropic:j"}, ANTHROPIC),
        ({"judge_model": "openai:j", "model": "openai:m"}, OPENAI),
        ({"judge_model": "openai:j", "model": "openai:m", "model_api_key": MODEL}, MODEL),
        ({"judge_model": "openai:j", "model": "openai:m", "model_api_key": MODEL, "judge_base_url": "https://gw"}, OPENAI),
        ({"judge_model": "openai:j", "model": "openai:m", "model_api_key": MODEL, "judge_api_key": JUDGE}, JUDGE),
        ({"judge_model": "openai-compatible:j@http://h", "model": "openai:m"}, None),
    ],
)
def test_a_judge_finds_its_own_providers_key_in_the_environment(given: dict[str, str], key: str | None) -> None:
    environ = {"OPENAI_API_KEY": OPENAI, "ANTHROPIC_API_KEY": ANTHROPIC}
    environ |= {f"GROUNDWIRE_{name.upper()}": value for name, value in given.items()}
    settings = load_settings({}, environ=environ)
    assert judge_access(settings, given["judge_model"]).api_key == key


def test_a_judge_without_a_key_is_told_its_own_setting() -> None:
    with pytest.raises(UsageError) as caught, opened_judge(Settings(judge_model="anthropic:j")):
        pass
    assert caught.value.hint == "Set ANTHROPIC_API_KEY, or GROUNDWIRE_JUDGE_API_KEY."


@pytest.mark.parametrize("who", ["model", "judge"])
def test_a_key_is_in_no_repr_of_the_settings_and_in_no_error(who: str) -> None:
    spec = {"model": "openai:m"} if who == "model" else {"judge_model": "openai:m"}
    for environ in ({"OPENAI_API_KEY": KEY}, {f"GROUNDWIRE_{who.upper()}_API_KEY": KEY}):
        settings = load_settings(spec, environ=environ)
        assert getattr(settings, f"{who}_api_key").get_secret_value() == KEY
        assert KEY not in repr(settings) + str(settings) + str(settings.model_dump()) + settings.model_dump_json()
    with pytest.raises(UsageError, match=r"cannot be \[masked\]: it takes a text") as caught:
        load_settings({f"{who}_api_key": [KEY]}, environ={})
    assert KEY not in caught.value.message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"record": "a", "replay": "b", "model": "openai:m"}, "contradict each other"),
        ({"record": "a"}, "needs --model"),
        ({"model": "openai:m"}, "needs an API key"),
        ({"judge_model": "openai:m"}, "needs an API key"),
        ({"judge_model": "gemini:m"}, "judge_model takes openai:NAME"),
        ({"judge_model": "openai-compatible:m"}, "does not say where the server is"),
        ({"replay": "/no/such/file"}, "cannot read the recording"),
    ],
)
def test_settings_that_give_no_model_say_why(given: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said), opened_models(Settings(**given)):  # type: ignore[arg-type]
        pass


def test_without_a_model_there_is_none() -> None:
    with opened_models(Settings()) as models, opened_judge(Settings()) as judge:
        assert (models, judge) == (Models(), None)
