import pytest

from assay.judge.outlook import NEVER, Span, decide, findable, lean, rounds_needed
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
    assert lean(0.03, 0.02, Better.LOWER) is Verdict.SLOWER
    assert lean(0.03, 0.02, Better.HIGHER) is Verdict.FASTER
    assert lean(-0.03, 0.02, Better.NEITHER) is Verdict.DIFFERENT
    assert lean(0.01, 0.02, Better.LOWER) is Verdict.SAME


def test_rounds_needed_follow_the_square_of_the_width() -> None:
    outside = Span(change=0.04, low=0.0, high=0.08, margin=0.02)
    assert rounds_needed(outside, 40, 10) == 120  # half the width: four times the rounds
    inside = Span(change=0.0, low=-0.04, high=0.03, margin=0.02)
    assert rounds_needed(inside, 40, 10) == 120
    mirrored = Span(change=-0.04, low=-0.08, high=0.0, margin=0.02)
    assert rounds_needed(mirrored, 40, 10) == 120


def test_no_number_of_rounds_is_named_where_none_would_do() -> None:
    on_the_edge = Span(change=0.02, low=0.0, high=0.04, margin=0.02)
    assert rounds_needed(on_the_edge, 40, 10) is None
    nearly = Span(change=0.0200001, low=0.0, high=0.04, margin=0.02)
    assert rounds_needed(nearly, 40, 10) is None
    assert NEVER < 40 * (0.02 / 1e-7) ** 2
    assert rounds_needed(Span(0.04, 0.0, 0.08, 0.02), 40, None) is None


def test_without_an_interval_the_fewest_rounds_are_named() -> None:
    assert rounds_needed(Span(0.5, NAN, NAN, 0.02), 4, 12) == 8


def test_findable_is_the_margin_and_half_the_interval() -> None:
    assert findable(Span(0.0, -0.03, 0.05, 0.02)) == pytest.approx(0.06)
