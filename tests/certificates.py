"""Certificates of an authority of one's own, made by the command ``openssl`` for one run."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

from tests.integration.processes import miss

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """An authority whose certificate is the file ``ca_file``.

    Where there is no ``openssl``, the test is skipped, and fails instead where CI is set.
    """

    def __init__(self, folder: Path) -> None:
        if shutil.which("openssl") is None:
            miss("openssl is not on PATH")
        self._folder = folder
        folder.mkdir()
        self.ca_file = str(folder / "ca.pem")
        use = ("-addext", "keyUsage=critical,keyCertSign", "-subj", "/CN=An authority for tests", "-days", "2")
        self._openssl("req", "-x509", *_KEY, "-keyout", "ca.key", "-out", "ca.pem", *use)

    def server(self, name: str) -> ssl.SSLContext:
        """Return what a server of that name (``IP:127.0.0.1``, ``DNS:a.test``) shows to those who connect."""
        names = f"subjectAltName={name}\nauthorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n"
        (self._folder / "names").write_text(names)
        self._openssl("req", *_KEY, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server")
        signer = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names")
        self._openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", *signer)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._folder / "server.pem", self._folder / "server.key")
        return context

    def _openssl(self, *words: str) -> None:
        subprocess.run(["openssl", *words], cwd=self._folder, check=True, capture_output=True)
