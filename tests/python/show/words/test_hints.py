"""What stands beside a verdict: time, what is within reach, and what is slow only sometimes."""

from typing import Any

import pytest
from comparisons import SLOW_LAUNCHES, SLOW_SAMPLES, row, sometimes

from assay.model import Finding, Verdict
from assay.show.words.hints import hint

NONE_YET: dict[str, Any] = {"low": None, "high": None}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rounds_needed": 400, "round_s": 0.1}, "about 40 s more"),
        ({"rounds_needed": 1, "round_s": 0.1}, "about 1 s more"),
        (
            {"rounds_needed": 30, "round_s": 5, "lean": Verdict.SLOWER},
            "leans slower, about 2 min 30 s more",
        ),
        (
            {"rounds_needed": 78_564, "round_s": 0.1, "findable": 0.04},
            "out of reach here; 4 % is within reach",
        ),
        (
            {"rounds_needed": None, "round_s": 0.1, "findable": 0.04, "lean": Verdict.SAME},
            "leans same, out of reach here; 4 % is within reach",
        ),
        ({"rounds_needed": 78_564, "findable": 0.04}, "out of reach here; 4 % is within reach"),
        ({"rounds_needed": 20}, "about 20 more rounds"),  # nobody timed a round
        (
            {**NONE_YET, "rounds": 3, "rounds_wanted": 15, "rounds_needed": 12, "round_s": 3.3},
            "3 of 15 rounds; about 40 s more",
        ),
        (
            {**NONE_YET, "rounds": 3, "rounds_wanted": 15, "round_s": 3.3},
            "3 of 15 rounds; about 40 s more",
        ),
        (
            {**NONE_YET, "rounds": 3, "rounds_wanted": 15, "rounds_needed": 12, "round_s": 300.0},
            "3 of 15 rounds",
        ),
        (NONE_YET, "too few samples"),
        ({"verdict": Verdict.SAME, "rounds_needed": 7, "round_s": 1.0}, ""),
    ],
)
def test_an_undecided_row_says_what_would_decide_it(given: dict[str, Any], said: str) -> None:
    assert hint(row(**given)) == said


@pytest.mark.parametrize(
    ("share", "size", "said"),
    [
        (0.2, 0.3, "in about 1 of 5 launches, by 30 %"),
        (0.19, -0.3, "in about 1 of 5 launches, by 30 %"),
        (0.65, 0.021, "in about 2 of 3 launches, by 2.1 %"),
        (0.04, 1.5, "in about 1 of 25 launches, by 150 %"),
        (1.0, 0.1, "in about 1 of 1 launches, by 10 %"),
        (0.0, 0.1, "in about 1 of 1,000,000 launches, by 10 %"),
    ],
)
def test_how_often_and_how_far_launches_are_slow(share: float, size: float, said: str) -> None:
    found = Finding(of="launches", verdict=Verdict.SOMETIMES_SLOWER, share=share, size=size)
    assert hint(sometimes(found)) == said


def test_slow_samples_and_several_findings() -> None:
    assert hint(sometimes(SLOW_SAMPLES)) == "slow samples: all in all +11.0 %"
    both = hint(sometimes(SLOW_LAUNCHES, SLOW_SAMPLES))
    assert both == "in about 1 of 5 launches, by 30 %; slow samples: all in all +11.0 %"
