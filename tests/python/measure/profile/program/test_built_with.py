"""What an executable says of how it was built."""

import subprocess
from pathlib import Path

import pytest

from assay.measure.profile.program.built_with import BuiltWith, built_with


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A small program built with a flag that matters and some that do not."""
    (tmp_path / "a.cpp").write_text("int main() { return 0; }\n")
    flags = ("-O1", "-g", "-fno-inline", f"-ffile-prefix-map={tmp_path}=here")
    subprocess.run(["g++", *flags, "a.cpp", "-o", "bench"], cwd=tmp_path, check=True)
    return tmp_path / "bench"


def test_flags_that_change_code(built: Path) -> None:
    found = built_with(str(built))
    assert {"-O1", "-fno-inline"} <= found.flags
    assert not [flag for flag in found.flags if flag.startswith(("-g", "-ffile-prefix-map"))]
    assert found.compiler.startswith("GCC")
    assert found.has_symbols


def test_a_stripped_one_has_no_symbols(built: Path) -> None:
    subprocess.run(["strip", str(built)], check=True)
    found = built_with(str(built))
    assert (found.flags, found.has_symbols) == (frozenset(), False)


def test_what_is_no_executable_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("#!/bin/sh\n")
    assert built_with(str(tmp_path / "script")) == BuiltWith()
    assert built_with(str(tmp_path / "missing")) == BuiltWith()
