"""True claims whose refs are moved to something that says nothing of the kind."""

from __future__ import annotations

from random import Random

from bench.grounding.claim import SUPPORTED, UNSUPPORTED, Claim, Collection
from bench.grounding.recorded import RecordedSession

_TRIES = 30


def add_wrong_refs(into: Collection, session: RecordedSession, random: Random) -> None:
    """Add each true claim of the session that has keys once more, with a ref at which none of its keys stands."""
    refs = _item_refs(session)
    for claim in list(into):
        if claim.session == session.spec.name and claim.truth == SUPPORTED and claim.keys and random.random() < 0.4:
            moved = _moved(claim, session, refs, random)
            if moved is not None:
                into.add(moved)


def _item_refs(session: RecordedSession) -> list[str]:
    names = {"logs": "logs", "alerts": "alerts", "series": "series", "evidence_blocks": "blocks"}
    return [
        f"i{call.seq}.{short}.{index}"
        for call in session.calls
        for name, short in names.items()
        for index in range(len(call.output.get(name) or ()))
    ]


def _moved(claim: Claim, session: RecordedSession, refs: list[str], random: Random) -> Claim | None:
    for _ in range(_TRIES):
        ref = random.choice(refs)
        if ref not in claim.refs and not any(key.lower() in session.seen_at(ref).lower() for key in claim.keys):
            return Claim(
                session=claim.session,
                half=claim.half,
                text=claim.text,
                refs=(ref,),
                truth=UNSUPPORTED,
                falsehood="wrong_ref_true_claim",
                family=claim.family,
                template=claim.template,
                kind=claim.kind,
                role=claim.role,
            )
    return None
