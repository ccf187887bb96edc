"""Whose certificates are trusted."""

from __future__ import annotations

import ssl
from typing import Final

from groundwire.adapters.servers.address import ServerAddress
from groundwire.domain.errors import UsageError

TRUST: Final = "Name the certificates that are to be trusted in groundwire.toml, with ca_file in the source's table."


def tls_context(address: ServerAddress, ca_file: str | None) -> ssl.SSLContext | bool:
    """Return what says whom to trust: the certificates in ``ca_file``, or those of the system.

    Raises:
        UsageError: The file cannot be read, or holds no certificate.
    """
    if not address.is_https:
        # Loading the certificates takes 20 to 80 ms; without TLS none are needed, and an empty context trusts nobody.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as exc:  # an SSLError is one
        reason = "it holds no certificate in PEM form" if isinstance(exc, ssl.SSLError) else exc.strerror
        raise UsageError(f"cannot use the certificates in {ca_file!r}: {reason}") from exc
