import pytest

from assay.measure.effort import LAUNCH_LIMIT_S, Effort, calibrated
from assay.model import Sample


def trial(real_time: float, unit: str = "ns") -> Sample:
    return Sample(benchmark="b", values={"real_time": (real_time,)}, time_unit=unit)


def test_iterations_fill_the_minimum_time() -> None:
    assert calibrated(trial(10.0), Effort(0.003, 7)).iterations == 300_000
    assert calibrated(trial(2.0, "ms"), Effort(0.003, 7)).iterations == 2


def test_fast_benchmarks_keep_their_repetitions() -> None:
    assert calibrated(trial(10.0), Effort(0.003, 7)).repetitions == 7


@pytest.mark.parametrize(("seconds", "repetitions"), [(0.004, 5), (0.01, 2), (0.5, 1), (25, 1)])
def test_slow_benchmarks_repeat_less_rather_than_last_longer(
    seconds: float, repetitions: int
) -> None:
    effort = calibrated(trial(seconds, "s"), Effort(0.003, 7))
    assert effort.repetitions == repetitions
    assert effort.iterations == 1
    assert repetitions == 1 or seconds * repetitions <= LAUNCH_LIMIT_S


def test_a_long_minimum_time_is_honoured() -> None:
    assert calibrated(trial(10.0), Effort(1.0, 7)).repetitions == 7


def test_a_trial_without_time_changes_nothing() -> None:
    assert calibrated(trial(0.0), Effort(0.003, 7)) == Effort(0.003, 7)
