"""How questions and runbooks are split into words."""

from __future__ import annotations

import pytest

from groundwire.adapters.knowledge.words import camel_parts, content_words, name_key, searchable


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("KubePodCrashLooping", ("Kube", "Pod", "Crash", "Looping")),
        ("etcdNoLeader", ("etcd", "No", "Leader")),
        ("KubeAPIDown", ("Kube", "API", "Down")),
        ("OOMKilled", ("OOM", "Killed")),
        ("Watchdog", ("Watchdog",)),
        ("503", ("503",)),
    ],
)
def test_a_compound_is_split_where_a_person_would(word: str, parts: tuple[str, ...]) -> None:
    assert camel_parts(word) == parts


@pytest.mark.parametrize(
    "spelling", ["Kube Pod Crash Looping", "kubePodCrashLooping", "kube-pod-crash-looping", "KUBE_POD_CRASH_LOOPING"]
)
def test_spellings_of_one_alert_name_have_one_key(spelling: str) -> None:
    assert name_key(spelling) == name_key("KubePodCrashLooping")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("Why is the order-service down?", ("order", "service", "down")),
        ("it won't start, doesn't stop", ("start", "stop")),
        ("HikariPool HikariPool-1", ("hikari", "pool")),
        ("timed out after 30000ms", ("timed", "30000ms")),
        ("status 503 since 10:05", ("status", "503")),
        ('"x" OR NEAR(a b) title:*', ("title",)),
        ("数据库连接", ("数据", "据库", "库连", "连接")),
        ("ﬁle ＦＵＬＬ", ("file", "full")),
        ("what is it?", ()),
        ("?!\x00\ud800", ()),
    ],
)
def test_a_question_is_reduced_to_the_words_that_say_what_it_is_about(query: str, words: tuple[str, ...]) -> None:
    assert content_words(query, most=64) == words


def test_a_question_gives_no_more_words_than_are_wanted() -> None:
    assert content_words(" ".join(f"word{number}" for number in range(100)), most=3) == ("word0", "word1", "word2")


def test_text_is_indexed_with_the_parts_of_its_compounds_and_the_pairs_of_unspaced_scripts() -> None:
    assert searchable("HikariPool 連接池").split() == ["HikariPool", "連接", "接池", "Hikari", "Pool"]
