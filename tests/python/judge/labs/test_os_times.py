"""A run's figure and its interval, against what is known of them."""

import math
import random
from itertools import accumulate

import pytest
from scipy.stats import t
from scipy.stats.mstats import trimmed_mean_ci

from assay.judge.labs.os_times import (
    RunHistory,
    deviation,
    median_ranks,
    os_times,
    time_of_run,
    trimmed_mean,
    upper_median,
)
from assay.model import Sample


def sample(times: tuple[float, ...], launch: int = 0, name: str = "nop") -> Sample:
    counters = {"processes": (2.0,), "calls_per_sample": (100.0,)}
    return Sample(benchmark=name, values={"real_time": times, **counters}, launch=launch, threads=6)


@pytest.mark.parametrize("samples", [1, 2, 5, 6, 10, 36, 57, 100, 999])
def test_ranks_are_the_narrowest_with_the_coverage(samples: int) -> None:
    ways = [math.comb(samples, k) for k in range(samples + 1)]
    at_most, every = list(accumulate(ways)), 2**samples
    low, high = median_ranks(samples)
    assert low == 0 or 40 * at_most[low] <= every
    assert 40 * at_most[low + 1] > every, "a narrower one would do"
    assert high == samples - 1 or 40 * (every - at_most[high]) <= every
    assert high == 0 or 40 * (every - at_most[high - 1]) > every, "a narrower one would do"


def test_ranks_are_those_of_the_tables() -> None:
    assert median_ranks(10) == (1, 8)
    assert median_ranks(100) == (39, 60)


def test_ranks_of_many_are_close_to_the_counted_ones() -> None:
    for counted, approximate in zip(median_ranks(1000), median_ranks(1001), strict=True):
        assert abs(counted - approximate) <= 2


def test_interval_covers_the_median_of_skewed_samples() -> None:
    rng = random.Random(7)
    inside = 0
    for _ in range(400):
        _, low, high = time_of_run([tuple(rng.expovariate(1) for _ in range(60))])
        inside += low <= math.log(2) <= high
    assert inside / 400 >= 0.93


def test_middle_is_the_upper_of_two() -> None:
    assert upper_median([3.0, 1.0, 2.0]) == 2.0
    assert upper_median([3.0, 2.0]) == 3.0


def test_figure_of_six_launches_is_of_the_inner_four() -> None:
    launches = [(each + 1, each, each - 1) for each in (16.0, 10.0, 16.0, 11.0, 12.0, 30.0)]
    typical, low, high = time_of_run(launches)
    assert typical == 13.75
    assert (low, high) == pytest.approx((13.75 - 5.032, 13.75 + 5.032), abs=0.02)


@pytest.mark.parametrize("launches", [6, 7, 12, 24, 60, 400])
def test_interval_is_that_of_scipy(launches: int) -> None:
    rng = random.Random(launches)
    values = [rng.lognormvariate(3, 0.2) for _ in range(launches)]
    cut = (max(1, launches // 20) + 0.01) / launches  # scipy takes a share, rounded down
    low, high = trimmed_mean_ci(values, limits=(cut, cut), inclusive=(True, True), alpha=0.05)
    typical, *interval = trimmed_mean(values)
    assert typical == pytest.approx((low + high) / 2, rel=1e-9)
    assert interval == pytest.approx([low, high], rel=2e-3)


@pytest.mark.parametrize(
    ("slow", "launches"), [(0.2, 24), (0.5, 24), (0.8, 24), (0.1, 144), (0.3, 144), (0.5, 144)]
)
def test_interval_covers_on_a_host_of_two_speeds(slow: float, launches: int) -> None:
    """As beside a neighbour that comes and goes: there the median jumps, a mean does not."""
    rng = random.Random(11)

    def some(count: int) -> list[float]:
        return [(1.38 if rng.random() < slow else 1.0) * rng.gauss(1, 0.02) for _ in range(count)]

    true, _, _ = trimmed_mean(some(100_000))
    found = [trimmed_mean(some(launches)) for _ in range(300)]
    assert sum(low <= true <= high for _, low, high in found) / 300 >= 0.9


def test_what_lies_far_out_does_not_count() -> None:
    assert trimmed_mean([5.0] * 38 + [0.0, 1e9]) == (5.0, 5.0, 5.0)


def test_fewer_launches_are_taken_together() -> None:
    assert time_of_run([(5.0, 1.0, 2.0), (9.0, 3.0)]) == (3.0, 1.0, 9.0)


def test_launches_of_a_name_are_one() -> None:
    samples = [sample((1.0, 2.0, 3.0), launch) for launch in range(2)]
    (time,) = os_times(samples)
    assert (time.typical, time.samples, time.launches) == (2.0, 6, 2)
    assert (time.processes, time.threads, time.calls) == (2, 3, 100)


def test_names_keep_their_order() -> None:
    times = os_times([sample((1.0,), name="b"), sample((2.0,), name="a")])
    assert [time.benchmark for time in times] == ["b", "a"]


def history(figures_ns: list[float], spent_s: float) -> RunHistory:
    found = RunHistory()
    for figure in figures_ns:
        found.add([figure - 1.0, figure, figure + 1.0], spent_s / len(figures_ns))
    found.spent_s = spent_s
    return found


def test_a_launch_is_added_with_its_median_and_its_seconds() -> None:
    found = RunHistory()
    found.add([3.0, 1.0, 2.0, 9.0], 0.5)
    found.add([5.0], 0.25)
    assert (found.figures_ns, found.spent_s) == ([3.0, 5.0], 0.75)


@pytest.mark.parametrize(
    ("launches", "spent_s", "expected"),
    [
        (23, 7.0, False),
        (24, 1.5, True),
        (24, 1.49, False),  # cheap launches are twice as many
        (47, 1.49, False),
        (48, 1.49, True),
    ],
)
def test_a_run_of_equal_launches_ends_at_24_or_where_they_are_cheap_at_48(
    launches: int, spent_s: float, expected: bool
) -> None:
    assert history([100.0] * launches, spent_s).settled() is expected


@pytest.mark.parametrize(
    ("launches", "spent_s", "expected"),
    [
        (24, 7.99, False),
        (24, 8.0, True),
        (22, 8.0, False),
        (398, 2.0, False),
        (400, 2.0, True),
    ],
)
def test_a_run_that_varies_ends_where_it_costs_too_much(
    launches: int, spent_s: float, expected: bool
) -> None:
    assert history([100.0, 200.0] * (launches // 2), spent_s).settled() is expected


def test_a_run_ends_where_half_its_interval_is_at_most_a_share_of_its_time() -> None:
    """Of 12 launches at 100 - d and 12 at 100 + d, half the interval is 0.4731 d (scipy)."""
    assert history([96.85, 103.15] * 12, 2.0).settled()  # 1.490 %
    assert not history([96.8, 103.2] * 12, 2.0).settled()  # 1.514 %


def test_within_a_time_launches_for_an_interval_suffice_once_it_is_over() -> None:
    assert history([100.0, 200.0] * 3, 5.0).settled_within(5.0)
    assert not history([100.0, 200.0] * 3, 4.99).settled_within(5.0)
    assert not history([100.0] * 5, 6.0).settled_within(5.0)
    assert history([100.0] * 24, 2.0).settled_within(5.0)


def test_an_interval_reaches_as_far_as_students_t_says() -> None:
    """Of 10, 11, ... 15 the inner four: their winsorized deviation is 0.8441 of the mean."""
    typical, low, high = trimmed_mean([12.0, 10.0, 15.0, 14.0, 11.0, 13.0])
    reach = t.ppf(0.975, 3) * math.sqrt(1.9) * math.sqrt(6) / 4
    assert (typical, high - typical) == (12.5, pytest.approx(reach, rel=2e-3))
    assert typical - low == pytest.approx(reach, rel=2e-3)


def test_no_time_is_below_nothing() -> None:
    _, low, _ = trimmed_mean([0.1, 0.1, 0.1, 50.0, 60.0, 70.0])
    assert low == 0.0
    assert deviation([7.0], 7.0) == 0.0
    assert deviation([7.0, 9.0], 8.0) == pytest.approx(math.sqrt(2.0))


def test_percentiles_are_of_all_samples_and_what_is_not_said_is_one_process() -> None:
    plain = Sample(benchmark="nop", values={"real_time": tuple(map(float, range(101)))}, threads=3)
    (time,) = os_times([plain])
    assert (time.p95, time.p99, time.samples) == (95.0, 99.0, 101)
    assert (time.processes, time.threads, time.calls) == (1, 3, 0)
    assert [one.of_launches for count in (5, 6) for one in os_times([plain] * count)] == [
        False,
        True,
    ]
