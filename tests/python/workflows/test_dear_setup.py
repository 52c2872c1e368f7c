"""A suite of twenty in which two benchmarks set up for half a second in every call.

Simulated as Google Benchmark 1.7 behaves: estimating calls, then repetitions, each with its
set-up; time passes on a clock of its own, so nothing here depends on the machine.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, finished

from assay.measure.effort import Effort, LaunchCosts, costs_from_trial
from assay.measure.targets.target import LaunchResult
from assay.model import Record, Sample, Settings, Verdict
from assay.progress import Silence
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare import workflow

START_S, ITERATION_S, OUR_WORK_S, DEAR_S = 0.003, 100e-9, 0.004, 0.5
NAMES = [*(f"cheap{i}" for i in range(18)), "dear0", "dear1"]


@dataclass
class Clock:
    """Moves only when a launch takes time."""

    now: float = 0.0

    def now_s(self) -> float:
        return self.now


@dataclass
class SettingUp:
    """A Google Benchmark 1.7 executable: `factor` slower, `noise` a launch, `wobble` a sample."""

    clock: Clock
    factor: float
    seed: int
    label: str = "simulated"
    noise: float = 0.007
    wobble: float = 0.004
    spent_s: dict[str, float] = field(default_factory=lambda: dict.fromkeys(NAMES, 0.0))
    efforts: dict[str, list[Effort]] = field(default_factory=lambda: {name: [] for name in NAMES})

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        return tuple(NAMES)

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        set_up_s = DEAR_S if benchmark.startswith("dear") else 0.0
        wall_s = LaunchCosts(START_S, set_up_s, ITERATION_S).launch_s(effort)
        self.clock.now += wall_s + OUR_WORK_S
        self.spent_s[benchmark] += wall_s + OUR_WORK_S
        self.efforts[benchmark].append(effort)
        level = 100.0 * self.factor * self._random.lognormvariate(0, self.noise)
        times = tuple(
            level * (1 + abs(self._random.gauss(0, self.wobble))) for _ in range(effort.repetitions)
        )
        iterations = max(1, round(effort.min_time_s / ITERATION_S))
        sample = Sample(benchmark=benchmark, values={"real_time": times}, iterations=iterations)
        costs = costs_from_trial(sample, wall_s, effort, start_s=START_S) if effort.trial else None
        record = Record(context={}, facts={}, samples=(sample,))
        return LaunchResult(sample, record, finished(wall_ns=int(wall_s * 1e9)), costs)


@dataclass
class Said(Silence):
    """Remembers what was announced."""

    lines: list[str] = field(default_factory=list)

    def announce(self, text: str) -> None:
        self.lines.append(text)


@dataclass
class Measured:
    """One comparison: its result, the two sides, what was announced, and the seconds it took."""

    result: workflow.CompareResult
    base: SettingUp
    said: list[str]
    took_s: float

    def verdicts(self) -> dict[str, Verdict]:
        return {one.benchmark: one.verdict for one in self.result.judgement.comparisons}


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Measured]:
    """Compares the suite with one that is `factor` slower."""

    def run(factor: float, **measuring: object) -> Measured:
        clock, said = Clock(), Said()
        sides = {"old": SettingUp(clock, 1.0, 1), "new": SettingUp(clock, factor, 2)}
        monkeypatch.setattr(workflow, "resolve", lambda written, _kit: sides[written])
        plan = ComparePlan(
            base="old",
            candidate="new",
            measuring=Measuring(seed=5, **measuring),  # type: ignore[arg-type]
            settings=Settings(margin=0.02),
            keep=Destination(tmp_path / "out.json"),
        )
        stage = Runtime(ScriptedExecutor(lambda _: finished()), clock, said)
        result = workflow.compare(plan, stage)
        return Measured(result, sides["old"], said.lines, clock.now)

    return run


def test_every_benchmark_gets_an_interval_within_the_default_budget(
    sit: Callable[..., Measured],
) -> None:
    measuring = sit(1.05)
    intervals = {one.benchmark: one.low for one in measuring.result.judgement.comparisons}
    assert len(intervals) == 20
    assert None not in intervals.values()
    slower = [name for name, verdict in measuring.verdicts().items() if verdict is Verdict.SLOWER]
    assert len(slower) == 20, "a slowdown of 5 % with a noise of 1 % a round was missed"


def test_a_copy_is_no_slower_whatever_its_set_up(sit: Callable[..., Measured]) -> None:
    verdicts = sit(1.0).verdicts()
    assert not {Verdict.SLOWER, Verdict.FASTER} & set(verdicts.values())
    cheap = [verdict for name, verdict in verdicts.items() if name.startswith("cheap")]
    assert cheap == [Verdict.SAME] * 18


def test_a_dear_set_up_is_not_repeated_fifteen_times(sit: Callable[..., Measured]) -> None:
    measuring = sit(1.05)
    trial, *kept = measuring.base.efforts["dear0"]
    assert trial.repetitions == 1
    assert {effort.repetitions for effort in kept} <= {1, 2}
    assert {effort.repetitions for effort in measuring.base.efforts["cheap0"][1:13]} == {15}


def test_an_explicit_budget_too_small_is_announced_and_the_cheap_ones_are_not_starved(
    sit: Callable[..., Measured],
) -> None:
    measuring = sit(1.05, budget_s=40.0)
    assert len(measuring.said) == 1
    assert "--budget is 40 s: some benchmarks will have no interval" in measuring.said[0]
    found = [n for n, verdict in measuring.verdicts().items() if verdict is Verdict.SLOWER]
    assert len([name for name in found if name.startswith("cheap")]) == 18
    trials_s = 15.0  # are not part of the budget
    assert measuring.took_s < 40.0 + trials_s


def test_the_record_keeps_what_a_round_took_and_what_was_asked_of_it(
    sit: Callable[..., Measured],
) -> None:
    record = sit(1.05).result.record
    assert record is not None
    assert set(record.facts.written["round_s"]) == set(NAMES)
    assert record.facts.written["round_s"]["dear0"] > 50 * record.facts.written["round_s"]["cheap0"]
    first = record.facts.written["effort"]["dear0"][0]
    assert first["from_round"] == 0
    assert first["set_up_s"] == pytest.approx(DEAR_S, rel=0.02)
