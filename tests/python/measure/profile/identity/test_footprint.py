"""Real programs, traced for real: what is the same code on the same data, and what is not.

Both sides are built of tests/data/same_code, where one macro makes exactly one thing differ.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.judge.same_code import compare_footprints
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.placed_executor import PlacedExecutor
from assay.measure.profile.identity.footprint import Footprints
from assay.measure.profile.identity.kept import KeptFootprints
from assay.measure.targets.gbench import GBenchTarget
from assay.record import reader
from assay.same_code import Footprint, SameCode

SOURCES = Path(__file__).parents[4] / "data" / "same_code"
FILES = ("loops", "parts", "starts", "setups", "listing", "before", "calls", "tables")
CHANGED = FILES[1:]  # what is compiled with the flags that a test gives
ITERATIONS = 100
Built = Callable[..., Path]

pytestmark = pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A program with these flags, each made once. Its objects are linked in the order given."""
    folder = tmp_path_factory.mktemp("same_code")
    known: dict[tuple[str, ...], Path] = {}
    compiler = ["g++", "-std=c++17", "-O2", "-g"]

    def compiled(name: str, flags: tuple[str, ...]) -> str:
        text = (SOURCES / f"{name}.cpp").read_text()
        key = name, *(one for one in flags if not one.startswith("-D") or macro(one) in text)
        if key not in known:
            known[key] = folder / f"{len(known)}.o"
            source = str(SOURCES / f"{name}.cpp")
            run([*compiler, *key[1:], "-c", source, "-o", str(known[key])])
        return str(known[key])

    def make(*flags: str, order: tuple[str, ...] = FILES, link: str = "") -> Path:
        key = *flags, *order, link
        if key not in known:
            known[key] = folder / str(len(known)) / "bench"
            known[key].parent.mkdir()
            objects = [compiled(name, flags if name in CHANGED else ()) for name in order]
            libraries = ["-lbenchmark", "-lpthread"]
            run([*compiler, *link.split(), *objects, "-o", str(known[key]), *libraries])
        return known[key]

    return make


def macro(flag: str) -> str:
    """The name of the macro that a compiler's flag defines."""
    return flag.removeprefix("-D").partition("=")[0]


def run(words: list[str]) -> None:
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def footprint() -> Callable[[Path, str], Footprint]:
    """Of one benchmark of a program; each is made once."""
    executor = ProcessExecutor(find_launcher())
    made, known = Footprints(executor), dict[tuple[Path, str], Footprint]()

    def of(program: Path, name: str) -> Footprint:
        if (program, name) not in known or name == "BM_input":
            target = GBenchTarget((str(program),), "bench", executor, reader.parse, 600.0)
            known[program, name] = made.footprint(target, name, ITERATIONS)
        return known[program, name]

    return of


@pytest.fixture
def same(built: Built, footprint: Callable[[Path, str], Footprint]) -> Callable[..., SameCode]:
    def asked(name: str, candidate: Path) -> SameCode:
        base = footprint(built(), name)
        assert not base.refused
        assert base.loops
        assert base.code
        return compare_footprints(base, footprint(candidate, name), ITERATIONS)

    return asked


CHANGES = [
    ("BM_constant", "-DCONSTANT=33", "by_constant"),
    ("BM_table", "-DELEMENT=78", "kTable"),
    ("BM_word", '-DWORD="carpet"', '"carpet"'),
    ("BM_weight", "-DSEED=6", "_GLOBAL__sub_I"),
    ("BM_counter", "-DSTART=4", "counter"),
    ("BM_counter", "-DNEIGHBOUR=48", "has another size"),
    ("BM_virtual", "-DPICKED=Doubled", "is not the same"),
    ("BM_order", "-DORDER=255-i", "filled_in_order"),
    ("BM_steps", "-DSTEPS=17", "by_steps"),
    ("BM_switch", "-fno-jump-tables", "by_switch"),
    ("BM_priority", "-DFIRST=203", "order of constructors"),
    ("BM_named", "-DEARLY=303", "order of constructors"),
    ("BM_twins", "-DREAD=high", "the same code refers to other code or data"),
    ("BM_walked", "-DMIDDLE=21", "listed"),
    ("BM_walked", "-DLISTED=42", "listed"),
    ("BM_drawn", "-DSOWN=8", "_GLOBAL__sub_I"),
    ("BM_given", "-DGIVEN=4", "_GLOBAL__sub_I"),
    ("Holder/run", "-DHELD=12", "_GLOBAL__sub_I"),
    ("BM_filled", "-DFILLED=8", "_GLOBAL__sub_I"),
    ("BM_listing", "-DLISTING=14", "lists_all"),
    ("BM_behind", "-DREACHED=16", "_GLOBAL__sub_I"),
    ("BM_helped", "-DHELPED=18", "_GLOBAL__sub_I"),
    ("BM_heaped", "-DHEAPED=20", "_GLOBAL__sub_I"),
    ("BM_again", "-DAGAIN=22", "calls_again"),
    ("BM_padded", "-DPADDED=33", "padded_table"),
    ("BM_adjacent", "-DADJACENT=33", "padded_table"),
    ("BM_distance", "-DSECOND=third_text", "is not the same data"),
    ("BM_distance", '-DSAID="sekond"', "is not the same data"),
    ("BM_named_texts", "-DSECOND=third_text", "is not the same data"),
    ("BM_number", "-DNUMBER=40", "numbers"),
    ("BM_case", "-DTAKEN=3b", "by_case"),
    ("BM_place", "-DPLACE=3", "is not the same data"),
    ("BM_called", "-DCALLED=std::tolower", "refers to other code"),
    ("BM_away", "-DAWAY=std::ispunct", "refers to other code"),
]


@pytest.mark.parametrize(("name", "flag", "named"), CHANGES)
def test_what_changed_is_not_called_the_same(
    built: Built, same: Callable[..., SameCode], name: str, flag: str, named: str
) -> None:
    found = same(name, built(flag))
    assert not found.same
    assert named in found.why


@pytest.mark.parametrize(
    "name",
    [
        *("BM_constant", "BM_table", "BM_word", "BM_switch", "BM_virtual", "BM_padded"),
        *("BM_adjacent", "BM_called", "BM_away", "BM_distance", "BM_named_texts", "BM_case"),
        "BM_no_case",
    ],
)
def test_code_that_lies_elsewhere_is_the_same(
    built: Built, same: Callable[..., SameCode], name: str
) -> None:
    moved = built(order=FILES[::-1], link="-Wl,-z,noseparate-code")
    assert same(name, moved) == SameCode(True, "same machine code")


def test_what_no_benchmark_executes_makes_no_difference(
    built: Built, same: Callable[..., SameCode]
) -> None:
    for name in ("BM_constant", "BM_switch", "BM_counter", "BM_priority", "BM_given"):
        assert same(name, built("-DUNUSED=12345")).same


def test_what_the_engine_was_given_counts_where_nothing_is_inlined(
    built: Built, footprint: Callable[[Path, str], Footprint]
) -> None:
    base = footprint(built("-fno-inline"), "BM_listing")
    other = footprint(built("-fno-inline", "-DLISTING=14"), "BM_listing")
    assert "lists_all" in compare_footprints(base, other, ITERATIONS).why


def test_what_is_set_up_for_others_makes_no_difference(
    built: Built, same: Callable[..., SameCode]
) -> None:
    """Functions of the user's are called for it, before `main` and never again."""
    for flag in ("-DFILLED=8", "-DREACHED=16", "-DHELPED=18", "-DHEAPED=20", "-DUNREAD=24"):
        assert same("BM_table", built(flag)) == SameCode(True, "same machine code")


def test_another_order_of_what_cannot_meet_makes_no_difference(
    built: Built, same: Callable[..., SameCode]
) -> None:
    assert same("BM_aside", built("-DASIDE=403")) == SameCode(True, "same machine code")
    for name in ("BM_priority", "BM_named", "BM_twins"):
        assert same(name, built(order=FILES[::-1])) == SameCode(True, "same machine code")


def test_a_change_of_one_benchmark_leaves_the_others_the_same(
    built: Built, same: Callable[..., SameCode]
) -> None:
    for name in ("BM_table", "BM_word", "BM_switch"):
        assert same(name, built("-DCONSTANT=33")).same


def test_a_program_that_always_lies_at_one_address_and_one_that_is_stripped(
    built: Built, footprint: Callable[[Path, str], Footprint]
) -> None:
    fixed = built("-fno-pie", link="-no-pie")
    moved = built("-fno-pie", link="-no-pie -Wl,-Ttext-segment=0x800000")
    changed = built("-fno-pie", "-DELEMENT=78", link="-no-pie")
    for name in ("BM_table", "BM_word", "BM_switch", "BM_virtual"):
        assert compare_footprints(footprint(fixed, name), footprint(moved, name), ITERATIONS).same
    found = compare_footprints(
        footprint(fixed, "BM_table"), footprint(changed, "BM_table"), ITERATIONS
    )
    assert not found.same
    stripped, other = built(link="-s"), built("-DELEMENT=78", link="-s")
    again = built("-DUNUSED=1", link="-s")
    assert compare_footprints(
        footprint(again, "BM_switch"), footprint(stripped, "BM_switch"), 1
    ).same
    assert not compare_footprints(
        footprint(stripped, "BM_table"), footprint(other, "BM_table"), 1
    ).same


def test_one_side_may_be_stripped(
    built: Built, footprint: Callable[[Path, str], Footprint], same: Callable[..., SameCode]
) -> None:
    for name in ("BM_table", "BM_word", "BM_switch", "BM_virtual", "BM_priority", "BM_called"):
        assert same(name, built(link="-s")) == SameCode(True, "same machine code")
    assert not same("BM_table", built("-DELEMENT=78", link="-s")).same
    assert not same("BM_constant", built("-DCONSTANT=33", link="-s")).same


@pytest.mark.parametrize("link", ["-s", "-Wl,--discard-all"])
def test_a_table_without_a_name_is_compared_to_its_end(
    built: Built, footprint: Callable[[Path, str], Footprint], link: str
) -> None:
    """Other code refers to an entry in its middle."""
    base, other = built(link=link), built("-DLATE=9", link=link)
    found = compare_footprints(footprint(base, "BM_cut"), footprint(other, "BM_cut"), 1)
    assert not found.same
    moved = built("-DCONSTANT=33", link=link)
    assert compare_footprints(footprint(base, "BM_cut"), footprint(moved, "BM_cut"), 1).same


def test_a_file_that_is_read_is_part_of_what_is_done(
    built: Built,
    same: Callable[..., SameCode],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    footprint: Callable[[Path, str], Footprint],
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("abc")
    second.write_text("abd")
    monkeypatch.setenv("SAME_CODE_INPUT", str(first))
    base = footprint(built(), "BM_input")
    monkeypatch.setenv("SAME_CODE_INPUT", str(second))
    other = footprint(built(), "BM_input")
    found = compare_footprints(base, other, ITERATIONS)
    assert found == SameCode(False, "it opens second, which is not the same file")
    second.write_text("abc")
    assert compare_footprints(base, footprint(built("-DUNUSED=12345"), "BM_input"), ITERATIONS).same


def test_a_file_is_looked_for_where_the_program_runs(
    built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAME_CODE_INPUT", "input")
    made = Footprints(ProcessExecutor(find_launcher()))
    found = []
    for content in ("abc", "abd"):
        folder = tmp_path / content
        folder.mkdir()
        (folder / "input").write_text(content)
        placed = PlacedExecutor(ProcessExecutor(find_launcher()), folder, {})
        target = GBenchTarget((str(built()),), "bench", placed, reader.parse, 600.0)
        found.append(made.footprint(target, "BM_input", ITERATIONS))
    said = compare_footprints(found[0], found[1], ITERATIONS)
    assert said == SameCode(False, "it opens input, which is not the same file")


@pytest.mark.parametrize("link", ["", "-Wl,-z,now", "-Wl,-z,ibtplt"])
def test_which_function_a_stub_leads_to(
    built: Built, footprint: Callable[[Path, str], Footprint], link: str
) -> None:
    """Whatever section the linker puts the stub into: `.plt`, `.plt.got` or `.plt.sec`."""
    base = built(link=link)
    assert b".plt.got\0" in base.read_bytes()
    for name, other in (("BM_called", "-DCALLED=std::tolower"), ("BM_away", "-DAWAY=std::ispunct")):
        ours = footprint(base, name)
        moved = footprint(built("-DUNUSED=12345", order=FILES[::-1], link=link), name)
        changed = footprint(built(other, link=link), name)
        assert compare_footprints(ours, moved, 1) == SameCode(True, "same machine code")
        assert "refers to other code" in compare_footprints(ours, changed, 1).why


def test_code_that_is_made_while_the_program_runs_is_refused(
    built: Built, footprint: Callable[[Path, str], Footprint]
) -> None:
    assert "code that is in no file" in footprint(built(), "BM_made").refused


def test_fewer_iterations_than_a_launch_has_leave_open_what_comes_later(
    built: Built, same: Callable[..., SameCode], footprint: Callable[[Path, str], Footprint]
) -> None:
    base, other = footprint(built(), "BM_rare"), footprint(built("-DRARE=3"), "BM_rare")
    most = min(base.iterations, other.iterations)
    assert "iterations were traced" in compare_footprints(base, base, 10 * most).why
    assert not compare_footprints(
        base, other, most
    ).same  # it ran a thousand iterations, and one was rare


def test_a_footprint_is_kept_until_what_it_is_of_changes(built: Built, tmp_path: Path) -> None:
    executor = ProcessExecutor(find_launcher())
    program = tmp_path / "bench"
    shutil.copy(built(), program)
    target = GBenchTarget((str(program),), "bench", executor, reader.parse, 600.0)
    calls = list[str]()

    class Counted(Footprints):
        def footprint(
            self, target: GBenchTarget, benchmark: str, iterations: int, loop_s: float = 0.0
        ) -> Footprint:
            calls.append(benchmark)
            return super().footprint(target, benchmark, iterations, loop_s)

    kept = KeptFootprints(Counted(executor), tmp_path / "kept")
    first = kept.footprint(target, "BM_table", 50)
    assert kept.footprint(target, "BM_table", 20) == first
    assert calls == ["BM_table"]
    (damaged,) = (tmp_path / "kept").glob("*.json")
    damaged.write_bytes(damaged.read_bytes()[:50])
    assert kept.footprint(target, "BM_table", 20).code == first.code
    assert calls == ["BM_table"] * 2


def test_what_cannot_be_traced_says_why(tmp_path: Path) -> None:
    executor = ProcessExecutor(find_launcher())
    target = GBenchTarget(("/bin/true",), "true", executor, reader.parse, 60.0)
    made = Footprints(executor).footprint(target, "BM_any", 1)
    assert "it never called" in made.refused
    threaded = Footprints(executor).footprint(target, "BM_any/threads:2", 1)
    assert "several threads" in threaded.refused
    assert not compare_footprints(made, made, 1).same
