"""Builds hold placement unless they are told not to, and a note says which of them do not."""

import os
from pathlib import Path
from typing import Any

import pytest
from placed_projects import CMAKE, CMAKE_COMMANDS, MAKE, SOURCES, functions
from repositories import new_repository

from assay.facts import Facts
from assay.remarks import LibrariesKept, NotRelinked, PlacementNotHeld
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.placement import notes
from assay.workflows.common.plan import RevisionChoice


def project(commands: tuple[str, ...], program: str, more: str = "") -> str:
    listed = ", ".join(f"'{one}'" for one in commands)
    return f'[build]\ncommands = [{listed}]\n{more}\n[suites.main]\nrun = "{program}"\n'


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Builds a project of these files; its program and the facts of its record."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def built(toml: str, placements: int = 0, **files: str) -> tuple[Path, dict[str, Any]]:
        made = new_repository(tmp_path / "work")
        made.commit("first", assay_toml=toml, **{**SOURCES, **files})
        monkeypatch.chdir(made.root)
        revisions = Revisions(RevisionChoice(placements=placements))
        program = revisions.program("git:HEAD")
        path = program.folder if program.command else Path(program.words[0])
        facts = revisions.builds({"base": "git:HEAD"})
        assert len(program.placements) == placement(facts).get("linked", 0)
        assert all(os.access(one, os.X_OK) for one in program.placements)
        revisions.close()
        return path, {**facts, "targets": {"base": "git:HEAD"}}

    return built


def placement(facts: dict[str, Any]) -> dict[str, Any]:
    return facts["builds"]["base"]["placement"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("commands", "program", "files"),
    [
        (CMAKE_COMMANDS, "build/bench", {"CMakeLists_txt": CMAKE}),
        (("make",), "bench", {"Makefile": MAKE}),
    ],
    ids=["cmake", "make"],
)
def test_a_build_holds_placement(
    build: Any, commands: tuple[str, ...], program: str, files: dict[str, str]
) -> None:
    path, facts = build(project(commands, program), **files)
    places = functions(path)
    assert list(places) == sorted(places), "in one order: by name"
    assert not any(one % 64 for one in places.values())
    assert placement(facts) == {"asked": "hold", "functions": 4, "held": 4}
    assert notes(Facts.read(facts, where="here")) == ()


def test_functions_that_are_never_reached_are_not_counted(build: Any) -> None:
    """Compilers align none of them, and a program can have more of them than of others."""
    never = "\n".join(
        f'__attribute__((cold, noinline)) void never{one}(void) {{ puts("{one}"); }}'
        for one in range(12)
    )
    more = SOURCES["main_c"] + never
    path, facts = build(project(("make",), "bench"), Makefile=MAKE, main_c=more)
    assert any(one % 64 for one in functions(path, [f"never{n}" for n in range(12)]).values())
    assert placement(facts) == {"asked": "hold", "functions": 4, "held": 4}


def test_flags_stay_as_they_are_where_that_is_asked_for(build: Any) -> None:
    path, facts = build(project(("make",), "bench", 'placement = "keep"'), Makefile=MAKE)
    places = functions(path)
    assert list(places) != sorted(places)
    assert placement(facts) == {"asked": "keep"}
    assert notes(Facts.read(facts, where="here")) == ()


def test_a_build_that_ignores_the_flags_is_told(build: Any) -> None:
    """Its Makefile names the compiler by its whole path."""
    path, facts = build(project(("make",), "bench"), Makefile=MAKE.replace("$(CC)", "/usr/bin/gcc"))
    held = sum(
        not one % 64 for one in functions(path, ("alpha", "main", "middle", "zeta")).values()
    )
    assert placement(facts) == {"asked": "hold", "functions": 4, "held": held}
    assert notes(Facts.read(facts, where="here")) == (PlacementNotHeld(("git:HEAD",), held, 4),)


def test_both_sides_alike_are_one_remark() -> None:
    def ignoring(held: int) -> dict[str, Any]:
        seen = {"asked": "hold", "functions": 100, "held": held}
        return {"revision": "a1", "time_s": 1.0, "placement": seen}

    targets = {"base": "git:a", "candidate": "."}
    same = {"base": ignoring(25), "candidate": ignoring(25)}
    (found,) = notes(Facts.read({"builds": same, "targets": targets}, where="here"))
    assert found == PlacementNotHeld(("git:a", "."), 25, 100)
    other = {"base": ignoring(25), "candidate": ignoring(95)}
    (found,) = notes(Facts.read({"builds": other, "targets": targets}, where="here"))
    assert found == PlacementNotHeld(("git:a",), 25, 100)


def test_where_functions_cannot_be_told_apart_nothing_is_claimed(build: Any) -> None:
    """Without objects, the functions of a library of the system could be the program's."""
    steps = ("/usr/bin/gcc -O2 -c work.c -o ../work.o", "ar rc ../work.a ../work.o")
    _, facts = build(project((*steps, "cc -O2 main.c -o bench ../work.a"), "bench"))
    assert placement(facts) == {
        "asked": "hold",
        "unknown": "its own functions cannot be told from those of libraries",
    }
    assert notes(Facts.read(facts, where="here")) == ()


@pytest.mark.parametrize(
    ("run", "why"),
    [("cmd:./bench", "it runs a command"), ("bench", "it is no executable")],
)
def test_what_is_no_executable(build: Any, run: str, why: str) -> None:
    _, facts = build(project(("echo > bench",), run))
    assert placement(facts) == {"asked": "hold", "unknown": why}


def test_archives_of_a_build_are_its_own(build: Any) -> None:
    """Cargo leaves no objects, but archives of them."""
    steps = ("/usr/bin/gcc -O2 -c work.c", "ar rcs work.a work.o", "rm work.o")
    commands = (*steps, "/usr/bin/gcc -O2 main.c -o bench work.a")
    _, facts = build(project(commands, "bench"))
    assert placement(facts)["functions"] == 3


def test_programs_linked_in_random_orders(build: Any) -> None:
    _, facts = build(project(("make",), "bench"), placements=3, Makefile=MAKE)
    assert placement(facts)["linked"] == 3
    assert notes(Facts.read(facts, where="here")) == ()


def test_libraries_that_stay_as_they_are_are_told(build: Any) -> None:
    steps = ("cc -O2 -shared -fPIC work.c -o libwork.so", "cc -O2 main.c -o bench ./libwork.so")
    functions = (f"int more{one}(void) {{ return {one}; }}" for one in range(9))
    more = SOURCES["main_c"] + "\n".join(functions)
    _, facts = build(project(steps, "bench"), placements=2, main_c=more)
    assert notes(Facts.read(facts, where="here")) == (
        LibrariesKept(("git:HEAD",), ("libwork.so",)),
    )


@pytest.mark.parametrize(
    ("commands", "run", "why"),
    [
        (("cc -s main.c work.c -o bench",), "bench", "it has no symbols, which name the functions"),
        (("true",), "cmd:./bench", "a command is run, and no program of the build"),
    ],
)
def test_what_could_not_be_linked_again_is_told(
    build: Any, commands: tuple[str, ...], run: str, why: str
) -> None:
    _, facts = build(project(commands, run), placements=2)
    (found,) = notes(Facts.read(facts, where="here"))
    assert isinstance(found, NotRelinked)
    assert found.targets == ("git:HEAD",)
    assert found.reason.startswith(why)
