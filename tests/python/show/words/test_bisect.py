"""What a search says: one commit, a commit of which a part was taken back, or no clear answer."""

import math

import msgspec
import pytest

from assay.bisection import BisectionAnswer, BisectResult, ChangePart, Commit
from assay.same_code import SameCode
from assay.show.words.bisect import changes, headline, next_line, other_answers

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


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            {"commits": (), "probability": 0.98},
            "None of 4 commits made BM_a worse by what is worth a search (98 % sure).",
        ),
        (
            {"commits": NAMES[1:3], "probability": 0.5, "settled": False},
            "One of bbbbbbbbbb, cccccccccc made BM_a worse: +139.0 % (only 50 % sure: not "
            "settled). They cannot be told apart.",
        ),
        (
            {"commits": (), "probability": 0.31, "several": 0.5},
            "More than one change: what was measured of BM_a points to no commit by itself "
            "(that none of them did is likeliest, 31 %).",
        ),
        (
            {"probability": 0.31, "several": 0.49},
            "No single commit: what was measured of BM_a points to no commit by itself "
            "(bbbbbbbbbb is the likeliest, 31 %).",
        ),
    ],
)
def test_the_answer_in_one_line(answer: dict[str, object], said: str) -> None:
    assert headline(result(**answer)) == said


def test_the_same_machine_code_is_no_change_of_a_commit() -> None:
    same = msgspec.structs.replace(result(size=math.log(1.17)), code=SameCode(same=True, why=""))
    assert headline(same) == (
        'No commit changed what BM_a executes: it is +17.0 % from bbbbbbbbbb "Subject of b" on '
        "(98 % sure), with the same machine code as before, placed elsewhere."
    )
    other = msgspec.structs.replace(same, code=SameCode(same=False, why=""))
    assert headline(other) == headline(result(size=math.log(1.17)))


def part(after: str, upto: str, before: float, then: float, **more: bool) -> ChangePart:
    return ChangePart(after, upto, math.log(before), math.log(then), **more)


def test_only_later_falls_of_the_time_took_something_back() -> None:
    parts = (
        part("", NAMES[0], 1.0, 0.9),
        part(NAMES[0], NAMES[1], 0.9, 1.8, is_answer=True),
        part(NAMES[1], NAMES[2], 1.8, 1.8),
        part(NAMES[2], NAMES[3], 1.8, 1.5, is_located=True),
    )
    assert headline(result(parts=parts)) == (
        'bbbbbbbbbb "Subject of b" made BM_a worse: +100.0 %, of which dddddddddd took back '
        "30 points (98 % sure)."
    )
    assert changes(result(parts=parts))[1] == (
        "  +0.00 % to -10.0 % in one commit of GOOD..aaaaaaaaaa"
    )
    assert changes(result(parts=parts[:1])) == []
    unnamed = tuple(msgspec.structs.replace(one, is_answer=False) for one in parts)
    assert "worse: +139.0 % (98 % sure)" in headline(result(parts=unnamed))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, ""),
        ({"others": ((NAMES[0], 0.005), (NAMES[1], 0.9), (NAMES[2], 0.0049))},
         "otherwise: aaaaaaaaaa 0.5 %"),
        ({"others": ((NAMES[0], 0.01),), "none": 0.005},
         "otherwise: aaaaaaaaaa 1 %, none of them 0.5 %"),
        ({"none": 0.0049}, ""),
        ({"commits": (), "none": 0.9}, ""),
    ],
)  # fmt: skip
def test_other_answers_are_told_from_half_a_percent_on(
    answer: dict[str, object], said: str
) -> None:
    assert other_answers(result(**answer)) == said


def test_what_to_type_next_needs_one_commit() -> None:
    assert next_line(result()) == (
        "see it: assay compare git:bbbbbbbbbb~1 git:bbbbbbbbbb; git show bbbbbbbbbb"
    )
    assert next_line(result(commits=())) == next_line(result(commits=NAMES[:2])) == ""
