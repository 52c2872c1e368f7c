import pytest

from assay.judge.family.decision import ChangeInterval, decide, detectable_effect, leaning_verdict
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
    assert decide(low, high, margin, Better.LOWER) is expected


def test_lean_is_the_estimates_own_verdict() -> None:
    assert leaning_verdict(0.03, 0.02, Better.LOWER) is Verdict.SLOWER
    assert leaning_verdict(0.03, 0.02, Better.HIGHER) is Verdict.FASTER
    assert leaning_verdict(-0.03, 0.02, Better.NEITHER) is Verdict.DIFFERENT
    assert leaning_verdict(0.01, 0.02, Better.LOWER) is Verdict.SAME


def test_findable_is_the_margin_and_half_the_interval() -> None:
    assert detectable_effect(ChangeInterval(0.0, -0.03, 0.05, 0.02)) == pytest.approx(0.06)
