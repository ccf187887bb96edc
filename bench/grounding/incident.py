"""The form in which a bench knows an incident: what really happened, for drafts to tell of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """What is wrong with one service.

    ``error`` are words of its error lines; ``cause`` is what these lines themselves give as the reason, to the letter, and
    ``told`` the same in other words; ``alert`` is name and state, ``since`` the clock of its onset. ``behind`` is the service
    whose trouble these lines name as theirs.
    """

    service: str
    error: str
    cause: str | None = None
    told: str = ""
    alert: tuple[str, str] | None = None
    since: str = ""
    behind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearsay:
    """A line of one service about another one; ``own`` is the speaker's own trouble."""

    speaker: str
    words: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A sentence of a runbook and the question it answers; ``told`` says something else of it, where ``told_in`` stands."""

    question: str
    title: str
    sentence: str
    told: str
    told_in: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One incident: ``quiet`` services log no error all the time, ``routine`` are words of what each logs when all is well."""

    session: str
    early: str | None
    troubles: tuple[Trouble, ...]
    quiet: tuple[str, ...]
    routine: dict[str, str]
    hearsay: tuple[Hearsay, ...] = ()
    known: tuple[Known, ...] = ()
    absent_words: tuple[tuple[str, str], ...] = ()
    pods: tuple[tuple[str, str], ...] = ()
