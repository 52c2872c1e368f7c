"""Interleaved comparison over simulated targets: seeded, no processes."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from conftest import ScriptedExecutor, SimulatedTarget, SteppingClock, finished

from assay.measure.effort import Effort
from assay.measure.targets.target import LaunchResult
from assay.model import Record, Settings, Side, Verdict
from assay.progress import Silence
from assay.record.reader import read
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare import workflow


def stage() -> Runtime:
    return Runtime(ScriptedExecutor(lambda _: finished()), SteppingClock(), Silence())


LEVELS = {"same": 100.0, "slower": 100.0, "faster": 100.0}


def plan(tmp_path: Path, **measuring: object) -> ComparePlan:
    return ComparePlan(
        base="old",
        candidate="new",
        measuring=Measuring(seed=5, **measuring),  # type: ignore[arg-type]
        settings=Settings(margin=0.02),
        metrics=("real_time",),
        keep=Destination(tmp_path / "out.json"),
    )


def compare(
    asked: ComparePlan,
    base: SimulatedTarget,
    candidate: SimulatedTarget,
    monkeypatch: pytest.MonkeyPatch,
) -> workflow.CompareResult:
    targets = {"old": base, "new": candidate}
    monkeypatch.setattr(workflow, "resolve", lambda written, _kit: targets[written])
    return workflow.compare(asked, stage())


def changed(**factors: float) -> SimulatedTarget:
    return SimulatedTarget({name: LEVELS[name] * factors.get(name, 1) for name in LEVELS}, seed=2)


def test_verdicts_are_found_and_rounds_stop_when_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = changed(slower=1.10, faster=0.90)
    base = SimulatedTarget(LEVELS, noise=0.012)
    result = compare(plan(tmp_path, budget_s=60.0), base, candidate, monkeypatch)
    verdicts = {one.benchmark: one.verdict for one in result.judgement.comparisons}
    assert verdicts == {
        "same": Verdict.SAME,
        "slower": Verdict.SLOWER,
        "faster": Verdict.FASTER,
    }
    rounds = {one.benchmark: one.rounds for one in result.judgement.comparisons}
    assert rounds["slower"] < rounds["same"], "a settled benchmark went on being measured"
    assert result.interrupted_by is None


def test_the_budget_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noisy = SimulatedTarget(LEVELS, noise=0.5)
    result = compare(plan(tmp_path, budget_s=2.0), noisy, changed(), monkeypatch)
    assert {one.verdict for one in result.judgement.comparisons} == {Verdict.UNDECIDED}
    assert result.record is not None
    assert max(s.started_s or 0 for s in result.record.samples) < 2.5


def test_rounds_are_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noisy = SimulatedTarget(LEVELS, noise=0.5)
    result = compare(plan(tmp_path, rounds=5), noisy, changed(), monkeypatch)
    assert [one.rounds for one in result.judgement.comparisons] == [5, 5, 5]


def test_the_record_can_be_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = compare(
        plan(tmp_path, rounds=12), SimulatedTarget(LEVELS), changed(slower=1.2), monkeypatch
    )
    monkeypatch.undo()
    again = workflow.compare(
        ComparePlan(
            base=str(tmp_path / "out.json"),
            candidate=None,
            metrics=("real_time",),
            settings=plan(tmp_path).settings,
        ),
        stage(),
    )
    assert again.judgement.comparisons == result.judgement.comparisons
    assert not (tmp_path / "out.json.journal").exists()


def test_a_broken_benchmark_is_named_and_the_others_get_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = changed(slower=1.2)
    candidate.broken["same"] = "it crashed with SIGABRT"
    result = compare(plan(tmp_path, rounds=15), SimulatedTarget(LEVELS), candidate, monkeypatch)
    assert [(f.benchmark, f.side) for f in result.failures] == [("same", Side.CANDIDATE)]
    assert {one.benchmark for one in result.judgement.comparisons} == {"slower", "faster"}


@dataclass
class Interrupting(SimulatedTarget):
    """Gets a SIGTERM while a launch of it runs, usually its twentieth."""

    at: int = 20

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        if len(self.efforts) == self.at:
            os.kill(os.getpid(), signal.SIGTERM)
        return super().launch(benchmark, effort, cpu)


def test_what_was_measured_before_a_signal_is_judged_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = compare(plan(tmp_path, rounds=500), Interrupting(LEVELS), changed(), monkeypatch)
    assert result.interrupted_by == signal.SIGTERM
    assert len(result.judgement.comparisons) == 3
    record = read(tmp_path / "out.json")
    assert record.facts.written["interrupted"] is True
    assert 20 < len(record.samples) < 60


@pytest.mark.parametrize("at", range(8))
def test_a_signal_at_any_launch_from_the_first_trial_on_leaves_a_record(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was a KeyError in the trial launches: two dictionaries were filled at different times."""
    target = Interrupting(LEVELS, at=at)
    result = compare(plan(tmp_path, rounds=500), target, changed(), monkeypatch)
    assert result.interrupted_by == signal.SIGTERM
    record = read(tmp_path / "out.json")
    assert record.facts.interrupted
    assert len(record.samples) % 2 == 0, "half a round"
    measured = {sample.benchmark for sample in record.samples}
    assert record.facts.round_s.keys() == measured
    assert len(record.facts.written["effort"]) == min(at, 3)


def test_both_sides_contexts_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = compare(plan(tmp_path, rounds=2), SimulatedTarget(LEVELS), changed(), monkeypatch)
    record = result.record
    assert isinstance(record, Record)
    assert record.facts.written["sides"].keys() == {"base", "candidate"}
    assert record.facts.written["seed"] == 5
    assert msgspec.json.encode(record.facts.written)
