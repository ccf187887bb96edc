"""A service that is nobody's: that no alert names it may mean that it is spelled in another way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from groundwire.domain.metrics import AlertPage
from groundwire.tools.alert_selection import is_of_service

_PROVES_NOTHING: Final = "no source lists a service {!r}, so that no alert names it proves nothing"


def unknown_service(service: str | None, pages: Sequence[AlertPage], known: Callable[[], Sequence[str]]) -> tuple[str, ...]:
    """Return why the silence of alerts about a service proves nothing: no source lists it, and no alert or rule names it.

    Where the sources list no services at all, nothing is known of the name, and nothing is said.
    """
    if service is None or not pages:
        return ()
    if any(is_of_service(alert, service) for page in pages for alert in (*page.alerts, *page.inactive)):
        return ()
    listed = [name.casefold() for name in known()]
    # A call may name an instance, such as a pod, whose name goes on behind that of its service.
    is_listed = any(f"{service.casefold()}-".startswith(f"{name}-") for name in listed)
    return () if is_listed or not listed else (_PROVES_NOTHING.format(service),)
