"""`assay trust` over a program that is simulated: what it says where everything is known."""

import filecmp
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, SteppingClock
from simulated_program import SimulatedProgram

from assay.errors import InputError, UsageError
from assay.interrupts import Interrupted
from assay.measure.executor import FinishedProcess, Launch
from assay.model import Settings, Verdict
from assay.progress import Silence
from assay.trust import Trust, VerdictOutcome
from assay.workflows.common.plan import Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.trust import sides
from assay.workflows.trust.plan import TrustPlan
from assay.workflows.trust.workflow import TrustResult, trust

FIVE = {f"BM_{letter}": 50.0 + 10 * place for place, letter in enumerate("abcde")}
ONE_CYCLE_S = 26.0  # of a copy and one slowdown, by the clock of these tests
ONE, ALL = (0.1,), (0.02, 0.05, 0.1)
Answering = Callable[[Launch], FinishedProcess]


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sides, "find_delay", lambda: tmp_path / "libassay_delay.so")


def tried(
    program: SimulatedProgram,
    budget_s: float = ONE_CYCLE_S,
    answer: Answering | None = None,
    slowdowns: tuple[float, ...] = ONE,
) -> TrustResult:
    # A round takes six hundredths of a second, for so often the clock is read.
    runtime = Runtime(ScriptedExecutor(answer or program.answer), SteppingClock(0.01), Silence())
    measuring = Measuring(seed=3)
    plan = TrustPlan(
        str(program.path),
        budget_s=budget_s,
        measuring=measuring,
        settings=Settings(margin=0.02),
        slowdowns=slowdowns,
    )
    return trust(plan, runtime)


def test_a_copy_is_the_same_and_slowdowns_are_found(tmp_path: Path) -> None:
    found = tried(SimulatedProgram(FIVE, tmp_path / "bench"), 60.0, slowdowns=ALL).trust
    _assert_as_injected(found)
    assert [one.injected for one in found.tries] == [0.0, 0.02, 0.05, 0.1]
    assert [one.margin for one in found.tries] == [0.02, 0.005, 0.02, 0.02]
    for tries in found.tries:
        assert tries.wrong.count == 0
        assert tries.right.count >= 0.9 * tries.right.of
        assert tries.right.of == 5 * tries.comparisons
        assert tries.covered.count >= 0.9 * tries.covered.of
    assert found.looked_at == found.benchmarks == 5
    assert found.floor is not None
    assert found.floor.median <= found.floor.most < 0.02
    assert found.failures == ()


def _assert_as_injected(found: Trust) -> None:
    assert found.tries[0].injection is None
    for tries in found.tries[1:]:
        assert tries.injection is not None
        assert tries.injection.least == tries.injection.most == tries.injected
        assert tries.injection.seen == pytest.approx(tries.injected, abs=0.004)


def test_a_benchmark_that_the_delay_does_not_reach_does_not_count(tmp_path: Path) -> None:
    program = SimulatedProgram(FIVE, tmp_path / "bench", unreached=frozenset({"BM_c"}))
    found = tried(program).trust
    for tries in found.tries[1:]:
        assert tries.wrong.count == 0, "it is called the same, and rightly so"
        assert tries.right.of == 4 * tries.comparisons
        assert tries.injection is not None
        assert tries.injection.not_slowed == ("BM_c",)
        answers = {one.answer for one in tries.told if one.benchmark == "BM_c"}
        assert answers == {VerdictOutcome.NOT_SLOWED}


def test_a_judge_that_is_wrong_is_told(tmp_path: Path) -> None:
    """A copy that truly is slower: all that is said of it then counts as wrong."""
    program = SimulatedProgram(FIVE, tmp_path / "bench")

    def answer(launch: Launch) -> FinishedProcess:
        is_copy = Path(launch.argv[0]).parent != tmp_path
        program.levels = {name: time * (1.2 if is_copy else 1) for name, time in FIVE.items()}
        return program.answer(launch)

    found = tried(program, answer=answer).trust
    copy = found.tries[0]
    assert copy.wrong.count == copy.wrong.of
    assert copy.wrong_suites.count == copy.comparisons >= 1
    assert {one.verdict for one in copy.told} == {Verdict.SLOWER}


def test_the_copy_is_another_file_with_the_same_bytes(tmp_path: Path) -> None:
    program = SimulatedProgram(FIVE, tmp_path / "bench")
    copies: set[bool] = set()

    def answer(launch: Launch) -> FinishedProcess:
        path = Path(launch.argv[0])
        if path.parent != tmp_path:
            copies.add(filecmp.cmp(path, program.path, shallow=False))
            assert not path.samefile(program.path)
        return program.answer(launch)

    tried(program, answer=answer)
    assert copies == {True}


def test_both_sides_of_a_slowdown_have_the_library(tmp_path: Path) -> None:
    program = SimulatedProgram(FIVE, tmp_path / "bench")
    tried(program)
    preloaded = [one for one in program.asked if "ASSAY_DELAY_SHARE" in one.env]
    by_place: dict[bool, set[float]] = {True: set(), False: set()}
    for one in preloaded:
        by_place[Path(one.argv[0]).parent == tmp_path].add(float(one.env["ASSAY_DELAY_SHARE"]))
    assert by_place == {True: {0.0}, False: {0.0, 0.1}}


def test_what_cannot_be_preloaded_is_compared_with_its_copy_only(tmp_path: Path) -> None:
    found = tried(SimulatedProgram(FIVE, tmp_path / "bench", is_static=True)).trust
    assert [one.injected for one in found.tries] == [0.0]
    assert "linked statically" in found.why_not_slowed


def test_more_time_is_more_comparisons(tmp_path: Path) -> None:
    two = dict(list(FIVE.items())[:2])
    long = tried(SimulatedProgram(two, tmp_path / "bench"), ONE_CYCLE_S).trust
    assert long.tries[0].comparisons > 1
    seeds = {one.seed for one in long.tries[0].told}
    assert len(seeds) == long.tries[0].comparisons


def test_a_budget_too_small_for_all_looks_at_some_drawn_by_lot(tmp_path: Path) -> None:
    many = {f"BM_{number}": 100.0 for number in range(100)}
    found = tried(SimulatedProgram(many, tmp_path / "bench")).trust
    assert 0 < found.looked_at < 10
    assert found.tries[0].right.count >= 0.8 * found.tries[0].right.of
    first = {f"BM_{number}" for number in range(found.looked_at)}
    assert {one.benchmark for one in found.tries[0].told} != first


def test_a_budget_too_small_for_anything_says_that_nothing_is_known(tmp_path: Path) -> None:
    found = tried(SimulatedProgram(FIVE, tmp_path / "bench"), 0.05).trust
    assert all(one.right.count == one.wrong.count == 0 for one in found.tries)


def test_an_interrupted_comparison_does_not_count(tmp_path: Path) -> None:
    program = SimulatedProgram(FIVE, tmp_path / "bench")

    def answer(launch: Launch) -> FinishedProcess:
        if launch.env.get("ASSAY_DELAY_SHARE", "").startswith("0.1"):
            raise Interrupted(15)
        return program.answer(launch)

    found = tried(program, answer=answer).trust
    assert [one.injected for one in found.tries] == [0.0]
    assert any("does not count" in note for note in found.notes)


def test_a_copy_that_does_not_run_is_refused(tmp_path: Path) -> None:
    program = SimulatedProgram(FIVE, tmp_path / "bench", runs_as_copy=False)
    with pytest.raises(InputError, match="its copy does not run"):
        tried(program)


@pytest.mark.parametrize("target", ["cmd:true", "results.json"])
def test_what_has_no_loops_is_refused(target: str, tmp_path: Path) -> None:
    runtime = Runtime(ScriptedExecutor(lambda _: pytest.fail("ran")), SteppingClock(), Silence())
    (tmp_path / "results.json").write_text('{"context": {}, "benchmarks": []}')
    written = target.replace("results.json", str(tmp_path / "results.json"))
    with pytest.raises((UsageError, InputError)):
        trust(TrustPlan(written), runtime)
