"""What a reader has to know of how a question was read: names that no source knows, sources that said nothing.

It stands in a step of the session, so that every rendering of it says the same.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Final

from groundwire.domain.incident import Question
from groundwire.domain.masking import make_storable, mask_text
from groundwire.domain.names import StepKind, StepRole, new_id
from groundwire.domain.session import AgentStep
from groundwire.domain.sources import SourceDescription, SourceListing
from groundwire.services.question import bare_name

_SUMMARY: Final = "read the question by what the sources list"
_ALIKE: Final = 0.7
_MOST: Final = 5


def reading_step(session_id: str, question: Question, listing: SourceListing) -> AgentStep | None:
    """Return the step that says it, or None where there is nothing to say."""
    said = [*_unknown(question.subjects, listing.services), *_silent(listing)]
    if not said:
        return None
    return AgentStep(
        id=new_id(),
        session_id=session_id,
        kind=StepKind.HELPER,
        role=StepRole.PLANNER,
        request_summary=_SUMMARY,
        response_text="\n".join(mask_text(make_storable(" ".join(text.split()))) for text in said),
    )


def reading_notes(steps: Sequence[AgentStep]) -> tuple[str, ...]:
    """Return what such a step of a session says."""
    told = [step for step in steps if step.kind is StepKind.HELPER and step.request_summary == _SUMMARY]
    return tuple(line for step in told for line in (step.response_text or "").splitlines())


def _unknown(subjects: Sequence[str], services: Sequence[str]) -> list[str]:
    """Return a sentence for each subject that is none of the services; nothing is known of a name where none is listed."""
    if not services:
        return []
    known = {service.lower() for service in services}
    return [_sentence(subject, services) for subject in subjects if subject.lower() not in known][:_MOST]


def _sentence(subject: str, services: Sequence[str]) -> str:
    by_core = {bare_name(service) or service.lower(): service for service in services}
    close = difflib.get_close_matches(bare_name(subject) or subject.lower(), by_core, n=1, cutoff=_ALIKE)
    hint = f" Did you mean {by_core[close[0]]!r}?" if close else ""
    return f"No source lists a service {subject!r}.{hint}"


def _silent(listing: SourceListing) -> list[str]:
    said = {source.name: source.problems[0].removeprefix(f"{source.name}: ").rstrip(".") for source in silent_sources(listing)}
    told = [f"{name} gave no listing ({why}); what only it knows did not count in the question." for name, why in said.items()]
    return told[:_MOST]


def silent_sources(listing: SourceListing) -> list[SourceDescription]:
    """Return the servers that did not say what they have."""
    return [source for source in listing.sources if source.live and source.problems and not source.services]
