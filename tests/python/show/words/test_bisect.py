"""What a search says: one commit, a commit of which a part was taken back, or no clear answer."""

import math

import pytest

from assay.bisection import BisectionAnswer, BisectResult, ChangePart, Commit
from assay.show.words.bisect import changes, headline

NAMES = ("aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd")
COMMITS = {one: Commit(one, "", (), 0, f"Subject of {one[0]}") for one in NAMES}


def result(**answer: object) -> BisectResult:
    known: dict[str, object] = {
        "commits": ("bbbbbbbbbb",), "probability": 0.98, "settled": True, "others": (),
        "none": 0.0, "size": math.log(2.39), "size_error": 0.01, "rounds": 12,
    }  # fmt: skip
    return BisectResult(BisectionAnswer(**{**known, **answer}), "BM_a", COMMITS, ())  # type: ignore[arg-type]


TAKEN_BACK = (
    ChangePart("", "bbbbbbbbbb", 0.0, math.log(3.34), is_located=True, is_answer=True),
    ChangePart("bbbbbbbbbb", "dddddddddd", math.log(3.34), math.log(2.39)),
)


def test_one_change() -> None:
    said = headline(result(size=math.log(1.17)))
    assert said == 'bbbbbbbbbb "Subject of b" made BM_a worse: +17.0 % (98 % sure).'
    assert changes(result()) == []


def test_what_was_taken_back_is_said() -> None:
    found = result(several=0.99, parts=TAKEN_BACK)
    assert "worse: +234.0 %, of which one commit of bbbbbbbbbb..dddddddddd took back 95 points" in (
        headline(found)
    )
    assert changes(found) == [
        "changes, against GOOD:",
        "  +0.00 % to +234.0 % at bbbbbbbbbb",
        "  +234.0 % to +139.0 % in one commit of bbbbbbbbbb..dddddddddd",
    ]


@pytest.mark.parametrize(
    ("several", "words"), [(0.9, "More than one change"), (0.2, "No single commit")]
)
def test_what_is_less_likely_than_not_is_no_answer(several: float, words: str) -> None:
    said = headline(result(probability=0.31, settled=False, several=several))
    assert said.startswith(f"{words}: ")
    assert "made BM_a worse" not in said
    assert "bbbbbbbbbb is the likeliest, 31 %" in said


@pytest.mark.parametrize(
    ("probability", "said"),
    [(0.98, "98 %"), (0.9987, "99.9 %"), (0.999, "99.9 %"), (0.9991, "more than 99.9 %")],
)
def test_nothing_is_sure(probability: float, said: str) -> None:
    assert headline(result(probability=probability)).endswith(f"({said} sure).")
