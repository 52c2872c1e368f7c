import math

import numpy as np
import pytest
from comparisons import MARGIN, comparison
from hypothesis import given
from hypothesis import strategies as st
from judging import rounds_from, settings
from msgspec.structs import replace

from assay.judge.family.decision import verdict_of_interval
from assay.judge.family.strength import strength, with_missing_time
from assay.judge.verdict import judge
from assay.judging import MethodName
from assay.model import Comparison, Verdict
from assay.units import metric

SIZES = st.floats(0.0001, 0.5)
JUDGED = st.builds(
    lambda change, below, above, name: comparison(
        change, (change - below, change + above), name=name
    ),
    st.floats(-0.2, 0.5),
    SIZES,
    SIZES,
    st.sampled_from(("real_time", "items_per_second")),
)


@given(st.lists(JUDGED, min_size=1, max_size=30))
def test_a_slowdown_of_that_size_would_have_failed_every_benchmark(many: list[Comparison]) -> None:
    found = strength(many, MARGIN)
    assert found.every is not None
    assert found.half is not None
    failed = {"every": 0, "half": 0}
    for one in many:
        assert one.low is not None
        assert one.high is not None
        sign = 1 if one.metric == "real_time" else -1
        for size, name in ((found.every, "every"), (found.half, "half")):
            factor = (1 + sign * (size + 1e-9)) / (1 + one.change)
            # The same interval around that effect, in ratios.
            ends = (1 + one.low) * factor - 1, (1 + one.high) * factor - 1
            verdict = verdict_of_interval(*ends, MARGIN, metric(one.metric).better)
            failed[name] += verdict is Verdict.SLOWER
    assert failed["every"] == len(many)
    assert failed["half"] >= math.ceil(len(many) / 2)


@given(st.lists(JUDGED, max_size=30))
def test_no_undecided_one_is_worse_than_the_worst(many: list[Comparison]) -> None:
    found = strength(many, MARGIN)
    undecided = [one for one in many if one.verdict is Verdict.UNDECIDED]
    assert found.undecided == len(undecided)
    ends = [one.high if one.metric == "real_time" else -(one.low or 0.0) for one in undecided]
    known = [end for end in ends if end is not None]
    assert found.worst == max(known, default=None)
    if found.most_within is not None:
        assert sum(end <= found.most_within for end in known) >= found.most > 0


@given(st.lists(JUDGED, max_size=10), st.lists(JUDGED, max_size=10))
def test_more_to_judge_makes_no_gate_stronger(
    some: list[Comparison], more: list[Comparison]
) -> None:
    one, all_ = strength(some, MARGIN), strength(some + more, MARGIN)
    if some:
        assert one.every is not None
        assert all_.every is not None
        assert all_.every >= one.every


def test_without_an_interval_nothing_would_have_been_caught() -> None:
    found = strength([comparison(0.0, (-0.01, 0.01)), comparison()], MARGIN)
    assert found.every is None
    assert found.half == pytest.approx(1.02 / 0.99**2.6 - 1)
    assert (found.unjudged, found.undecided) == (1, 0)
    assert strength([comparison()], MARGIN).half is None


def test_an_exact_count_is_caught_beyond_the_margin() -> None:
    assert strength([comparison(0.0, (0.0, 0.0), name="allocs")], MARGIN).every == MARGIN


def test_exact_counts_beside_sampled_times_are_left_out() -> None:
    """They show any change, so that half of all would be about the times no more."""
    times = [comparison(0.0, (-0.01, half)) for half in (0.01, 0.02, 0.03)]
    counts = [comparison(0.0, (0.0, 0.0), name="allocs") for _ in range(9)]
    so_far = replace(comparison(name="allocs"), method=MethodName.EXACT_SO_FAR)
    alone, beside = strength(times, MARGIN), strength([*times, *counts, so_far], MARGIN)
    assert (beside.every, beside.half) == (alone.every, alone.half)
    assert (beside.judged, beside.metrics, beside.unjudged) == (3, 1, 0)
    assert beside.lacking == {"time": 1 + alone.lacking["time"]}


def test_a_time_without_an_interval_is_not_left_out() -> None:
    found = strength([comparison(), comparison(0.0, (0.0, 0.0), name="allocs")], MARGIN)
    assert (found.every, found.judged, found.unjudged) == (None, 1, 1)


def test_single_intervals_and_metrics_without_a_better_side_are_asked_nothing() -> None:
    alone = comparison(0.0, None, single=True)
    neither = comparison(0.0, (-0.5, 0.5), name="colour")
    found = strength([alone, neither, comparison(0.0, (-0.01, 0.01))], MARGIN)
    assert found.every == pytest.approx(1.02 / 0.99**2.6 - 1)
    assert found.unjudged == 0


def test_of_93_undecided_most_are_told_apart_from_the_worst() -> None:
    ends = [0.08] * 80 + [0.37] * 13
    found = strength([comparison(0.0, (-0.05, end)) for end in ends], MARGIN)
    assert (found.undecided, found.worst) == (93, 0.37)
    assert found.most_within == 0.08
    assert found.most == 80
    assert found.lacking == {"time": 93}


def test_what_is_caught_is_caught_again_in_19_of_20_tries() -> None:
    """Half of the interval alone is caught every second time: the centre scatters, too."""
    found = promises = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        said = judge([rounds_from(0.01 * rng.standard_normal(40))], settings()).strength
        assert said is not None
        if said.every is not None:
            d = 0.01 * rng.standard_normal(40) + math.log1p(said.every)
            again = judge([rounds_from(d)], settings()).comparisons[0]
            promises, found = promises + 1, found + (again.verdict is Verdict.SLOWER)
    assert promises > 30
    assert found >= 0.9 * promises


def named(name: str, change: float, low: float, high: float, **more: object) -> Comparison:
    return replace(comparison(change, (low, high)), benchmark=name, **more)


def test_the_smallest_change_that_is_caught_is_the_margin_and_the_half_towards_it() -> None:
    """In ratios, raised by the room for a wider interval; of rates, less of them is worse."""
    slower = strength([comparison(0.25, (0.0, 0.75))], MARGIN)
    assert slower.every == pytest.approx(1.02 * 1.25**2.6 - 1)
    fewer = strength([comparison(0.25, (0.0, 0.75), name="items_per_second")], MARGIN)
    assert fewer.every == pytest.approx(1 - 0.98 / 1.4**2.6)
    outside = strength([comparison(0.25, (0.5, 0.75))], MARGIN)
    assert outside.every == pytest.approx(MARGIN)
    beyond = strength([comparison(0.25, (0.0, 0.125), name="items_per_second")], MARGIN)
    assert beyond.every == pytest.approx(MARGIN)


def test_five_benchmarks_need_less_room_for_a_wider_interval() -> None:
    four, five = ([named(f"B{n}", 0.25, 0.0, 0.75) for n in range(count)] for count in (4, 5))
    assert strength(four, MARGIN).every == pytest.approx(1.02 * 1.25**2.6 - 1)
    assert strength(five, MARGIN).every == pytest.approx(1.02 * 1.25**1.9 - 1)


def test_the_scatter_of_the_centre_is_added_and_stays_finite() -> None:
    def every(noise: float, rounds: int) -> float | None:
        return strength([named("B", 0.25, 0.0, 0.75, noise=noise, rounds=rounds)], MARGIN).every

    sure = 1.02 * 1.25**2.6
    assert every(0.1, 100) == pytest.approx(sure * math.exp(2.1 * 0.1 / 10.0) - 1)
    assert every(0.1, 1) == pytest.approx(sure * math.exp(2.1 * 0.1) - 1)
    assert every(0.1, 0) == pytest.approx(sure - 1)
    assert every(1e9, 4) == pytest.approx(sure * math.exp(50.0) - 1)


def test_an_interval_that_ends_at_nothing_catches_nothing() -> None:
    assert strength([comparison(0.5, (-1.0, 0.75))], MARGIN).every is None


def test_half_of_the_benchmarks_are_the_better_half() -> None:
    def half(*lows: float) -> float | None:
        some = [named(f"B{n}", 0.0, low, 0.5) for n, low in enumerate(lows)]
        return strength(some, MARGIN).half

    wide, wider, widest = (1.02 / (1 + low) ** 2.6 - 1 for low in (-0.1, -0.2, -0.3))
    assert half(-0.2, -0.1) == pytest.approx(wide)
    assert half(-0.3, -0.1, -0.2) == pytest.approx(wider)
    assert half(-0.3) == pytest.approx(widest)


def most_of(count: int) -> float | None:
    """Of so many undecided ones whose upper ends are 0.1, 0.2, and so on."""
    return strength(
        [comparison(0.0, (-0.05, (n + 1) / 10)) for n in range(count)], MARGIN
    ).most_within


def test_most_are_six_of_seven() -> None:
    assert [most_of(count) for count in (1, 2, 7, 8, 14)] == [None, 0.1, 0.6, 0.6, 1.2]
    alike = strength([comparison(0.0, (-0.05, 0.25))] * 7, MARGIN)
    assert (alike.most, alike.most_within, alike.worst) == (0, None, 0.25)


def test_the_worse_end_of_a_rate_is_its_lower_one() -> None:
    found = strength([comparison(0.0, (-0.25, 0.5), name="items_per_second")], MARGIN)
    assert found.worst == 0.25


def test_what_each_undecided_one_lacked_is_counted() -> None:
    near, early = comparison(0.021, (0.0, 0.04)), comparison()
    decided = comparison(0.0, (-0.01, 0.01))
    found = strength([near, near, early, decided], MARGIN)
    assert found.lacking == {"precision": 2, "time": 1}
    assert (found.undecided, found.unjudged, found.judged, found.metrics) == (2, 1, 4, 1)


def test_the_time_that_is_missing_is_the_longest_of_each_benchmark_all_together() -> None:
    none = strength([comparison()], MARGIN)

    def missing(*many: Comparison) -> float | None:
        return with_missing_time(none, many).missing_s

    def without(name: str = "B", wanted: int | None = 9, round_s: float | None = 2.0) -> Comparison:
        return replace(comparison(), benchmark=name, rounds_wanted=wanted, round_s=round_s)

    assert missing(without()) == 8.0  # four rounds more than the five it has
    assert missing(without(), without(wanted=7)) == 8.0
    assert missing(without(wanted=7), without()) == 8.0
    assert missing(without(), without("other", wanted=6)) == 10.0
    assert missing(without(wanted=3)) is None
    assert missing(without(wanted=None), without(round_s=None)) is None
    assert missing(replace(without(), single=True)) is None
    assert missing(replace(without(), low=0.0, high=0.5)) is None
