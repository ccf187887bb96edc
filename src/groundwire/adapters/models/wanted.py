"""What is wanted of a provider, whichever way it is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from groundwire.adapters.models.answer_forms import AnswerForm, schema_in_words
from groundwire.adapters.models.prompted_tools import as_text, calls_schema, tools_in_words
from groundwire.domain.model import MessageRole, ModelMessage, ToolOffer


@dataclass(frozen=True, slots=True)
class Wanted:
    """A conversation and what it is to be answered with. ``words`` of that are added to the system's text.

    ``holds_calls``: calls come back as JSON in the text.
    """

    messages: Sequence[ModelMessage]
    tools: Sequence[ToolOffer]
    schema: Mapping[str, Any] | None
    words: str | None
    holds_calls: bool = False

    def parameters(self, form: AnswerForm) -> ModelRequestParameters:
        offered = [
            ToolDefinition(
                name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters), strict=False
            )
            for tool in self.tools
        ]
        if self.schema is None or form is not AnswerForm.NATIVE:
            return ModelRequestParameters(function_tools=offered)
        answer = OutputObjectDefinition(json_schema=dict(self.schema), name="answer")
        return ModelRequestParameters(function_tools=offered, output_mode="native", output_object=answer)


def native(messages: Sequence[ModelMessage], tools: Sequence[ToolOffer], schema: Mapping[str, Any] | None) -> Wanted:
    """Return what is wanted with the provider's own tools."""
    return Wanted(messages, tools, schema, None if schema is None else schema_in_words(schema))


def prompted(
    messages: Sequence[ModelMessage],
    tools: Sequence[ToolOffer],
    schema: Mapping[str, Any] | None,
    *,
    described: Sequence[ToolOffer],
) -> Wanted:
    """Return the same without tools of the provider: their calls are the JSON that is wanted.

    ``described`` are the tools that the text names; ``tools``, the ones that may be called now, are among them.
    """
    if not tools:
        return native(as_text(messages), (), schema)
    # In front of what differs from one conversation to the next: servers keep what they have read.
    words = ModelMessage(role=MessageRole.SYSTEM, text=tools_in_words(described))
    return Wanted((words, *as_text(messages)), (), calls_schema(tools), None, holds_calls=True)
