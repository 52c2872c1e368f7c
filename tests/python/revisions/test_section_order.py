"""Linkers are known by the version that they print."""

import pytest

from assay.revisions.section_order import Linker, linker_of


@pytest.mark.parametrize(
    ("version", "linker"),
    [
        ("GNU ld (GNU Binutils for Debian) 2.40", Linker.LD),
        ("GNU gold (GNU Binutils for Debian 2.40) 1.16", Linker.GOLD),
        ("LLD 14.0.6 (compatible with GNU linkers)", Linker.LLD),
        ("mold 1.10.1 (compatible with GNU ld)", Linker.MOLD),
        ("a linker of its own", None),
    ],
)
def test_a_linker_by_its_version(version: str, linker: Linker | None) -> None:
    assert linker_of(version) is linker
