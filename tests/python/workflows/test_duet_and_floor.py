"""Both sides at once, and A against A, over simulated targets."""

from pathlib import Path

import pytest
from conftest import ScriptedExecutor, SimulatedTarget, SteppingClock, finished

from assay.errors import MeasurementError
from assay.measure.effort import Effort
from assay.measure.session import LaunchSettings, Session
from assay.measure.targets.target import LaunchResult
from assay.model import Floor, Settings, Side
from assay.progress import Silence
from assay.record import floor_cache
from assay.remarks import BelowFloor
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare import workflow
from assay.workflows.compare.duet import check
from assay.workflows.compare.known_floor import warning
from assay.workflows.floor import measure_floor

DUET = LaunchSettings(seed=1, duet=(0, 1))


def stage() -> Runtime:
    return Runtime(ScriptedExecutor(lambda _: finished()), SteppingClock(), Silence())


class SlowCpu(SimulatedTarget):
    """Takes a fifth longer on CPU 1."""

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        self.levels = {benchmark: 120.0 if cpu == 1 else 100.0}
        return super().launch(benchmark, effort, cpu)


def test_a_duet_runs_one_side_on_each_cpu_and_swaps_them() -> None:
    sides = {Side.BASE: SimulatedTarget({"a": 10}), Side.CANDIDATE: SimulatedTarget({"a": 10})}
    session = Session(sides, DUET, SteppingClock())  # type: ignore[arg-type]
    session.prepare("a")
    rounds = [session.round("a", number).samples for number in range(20)]
    assert all({sample.cpu for sample in one} == {0, 1} for one in rounds)
    base_cpus = {sample.cpu for one in rounds for sample in one if sample.side is Side.BASE}
    assert base_cpus == {0, 1}, "the CPUs are not swapped"


def test_cpus_that_are_alike_may_be_used() -> None:
    note = check(
        SimulatedTarget({"a": 100}),
        ["a"],
        DUET,
        stage(),
    )
    assert note.startswith("duet on CPUs 0 and 1: A against A differs by 0.")


def test_cpus_that_differ_are_refused() -> None:
    with pytest.raises(MeasurementError, match=r"CPUs 0 and 1: A against A differs by (19|20)\."):
        check(SlowCpu({"a": 100}), ["a"], DUET, stage())


def test_a_floor_is_kept_and_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    target = SimulatedTarget({"a": 100.0, "b": 50.0}, noise=0.01)
    monkeypatch.setattr(workflow, "resolve", lambda _written, _kit: target)
    plan = ComparePlan("bench", "bench", measuring=Measuring(rounds=20))
    found = measure_floor(plan, stage())
    assert found.keep().is_relative_to(tmp_path)
    assert 0 < found.floor.effect < 0.05
    assert found.floor.benchmarks == 2
    result = workflow.compare(plan, stage())
    assert result.judgement.floor == found.floor
    other = SimulatedTarget({"c": 100.0})
    monkeypatch.setattr(workflow, "resolve", lambda _written, _kit: other)
    assert workflow.compare(plan, stage()).judgement.floor != found.floor


def test_a_margin_below_the_floor_is_said_to_be_and_none_is_not() -> None:
    floor = Floor(effect=0.03, drift=0.1, rounds=20, benchmarks=2, source="A against A")
    (found,) = warning(floor, Settings(margin=0.01))
    assert found == BelowFloor(margin=0.01, effect=0.03, rounds=20, source="A against A")
    assert warning(floor, Settings(margin=0.05)) == ()
    assert warning(floor, Settings(margin=0.0)) == ()
    assert warning(None, Settings(margin=0.01)) == ()


def test_a_floor_file_that_cannot_be_read_counts_as_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    floor = Floor(effect=0.03, drift=0.1, rounds=20, benchmarks=2, source="x")
    path = floor_cache.save_floor(floor, floor_cache.floor_key_of({"name": "h"}, ["a", "b"]))
    assert floor_cache.load_floor(floor_cache.floor_key_of({"name": "h"}, ["b", "a"])) == floor
    assert floor_cache.load_floor(floor_cache.floor_key_of({"name": "other"}, ["a", "b"])) is None
    path.write_text("{")
    assert floor_cache.load_floor(floor_cache.floor_key_of({"name": "h"}, ["a", "b"])) is None
