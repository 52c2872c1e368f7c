"""A program linked again in random orders: the same functions, at other places."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from placed_projects import CMAKE, CMAKE_COMMANDS, MAKE, functions
from repositories import new_repository

from assay.revisions.builder import Builder, BuiltRevision
from assay.revisions.cache import BuildCache
from assay.revisions.placements import RelinkRequest
from assay.revisions.recipe import Recipe
from assay.revisions.repository import Repository

# Eighteen functions: an order that is drawn twice would be chance of one in 10^15.
MANY = tuple(f"step{number:02d}" for number in range(18))
WORK = "\n".join(
    f"__attribute__((noinline)) unsigned {name}(unsigned x) "
    f"{{ while (x > {9 + n}) x = x / 3 - 1; return x + {n}; }}"
    for n, name in enumerate(MANY)
)
PROGRAM = (
    "#include <stdio.h>\n"
    + "\n".join(f"unsigned {name}(unsigned);" for name in MANY)
    + "\nint main(int count, char **words) { unsigned x = 99998 + count;\n"
    + "\n".join(f"x += {name}(x);" for name in MANY)
    + '\nprintf("%u\\n", x); return 0; }\n'
)
MORE = "".join(f"int more{one}(void) {{ return {one}; }}\n" for one in range(9))
FILES = {"work_c": WORK, "main_c": PROGRAM}
RESPONSE = """\
bench: main.o work.o
\techo main.o work.o > words.rsp
\t$(CC) -o $@ @words.rsp
\trm words.rsp main.o work.o
%.o: %.c
\t$(CC) -O2 -c -o $@ $<
"""
NEEDS_GOLD = pytest.mark.skipif(not shutil.which("ld.gold"), reason="no ld.gold")
GOLD = "cc -O2 -fuse-ld=gold main.c work.c -o bench"


def built(
    folder: Path,
    commands: tuple[str, ...],
    program: str,
    asked: int = 3,
    holds: bool = True,
    **files: str,
) -> BuiltRevision:
    """The builder is closed; its cache is the test's own."""
    work = new_repository(folder / "a repository")
    work.commit("first", **(files if "go_mod" in files else {**FILES, **files}))
    recipe = Recipe(commands, holds_placement=holds, relinking=RelinkRequest(program, asked))
    builder = Builder(Repository.open(work.root), recipe, cache=BuildCache(folder / "cache"))
    with builder:
        made = builder.build("HEAD")
        assert builder.build("HEAD").relinked == made.relinked, "it is kept with the build"
    return made


def mangled() -> tuple[str, ...]:
    """The functions of the program under their names in C++."""
    return tuple(f"_Z6{name}j" for name in MANY)


def said_by(program: Path) -> str:
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def addresses(programs: tuple[Path, ...]) -> list[dict[str, int]]:
    return [functions(one, MANY) for one in programs]


@pytest.mark.parametrize(
    ("commands", "program", "files"),
    [
        (CMAKE_COMMANDS, "build/bench", {"CMakeLists_txt": CMAKE}),
        (
            ("cmake -S . -B build -G Ninja", "ninja -C build"),
            "build/bench",
            {"CMakeLists_txt": CMAKE},
        ),
        (("make",), "bench", {"Makefile": MAKE}),
        (("make",), "bench", {"Makefile": RESPONSE}),
        (("make", "mkdir bin && cp bench bin/program"), "bin/program", {"Makefile": MAKE}),
        (("cc -O2 main.c work.c -o bench",), "bench", {}),
        (("g++ -O2 -fpermissive -flto main.c work.c -o bench",), "bench", {}),
        pytest.param(
            (GOLD,),
            "bench",
            {},
            marks=pytest.mark.skipif(not shutil.which("ld.gold"), reason="no ld.gold"),
        ),
    ],
    ids=["cmake", "ninja", "make", "response-file", "copied", "one-command", "lto", "gold"],
)
def test_the_same_functions_in_other_orders(
    tmp_path: Path, commands: tuple[str, ...], program: str, files: dict[str, str]
) -> None:
    made = built(tmp_path, commands, program, **files)
    first = made.folder / program
    # At link time g++ gives the functions of a C++ program other names.
    names = mangled() if "g++" in commands[0] else MANY
    placed = made.placements(Path(program))
    assert [str(one.relative_to(made.folder)) for one in placed] == [
        f"{program}.placements/{number}/{first.name}" for number in range(3)
    ], made.relinked.reason
    assert {said_by(one) for one in placed} == {said_by(first)}
    every = [functions(one, names) for one in (first, *placed)]
    assert len({tuple(one) for one in every}) == 4, "in order of address"
    assert len({tuple(sorted(one.values())) for one in every}) > 1
    assert all(not at % 64 for one in every for at in one.values())


@pytest.mark.skipif(not shutil.which("cargo"), reason="no cargo")
def test_a_program_of_cargo(tmp_path: Path) -> None:
    """Its objects are gone when it is built."""
    source = "\n".join(
        f"#[no_mangle] #[inline(never)] pub fn {name}(x: u64) -> u64 {{ x / {n + 3} + {n} }}"
        for n, name in enumerate(MANY)
    )
    calls = " + ".join(f"{name}(x)" for name in MANY)
    files = {
        "Cargo_toml": '[package]\nname = "bench"\nversion = "0.1.0"\nedition = "2021"\n',
        "src__main_rs": f'{source}\nfn main() {{ let x = 99; println!("{{}}", {calls}); }}\n',
    }
    program = "target/release/bench"
    made = built(tmp_path, ("cargo build --release --offline",), program, **files)
    placed = made.placements(Path(program))
    assert len({tuple(one) for one in addresses(placed)}) == 3, made.relinked.reason
    assert {said_by(one) for one in placed} == {said_by(made.folder / program)}
    assert all(not at % 64 for one in addresses(placed) for at in one.values())


@pytest.mark.skipif(not shutil.which("go"), reason="no go")
@pytest.mark.parametrize("holds", [True, False])
def test_a_program_of_go(tmp_path: Path, holds: bool) -> None:
    source = "\n".join(
        f"//go:noinline\nfunc {name}(x int) int {{ return x / {n + 3} + {n} }}"
        for n, name in enumerate(MANY)
    )
    calls = " + ".join(f"{name}(x)" for name in MANY)
    main = f"func main() {{ x := 99; fmt.Println({calls}) }}"
    text = f'package main\nimport "fmt"\n{source}\n{main}\n'
    files = {"go_mod": "module bench\ngo 1.20\n", "main_go": text}
    made = built(tmp_path, ("go build -o bench .",), "bench", holds=holds, **files)
    placed = made.placements(Path("bench"))
    names = tuple(f"main.{name}" for name in MANY)
    orders = [functions(one, names) for one in placed]
    assert len({tuple(one) for one in orders}) == 3, made.relinked.reason
    assert {said_by(one) for one in placed} == {said_by(made.folder / "bench")}
    first = functions(made.folder / "bench", names)
    assert first not in orders, "the build's own program is as it was"
    assert all(not at % 64 for one in orders for at in one.values()) == holds


def test_one_seed_gives_one_order(tmp_path: Path) -> None:
    commands = ("cc -O2 main.c work.c -o bench",)
    one, other = (
        addresses(built(tmp_path / name, commands, "bench").placements(Path("bench")))
        for name in ("one", "other")
    )
    assert one == other
    assert len(one) == 3


def test_a_function_more_leaves_the_order_of_the_others(tmp_path: Path) -> None:
    commands = ("cc -O2 main.c work.c -o bench",)
    more = "unsigned also(unsigned x) { return x * 77; }\n" + WORK
    one = addresses(built(tmp_path / "one", commands, "bench").placements(Path("bench")))
    other = built(tmp_path / "other", commands, "bench", work_c=more).placements(Path("bench"))
    assert [list(places) for places in one] == [list(places) for places in addresses(other)]
    assert len(other) == 3


def test_without_holding_functions_lie_where_they_fall(tmp_path: Path) -> None:
    made = built(tmp_path, ("cc -O2 main.c work.c -o bench",), "bench", holds=False)
    every = addresses(made.placements(Path("bench")))
    assert len(every) == 3
    assert any(at % 64 for one in every for at in one.values())


def test_each_number_is_a_build_of_its_own(tmp_path: Path) -> None:
    work = new_repository(tmp_path / "a repository")
    work.commit("first", **FILES)
    keys = set()
    for relinking in (
        None,
        RelinkRequest("bench", 2),
        RelinkRequest("bench", 3),
        RelinkRequest("bench", 3, 2),
    ):
        recipe = Recipe(("cc main.c work.c -o bench",), relinking=relinking)
        with Builder(
            Repository.open(work.root), recipe, cache=BuildCache(tmp_path / "cache")
        ) as builder:
            keys.add(builder.build("HEAD").key)
    assert len(keys) == 4


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        (
            ("/usr/bin/gcc main.c work.c -o bench",),
            "no compiler that was found by its name linked it",
        ),
        (("cc main.c work.c -o bench && strip bench",), "it has no symbols, which name the"),
        (("cc -s main.c work.c -o bench",), "it has no symbols, which name the functions"),
        (("echo true > bench",), "no compiler that was found by its name linked it"),
        (("cc -fno-function-sections main.c work.c -o bench",), "its functions stay in one order"),
        (("true",), "the build made no program of this name"),
        (("cc main.c work.c -o bench", "rm work.c"), "linking it again fails: "),
    ],
)
def test_what_cannot_be_linked_again_is_told(
    tmp_path: Path, commands: tuple[str, ...], reason: str
) -> None:
    made = built(tmp_path, commands, "bench")
    assert made.placements(Path("bench")) == ()
    assert made.relinked.reason.startswith(reason)
    assert not (made.folder / "bench.placements").exists()


def test_libraries_of_the_build_are_named(tmp_path: Path) -> None:
    """A program finds them from its own folder, below which the new ones lie."""
    commands = (
        "cc -O2 -shared -fPIC work.c -o libwork.so",
        "cc -O2 -shared -fPIC work.c -o libother.so",
        "cc -O2 main.c -o bench -L. -lwork '-Wl,-rpath,$ORIGIN'",
    )
    made = built(tmp_path, commands, "bench", main_c=PROGRAM + MORE)
    assert made.relinked.libraries == ("libwork.so",)
    placed = made.placements(Path("bench"))
    assert {said_by(one) for one in placed} == {said_by(made.folder / "bench")}
    assert len(placed) == 3


def test_nothing_of_the_recording_is_left(tmp_path: Path) -> None:
    made = built(tmp_path, ("make",), "bench", Makefile=MAKE)
    assert not made.lease.place.links.exists()
    assert "link_recorder" not in made.log.read_text()
    assert os.access(made.folder / "work.o", os.R_OK), "the build's own objects stay"
