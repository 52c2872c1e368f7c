"""The stage of time: rounds of both sides, what is told when one fails or somebody interrupts."""

import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, finished

from assay.errors import LaunchError, MeasurementError
from assay.explained import Explained
from assay.interrupts import Interrupted
from assay.judge.attribution.shares import least_rounds
from assay.measure.effort import Effort
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.profile.sampled.perf import LIBRARY, Perf, PerfRecording
from assay.measure.profile.sampled.perf_text import RawFrame, RawSample
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.target import LaunchResult
from assay.model import Record, Sample, Side
from assay.progress import Silence
from assay.record import reader
from assay.timed import Instructions, Timed
from assay.work import Attribution, Call, Calls, ExactWork, Node, Place, Profile, Work
from assay.workflows.common.runtime import Runtime
from assay.workflows.why import time as time_stage
from assay.workflows.why.stage import CutShort, StageError, WhySides
from assay.workflows.why.time import TimeStage

SLOWER_NS = {"find": 360, "parse": 500}
BASE_NS = {"find": 300, "parse": 500}


@dataclass
class Clock:
    """A second a look."""

    now: float = 0.0

    def now_s(self) -> float:
        self.now += 1.0
        return self.now


@dataclass
class Scripted:
    """A command whose time and samples are said beforehand."""

    times_ns: dict[str, int]
    fails_at: int = -1
    interrupted_at: int = -1
    launches: list[Effort] = field(default_factory=list)

    def target(self, name: str) -> CommandTarget:
        return ScriptedTarget((f"/home/me/{name}",), name, "command", _executor(), 60.0, self)

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        ns = float(sum(self.times_ns.values()))
        sample = Sample(
            benchmark=benchmark,
            values={"real_time": (ns,), "cpu_time": (ns,)},
            time_unit="ns",
            iterations=1,
        )
        return LaunchResult(sample, Record(context={}, facts={}, samples=(sample,)), finished())

    def record(self, benchmark: str, effort: Effort) -> PerfRecording:
        number = len(self.launches)
        self.launches.append(effort)
        if number == self.fails_at:
            raise LaunchError("it crashed with SIGSEGV")
        if number == self.interrupted_at:
            raise Interrupted(2)
        samples = tuple(
            RawSample(1, 0, 1_000, (RawFrame(1, name, "/home/me/bench"),))
            for name, ns in self.times_ns.items()
            for _ in range(ns + (7 * number) % 5)
        )
        return PerfRecording(self.launch(benchmark, effort, None), samples, loop_only=False)


class ScriptedTarget(CommandTarget, frozen=True):
    """A command that runs nothing: its script answers."""

    script: Scripted

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        return self.script.launch(benchmark, effort, cpu)


class ScriptedPerf:
    """Asks the scripts."""

    event, sees_kernel = "made", True

    def __init__(self, executor: object) -> None:
        pass

    def record(
        self, target: ScriptedTarget, name: str, effort: Effort, cpu: int | None
    ) -> PerfRecording:
        return target.script.record(name, effort)


def _executor() -> ScriptedExecutor:
    return ScriptedExecutor(lambda _: finished())


def stage(base: Scripted, candidate: Scripted, monkeypatch: pytest.MonkeyPatch) -> TimeStage:
    monkeypatch.setattr(time_stage, "Perf", ScriptedPerf)
    runtime = Runtime(_executor(), Clock(), Silence())
    return TimeStage(WhySides(base.target("old"), candidate.target("new"), runtime))


def test_the_slower_function_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = stage(Scripted(BASE_NS), Scripted(SLOWER_NS), monkeypatch)
    found = asked.explain(Explained("command"), ("command", "command")).time
    assert found is not None
    assert [one.function for one in found.told] == ["find"]
    assert found.rounds == time_stage.MOST_ROUNDS
    assert found.base == pytest.approx(800_000_000, rel=0.01)
    assert set(found.stacks.base) == {("find",), ("parse",)}


def test_what_exact_work_counted_is_told_of_each_function_with_its_libraries() -> None:
    find, copy = Node(("find",), own=True), Node(("memmove",), own=False)
    call = {Call(find, Place("a.cpp", 3), copy): Calls(5, 40)}

    def side(cost: int) -> Profile:
        loop = Work(10, {(find, Place("a.cpp", 2)): cost, (copy, Place()): 40}, call)
        return Profile(loop, Work(1, {}, {}))

    nothing = Attribution(10, 0, 0, ())
    work = ExactWork(nothing, nothing, sides=(side(100), side(160)))
    known = time_stage._instructions(Explained("BM", work=work))
    assert known == {"find": Instructions(140, 200)}
    assert time_stage._instructions(Explained("BM")) == {}


def test_the_budget_ends_the_rounds_but_not_before_the_least(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time_stage, "BUDGET_S", 0.0)
    asked = stage(Scripted(BASE_NS), Scripted(BASE_NS), monkeypatch)
    found = asked.explain(Explained("command"), ("command", "command")).time
    assert found is not None
    assert found.rounds == time_stage.LEAST_ROUNDS >= least_rounds(10)
    assert found.told == ()


def test_a_crash_of_one_side_is_told_of_that_side(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = stage(Scripted(BASE_NS), Scripted(BASE_NS, fails_at=3), monkeypatch)
    with pytest.raises(StageError) as error:
        asked.explain(Explained("command"), ("command", "command"))
    assert error.value.side is Side.CANDIDATE
    assert error.value.what == "under perf it crashed with SIGSEGV"


def test_interrupted_it_says_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = stage(Scripted(BASE_NS), Scripted(SLOWER_NS, interrupted_at=20), monkeypatch)
    with pytest.raises(CutShort) as short:
        asked.explain(Explained("command"), ("command", "command"))
    found = short.value.found.time
    assert found is not None
    assert found.rounds == 20
    assert found.notes[0] == "interrupted in round 21"
    assert [one.function for one in found.told] == ["find"]


def test_interrupted_before_the_first_round_it_has_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = stage(Scripted(BASE_NS, interrupted_at=0), Scripted(BASE_NS), monkeypatch)
    with pytest.raises(Interrupted) as error:
        asked.explain(Explained("command"), ("command", "command"))
    assert not isinstance(error.value, CutShort)


def test_without_perf_the_stage_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(MeasurementError, match="perf is not installed"):
        Perf(_executor())


@pytest.mark.parametrize(
    ("level", "said"),
    [("4", r"kernel\.perf_event_paranoid is 4, and it takes 2 or less"), ("1", "perf cannot")],
)
def test_without_permission_it_says_which_setting(
    level: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "level").write_text(f"{level}\n")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("assay.measure.profile.sampled.perf._PARANOID", tmp_path / "level")
    with pytest.raises(MeasurementError, match=said):
        Perf(ScriptedExecutor(lambda _: finished(exit_code=255)))


SOURCE = """
#include <benchmark/benchmark.h>
#include <cstdlib>
__attribute__((noinline)) unsigned work(unsigned n) {
  unsigned h = n;
  benchmark::DoNotOptimize(h);
  for (unsigned i = 0; i < 2000; ++i) h = (h ^ (h >> 13)) * 0x5bd1e995;
  return h;
}
__attribute__((noinline)) unsigned prepare() {
  unsigned h = 1;
  for (int i = 0; i < 3000; ++i) benchmark::DoNotOptimize(h += work(h));
  return h;
}
static inline unsigned inlined(unsigned h) {
  for (int i = 0; i < 2000; ++i) h = (h ^ (h >> 15)) * 0x2c1b3c6d;
  return h;
}
static void BM_real(benchmark::State& state) {
  benchmark::DoNotOptimize(prepare());
  for (auto _ : state) benchmark::DoNotOptimize(inlined(work(7)));
}
BENCHMARK(BM_real);

__attribute__((noinline)) void churn() {
  void* kept[300];
  for (auto& one : kept) benchmark::DoNotOptimize(one = std::malloc(2000));
  for (auto& one : kept) std::free(one);
}
static void BM_churn(benchmark::State& state) {
  for (auto _ : state) churn();
}
BENCHMARK(BM_churn);
BENCHMARK_MAIN();
"""


@pytest.fixture(scope="module")
def real_perf() -> Perf:
    try:
        perf = Perf(ProcessExecutor(find_launcher()))
    except MeasurementError as error:
        pytest.skip(f"no perf: {error.message}")
    if not (find_launcher().parent / LIBRARY).exists():
        pytest.skip(f"no perf: {LIBRARY} is not installed")
    return perf


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("time")
    (folder / "real.cpp").write_text(SOURCE)
    command = ["c++", "-std=c++20", "-O2", "-g", "real.cpp", "-o", "bench"]
    subprocess.run([*command, "-lbenchmark", "-lpthread"], cwd=folder, check=True)
    return folder / "bench"


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_stage, "MOST_ROUNDS", 2)
    monkeypatch.setattr(time_stage, "_LOOP_S", 0.05)


def against_itself(perf: Perf, bench: Path, name: str) -> tuple[Timed, dict[str, float]]:
    """What is found, and which share of the time each function takes."""
    executor = perf.executor
    target = GBenchTarget((str(bench),), "real", executor, reader.parse, 60.0).with_probed_engine()
    asked = TimeStage(WhySides(target, target, Runtime(executor, Clock(), Silence())))
    found = asked.explain(Explained(name), (name, name)).time
    assert found is not None
    return found, {one.function: one.base.amount / found.base for one in found.changes}


@pytest.mark.usefixtures("few_rounds")
def test_real_samples_of_the_loop_alone(real_perf: Perf, bench: Path) -> None:
    """What it sets up takes as long as the loop, in a function that both call."""
    found, taken = against_itself(real_perf, bench, "BM_real")
    assert taken["inlined"] > 0.3
    assert taken["work(unsigned int)"] > 0.3
    assert ("BM_real(benchmark::State&)", "work(unsigned int)") in found.stacks.base
    assert ("BM_real(benchmark::State&)", "inlined") in found.stacks.base
    assert not any("prepare" in name for stack in found.stacks.base for name in stack)
    assert found.notes == ()


@pytest.mark.usefixtures("few_rounds")
def test_what_a_library_does_is_time_of_who_called_it(real_perf: Perf, bench: Path) -> None:
    """perf found no callers in the C library while addresses were randomised."""
    found, taken = against_itself(real_perf, bench, "BM_churn")
    assert taken["churn()"] > 0.8
    assert any(stack[1:2] == ("churn()",) and len(stack) > 2 for stack in found.stacks.base)
