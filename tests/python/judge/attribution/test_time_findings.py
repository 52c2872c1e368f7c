"""Which differences in time are worth saying, and of what they are a share."""

import pytest
from explanations import everything
from msgspec.structs import replace

from assay.explained import Explained
from assay.findings import Claim, Difference, Findings
from assay.judge.attribution.findings import findings
from assay.timed import (
    ChangeInCallee,
    Instructions,
    MovedTime,
    TimeChange,
    Timed,
    TimeInterval,
)


def timed() -> Timed:
    """Of 100,000 fs 500 more, all in one function."""
    time = everything().time
    assert time
    return replace(time, moved=())


def told(time: Timed) -> Findings:
    return findings(Explained("BM", time=time))


@pytest.mark.parametrize(
    ("whole", "claim"),
    [
        (TimeInterval(500, 400, 600), Claim.DIFFERS),
        (TimeInterval(500, -400, 600), Claim.UNSURE),
        (TimeInterval(500, None, None), Claim.UNDECIDED),
    ],
)
def test_how_sure_the_whole_is(whole: TimeInterval, claim: Claim) -> None:
    (stage,) = told(replace(timed(), whole=whole)).stages
    assert stage.head.claim is claim
    assert stage.sign == (claim is Claim.DIFFERS)
    (stage,) = told(replace(timed(), whole=TimeInterval(5, -4, 6), told=())).stages
    assert stage.head.claim is Claim.SAME


def test_a_function_is_a_share_of_a_whole_that_is_sure_and_not_smaller() -> None:
    time = timed()
    for whole, is_part in (
        (TimeInterval(500, 400, 600), True),
        (TimeInterval(499, 400, 600), False),
        (TimeInterval(-500, -600, -400), False),
        (TimeInterval(500, -400, 600), False),
    ):
        ((one,),) = told(replace(time, whole=whole)).answer
        assert (one.part_of is not None) is is_part


def test_the_same_instructions_in_another_time_are_layout() -> None:
    time = timed()
    for instructions, claim in ((Instructions(1000, 1001), Claim.LAYOUT),
                                (Instructions(1000, 1002), Claim.FUNCTION)):  # fmt: skip
        one = replace(time.told[0], instructions=instructions)
        ((found,),) = told(replace(time, told=(one,))).answer
        assert found.claim is claim


def test_its_own_code_alone_is_no_cause_and_of_callees_three_are_named() -> None:
    def causes(*below: ChangeInCallee) -> int:
        one: TimeChange = replace(timed().told[0], below=below)
        ((found,),) = told(replace(timed(), told=(one,))).answer
        return len(found.causes)

    assert causes(ChangeInCallee("", 500)) == 0
    assert causes(ChangeInCallee("memmove", 500)) == 1
    assert causes(*(ChangeInCallee(f"c{n}", 90 - n) for n in range(5))) == 3


def test_what_is_left_is_told_or_the_largest_where_none_is_sure() -> None:
    time = timed()
    (rest,) = told(time).rest
    assert (rest.claim, rest.amounts[0].amount) == (Claim.REST, 0)
    (largest,) = told(replace(time, told=())).rest
    assert (largest.claim, largest.subject) == (Claim.LARGEST, time.changes[0].function)
    unsure = replace(time, whole=TimeInterval(500, -400, 600))
    assert told(unsure).rest == ()


def test_a_functions_time_is_told_with_its_interval_and_instructions() -> None:
    one = replace(timed().told[0], instructions=Instructions(1000, 1300))
    ((found,),) = told(replace(timed(), told=(one,))).answer
    assert found.amounts == (
        Difference("fs", 100_000, 500, low=400, high=600),
        Difference("instruction", 1000, 300),
    )
    assert found.part_of == Difference("fs", 100_000, 500, low=400, high=600)
    assert [(cause.kind, cause.callee) for cause in found.causes] == [
        ("library", "memmove"),
        ("itself", ""),
    ]
    assert found.causes[0].amounts == (Difference("fs", 100_000, 300),)
    ((found,),) = told(replace(timed(), told=(replace(one, instructions=None),))).answer
    assert len(found.amounts) == 1


def test_less_time_has_the_other_sign_and_a_part_of_it_is_a_share() -> None:
    less = TimeInterval(-500, -600, -400)
    one = replace(timed().told[0], change=TimeInterval(-400, -450, -350))
    found = told(replace(timed(), whole=less, told=(one,)))
    assert found.stages[0].sign == -1
    for least in (1, -1):
        one_fs = replace(timed(), whole=TimeInterval(least, least, least))
        assert told(one_fs).stages[0].sign == least
    ((function,),) = found.answer
    assert function.part_of is not None
    ((nothing,),) = told(
        replace(timed(), told=(replace(one, change=TimeInterval(0, 0, 0)),))
    ).answer
    assert nothing.part_of is None


def test_what_moved_is_told_with_the_function_it_moved_into() -> None:
    (stage,) = told(replace(timed(), moved=(MovedTime("old", "new", 7),))).stages
    (moved,) = stage.lines
    assert (moved.claim, moved.subject, moved.other) == (Claim.MOVED, "old", "new")
    assert moved.amounts == (Difference("fs", 100_000, 7),)


def test_a_whole_that_is_unsure_is_not_the_same_where_time_moved() -> None:
    unsure = TimeInterval(5, -4, 6)
    moved = replace(timed(), whole=unsure, told=(), moved=(MovedTime("old", "new", 7),))
    assert told(moved).stages[0].head.claim is Claim.UNSURE
    for ends in ((None, 6), (-4, None)):
        one = replace(timed(), whole=TimeInterval(5, *ends), told=())
        assert told(one).stages[0].head.claim is Claim.UNDECIDED


def test_the_clock_of_the_whole_is_the_walls_where_waiting_changed() -> None:
    def clock(waiting: TimeInterval) -> str:
        one = replace(timed().waiting, change=waiting)
        return told(replace(timed(), waiting=one)).stages[0].head.measured_by

    assert clock(TimeInterval(5, None, None)) == "cpu"
    assert clock(TimeInterval(5, 1, 9)) == "wall"


def test_what_is_left_is_the_whole_without_the_named() -> None:
    two = tuple(
        replace(timed().told[0], function=f"f{n}", change=TimeInterval(n, 1, 900)) for n in (90, 80)
    )
    one = Explained("BM", time=replace(timed(), told=two))
    (rest,) = findings(one).rest
    assert (rest.amounts, rest.others) == ((Difference("fs", 100_000, 330),), 0)
    many = replace(timed(), told=tuple(replace(two[0], function=f"f{n}") for n in range(7)))
    (rest,) = findings(Explained("BM", time=many), everything=False).rest
    assert (rest.amounts[0].amount, rest.others) == (500 - 5 * 90, 2)
    assert findings(Explained("BM", time=replace(timed(), told=(), changes=()))).rest == ()
