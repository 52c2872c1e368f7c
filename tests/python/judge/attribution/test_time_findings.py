"""Which differences in time are worth saying, and of what they are a share."""

import pytest
from explanations import everything
from msgspec.structs import replace

from assay.explained import Explained
from assay.findings import Claim, Findings
from assay.judge.attribution.findings import findings
from assay.timed import ChangeInCallee, Instructions, TimeChange, Timed, TimeInterval


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
