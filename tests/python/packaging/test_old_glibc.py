"""The name of a wheel says true: for which machine it is, and the oldest C library it runs with."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
import release
from wheel import made_wheel

# Those linked with no library.
STATIC = {"assay-launch", "assay-os", "assay-os-launch", "assay-os-child"}
# What no glibc lacks since 2.17, in whose time there were all of these machines.
LIBRARIES = {"libc.so.6", "libdl.so.2", "libpthread.so.0", "libgcc_s.so.1"}
ELF = b"\x7fELF"
MACHINES = {"x86_64": "Advanced Micro Devices X86-64", "aarch64": "AArch64"}


@pytest.fixture(scope="module", params=["x86_64", "aarch64"])
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    machine = str(request.param)
    return made_wheel(tmp_path_factory, machine)


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Every file of a wheel that a kernel or a dynamic linker could load."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if file.read(name)[:4] == ELF]
        file.extractall(folder, names)
    return [folder / name for name in names]


def told(program: Path, *words: str) -> str:
    command = ["readelf", "--wide", *words, str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def machine_of(wheel: Path) -> str:
    return re.findall(r"-py3-none-manylinux_\d+_\d+_(\w+)\.whl$", wheel.name)[0]


@pytest.mark.slow
@pytest.mark.xdist_group("old-glibc")
def test_every_program_is_for_the_machine_of_the_tag(wheel: Path, programs: list[Path]) -> None:
    assert {one.name for one in programs} >= {*STATIC, "libassay_preload.so"}
    for one in programs:
        assert MACHINES[machine_of(wheel)] in told(one, "--file-header"), one.name


@pytest.mark.slow
@pytest.mark.xdist_group("old-glibc")
def test_no_program_needs_a_newer_library_than_the_tag_says(
    wheel: Path, programs: list[Path]
) -> None:
    said = tuple(map(int, re.findall(r"-manylinux_(\d+)_(\d+)_", wheel.name)[0]))
    assert said == release.OLDEST_GLIBC
    for one in programs:
        needed = told(one, "--version-info")
        newest = [tuple(map(int, each)) for each in re.findall(r"GLIBC_(\d+)\.(\d+)", needed)]
        assert max(newest, default=(0, 0)) <= said, one.name
        assert not re.search("GLIBCXX|CXXABI|GLIBC_PRIVATE", needed), one.name
        libraries = set(re.findall(r"\(NEEDED\).*\[(.*)\]", told(one, "--dynamic")))
        assert libraries <= LIBRARIES, one.name
        assert bool(newest) == (one.name not in STATIC), "a version is read where there is one"


@pytest.mark.slow
@pytest.mark.xdist_group("old-glibc")
def test_the_tag_is_in_the_wheel_too(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        (name,) = (one for one in file.namelist() if one.endswith(".dist-info/WHEEL"))
        lines = file.read(name).decode().splitlines()
    assert f"Tag: {release.tag(machine_of(wheel))}" in lines


def test_a_machine_without_a_compiler_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "HERE", "x86_64")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert release.main(["--arch", "aarch64"]) == 1
    error = capsys.readouterr().err
    assert error == "error: no compiler for aarch64; run: apt-get install g++-aarch64-linux-gnu\n"
