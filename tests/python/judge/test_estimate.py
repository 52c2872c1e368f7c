import numpy as np
import pytest

from assay.judge.estimate import launch_estimate, launch_estimates


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
