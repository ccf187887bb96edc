"""Every server over TLS on 127.0.0.1: who is trusted is the authority that the settings name, and nobody without one."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendUnavailableError
from tests.certificates import Authority
from tests.every_server import SERVERS, Server
from tests.loopback import serving

SECRET = "h4nter2-Secret"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "own")


@pytest.fixture(scope="module")
def another(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "another")


@pytest.fixture(scope="module")
def certificate(authority: Authority) -> ssl.SSLContext:
    return authority.server("IP:127.0.0.1")


@pytest.fixture(params=list(SERVERS))
def server(request: pytest.FixtureRequest) -> Server:
    return SERVERS[request.param]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def asked() -> list[str]:
    return []


def _answering(server: Server, asked: list[str]) -> Callable[[BaseHTTPRequestHandler], None]:
    inner = server.holding()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.path)
        content = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        said = inner.handle_request(httpx.Request(handler.command, f"http://s.test{handler.path}", content=content))
        body = said.read()
        handler.send_response(said.status_code)
        handler.send_header("Content-Type", said.headers.get("content-type", ""))
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@pytest.fixture
def url(server: Server, certificate: ssl.SSLContext, asked: list[str]) -> Iterator[str]:
    with serving(_answering(server, asked), tls=certificate) as url:
        yield url


def _ask(server: Server, url: str, **options: object) -> tuple[int, tuple[str, ...]]:
    return server.ask(server.make(url, HttpOptions(**options)), "", Deadline.after(10))  # type: ignore[arg-type]


def test_a_server_is_trusted_by_the_authority_that_is_named_and_its_credentials_stand_in_no_log(
    server: Server, url: str, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with_password = url.replace("https://", f"https://ops:{SECRET}@")
    assert _ask(server, with_password, ca_file=authority.ca_file, headers={"X-Api-Key": SECRET})[0] == 1
    assert "httpcore" in {record.name.partition(".")[0] for record in caplog.records}
    assert SECRET not in caplog.text


@pytest.mark.parametrize("who", ["nobody", "another"])
def test_a_server_that_no_trusted_authority_signed_is_told_nothing(
    server: Server, url: str, another: Authority, asked: list[str], who: str
) -> None:
    trusted = {"ca_file": another.ca_file} if who == "another" else {}
    with pytest.raises(BackendUnavailableError, match=f"src: cannot reach {url}: .*certificate verify failed") as refused:
        _ask(server, url, headers={"Authorization": f"Bearer {SECRET}"}, **trusted)
    assert refused.value.hint is not None
    assert "ca_file" in refused.value.hint
    assert asked == []


def test_nor_is_one_of_another_name(server: Server, url: str, authority: Authority, asked: list[str]) -> None:
    with pytest.raises(BackendUnavailableError, match="certificate verify failed: Hostname mismatch"):
        _ask(server, url.replace("127.0.0.1", "localhost"), ca_file=authority.ca_file)
    assert asked == []
