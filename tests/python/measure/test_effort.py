import pytest

from assay.measure.effort import (
    LAUNCH_LIMIT_S,
    LONGEST_SAMPLE_S,
    Effort,
    LaunchCosts,
    calibrated_effort,
    costs_from_trial,
    costs_of_two_trials,
    estimating_calls,
    iteration_s,
)
from assay.model import Sample

ASKED = Effort(0.0005, 15)


def trial(real_time: float, unit: str = "ns", iterations: int = 1) -> Sample:
    values = {"real_time": (real_time,)}
    return Sample(benchmark="b", values=values, time_unit=unit, iterations=iterations)


def costs(seconds: float, **more: float) -> LaunchCosts:
    return LaunchCosts(iteration_s=seconds, **more)  # type: ignore[arg-type]


def test_iterations_fill_the_minimum_time() -> None:
    assert calibrated_effort(costs(10e-9), Effort(0.003, 7)).iterations == 300_000
    assert calibrated_effort(costs(2e-3), Effort(0.003, 7)).iterations == 2


def test_the_unit_of_a_trial_is_heeded() -> None:
    assert iteration_s(trial(2.0, "ms")) == pytest.approx(2e-3)


def test_fast_benchmarks_keep_their_repetitions() -> None:
    assert calibrated_effort(costs(10e-9), Effort(0.003, 7)).repetitions == 7
    assert calibrated_effort(costs(10e-9), ASKED).repetitions == 15


@pytest.mark.parametrize(("seconds", "repetitions"), [(0.004, 5), (0.01, 2), (0.5, 1), (25, 1)])
def test_slow_benchmarks_repeat_less_rather_than_last_longer(
    seconds: float, repetitions: int
) -> None:
    effort = calibrated_effort(costs(seconds), Effort(0.003, 7))
    assert effort.repetitions == repetitions
    assert effort.iterations == 1
    assert repetitions == 1 or seconds * repetitions <= LAUNCH_LIMIT_S + 0.001


def test_a_long_minimum_time_is_honoured() -> None:
    assert calibrated_effort(costs(10e-9), Effort(1.0, 7)).repetitions == 7


def test_a_trial_without_time_changes_nothing() -> None:
    assert calibrated_effort(costs(0.0), Effort(0.003, 7)) == Effort(0.003, 7)


def test_set_up_counts_towards_the_limit_of_a_launch() -> None:
    counting = LaunchCosts(set_up_s=0.0035, iteration_s=20e-9, counts_iterations=True)
    effort = calibrated_effort(counting, ASKED)
    assert effort.repetitions == 5
    assert counting.launch_s(effort) <= LAUNCH_LIMIT_S + 1e-9


def test_after_a_dear_set_up_there_is_one_long_repetition() -> None:
    effort = calibrated_effort(LaunchCosts(0.003, 0.5, 20e-9, counts_iterations=True), ASKED)
    assert effort.repetitions == 1
    assert effort.min_time_s == LONGEST_SAMPLE_S
    assert effort.iterations * 20e-9 == pytest.approx(LONGEST_SAMPLE_S, rel=0.01)


def test_where_estimating_sets_up_again_and_again_a_second_repetition_is_cheap() -> None:
    assert calibrated_effort(LaunchCosts(0.003, 0.5, 20e-9), ASKED).repetitions == 2


def test_the_calls_that_estimate_do_not_take_all_repetitions_away() -> None:
    estimating = LaunchCosts(set_up_s=0.0035, iteration_s=20e-9)
    effort = calibrated_effort(estimating, ASKED)
    assert estimating.cost_of_estimating(effort)[0] == 5
    assert effort.repetitions == 4


def test_set_up_that_grows_with_the_iterations_gets_no_longer_samples() -> None:
    pausing = costs_of_two_trials(
        LaunchCosts(set_up_s=0.5, iteration_s=1e-6), LaunchCosts(set_up_s=0.001)
    )
    assert calibrated_effort(pausing, ASKED).min_time_s == ASKED.min_time_s
    building = costs_of_two_trials(
        LaunchCosts(set_up_s=0.5, iteration_s=1e-6), LaunchCosts(set_up_s=0.45)
    )
    assert calibrated_effort(building, ASKED).min_time_s > ASKED.min_time_s


def test_the_engine_makes_ten_times_more_iterations_until_it_can_aim() -> None:
    # 1, 10, 100, 1,000 and 10,000 iterations last 20 ns to 200 us; then 500 us are aimed at.
    calls, loops_s = estimating_calls(20e-9, 0.0005 / 1.4)
    assert calls == 5
    assert loops_s == pytest.approx(11_111 * 20e-9)


def test_a_long_iteration_is_its_own_estimate() -> None:
    assert estimating_calls(0.01, 0.0005) == (0, 0.0)


@pytest.mark.parametrize("set_up_s", [0.0, 0.0008, 0.5])
def test_a_trial_tells_what_a_call_sets_up(set_up_s: float) -> None:
    asked = Effort(0.0005, 1, trial=True)
    truth = LaunchCosts(0.003, set_up_s, 20e-9)
    seen = trial(20.0, iterations=25_000)
    found = costs_from_trial(seen, truth.launch_s(asked), asked, start_s=0.003)
    in_the_start = 0.0015 / (truth.cost_of_estimating(asked)[0] + 1)  # what a start may vary by
    assert found.set_up_s == pytest.approx(max(0.0, set_up_s - in_the_start), abs=2e-5)


def test_a_start_that_varies_is_no_set_up() -> None:
    """An interpreter that takes 0.1 s to start takes 0.14 s the next time."""
    asked = Effort(0.0005, 1, trial=True)
    wall_s = LaunchCosts(0.14, 0.0, 20e-9).launch_s(asked)
    assert (
        costs_from_trial(trial(20.0, iterations=25_000), wall_s, asked, start_s=0.1).set_up_s == 0.0
    )
