from conftest import SimulatedTarget, SteppingClock

from assay.measure.session import Conditions, Session
from assay.model import Side


def session(base: SimulatedTarget, candidate: SimulatedTarget, **more: object) -> Session:
    conditions = Conditions(seed=3, cpu=1, **more)  # type: ignore[arg-type]
    return Session({Side.BASE: base, Side.CANDIDATE: candidate}, conditions, SteppingClock())


def test_a_round_is_one_launch_of_each_side_marked_with_its_place() -> None:
    sitting = session(SimulatedTarget({"a": 10}), SimulatedTarget({"a": 20}, seed=2))
    assert sitting.prepare("a") is None
    outcomes = [sitting.round("a", number) for number in range(20)]
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
    sitting = session(base, candidate)
    sitting.prepare("a")
    sitting.round("a", 0)
    assert base.efforts[-1] == candidate.efforts[-1]
    assert base.efforts[-1].iterations > 0


def test_single_threaded_benchmarks_are_pinned_and_others_are_not() -> None:
    for threads, cpu in ((1, 1), (2, None)):
        sides = (
            SimulatedTarget({"a": 10}, threads=threads),
            SimulatedTarget({"a": 10}, threads=threads),
        )
        sitting = session(*sides)
        sitting.prepare("a")
        assert {sample.cpu for sample in sitting.round("a", 0).samples} == {cpu}


def test_the_user_may_pin_everything() -> None:
    sides = (SimulatedTarget({"a": 10}, threads=4), SimulatedTarget({"a": 10}, threads=4))
    sitting = session(*sides, pin_all=True)
    sitting.prepare("a")
    assert {sample.cpu for sample in sitting.round("a", 0).samples} == {1}


def test_a_side_that_fails_is_named_and_the_other_kept() -> None:
    candidate = SimulatedTarget({"a": 10}, label="new/bench")
    sitting = session(SimulatedTarget({"a": 10}), candidate)
    sitting.prepare("a")
    candidate.broken["a"] = "it crashed with SIGSEGV"
    outcome = sitting.round("a", 4)
    (failure,) = outcome.failures
    assert (failure.side, failure.round, failure.target) == (Side.CANDIDATE, 4, "new/bench")
    assert "SIGSEGV" in failure.what
    assert all(sample.side is Side.BASE for sample in outcome.samples)


def test_a_failing_trial_is_a_failure_not_an_exception() -> None:
    sitting = session(SimulatedTarget({"a": 10}, broken={"a": "it hung"}), SimulatedTarget({}))
    failure = sitting.prepare("a")
    assert failure is not None
    assert failure.what == "it hung"
