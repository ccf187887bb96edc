"""Compressed files: all members, bounded pieces, and what stands before a damage."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable

import pytest
import zstandard

from groundwire.adapters.logs.lines import BLOCK
from groundwire.adapters.logs.packing import CorruptFileError, Packing, packing_of


def _zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": _zstd}
Pack = Callable[[bytes], bytes]


@pytest.fixture(params=list(PACKERS.items()), ids=list(PACKERS))
def packing(request: pytest.FixtureRequest) -> tuple[Packing, Pack]:
    name, pack = request.param
    found = packing_of(pack(b"one")[:16])
    assert found is not None
    assert found.name == name
    return found, pack


def test_members_of_a_compressed_file_follow_one_another(packing: tuple[Packing, Pack]) -> None:
    kind, pack = packing
    packed = pack(b"one\n") + pack(b"two\n" * 1_000_000) + pack(b"") + pack(b"three") + b"\0" * 512
    assert b"".join(kind.chunks(io.BytesIO(packed))) == b"one\n" + b"two\n" * 1_000_000 + b"three"


@pytest.mark.parametrize("damage", [lambda packed: packed[:-20], lambda packed: packed + b"rubbish"], ids=["cut", "rubbish"])
def test_what_stands_before_the_damage_is_given_out(packing: tuple[Packing, Pack], damage: Pack) -> None:
    kind, pack = packing
    whole = "".join(f"line {n}\n" for n in range(400_000)).encode()
    given_out = b""
    with pytest.raises(CorruptFileError):
        for chunk in kind.chunks(io.BytesIO(damage(pack(whole)))):
            given_out += chunk
    assert whole.startswith(given_out)
    assert len(given_out) > len(whole) * 0.6


def test_unpacked_pieces_are_bounded(packing: tuple[Packing, Pack]) -> None:
    kind, pack = packing
    pieces = [len(chunk) for chunk in kind.chunks(io.BytesIO(pack(b"\n" * 50_000_000)))]
    assert sum(pieces) == 50_000_000
    assert max(pieces) <= BLOCK


def test_a_file_that_is_not_compressed_is_of_no_packing() -> None:
    assert packing_of(b"2026-11-12 09:00:00 INFO a") is None
