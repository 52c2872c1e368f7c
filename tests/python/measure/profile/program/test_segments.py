"""The segments of an executable, as the compiler here writes it, and of files that are none."""

import subprocess
from pathlib import Path

import pytest

from assay.measure.profile.program.segments import Segments

SOURCE = """
int called(int x) { return x * 3; }
int main(int argc, char**) { return called(argc) + called(2); }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elf")
    (folder / "a.cpp").write_text(SOURCE)
    subprocess.run(["c++", "-O0", "a.cpp", "-o", "dynamic"], cwd=folder, check=True)
    subprocess.run(["c++", "-O0", "-static", "a.cpp", "-o", "static"], cwd=folder, check=True)
    return folder / "dynamic"


def test_who_loads_it(program: Path) -> None:
    assert "ld-linux" in Segments.of_file(str(program)).interpreter
    assert Segments.of_file(str(program.parent / "static")).interpreter == ""


def test_what_an_instruction_calls(program: Path) -> None:
    listed = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout
    addresses = {
        line.split()[-1]: int(line.split()[0], 16) for line in listed.splitlines() if line[0] != " "
    }
    elf = Segments.of_file(str(program))
    inside = range(addresses["main"], addresses["main"] + 80)
    targets = [elf.call_target_before(at) for at in inside]
    assert targets.count(addresses["_Z6calledi"]) == 2
    assert elf.call_target_before(2**60) is None


def test_bytes_of_the_file_have_an_address(program: Path) -> None:
    elf = Segments.of_file(str(program))
    assert elf.address(0x40) == 0x40
    assert elf.address(2**60) == 2**60


@pytest.mark.parametrize("length", [0, 3, 6, 40, 64, 100, 500])
def test_what_is_cut_short_says_nothing(program: Path, tmp_path: Path, length: int) -> None:
    (tmp_path / "cut").write_bytes(program.read_bytes()[:length])
    assert Segments.of_file(str(tmp_path / "cut")).call_target_before(0x1000) is None
    assert Segments.of_file(str(tmp_path / "missing")).interpreter == ""
