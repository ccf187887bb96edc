"""The investigator that a language model drives. It can ask and phrase; it cannot record, verify or decide."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from groundwire.domain.answer import Draft
from groundwire.domain.incident import Question
from groundwire.domain.money import Price
from groundwire.domain.names import MATERIAL_KINDS, Verdict
from groundwire.domain.verdict import ClaimVerdict
from groundwire.investigators.budget import Limits
from groundwire.investigators.conversation import Conversation
from groundwire.ports import LanguageModel, Progress, ToolGateway

__all__ = ["Limits", "ModelDriven", "Price"]


class ModelDriven:
    """An `Investigator` over a `LanguageModel`; one of it may investigate many questions at once."""

    name = "model"

    def __init__(self, model: LanguageModel, *, limits: Limits | None = None) -> None:
        self._model = model
        self._limits = limits or Limits()
        # A gateway is of one session, and so tells conversations apart; with it, its conversation is forgotten.
        self._conversations: WeakKeyDictionary[ToolGateway, Conversation] = WeakKeyDictionary()

    def draft(self, question: Question, gateway: ToolGateway, progress: Progress) -> Draft:
        """Return the model's claims; an incomplete draft when it gave none, was cut off or could not be reached.

        Raises:
            StoreError: A row or a step could not be written; the run ends.
        """
        conversation = Conversation(self._model, self._limits, question, gateway, progress)
        self._conversations[gateway] = conversation
        return conversation.investigate()

    def revise(self, draft: Draft, verdicts: Sequence[ClaimVerdict], gateway: ToolGateway) -> Draft:
        """Return the draft after one round in which the model saw which material claims do not hold, or the same one."""
        conversation = self._conversations.pop(gateway, None)
        failed = [
            verdict for verdict in verdicts if verdict.claim.kind in MATERIAL_KINDS and verdict.verdict is not Verdict.SUPPORTED
        ]
        if conversation is None or not failed or not draft.complete:
            return draft
        return conversation.repair(draft, failed)
