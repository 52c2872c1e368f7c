import math

import pytest
from judging import files_of, rounds_of, settings

from assay.judge.verdict import judge
from assay.model import Comparison, Design, Pair, Series, Verdict


def counted(
    base: list[float], candidate: list[float], margin: float = 0.02, metric: str = "CallsToAlloc"
) -> Comparison:
    return judge([files_of(base, candidate, metric=metric)], settings(margin)).comparisons[0]


def test_counts_that_do_not_vary_are_compared_exactly() -> None:
    one = counted([4.0], [3.0])
    assert (one.change, one.low, one.high) == (-0.25, -0.25, -0.25)
    assert one.verdict is Verdict.FASTER
    assert one.method.startswith("exact")
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
    base = Series("B", "MemoryAllocated", "B", ((0.0, 0.2),))
    for amount, verdict in ((0.7, Verdict.SAME), (8.0, Verdict.SLOWER)):
        candidate = Series("B", "MemoryAllocated", "B", ((amount,),))
        made = judge([Pair(base, candidate, Design.SEQUENTIAL)], settings(margin=0.0))
        assert made.comparisons[0].verdict is verdict
    assert counted([16.0], [17.0], margin=0.0, metric="MemoryAllocated").verdict is Verdict.SLOWER


def test_from_none_to_some_is_finite_and_slower() -> None:
    one = counted([0.0], [3.0])
    assert (one.change, one.low, one.high) == (2.0, 2.0, 2.0)
    assert one.verdict is Verdict.SLOWER
    assert "none" in one.notes[0]
    back = counted([3.0], [0.0])
    assert (back.change, back.verdict) == (-1.0, Verdict.FASTER)


def test_counters_without_a_better_direction_are_different() -> None:
    assert counted([1.0], [2.0], metric="my_counter").verdict is Verdict.DIFFERENT
    assert counted([1.0], [1.0], metric="my_counter").verdict is Verdict.SAME


def test_counts_that_vary_are_judged_as_samples_are() -> None:
    base = [(1e6 + 100.0 * i,) for i in range(30)]
    candidate = [(1.1e6 + 130.0 * i,) for i in range(30)]
    made = judge([rounds_of(base, candidate, metric="instructions")], settings())
    one = made.comparisons[0]
    assert "exact" not in one.method
    assert one.verdict is Verdict.SLOWER
    assert one.low is not None
    assert one.low < one.change


def test_exact_counts_cost_no_share_of_alpha() -> None:
    pairs = [files_of([4.0], [3.0], metric="CallsToAlloc") for _ in range(5)]
    assert judge(pairs, settings()).control.startswith("Holm over 0 comparisons")


@pytest.mark.parametrize("values", [([0.0, 1.0, 0.0], [2.0, 0.0, 1.0]), ([5.0, 0.0], [0.0, 3.0])])
def test_counts_that_vary_around_zero_are_not_judged(
    values: tuple[list[float], list[float]],
) -> None:
    one = counted(*values)
    assert one.verdict is Verdict.UNDECIDED
    assert math.isfinite(one.change)
