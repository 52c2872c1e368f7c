"""Counts taken with everything held still: what one launch says, and what takes a few more."""

import random

import pytest
from judging import settings

from assay.judge.family.family import FamilyScope
from assay.judge.family.repeatable_counts import launches_wanted
from assay.judge.verdict import judge
from assay.judging import MethodName
from assay.model import Comparison, Design, Pair, Series, Verdict
from assay.remarks import RemarkName

MARGIN = 0.0005


def counted(
    base: list[float],
    candidate: list[float],
    *,
    margin: float = MARGIN,
    family: int | None = None,
    design: Design = Design.SEQUENTIAL,
) -> Comparison:
    base_side, candidate_side = (
        Series("BM", "instructions", "1", tuple((value,) for value in side))
        for side in (base, candidate)
    )
    turns = () if design is Design.SEQUENTIAL else (True,) * len(base)
    pair = Pair(base_side, candidate_side, design, turns)
    asked = FamilyScope(("instructions",), family, ("instructions",))
    return judge([pair], settings(margin), asked=asked).comparisons[0]


def test_one_launch_a_side_says_that_they_are_the_same() -> None:
    one = counted([6006.5], [6006.5])
    assert (one.verdict, one.low, one.high) == (Verdict.SAME, 0.0, 0.0)
    assert one.method is MethodName.REPEATED


def test_one_part_in_a_thousand_is_told_after_four() -> None:
    early = counted([1000.5] * 2, [1001.5] * 2)
    assert (early.verdict, early.lean, early.low) == (Verdict.UNDECIDED, Verdict.SLOWER, None)
    assert early.rounds_wanted == 4
    told = counted([1000.5] * 4, [1001.5] * 4)
    assert told.verdict is Verdict.SLOWER
    assert told.low == told.high == told.change == pytest.approx(0.001, rel=1e-3)
    assert counted([1001.5] * 4, [1000.5] * 4).verdict is Verdict.FASTER


def test_in_a_larger_suite_it_takes_more() -> None:
    assert [launches_wanted(0.025 / size) for size in (1, 16, 100)] == [4, 6, 7]
    assert counted([1000.0] * 5, [1001.0] * 5, family=16).verdict is Verdict.UNDECIDED
    assert counted([1000.0] * 6, [1001.0] * 6, family=16).verdict is Verdict.SLOWER


def test_the_margin_holds_to_the_last_digit() -> None:
    assert counted([2000.0] * 4, [2001.0] * 4).verdict is Verdict.SAME
    assert counted([2000.0] * 4, [2001.001] * 4).verdict is Verdict.SLOWER
    assert counted([2000.0] * 4, [2000.001] * 4, margin=0.0).verdict is Verdict.SLOWER


def test_a_wobble_far_below_the_margin_repeats() -> None:
    one = counted([1e6, 1e6 + 20], [1e6 + 10, 1e6])
    assert one.verdict is Verdict.SAME
    assert one.low is not None
    assert one.high is not None
    assert one.low < 0 < one.high
    assert one.method is MethodName.NEARLY_REPEATED


def test_what_varies_is_not_exact_and_needs_rounds() -> None:
    one = counted([1000.0, 1010.0], [1003.0, 1009.0], design=Design.INTERLEAVED)
    assert (one.verdict, one.low) == (Verdict.UNDECIDED, None)
    assert one.notes[0] is RemarkName.COUNT_VARIES


def test_a_program_that_tosses_a_coin_raises_few_alarms() -> None:
    """The worst there is: one of two counts by chance, whatever the build."""
    draw, alarms = random.Random(7), 0
    for _ in range(4000):
        base, candidate = ([1000.0 + draw.randrange(2) * 100 for _ in range(4)] for _ in "ab")
        alarms += counted(base, candidate).verdict.is_change
    assert 10 < alarms < 60  # 1 of 128 is 31; the half of the level that this has is 100


def test_nothing_on_both_sides_is_the_same() -> None:
    assert counted([0.0], [0.0]).verdict is Verdict.SAME


@pytest.mark.parametrize("level", [0.5, 0.2, 0.125, 0.12, 0.031, 0.03125, 1e-3, 1e-9])
def test_so_few_launches_that_a_tossed_coin_shows_a_change_with_the_chance_of_the_level(
    level: float,
) -> None:
    n = launches_wanted(level)
    assert 2.0 * 0.25**n <= level
    assert n == 2 or 2.0 * 0.25 ** (n - 1) > level


@pytest.mark.parametrize(("apart", "repeats"), [(49.9, True), (50.1, False)])
def test_launches_may_differ_by_a_tenth_of_the_margin(apart: float, repeats: bool) -> None:
    wobbling, still = [1e6, 1e6 + apart], [1e6, 1e6]
    for sides in ((wobbling, still), (still, wobbling)):
        assert (counted(*sides).low is not None) is repeats


@pytest.mark.parametrize("more", [500.0, -500.0])
def test_a_change_that_crosses_the_margins_edge_is_no_exact_one(more: float) -> None:
    one = counted([1e6, 1e6 + 40], [1e6 + more + 20] * 2)
    assert (one.verdict, one.low) == (Verdict.UNDECIDED, None)
    told = counted([1e6, 1e6 + 40] * 2, [1e6 + 2 * more] * 4)
    assert told.verdict is (Verdict.SLOWER if more > 0 else Verdict.FASTER)
    assert told.change == pytest.approx((2 * more - 20) / 1e6, rel=1e-3)
