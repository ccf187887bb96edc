"""Secrets of known forms are masked by value; what only mentions a word stays to the letter; hostile text takes no longer."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.masking import make_storable, mask_text, mask_value

# Made up, in the shapes that the vendors document; put together here so that no scanner takes this file for a leak.
_AWS = "AKIA" + "IOSFODNN7EXAMPLE"
_AWS_SESSION = "ASIA" + "IOSFODNN7EXAMPLE"
_GOOGLE = "AIza" + "SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY"
_GITHUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
_GITHUB_FINE = "github_pat_" + "11ABCDEFG0123456789abc_XYZ"
_GITLAB = "glpat-" + "aBcD1234eFgH5678iJkL"
_SLACK = "xoxb-" + "17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy"
_OPENAI = "sk-" + "proj-abcDEF123456ghiJKL7890mnop"
_ANTHROPIC = "sk-" + "ant-api03-abcDEF123456ghiJKL7890"
_STRIPE = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
_STRIPE_RESTRICTED = "rk_test_" + "4eC39HqLyjWDarjtT1zdp7dc"
_JWT = "eyJhbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" + "." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
_PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nx+y/z=\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"key {_AWS} refused", "key [masked:aws-access-key] refused"),
        (f"key {_AWS_SESSION}, refused", "key [masked:aws-access-key], refused"),
        (f"GET /maps?at={_GOOGLE}&x=1", "GET /maps?at=[masked:google-api-key]&x=1"),
        (f"push with {_GITHUB} failed", "push with [masked:github-token] failed"),
        (f"push with {_GITHUB_FINE} failed", "push with [masked:github-token] failed"),
        (f"clone with {_GITLAB} failed", "clone with [masked:gitlab-token] failed"),
        (f"posting as {_SLACK}", "posting as [masked:slack-token]"),
        (f"using {_OPENAI}", "using [masked:api-key]"),
        (f"using {_ANTHROPIC}", "using [masked:api-key]"),
        (f"charged with {_STRIPE}", "charged with [masked:api-key]"),
        (f"charged with {_STRIPE_RESTRICTED}", "charged with [masked:api-key]"),
        (f"signed in: {_JWT}", "signed in: [masked:jwt]"),
        ("Authorization: Bearer 4f9dA2c81b7e4D", "Authorization: Bearer [masked:credentials]"),
        ("authorization: basic dXNlcjpodW50ZXIy", "authorization: basic [masked:credentials]"),
        ("postgresql://app:s3cr3t@db:5432/orders", "postgresql://app:[masked:password]@db:5432/orders"),
        ("redis://:s3cr3t@cache/0 and amqp://a:b@mq", "redis://:[masked:password]@cache/0 and amqp://a:[masked:password]@mq"),
        ("login password=hunter2 failed", "login password=[masked:password] failed"),
        ('{"user": "ann", "password": "hunter2"}', '{"user": "ann", "password": "[masked:password]"}'),
        ('{\\"password\\":\\"hunter2\\"}', '{\\"password\\":\\"[masked:password]\\"}'),
        ("PGPASSWORD=hunter2 psql", "PGPASSWORD=[masked:password] psql"),
        ("passwd: hunter2, next", "passwd: [masked:password], next"),
        ("GET /?api_key=abc123def&page=2", "GET /?api_key=[masked:password]&page=2"),
        ("next=%2F%3Ftoken%3Dabcdef", "next=%2F%3Ftoken%3D[masked:password]"),
        ("aws.secretKey=wJalrXUtnFEMI", "aws.secretKey=[masked:password]"),
        ("token: password: hunter2", "token: password: [masked:password]"),
        ("password = hunter2 refused", "password = [masked:password] refused"),
        ("password:   hunter2 refused", "password:   [masked:password] refused"),
        ("pwd\t=\thunter2", "pwd\t=\t[masked:password]"),
        ("secret := Abc123xyz", "secret := [masked:password]"),
        ('{"password": 93847562}', '{"password": [masked:password]}'),
        ('{"password": ["a b", "c]"], "n": 1}', '{"password": [masked:password], "n": 1}'),
        ('{"secret": {"value": "x", "more": {"a": "}"}}, "n": 1}', '{"secret": [masked:password], "n": 1}'),
        ('{\\"token\\": [\\"words\\"]}', '{\\"token\\": [masked:password]}'),
        ("password=[hunter2, hunter3] refused", "password=[masked:password] refused"),
        ("mongodb://u:p/w@host/db", "mongodb://u:[masked:password]@host/db"),
        ("amqp://u:p?w#x/y@mq:5672/v", "amqp://u:[masked:password]@mq:5672/v"),
        ("redis://a:b@mq/x?mail=q@r.example", "redis://a:[masked:password]@mq/x?mail=q@r.example"),
        (f"read {_PEM} from disk", "read [masked:private-key] from disk"),
        (f"İ password=hunter2 then {_JWT}", "İ password=[masked:password] then [masked:jwt]"),
    ],
)
def test_a_secret_of_a_known_form_is_masked_and_nothing_else(text: str, masked: str) -> None:
    assert mask_text(text) == masked
    assert mask_value({"message": text, "n": [text, 1]}) == {"message": masked, "n": [masked, 1]}
    assert mask_text(masked) == masked


@pytest.mark.parametrize(
    "line",
    [
        "session expired for user 42",
        "auth token missing",
        "unexpected token: EOF",
        "primary key=42",
        "max_token=12",
        "secret manager unavailable; passwords are rotated at 10:00",
        "password check failed",
        "the password is wrong",
        "password = null",
        "password: [redacted]",
        "password={}",
        "primary key = 42, max_token = 12",
        "unexpected token : EOF, token: {type: EOF}",
        "GET http://shop.example:8080/users?mail=ann@example.com",
        "pulled docker://registry.example:v2/app@sha256:0a1b",
        "password=null",
        "password: ***",
        "http://checkout:8080/orders?page=2",
        "mailed ann@example.com from http://shop.example/cart",
        "task-scheduler-7d9f8b6c5d-abcde restarted",
        "bearer of bad news, basic arithmetic",
        "-----BEGIN CERTIFICATE-----",
        "keyboard: token ring, monkey=banana",
        "",
    ],
)
def test_a_line_that_only_mentions_a_word_stays_to_the_letter(line: str) -> None:
    assert mask_text(line) == line
    value = {"message": line}
    assert mask_value(value) is value


def test_a_text_under_a_secret_name_is_masked_whole_whatever_it_is() -> None:
    value = {"password": "a b", "db.api-key": "x", "token": "words", "monkey": "x", "passwords": "x", "secret": None, "keys": 7}

    assert mask_value(value) == {
        "password": "[masked:password]",
        "db.api-key": "[masked:password]",
        "token": "[masked:password]",
        "monkey": "x",
        "passwords": "x",
        "secret": None,
        "keys": 7,
    }
    assert mask_value({"password": "null", "token": "[masked:jwt]"}) == {"password": "null", "token": "[masked:jwt]"}


def test_what_is_nested_or_a_number_under_a_secret_name_is_masked_too() -> None:
    value = {
        "password": 93847562,
        "passwd": ["x", 7, None],
        "secret": {"value": "x", "rotates": True, "password=x1": 1, "deep": [{"a": "words"}]},
        "max_token": 8000,
        "token": 93847562,
        "n": 1,
    }

    assert mask_value(value) == {
        "password": "[masked:password]",
        "passwd": ["[masked:password]", "[masked:password]", None],
        "secret": {
            "value": "[masked:password]",
            "rotates": True,
            "password=[masked:password]": "[masked:password]",
            "deep": [{"a": "[masked:password]"}],
        },
        "max_token": 8000,
        "token": "[masked:password]",
        "n": 1,
    }


def test_a_nested_value_that_does_not_end_is_masked_with_its_line_or_as_json_as_far_as_it_is_read() -> None:
    assert mask_text("password=[a, b\nnext line") == "password=[masked:password]\nnext line"
    assert mask_text('{"password": ["' + "a b " * 4_000) == '{"password": [masked:password]'
    flood = '{"password": [' + "a," * 20_000
    assert mask_text(flood) == '{"password": [masked:password],' + "a," * 10_000


def test_a_secret_in_a_key_is_masked_and_the_order_of_the_keys_stays() -> None:
    masked = mask_value({"a": 1, f"seen {_AWS}": {"deep": [f"{_GITHUB}"]}, "z": "password=x1"})

    assert list(masked.items()) == [
        ("a", 1),
        ("seen [masked:aws-access-key]", {"deep": ["[masked:github-token]"]}),
        ("z", "password=[masked:password]"),
    ]


def test_the_value_that_is_masked_is_not_changed_itself() -> None:
    value = {"logs": [{"message": "password=hunter2"}]}

    mask_value(value)

    assert value == {"logs": [{"message": "password=hunter2"}]}


_PIECES = st.sampled_from(
    [
        *"password passwd pwd secret api_key access-key token = : %3D :// @ / . - x hunter2 Abc123xyz null".split(),
        *(_AWS, _JWT, '\\"', '"', " ", "\n", "İ", "é"),
    ]
)


@given(st.lists(st.lists(_PIECES, max_size=8).map("".join), max_size=4))
def test_a_value_is_masked_as_each_of_its_texts_is(texts: list[str]) -> None:
    value: Any = {"logs": [{"message": text, "more": [text, None]} for text in texts]}

    assert mask_value(value) == {"logs": [{"message": mask_text(text), "more": [mask_text(text), None]} for text in texts]}


@pytest.mark.parametrize(
    "piece",
    [
        "password",
        "password=",
        "password = ",
        "password={",
        "password={}",
        "password={\n",
        '"token": [',
        "password        ",
        "://a:b/",
        "://a:b/@sha1",
        "token=",
        "api_key: ",
        "://",
        "://a:",
        "://a:b",
        "eyJ",
        "-eyJabcdefgh",
        "eyJaaaaaaaa.eyJaaaaaaaa",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN RSA ",
        "bearer ",
        "Bearer aaaaaaaaaaaa",
        "sk-",
        "xoxb-",
        "ghp_a",
        "AKIA",
        '\\"',
        "a_",
        "secret_",
    ],
)
def test_hostile_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (20_000, 80_000))

    # Four times the text: a quadratic pattern would take sixteen times as long.
    assert _quickest_s(long) < 9 * _quickest_s(short) + 0.01


def _quickest_s(text: str) -> float:
    times = []
    for _ in range(3):
        started = time.thread_time()
        mask_text(text)
        mask_value({"message": text})
        times.append(time.thread_time() - started)
    return min(times)


def test_what_no_store_takes_is_made_visible() -> None:
    assert make_storable("a\x00b\ud800c") == "a\\x00b\\ud800c"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("PASSWORD='two words here' next", "PASSWORD='[masked:password]' next"),
        ("curl -u admin:adminpass99 http://x", "curl -u admin:[masked:password] http://x"),
        ("docker run -u 1000:1000 image", "docker run -u 1000:1000 image"),
    ],
)
def test_a_quoted_password_and_one_of_a_command_line_are_masked_whole(text: str, masked: str) -> None:
    assert mask_text(text) == masked
