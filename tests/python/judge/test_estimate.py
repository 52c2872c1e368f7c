import numpy as np
import pytest

from assay.judge.estimate import (
    HIGHEST,
    LOWEST,
    MEDIAN,
    launch_estimate,
    launch_estimates,
    summary_method,
)


def test_times_take_the_mean_of_their_lowest_third() -> None:
    assert launch_estimate([3.0, 1.0, 2.0, 9.0, 1.5, 8.0, 7.0], "real_time") == 1.25
    assert launch_estimate([5.0], "cpu_time") == 5.0
    assert launch_estimate([5.0, 4.0], "cpu_time") == 4.0


def test_rates_mirror_times() -> None:
    assert launch_estimate([3.0, 1.0, 2.0, 9.0, 1.5, 8.0, 7.0], "items_per_second") == 8.5


@pytest.mark.parametrize("metric", ["p99", "max_rss", "instructions", "CallsToAlloc", "my_counter"])
def test_what_interference_does_not_only_add_to_takes_the_median(metric: str) -> None:
    assert launch_estimate([3.0, 1.0, 90.0], metric) == 3.0


def test_interference_in_most_samples_is_survived() -> None:
    clean = [100.0] * 7
    hit = [100.0, 100.0, 150.0, 900.0, 130.0, 170.0, 110.0]
    assert launch_estimate(hit, "real_time") == launch_estimate(clean, "real_time")


def test_ragged_launches_are_each_summed_up_alone() -> None:
    launches = [(4.0, 1.0, 2.0), (7.0,), (9.0, 5.0), (3.0, 2.0, 1.0)]
    alone = [launch_estimate(launch, "real_time") for launch in launches]
    assert np.array_equal(launch_estimates(launches, "real_time"), alone)


@pytest.mark.parametrize(
    ("samples", "lowest", "highest"),
    [
        ([9.0, 1.0, 4.0], 1.0, 9.0),
        ([9.0, 1.0, 4.0, 5.0], 1.0, 9.0),
        ([9.0, 1.0, 4.0, 5.0, 6.0], 2.5, 7.5),
        ([9.0, 1.0, 4.0, 5.0, 6.0, 7.0, 7.0, 7.0], 10 / 3, 23 / 3),
    ],
)
def test_a_third_is_rounded_to_the_nearest_number_of_samples(
    samples: list[float], lowest: float, highest: float
) -> None:
    assert launch_estimate(samples, "real_time") == pytest.approx(lowest)
    assert launch_estimate(samples, "items_per_second") == pytest.approx(highest)


def test_launches_of_two_lengths_and_of_one_are_summed_up_alike() -> None:
    launches = [(4.0, 1.0), (7.0, 6.0, 5.0), (3.0, 2.0)]
    assert launch_estimates(launches, "real_time").tolist() == [1.0, 5.0, 2.0]
    assert launch_estimates(launches[::2], "real_time").tolist() == [1.0, 2.0]
    assert launch_estimates(launches, "my_counter").tolist() == [2.5, 6.0, 2.5]


def test_only_a_rate_of_which_more_is_better_takes_its_highest_third() -> None:
    assert summary_method("bytes_per_second") == HIGHEST
    assert summary_method("my_rate") == MEDIAN
    assert summary_method("instructions") == MEDIAN
    assert summary_method("cpu_time") == LOWEST
