"""Processes of this host: who we are, and whether the owner of a row still runs."""

from __future__ import annotations

import os
import socket
import time
from datetime import UTC, datetime

from groundwire.domain.session import Owner

# Clock sources round the start of a process differently; another process is never this close under a reused id.
_SAME_START_S = 2.0


def current_owner() -> Owner:
    """Return this process as the owner of what it writes."""
    import psutil

    process_id = os.getpid()
    return Owner(host=socket.gethostname(), process_id=process_id, process_start=psutil.Process(process_id).create_time())


def is_alive(owner: Owner) -> bool:
    """Return whether the owner's process still runs; one on another host cannot be seen from here and counts as alive."""
    import psutil

    if owner.host != socket.gethostname():
        return True
    try:
        process = psutil.Process(owner.process_id)
        same = abs(process.create_time() - owner.process_start) <= _SAME_START_S
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


class SystemClock:
    """A `Clock` that reads the clocks of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic_ms(self) -> float:
        return time.monotonic() * 1000
