"""Words of runbooks and of questions: split the same way on both sides, so that one finds the other."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_CAMEL_JOINT: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APOSTROPHES: Final = str.maketrans("", "", "'\u2019")
# Scripts written without spaces: Han, kana and Hangul. FTS5 takes such a run for one word.
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_LONGEST_WORD: Final = 64

STOP_WORDS: Final = frozenset(
    """
    about above after again all also am an and any are arent as at be because been before being below between both but by
    can cannot cant could couldnt did didnt do does doesnt doing done dont during each either else ever every few for from
    further get gets getting go goes going got had has hasnt have havent having he her here him his how if in into is isnt it
    its itself just keep keeps let lets like many may me might more most much must my near no none nor not now of off on once
    one only or other our out over own please same shall she should shouldnt since so some still such than that the their them
    then there these they this those through to too under until up us very was wasnt we were werent what when where whether which
    while who whom whose why will with within without wont would wouldnt yet you your
    """.split()
)
"""English words that stand in any question; ``down`` and ``full`` are none of them, because they say what is wrong."""


def camel_parts(word: str) -> tuple[str, ...]:
    """Return the words of a compound such as ``KubePodCrashLooping``, in its spelling; any other word alone."""
    return tuple(_CAMEL_JOINT.split(word))


def name_key(name: str) -> str:
    """Return what two spellings of one alert name share: ``KubePodCrashLooping`` and ``Kube Pod Crash Looping``."""
    return "".join(_WORD.findall(unicodedata.normalize("NFKC", name))).lower()


def content_words(text: str, *, most: int) -> tuple[str, ...]:
    """Return the lower-case words of a question that say what it is about: distinct, in its order, at most ``most``.

    A compound gives its parts. Stop words, single letters and numbers of one or two digits (``10:00``) are left out. A run of
    a script without spaces gives its overlapping pairs of characters.
    """
    words: dict[str, None] = {}
    for token in _WORD.findall(unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)):
        for run in _spaced(token).split():
            for word in camel_parts(run):
                folded = word.lower()[:_LONGEST_WORD]
                if _says_something(folded):
                    words.setdefault(folded)
        if len(words) >= most:
            break
    return tuple(words)[:most]


def _says_something(word: str) -> bool:
    shortest = 3 if word.isdigit() else 2
    return word not in STOP_WORDS and (len(word) >= shortest or not word.isascii())


def searchable(text: str) -> str:
    """Return ``text`` as the index takes it: compounds also in their parts, scripts without spaces in pairs."""
    normal = unicodedata.normalize("NFKC", text)
    parts = [" ".join(camel_parts(word)) for word in _WORD.findall(normal) if not _is_plain(word)]
    return f"{_spaced(normal)}\n{' '.join(parts)}"


def _is_plain(word: str) -> bool:
    """Return whether a word can be no compound: this spares most words of a text the pattern."""
    rest = word[1:]
    return rest == rest.lower()


def _spaced(text: str) -> str:
    if text.isascii():
        return text
    return _UNSPACED.sub(lambda match: f" {' '.join(_pairs(match[0]))} ", text)


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]
