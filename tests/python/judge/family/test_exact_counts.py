import math
from collections import Counter

import numpy as np
import pytest
from judging import files_of, rounds_of, series, settings

from assay.judge.family.exact_counts import constant_counts, launches_wanted
from assay.judge.family.family import FamilyScope
from assay.judge.share import COUNTS
from assay.judge.verdict import judge
from assay.judging import Drift, Holm, MethodName
from assay.model import Comparison, Design, Pair, Series, Verdict
from assay.remarks import RemarkName

ENOUGH = launches_wanted(COUNTS * 0.05)  # of one metric of one benchmark, at a level of 5 %


def counted(
    base: list[float], candidate: list[float], margin: float = 0.02, metric: str = "CallsToAlloc"
) -> Comparison:
    """Judged from so many launches that a count may be called exact."""
    sides = (
        series([(value,) for value in values * math.ceil(ENOUGH / len(values))], metric=metric)
        for values in (base, candidate)
    )
    return judge([Pair(*sides, Design.SEQUENTIAL)], settings(margin)).comparisons[0]


def test_counts_that_do_not_vary_are_compared_exactly() -> None:
    one = counted([4.0], [3.0])
    assert (one.change, one.low, one.high) == (-0.25, -0.25, -0.25)
    assert one.verdict is Verdict.FASTER
    assert one.method is MethodName.EXACT
    assert counted([4.0, 4.0], [4.0, 4.0]).verdict is Verdict.SAME


def test_the_margin_applies_to_counts() -> None:
    assert counted([1000.0], [1001.0]).verdict is Verdict.SAME
    assert counted([1000.0], [1001.0], margin=0.0).verdict is Verdict.SLOWER
    assert counted([1000.0], [1000.0], margin=0.0).verdict is Verdict.SAME


def test_a_crumb_of_warm_up_is_no_change() -> None:
    one = counted([2.0000001, 2.0000002], [2.0000009, 2.0000011], margin=0.0)
    assert (one.change, one.verdict) == (0.0, Verdict.SAME)
    assert counted([0.0], [0.0004], margin=0.0).verdict is Verdict.SAME
    assert counted([2.0], [2.01], margin=0.0).verdict is Verdict.SLOWER


def test_a_fraction_of_a_byte_is_a_crumb_and_a_byte_is_not() -> None:
    base = Series("B", "MemoryAllocated", "B", ((0.0, 0.2),) * ENOUGH)
    for amount, verdict in ((0.7, Verdict.SAME), (8.0, Verdict.SLOWER)):
        candidate = Series("B", "MemoryAllocated", "B", ((amount,),) * ENOUGH)
        made = judge([Pair(base, candidate, Design.SEQUENTIAL)], settings(margin=0.0))
        assert made.comparisons[0].verdict is verdict
    assert counted([16.0], [17.0], margin=0.0, metric="MemoryAllocated").verdict is Verdict.SLOWER


def test_from_none_to_some_is_finite_and_slower() -> None:
    one = counted([0.0], [3.0])
    assert (one.change, one.low, one.high) == (2.0, 2.0, 2.0)
    assert one.verdict is Verdict.SLOWER
    assert one.notes == (RemarkName.FROM_NONE,)
    back = counted([3.0], [0.0])
    assert (back.change, back.verdict) == (-1.0, Verdict.FASTER)


def test_counters_without_a_better_direction_are_different() -> None:
    assert counted([1.0], [2.0], metric="my_counter").verdict is Verdict.DIFFERENT
    assert counted([1.0], [1.0], metric="my_counter").verdict is Verdict.SAME


def test_counts_that_vary_are_judged_as_samples_are() -> None:
    crumbs = np.random.default_rng(1).integers(0, 5_000, (2, 40)).tolist()
    base = [(1e6 + crumb,) for crumb in crumbs[0]]
    candidate = [(1.1e6 + crumb,) for crumb in crumbs[1]]
    made = judge([rounds_of(base, candidate, metric="instructions")], settings())
    one = made.comparisons[0]
    assert one.method is MethodName.ROUNDS
    assert one.verdict is Verdict.SLOWER
    assert one.low is not None
    assert one.low < one.change


def test_exact_counts_cost_no_share_of_alpha() -> None:
    pairs = [files_of([4.0], [3.0], metric="CallsToAlloc") for _ in range(5)]
    assert judge(pairs, settings()).control == Holm(family=0, alpha=0.05, drift=Drift(0.12))


@pytest.mark.parametrize("values", [([0.0, 1.0, 0.0], [2.0, 0.0, 1.0]), ([5.0, 0.0], [0.0, 3.0])])
def test_counts_that_vary_around_zero_are_not_judged(
    values: tuple[list[float], list[float]],
) -> None:
    one = counted(*values)
    assert one.verdict is Verdict.UNDECIDED
    assert math.isfinite(one.change)


def counter_of(base: np.ndarray, candidate: np.ndarray, metric: str = "CallsToAlloc") -> Pair:
    return rounds_of(base[:, None].tolist(), candidate[:, None].tolist(), metric=metric)


def test_of_equal_poisson_counters_few_are_called_changed() -> None:
    """However many launches there are: rare counts are often alike in the first few."""
    rng = np.random.default_rng(16)
    pairs, changed = 2_000, Counter[int]()
    for number in range(pairs):
        launches = 1 + number % 40
        counts = rng.poisson(rng.choice([0.05, 0.3, 1.0, 4.0]), (2, launches)).astype(float)
        one = judge([counter_of(*counts)], settings(margin=0.0)).comparisons[0]
        changed[launches] += one.verdict not in (Verdict.UNDECIDED, Verdict.SAME)
        if one.method is MethodName.EXACT:
            assert launches >= ENOUGH
    assert changed.total() <= 0.05 * pairs
    assert max(changed.values()) <= 0.1 * pairs / 40, "of those with as many launches"


@pytest.mark.parametrize("launches", range(1, ENOUGH + 3))
def test_a_count_is_exact_only_after_as_many_launches_as_its_level_needs(launches: int) -> None:
    pair = counter_of(np.full(launches, 2.0), np.full(launches, 3.0))
    one = judge([pair], settings()).comparisons[0]
    assert (one.method is MethodName.EXACT) == (launches >= ENOUGH)
    if launches < ENOUGH:
        assert one.method is MethodName.EXACT_SO_FAR
        assert (one.low, one.verdict, one.lean) == (None, Verdict.UNDECIDED, Verdict.SLOWER)
        assert one.rounds_needed == ENOUGH - launches
    else:
        assert (one.low, one.verdict) == (0.5, Verdict.SLOWER)


def test_two_equal_sides_that_split_by_chance_are_as_rare_as_the_level() -> None:
    """All of one side one value, all of the other another: at most 2^(1 - n)."""
    for level in (0.5, 0.05, 0.001, 1e-6):
        n = launches_wanted(level)
        assert 2.0 ** (1 - n) <= level < 2.0 ** (2 - n)


def test_a_larger_family_makes_counts_wait_longer() -> None:
    pair = counter_of(np.full(ENOUGH, 2.0), np.full(ENOUGH, 3.0))
    asked = FamilyScope(None, family=100)
    one = judge([pair], settings(), asked=asked).comparisons[0]
    assert one.verdict is Verdict.UNDECIDED
    assert one.rounds_wanted is not None
    assert one.rounds_wanted > ENOUGH


def test_what_other_benchmarks_count_makes_no_difference() -> None:
    """A look at one of them knows nothing of the others, and its verdict stands."""
    alike = np.full(ENOUGH, 2.0)
    times = np.exp(0.01 * np.random.default_rng(1).standard_normal((2, 2, ENOUGH)))
    suite = [counter_of(alike, alike), named(counter_of(*times[0], metric="real_time"), "B")]
    suite += [named(counter_of(alike, alike, metric), "other") for metric in ("allocs", "frees")]
    family = FamilyScope(("real_time",), family=2)
    (alone, *_), (among, *_) = (
        judge(pairs, settings(), asked=family).comparisons for pairs in (suite[:2], suite)
    )
    assert alone == among


def test_benchmarks_that_only_count_share_the_level_of_counts() -> None:
    full = np.full(ENOUGH, 2.0)
    pairs = [named(counter_of(full, full), f"B{number}") for number in range(40)]
    assert {one.verdict for one in judge(pairs, settings()).comparisons} == {Verdict.UNDECIDED}


def named(pair: Pair, name: str) -> Pair:
    sides = (
        Series(name, one.metric, one.unit, one.launches) for one in (pair.base, pair.candidate)
    )
    return Pair(*sides, pair.design, pair.base_first)


def test_repetitions_in_one_process_are_no_launches() -> None:
    """A count that each process draws once is the same in all repetitions of a file."""
    pair = files_of([4.0] * 50, [3.0] * 50, metric="CallsToAlloc")
    one = judge([pair], settings()).comparisons[0]
    assert (one.verdict, one.low, one.rounds) == (Verdict.UNDECIDED, None, 1)
    assert one.method is MethodName.EXACT_SO_FAR


@pytest.mark.parametrize(
    ("base", "candidate", "change"),
    [
        (0.25, 0.2509, 0.0),
        (0.25, 0.2511, 0.0044),
        (2000.5, 2002.5, 0.0),
        (2000.5, 2003.5, 3.0 / 2000.5),
        (2.0, 2.0015, 0.0),
        (2.0, 3.0, 0.5),
        (-2.0, -3.0, -0.5),
        (-2.0, 3.0, 2.5),
        (0.0, -3.0, -2.0),
    ],
)
def test_a_thousandth_of_the_count_or_of_one_is_no_change(
    base: float, candidate: float, change: float
) -> None:
    found = constant_counts(counter_of(np.full(2, base), np.full(2, candidate)))
    assert found is not None
    assert found.change == pytest.approx(change, rel=1e-9)
    assert found.is_from_none == (base == 0.0)


def test_bytes_of_less_than_one_are_no_change_and_of_the_values_the_middle_one_counts() -> None:
    def change(unit: str, more: float) -> float:
        base = Series("B", "peak", unit, ((10.5,),))
        candidate = Series("B", "peak", unit, ((10.5 + more,),))
        found = constant_counts(Pair(base, candidate, Design.SEQUENTIAL))
        assert found is not None
        return found.change

    assert change("B", 1.0) == 0.0
    assert change("B", 1.25) == pytest.approx(1.25 / 10.5)
    assert change("1", 1.0) == pytest.approx(1.0 / 10.5)
    crumbs = Series("B", "allocs", "1", ((2.0002, 2.0001), (2.0003,)))
    found = constant_counts(Pair(crumbs, crumbs, Design.SEQUENTIAL))
    assert found is not None
    assert (found.base, found.candidate, found.is_from_none) == (2.0002, 2.0002, False)


def test_one_side_that_varies_is_no_exact_count() -> None:
    varies, still = np.array([2.0, 3.0]), np.full(2, 2.0)
    assert constant_counts(counter_of(varies, still)) is None
    assert constant_counts(counter_of(still, varies)) is None
    assert constant_counts(counter_of(still, still)) is not None
