"""Every error that Groundwire raises on purpose.

GroundwireError
├── UsageError                   bad input of the caller: names the field, what was given, what is accepted
│   ├── NotFoundError            an unknown session, ref or claim
│   └── UnknownToolError         a tool name that is none of ours
├── ToolError                    a tool call that becomes a ``failed`` row; carries its ``error_type``
│   ├── InvalidParamsError       invalid_params
│   ├── NotConfiguredError       not_configured
│   └── BackendError             a foreign system, in its own words
│       ├── BackendTimeoutError      timeout
│       ├── BackendUnavailableError  unavailable
│       ├── BackendRejectedError     rejected
│       └── BackendMalformedError    malformed; keeps the answer
└── StoreError                   evidence cannot be recorded: the run ends
    ├── StoreLockedError  StoreFullError  StoreReadOnlyError  StoreVersionError  StoreUnavailableError

Interruption (a KeyboardInterrupt) is what becomes of Ctrl-C once it is known which session it leaves behind.
"""

from __future__ import annotations


class GroundwireError(Exception):
    """The root. ``message`` is one sentence for a person, ``hint`` says what to do about it (or is None)."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Interruption(KeyboardInterrupt):
    """A person ended a run; ``session_id`` is the session that it leaves behind, None when none was opened yet."""

    def __init__(self, session_id: str | None) -> None:
        super().__init__()
        self.session_id = session_id


class UsageError(GroundwireError):
    """The caller's input cannot be used; nothing was done."""


class NotFoundError(UsageError):
    """No session, ref or claim goes by that name."""


class UnknownToolError(UsageError):
    """No tool goes by that name; nothing was called."""


class ToolError(GroundwireError):
    """A tool call failed; the recorder turns this into a ``failed`` row with ``error_type``."""

    error_type = "internal"


class InvalidParamsError(ToolError):
    """The parameters do not parse or do not fit; nothing was called."""

    error_type = "invalid_params"


class NotConfiguredError(ToolError):
    """No configured source can answer: not looked is not the same as looked and found nothing."""

    error_type = "not_configured"


class BackendError(ToolError):
    """A foreign system failed. ``backend`` names it; the message holds its own words."""

    def __init__(self, backend: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(f"{backend}: {message}", hint=hint)
        self.backend = backend
        self.backend_message = message


class BackendTimeoutError(BackendError):
    """No answer within the deadline."""

    error_type = "timeout"

    def __init__(self, backend: str, *, after_s: float) -> None:
        super().__init__(backend, f"no answer within {after_s:g} s")


class BackendUnavailableError(BackendError):
    """It could not be reached, or cannot be read."""

    error_type = "unavailable"


class BackendRejectedError(BackendError):
    """It was reached and refused the query."""

    error_type = "rejected"


class BackendMalformedError(BackendError):
    """It answered what cannot be parsed; ``answer`` keeps the start of what it said."""

    error_type = "malformed"

    def __init__(self, backend: str, message: str, *, answer: str, hint: str | None = None) -> None:
        super().__init__(backend, message, hint=hint)
        self.answer = answer


class StoreError(GroundwireError):
    """The store cannot record or read; evidence that cannot be recorded is not used."""


class StoreLockedError(StoreError):
    """Another process held the database beyond the deadline."""


class StoreFullError(StoreError):
    """No room is left for the database."""


class StoreReadOnlyError(StoreError):
    """The database or its folder cannot be written."""


class StoreVersionError(StoreError):
    """The database was written by a newer Groundwire."""


class StoreUnavailableError(StoreError):
    """The database cannot be opened or reached, or is not a Groundwire database."""
