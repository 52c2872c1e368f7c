"""Failed launches of benchmarks that were measured nevertheless, in sentences."""

import pytest

from assay.judging import Holm
from assay.model import FailedLaunches, Judgement, Settings, SideFailures
from assay.show.words.failed_launches import sentence, sentences

SEGFAULT = "it crashed with SIGSEGV"


def failures(
    base: tuple[int, str], candidate: tuple[int, str], *, name: str = "B", more_often: bool = False
) -> FailedLaunches:
    sides = [
        SideFailures(failed=failed, launches=1_200, what=what) for failed, what in (base, candidate)
    ]
    return FailedLaunches(benchmark=name, base=sides[0], candidate=sides[1], more_often=more_often)


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (
            failures((0, ""), (1_007, SEGFAULT), more_often=True),
            "1,007 of 1,200 launches of the candidate crashed with SIGSEGV, 0 of 1,200 of the "
            "base: the candidate fails more often.",
        ),
        (
            failures((1, ""), (2, SEGFAULT)),
            "2 of 1,200 launches of the candidate crashed with SIGSEGV, 1 of 1,200 of the base: "
            "too few to tell from chance.",
        ),
        (
            failures((2, "timed out"), (2, SEGFAULT)),
            "2 of 1,200 launches of the candidate crashed with SIGSEGV, 2 of 1,200 of the base.",
        ),
        (
            failures((3, ""), (2, SEGFAULT)),
            "3 of 1,200 launches of the base failed, 2 of 1,200 of the candidate.",
        ),
        (
            failures((3, f"it {'w' * 161}"), (0, "")),
            f"3 of 1,200 launches of the base {'w' * 79}…{'w' * 80}, 0 of 1,200 of the candidate.",
        ),
    ],
)
def test_the_side_that_fails_more_comes_first(one: FailedLaunches, text: str) -> None:
    assert sentence(one) == text


def test_one_launch_is_no_launches() -> None:
    side = SideFailures(failed=1, launches=1, what="it hung")
    one = FailedLaunches(benchmark="B", base=side, candidate=side, more_often=False)
    assert sentence(one) == "1 of 1 launch of the candidate hung, 1 of 1 of the base."


def test_those_that_fail_more_often_come_first_and_the_others_in_their_order() -> None:
    every = (
        failures((1, ""), (1, ""), name="BM_2"),
        failures((0, ""), (9, ""), name="BM_3", more_often=True),
        failures((1, ""), (1, ""), name="BM_1\n"),
    )
    judgement = Judgement(
        comparisons=(),
        settings=Settings(),
        control=Holm(family=1, alpha=0.05),
        failed_launches=every,
    )
    assert [text.partition(":")[0] for text in sentences(judgement)] == [
        "BM_3",
        "BM_2",
        "BM_1\\x0a",
    ]
