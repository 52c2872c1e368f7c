import pytest
from conftest import SimulatedTarget, SteppingClock, finished
from msgspec.structs import replace

from assay.measure.effort import Effort, LaunchCosts, costs_from_trial
from assay.measure.session import LaunchSettings, Session
from assay.measure.targets.target import LaunchResult
from assay.model import Side


def session(base: SimulatedTarget, candidate: SimulatedTarget, **more: object) -> Session:
    conditions = LaunchSettings(seed=3, cpu=1, **more)  # type: ignore[arg-type]
    return Session({Side.BASE: base, Side.CANDIDATE: candidate}, conditions, SteppingClock())


def test_a_round_is_one_launch_of_each_side_marked_with_its_place() -> None:
    measuring = session(SimulatedTarget({"a": 10}), SimulatedTarget({"a": 20}, seed=2))
    assert measuring.prepare("a") is None
    outcomes = [measuring.round("a", number) for number in range(20)]
    for number, outcome in enumerate(outcomes):
        assert {sample.side for sample in outcome.samples} == {Side.BASE, Side.CANDIDATE}
        assert [sample.position for sample in outcome.samples] == [0, 1]
        assert {sample.round for sample in outcome.samples} == {number}
    firsts = {outcome.samples[0].side for outcome in outcomes}
    assert firsts == {Side.BASE, Side.CANDIDATE}, "the order is not random"
    launches = [sample.launch for outcome in outcomes for sample in outcome.samples]
    assert launches == sorted(set(launches))


def test_both_sides_get_the_same_effort() -> None:
    base, candidate = SimulatedTarget({"a": 10}), SimulatedTarget({"a": 99}, seed=2)
    measuring = session(base, candidate)
    measuring.prepare("a")
    measuring.round("a", 0)
    assert base.efforts[-1] == candidate.efforts[-1]
    assert base.efforts[-1].iterations > 0


def test_single_threaded_benchmarks_are_pinned_and_others_are_not() -> None:
    for threads, cpu in ((1, 1), (2, None)):
        sides = (
            SimulatedTarget({"a": 10}, threads=threads),
            SimulatedTarget({"a": 10}, threads=threads),
        )
        measuring = session(*sides)
        measuring.prepare("a")
        assert {sample.cpu for sample in measuring.round("a", 0).samples} == {cpu}


def test_the_user_may_pin_everything() -> None:
    sides = (SimulatedTarget({"a": 10}, threads=4), SimulatedTarget({"a": 10}, threads=4))
    measuring = session(*sides, pin_all=True)
    measuring.prepare("a")
    assert {sample.cpu for sample in measuring.round("a", 0).samples} == {1}


def test_a_side_that_fails_is_named_and_the_other_kept() -> None:
    candidate = SimulatedTarget({"a": 10}, label="new/bench")
    measuring = session(SimulatedTarget({"a": 10}), candidate)
    measuring.prepare("a")
    candidate.broken["a"] = "it crashed with SIGSEGV"
    outcome = measuring.round("a", 4)
    (failure,) = outcome.failures
    assert (failure.side, failure.round, failure.target) == (Side.CANDIDATE, 4, "new/bench")
    assert "SIGSEGV" in failure.what
    assert all(sample.side is Side.BASE for sample in outcome.samples)


def test_a_failing_trial_is_a_failure_not_an_exception() -> None:
    measuring = session(SimulatedTarget({"a": 10}, broken={"a": "it hung"}), SimulatedTarget({}))
    failure = measuring.prepare("a")
    assert failure is not None
    assert failure.what == "it hung"


class SettingUp(SimulatedTarget):
    """Sets up for half a second in every call of the benchmark function."""

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        launched = super().launch(benchmark, effort, cpu)
        wall_s = LaunchCosts(0.003, 0.5, 10e-9).launch_s(effort)
        told = (
            costs_from_trial(launched.sample, wall_s, effort, start_s=0.003)
            if effort.trial
            else None
        )
        done = finished(wall_ns=int(wall_s * 1e9))
        return replace(launched, process=done, costs=told)


def test_the_trial_has_one_repetition_and_a_dear_set_up_is_repeated_once_more_only() -> None:
    base, candidate = SettingUp({"a": 10}), SettingUp({"a": 10}, seed=2)
    session(base, candidate).prepare("a")
    assert [effort.repetitions for effort in base.efforts + candidate.efforts] == [1, 1]
    assert candidate.efforts[0].min_time_s < 1e-6, "its one call is enough to see that it runs"


def test_what_a_round_should_take_is_told_by_the_trials() -> None:
    measuring = session(SettingUp({"a": 10}), SettingUp({"a": 10}, seed=2))
    measuring.prepare("a")
    launch_s = measuring.costs("a").launch_s(measuring.effort("a"))
    assert measuring.expected_round_s("a") == pytest.approx(2 * launch_s, rel=0.1)


def test_other_repetitions_hold_for_both_sides() -> None:
    base, candidate = SimulatedTarget({"a": 10}), SimulatedTarget({"a": 10}, seed=2)
    measuring = session(base, candidate)
    measuring.prepare("a")
    measuring.set_repetitions("a", 5)
    measuring.round("a", 0)
    assert base.efforts[-1] == candidate.efforts[-1]
    assert base.efforts[-1].repetitions == 5
