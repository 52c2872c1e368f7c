"""Programs whose debug information valgrind cannot read are traced all the same."""

import shutil
import subprocess
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.judge.same_code import compare_footprints
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.profile.identity.bare_copy import bare_copy
from assay.measure.profile.identity.footprint import Footprints
from assay.measure.profile.identity.loaded import loaded_digest
from assay.measure.profile.program.binary import Binary
from assay.measure.targets.gbench import GBenchTarget
from assay.record import reader
from assay.same_code import Footprint, SameCode

SOURCES = Path(__file__).parents[4] / "data" / "same_code"
CLANG = shutil.which("clang++-14") or shutil.which("clang++")
FLAGS = ("-std=c++17", "-O2", "-g", "-gdwarf-5", "-fPIC", "-pie")


def run(*words: str | Path) -> None:
    subprocess.run([*map(str, words)], check=True, stdin=subprocess.DEVNULL)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "main.cpp").write_text("int main() { return 7; }")
    run("g++", "-g", tmp_path / "main.cpp", "-o", tmp_path / "program")
    return tmp_path / "program"


def names(path: Path) -> list[str]:
    with Binary(str(path)) as binary:
        return [one.name for one in binary.sections]


def test_a_copy_loads_the_same_and_is_removed(program: Path) -> None:
    before = program.read_bytes()
    assert ".debug_info" in names(program)
    with bare_copy(program) as copy:
        assert copy.parent == program.parent
        assert not any(one.startswith(".debug") for one in names(copy))
        with Binary(str(program)) as ours, Binary(str(copy)) as theirs:
            assert loaded_digest(ours) == loaded_digest(theirs)
        assert subprocess.run([str(copy)], check=False).returncode == 7
    assert not copy.exists()
    assert program.read_bytes() == before


def test_the_copy_of_a_killed_process_is_removed_by_the_next(program: Path) -> None:
    """And that of a living one stays."""
    left = program.with_name(".assay-bare-left")
    shutil.copy(program, left)
    with bare_copy(program) as first:
        assert not left.exists()
        with bare_copy(program) as second:
            assert first.exists()
            assert second.exists()
    assert [path.name for path in program.parent.glob(".assay-*")] == []


def test_what_is_no_program_is_refused_and_nothing_is_left(program: Path, tmp_path: Path) -> None:
    content = program.read_bytes()
    folder = tmp_path / "damaged"
    folder.mkdir()
    for damaged in (b"", b"#!/bin/sh\n" * 20, content[:60], content[:500]):
        (folder / "file").write_bytes(damaged)
        with pytest.raises(InputError), bare_copy(folder / "file"):
            pass
    assert [one.name for one in folder.iterdir()] == ["file"]


@pytest.mark.skipif(not CLANG or not shutil.which("valgrind"), reason="no clang, or no valgrind")
def test_what_clang_makes_of_a_switch_and_its_debug_information(tmp_path: Path) -> None:
    executor = ProcessExecutor(find_launcher())

    def footprint(name: str, *flags: str) -> Footprint:
        folder = tmp_path / str(abs(hash(flags)))
        folder.mkdir(exist_ok=True)
        bench = folder / "bench"
        if not bench.exists():
            source = SOURCES / "texts.cpp"
            run(str(CLANG), *FLAGS, *flags, source, "-lbenchmark", "-lpthread", "-o", bench)
        target = GBenchTarget((str(bench),), "bench", executor, reader.parse, 600.0)
        found = Footprints(executor).footprint(target, name, 100)
        assert [one.name for one in folder.iterdir()] == ["bench"]
        assert not found.refused
        assert str(bench) in found.files
        return found

    base = {name: footprint(name) for name in ("BM_text", "BM_number")}
    same = SameCode(True, "same machine code")
    for name, one in base.items():
        assert compare_footprints(one, footprint(name, "-DMORE"), 1) == same
    for name, flag in (("BM_text", '-DFOURTH="flour"'), ("BM_number", "-DNUMBER=8")):
        assert not compare_footprints(base[name], footprint(name, flag), 1).same
    assert compare_footprints(base["BM_number"], footprint("BM_number", '-DFOURTH="x"'), 1).same
