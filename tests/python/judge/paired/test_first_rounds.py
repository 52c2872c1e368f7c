"""Which benchmarks stand out by their first rounds."""

import math

import pytest

from assay.judge.paired.first_rounds import benchmarks_standing_out

# Seven benchmarks whose first rounds lie a hundredth from nought, to this side or that.
USUAL = {f"b{number}": [0.01 * (-1) ** number] for number in range(7)}
# 0.01 x 1.4826 is the usual distance; more than three of these beyond the margin is far.
FAR = 3.0 * 1.4826 * 0.01 + math.log1p(0.05)


def test_far_ones_are_named_the_farthest_first() -> None:
    ratios = {**USUAL, "far": [0.5], "farther": [-0.7], "near": [0.06], "none": []}
    assert benchmarks_standing_out(ratios, 0.05) == ["farther", "far"]


@pytest.mark.parametrize(("beyond", "named"), [(0.999, []), (1.001, ["c"])])
def test_how_far_is_far(beyond: float, named: list[str]) -> None:
    assert benchmarks_standing_out({**USUAL, "c": [FAR * beyond]}, 0.05) == named


def test_more_rounds_tell_it_sooner() -> None:
    less = 3.0 * 1.4826 * 0.01 / 2.0 + math.log1p(0.05)
    assert benchmarks_standing_out({**USUAL, "c": [less * 1.001] * 4}, 0.05) == ["c"]
    assert benchmarks_standing_out({**USUAL, "c": [less * 0.999] * 4}, 0.05) == []


def test_of_seven_none_is_named() -> None:
    few = {name: USUAL[name] for name in list(USUAL)[:6]}
    assert benchmarks_standing_out({**few, "far": [0.5]}, 0.05) == []
    assert benchmarks_standing_out({**USUAL, "far": [0.5]}, 0.05) == ["far"]
