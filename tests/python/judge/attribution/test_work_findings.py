"""Which differences in instructions are worth saying."""

from fractions import Fraction

import pytest
from explanations import AT, exact_work, own_change

from assay.explained import Explained
from assay.findings import ELSEWHERE, Claim, Difference, WhyFinding
from assay.judge.attribution.findings import findings
from assay.work import Attribution, ChangeReason, ExactWork, MovedCost, OwnChange, Simulated

NOTHING = Attribution(10, 5, 5, ())
COUNTS = (Fraction(10), Fraction(10))
LIBRARY = OwnChange(
    "f", Fraction(500), 9, 9, (ChangeReason("library", "g", AT, Fraction(500), COUNTS),)
)


def head(work: ExactWork) -> WhyFinding:
    return findings(Explained("BM", work)).stages[0].head


def lines(work: ExactWork) -> list[WhyFinding]:
    return list(findings(Explained("BM", work)).stages[0].lines)


@pytest.mark.parametrize(
    ("more", "claim"),
    [(0, Claim.SAME), (99, Claim.SMALL), (-99, Claim.SMALL), (100, Claim.DIFFERS)],
)
def test_below_a_thousandth_the_whole_is_small_unless_a_function_is_named(
    more: int, claim: Claim
) -> None:
    loop = Attribution(10, 100_000, 100_000 + more, ())
    assert head(ExactWork(loop, NOTHING)).claim is claim
    if more:
        assert head(ExactWork(loop, NOTHING, (own_change("f", more),))).claim is Claim.DIFFERS


def test_what_moved_is_told_from_a_hundredth_on_and_the_largest_first() -> None:
    moved = tuple(MovedCost(f"m{n}", "", n, "called") for n in (999, 1000, 5000))
    loop = Attribution(10, 100_000, 100_000, (), moved)
    told = lines(ExactWork(loop, NOTHING))
    assert [one.subject for one in told] == ["m5000", "m1000"]
    assert told[0].amounts == (Difference("instruction", 0, 5000, 10),)


def test_misses_are_told_where_they_are_worth_more_than_the_instructions() -> None:
    work = exact_work(own_change("f", 1000))
    for misses, told in ((100, []), (101, [Claim.MISSES])):
        missed = Simulated("first", 10, NOTHING, (own_change("f", misses),))
        both = ExactWork(work.loop, NOTHING, work.told, simulated=(missed,))
        assert [one.claim for one in lines(both)] == told


def test_three_causes_are_named_and_the_others_are_a_sum() -> None:
    reasons = tuple(ChangeReason("calls", f"c{n}", AT, Fraction(100 - n)) for n in range(5))
    one = OwnChange("f", Fraction(490), 9, 499, reasons)
    ((counted,),) = findings(Explained("BM", exact_work(one))).answer
    assert [cause.kind for cause in counted.causes] == ["calls"] * 3 + [ELSEWHERE]
    assert sum(cause.amounts[0].amount for cause in counted.causes) == 490


def test_what_is_left_is_told_from_half_a_hundredth_of_an_instruction_on() -> None:
    one = own_change("f", 1000)
    for left, told in ((4, []), (5, [5]), (-5, [-5])):
        loop = Attribution(1000, 100_000, 101_000 + left, (one,))
        found = findings(Explained("BM", ExactWork(loop, NOTHING, (one,))))
        assert [rest.amounts[0].amount for rest in found.rest] == told


def test_where_only_library_calls_cost_more_nobody_is_named() -> None:
    loop = Attribution(10, 100_000, 100_500, (LIBRARY,))
    found = findings(Explained("BM", ExactWork(loop, NOTHING)))
    assert [one.claim for one in found.rest] == [Claim.UNNAMED]
    assert found.answer == ()


def test_five_functions_are_named_unless_all_are_asked_for() -> None:
    one = Explained("BM", exact_work(*(own_change(f"f{n}", 1000 - n) for n in range(7))))
    assert len(findings(one).answer) == 7
    few = findings(one, everything=False)
    assert [each.subject for (each,) in few.answer] == ["f0", "f1", "f2", "f3", "f4"]
    assert few.rest[0].others == 2
    (whole,) = few.stages[0].head.amounts
    every = [*(each for (each,) in few.answer), *few.rest]
    assert sum(each.amounts[0].amount for each in every) == whole.amount
