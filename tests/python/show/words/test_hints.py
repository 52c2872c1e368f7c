"""What stands beside a verdict: time, what is within reach, and what is slow only sometimes."""

from typing import Any

import pytest
from comparisons import SLOW_LAUNCHES, SLOW_SAMPLES, row, sometimes

from assay.model import Finding, Verdict
from assay.same_code import SameCode
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
        ({**NONE_YET, "rounds_needed": 7}, "about 7 more rounds"),
        ({**NONE_YET, "rounds": 15, "rounds_wanted": 15}, "15 of 15 rounds; about 1 more round"),
        ({**NONE_YET, "rounds": 0, "rounds_wanted": 1}, "0 of 1 round; about 1 more round"),
        ({"rounds_wanted": 50}, ""),
        ({"rounds_needed": 1_000}, "about 1,000 more rounds"),
        ({"rounds_needed": 1_001}, ""),
        ({"rounds_needed": 600, "round_s": 1.0}, "about 10 min 00 s more"),
        ({"rounds_needed": 601, "round_s": 1.0}, ""),
        ({"lean": Verdict.UNDECIDED}, ""),
        ({"verdict": Verdict.SLOWER, "rounds_needed": 7}, ""),
        ({"verdict": Verdict.PLACEMENT}, "same machine code"),
        ({"verdict": Verdict.SAME, "code": SameCode(same=True, why="")}, "same machine code"),
        ({"verdict": Verdict.SAME, "code": SameCode(same=False, why="")}, ""),
        ({"verdict": Verdict.SLOWER, "code": SameCode(same=True, why="")}, ""),
        (
            {"verdict": Verdict.SLOWER, "placement_sd": 0.021},
            "placement alone moves it by 2.1 %",
        ),
        (
            {"rounds_needed": 20, "placement_sd": 0.0},
            "about 20 more rounds; placement alone moves it by 0 %",
        ),
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
        (0.15, 0.3, "in about 1 of 6 launches, by 30 %"),
        (0.149, 0.3, "in about 1 of 7 launches, by 30 %"),
        (0.29, 0.3, "in about 1 of 4 launches, by 30 %"),
        (0.85, 0.3, "in about 5 of 6 launches, by 30 %"),
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


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (4.0, "its fastest samples are faster, all together are not: they scatter 5.0 times as "
         "much"),
        (0.0, "its fastest samples are faster, all together are not"),
        (-0.5, "its fastest samples are faster, all together are not"),
    ],
)  # fmt: skip
def test_samples_that_scatter_more(size: float, said: str) -> None:
    found = Finding(of="scatter", verdict=Verdict.DIFFERENT, share=0.5, size=size)
    assert hint(sometimes(found)) == said
