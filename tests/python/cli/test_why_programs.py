"""assay why on programs whose truth is known, whoever's `main` and memory manager they have."""

import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import NATIVE, ROOT

from assay.cli.common.runtime import open_runtime
from assay.explained import Explained
from assay.measure.effort import Effort
from assay.measure.profile.exact.instructions import CountedLoop, counts_by_iterations
from assay.measure.profile.exact.pinned import Valgrind
from assay.measure.targets.gbench import GBenchTarget
from assay.record import reader
from assay.resources import Deltas
from assay.workflows.why.plan import WhyPlan, WhyResult
from assay.workflows.why.workflow import why

Build = Callable[[str], tuple[Path, Path]]

SOURCE = ROOT / "tests" / "native" / "gbench" / "known_loops.cpp"
STAGES = ("work", "memory", "syscalls")
PROGRAMS = [  # whose main, and which loop
    ("assay", "plain"),
    ("assay", "keeps_running"),
    ("assay", "Fixture/in_fixture"),
    ("assay", "in_template<int>"),
    ("assay", "fixed/iterations:40"),
    ("assay", "by_hand/manual_time"),
    ("MAIN_WITH_MANAGER", "plain"),
    ("MAIN_WITH_MANAGER", "fixed/iterations:40"),
    ("MAIN_TWICE", "plain"),
    ("MAIN_OF_THE_USER", "Fixture/in_fixture"),
]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Both executables of one kind of `main`, each built once."""
    made: dict[str, tuple[Path, Path]] = {}

    def built(main: str) -> tuple[Path, Path]:
        if main == "assay":
            tests = NATIVE / "tests"
            return tests / "known_loops_before", tests / "known_loops_after"
        if main not in made:
            folder = tmp_path_factory.mktemp("known")
            for state in ("BEFORE", "AFTER"):
                flags = ("-std=c++20", "-O2", "-g", f"-D{main}", f"-DKNOWN_{state}")
                command = ["c++", *flags, str(SOURCE), "-o", str(folder / state)]
                subprocess.run([*command, "-lbenchmark", "-lpthread"], check=True)
            made[main] = folder / "BEFORE", folder / "AFTER"
        return made[main]

    return built


def asked(both: tuple[Path, Path], name: str, *stages: str) -> WhyResult:
    base, candidate = map(str, both)
    with open_runtime(quiet=True) as runtime:
        return why(WhyPlan(base, candidate, f"^{name}$", stages=stages), runtime)


def answer_of(result: WhyResult) -> Explained:
    assert not result.failures
    (one,) = result.explained
    assert not one.unanswered
    return one


def counted(found: Deltas) -> tuple[float, float]:
    """Of an iteration, before and after."""
    return found.base.times / found.iterations, found.candidate.times / found.iterations


@pytest.mark.parametrize(("main", "name"), PROGRAMS)
def test_what_is_known_of_a_program_is_told_of_it(build: Build, main: str, name: str) -> None:
    one = answer_of(asked(build(main), name, *STAGES))
    assert one.work is not None
    assert one.memory is not None
    assert one.syscalls is not None
    work = {change.function: change for change in one.work.told}
    loop = one.work.loop
    assert work["known::spend()"].amount == 50 * loop.iterations
    assert counted(one.memory.allocations) == (3, 5)
    assert [change.function for change in one.memory.allocations.told] == ["known::take()"]
    calls = one.syscalls.calls
    (asks,) = [change for change in calls.told if change.function == "known::ask()"]
    assert asks.amount.times == calls.iterations


@pytest.mark.parametrize(("main", "name"), PROGRAMS)
def test_its_instructions_are_those_of_its_own_loops(build: Build, main: str, name: str) -> None:
    """Each iteration costs the same, so that counts of other loops would not lie on a line."""
    with open_runtime(quiet=True) as runtime:
        path = str(build(main)[0])
        target = GBenchTarget((path,), path, runtime.executor, reader.parse, 60.0)
        counting = CountedLoop(target, Valgrind.installed(runtime.executor))
        found = counts_by_iterations(counting.launch(name, Effort(), None).sample)
    if len(found) < 2:
        assert list(found) == [40]
        return
    counts = sorted(found)
    slopes = {(found[more] - found[less]) / (more - less) for less, more in pairwise(counts[1:])}
    assert len(slopes) == 1, found


@pytest.mark.parametrize("stage", STAGES)
def test_loops_of_several_threads_are_refused(build: Build, stage: str) -> None:
    result = asked(build("assay"), "threaded/threads:2", stage)
    assert not result.explained
    assert "several threads run its loop" in result.failures[0].what
