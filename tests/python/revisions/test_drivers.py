"""Drivers add the flags which hold placement, and leave a build otherwise as it is."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from placed_projects import LIBRARY, MAKE, PROGRAM, functions

from assay.revisions.drivers import Additions, drivers_used, write_drivers

CLANG = shutil.which("clang-14") or shutil.which("clang")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "the sources"
    folder.mkdir()
    (folder / "work.c").write_text(LIBRARY)
    (folder / "main.c").write_text(PROGRAM)
    (folder / "Makefile").write_text(MAKE)
    return folder


@pytest.fixture
def drivers(tmp_path: Path) -> Path:
    return tmp_path / "the drivers"


def run(command: str, sources: Path, drivers: Path, **variables: str) -> str:
    """What a build says that runs with the drivers."""
    before = {**os.environ, **variables}
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=sources,
        env={**before, **write_drivers(drivers, before, Additions())},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def is_held(program: Path) -> bool:
    places = functions(program)
    return list(places) == sorted(places) and not any(one % 64 for one in places.values())


def test_a_command_that_names_no_variable_is_reached(sources: Path, drivers: Path) -> None:
    subprocess.run(["cc", "-O2", "main.c", "work.c", "-o", "plain"], cwd=sources, check=True)
    assert not is_held(sources / "plain"), "or this test shows nothing"
    run("cc -O2 main.c work.c -o bench", sources, drivers)
    assert is_held(sources / "bench")
    assert drivers_used(drivers)


def test_a_makefile_keeps_the_flags_it_has_where_none_are_set(sources: Path, drivers: Path) -> None:
    said = run("make", sources, drivers, CFLAGS="-O1")
    assert "-O1" in said
    said = run("make clean all || make -B", sources, drivers.with_name("others"))
    assert "-O2" in said, "CFLAGS in the environment would have replaced it"
    assert is_held(sources / "bench")


def test_what_the_project_asks_for_wins(sources: Path, drivers: Path) -> None:
    run("cc -O2 -falign-functions=256 main.c work.c -o bench", sources, drivers)
    assert not any(one % 256 for one in functions(sources / "bench").values())


@pytest.mark.skipif(not CLANG, reason="no clang")
def test_clang_warns_of_nothing(sources: Path, drivers: Path) -> None:
    name = Path(str(CLANG)).name
    warned = "-O2 -Wall -Werror"
    (sources / "empty.s").write_text(".text\n")  # for which no flag of a compiler is of use
    run(f"{name} {warned} -c empty.s", sources, drivers.with_name("first"))
    run(f"{name} {warned} -c work.c && {name} {warned} -c main.c", sources, drivers)
    run(f"{name} {warned} main.o work.o -o bench", sources, drivers.with_name("others"))
    assert is_held(sources / "bench")


def test_a_compiler_of_cc_by_its_whole_path(sources: Path, tmp_path: Path) -> None:
    compiler, drivers = shutil.which("gcc"), tmp_path / "drivers"
    run("$CC main.c work.c -o bench", sources, drivers, CC=f"{compiler} -O2")
    assert is_held(sources / "bench")


def test_a_compiler_that_looks_for_another_of_its_name_finds_no_driver(
    sources: Path, drivers: Path, tmp_path: Path
) -> None:
    """As ccache does, under the name of a compiler: it would call the driver, and that it."""
    before = tmp_path / "before"
    before.mkdir()
    (before / "gcc").write_text(
        f'#!/bin/sh\nPATH=${{PATH#{before}:}}\nexport PATH\nexec gcc "$@"\n'
    )
    (before / "gcc").chmod(0o755)
    path = f"{before}:{os.environ['PATH']}"
    run("ulimit -t 20; gcc -O2 main.c work.c -o bench", sources, drivers, PATH=path)
    assert is_held(sources / "bench")


def test_asking_a_compiler_links_nothing(sources: Path, drivers: Path) -> None:
    assert "undefined" not in run("gcc -v && gcc -dumpmachine && cc --version", sources, drivers)


def test_a_program_that_is_no_known_compiler_is_left_alone(
    sources: Path, drivers: Path, tmp_path: Path
) -> None:
    (tmp_path / "cc").write_text('#!/bin/sh\necho "cc of nobody: $*"\n')
    (tmp_path / "cc").chmod(0o755)
    said = run("cc x.c", sources, drivers, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert said == "cc of nobody: x.c\n"


def test_rustc_is_called_by_the_wrapper_that_the_user_has(
    sources: Path, drivers: Path, tmp_path: Path
) -> None:
    wrapper = tmp_path / "my wrapper"
    wrapper.write_text('#!/bin/sh\necho "wrapped $*"\n')
    wrapper.chmod(0o755)
    asked = '"$RUSTC_WRAPPER" rustc --crate-name x x.rs; "$RUSTC_WRAPPER" rustc -vV'
    lines = run(asked, sources, drivers, RUSTC_WRAPPER=str(wrapper)).splitlines()
    assert lines == [
        "wrapped rustc --crate-name x x.rs -Cllvm-args=-align-all-functions=6",
        "wrapped rustc -vV",
    ]


@pytest.mark.parametrize(
    ("version", "flags", "given"),
    [
        ("go1.25.1", "-mod=vendor", "-mod=vendor -ldflags=-funcalign=64"),
        ("go1.24.9", "-mod=vendor", None),
        ("go1.26", "'-ldflags=-s -w'", None),
        ("devel", "", None),
    ],
)
def test_go_flags_are_added_to_those_that_are_there(
    tmp_path: Path, drivers: Path, version: str, flags: str, given: str | None
) -> None:
    (tmp_path / "go").write_text(f'#!/bin/sh\necho {version}\necho "{flags}"\n')
    (tmp_path / "go").chmod(0o755)
    changed = write_drivers(drivers, {"PATH": f"{tmp_path}:/usr/bin:/bin"}, Additions())
    assert changed.get("GOFLAGS") == given
