import pytest

from assay.judge.family.decision import (
    ChangeInterval,
    detectable_effect,
    leaning_verdict,
    verdict_of_interval,
)
from assay.model import Verdict
from assay.units import Better

NAN = float("nan")


@pytest.mark.parametrize(
    ("low", "high", "margin", "expected"),
    [
        (0.03, 0.05, 0.02, Verdict.SLOWER),
        (-0.05, -0.03, 0.02, Verdict.FASTER),
        (-0.01, 0.01, 0.02, Verdict.SAME),
        (0.01, 0.03, 0.02, Verdict.UNDECIDED),
        (0.02, 0.03, 0.02, Verdict.UNDECIDED),
        (0.001, 0.03, 0.0, Verdict.SLOWER),
        (-0.001, 0.001, 0.0, Verdict.UNDECIDED),
        (NAN, NAN, 0.02, Verdict.UNDECIDED),
    ],
)
def test_where_the_interval_lies_decides(
    low: float, high: float, margin: float, expected: Verdict
) -> None:
    assert verdict_of_interval(low, high, margin, Better.LOWER) is expected


def test_lean_is_the_estimates_own_verdict() -> None:
    assert leaning_verdict(0.03, 0.02, Better.LOWER) is Verdict.SLOWER
    assert leaning_verdict(0.03, 0.02, Better.HIGHER) is Verdict.FASTER
    assert leaning_verdict(-0.03, 0.02, Better.NEITHER) is Verdict.DIFFERENT
    assert leaning_verdict(0.01, 0.02, Better.LOWER) is Verdict.SAME


def test_findable_is_the_margin_and_half_the_interval() -> None:
    assert detectable_effect(ChangeInterval(0.0, -0.03, 0.05, 0.02)) == pytest.approx(0.06)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.03, -0.02, Verdict.UNDECIDED),
        (-0.03, -0.021, Verdict.FASTER),
        (-0.02, 0.01, Verdict.UNDECIDED),
        (-0.019, 0.019, Verdict.SAME),
        (-0.01, 0.02, Verdict.UNDECIDED),
        (0.021, 0.03, Verdict.SLOWER),
    ],
)
def test_an_end_at_the_margin_decides_nothing(low: float, high: float, expected: Verdict) -> None:
    assert verdict_of_interval(low, high, 0.02, Better.LOWER) is expected


def test_more_and_less_of_what_is_better_higher_or_neither() -> None:
    assert verdict_of_interval(0.03, 0.05, 0.02, Better.HIGHER) is Verdict.FASTER
    assert verdict_of_interval(-0.05, -0.03, 0.02, Better.HIGHER) is Verdict.SLOWER
    assert verdict_of_interval(0.03, 0.05, 0.02, Better.NEITHER) is Verdict.DIFFERENT
    assert verdict_of_interval(-0.05, -0.03, 0.02, Better.NEITHER) is Verdict.DIFFERENT


def test_an_estimate_at_the_margin_leans_to_the_same_and_without_a_margin_nowhere() -> None:
    assert leaning_verdict(0.02, 0.02, Better.LOWER) is Verdict.SAME
    assert leaning_verdict(-0.02, 0.02, Better.LOWER) is Verdict.SAME
    assert leaning_verdict(-0.021, 0.02, Better.LOWER) is Verdict.FASTER
    assert leaning_verdict(0.0, 0.0, Better.LOWER) is Verdict.UNDECIDED
    assert leaning_verdict(0.001, 0.0, Better.LOWER) is Verdict.SLOWER
