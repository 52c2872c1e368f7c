"""Which differences in instructions are worth saying."""

from fractions import Fraction

import pytest
from explanations import AT, everything, exact_work, own_change
from msgspec.structs import replace

from assay.explained import Explained
from assay.findings import ELSEWHERE, Cause, Claim, Difference, WhyFinding
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


def test_exactly_a_thousandth_is_not_small() -> None:
    for base, claim in ((100_000, Claim.DIFFERS), (100_001, Claim.SMALL), (100_050, Claim.SMALL)):
        assert head(ExactWork(Attribution(10, base, base + 100, ()), NOTHING)).claim is claim


def test_an_instruction_in_two_hundred_iterations_is_told() -> None:
    one = own_change("f", 1000)
    for iterations, told in ((200, [1]), (201, [])):
        loop = Attribution(iterations, 100_000, 101_001, (one,))
        found = findings(Explained("BM", ExactWork(loop, NOTHING, (one,))))
        assert [rest.amounts for rest in found.rest] == [
            (Difference("instruction", 0, more, iterations),) for more in told
        ]


def test_as_many_instructions_may_take_another_time_or_miss_more() -> None:
    same = ExactWork(Attribution(10, 1000, 1000, ()), NOTHING)
    assert head(same).claim is Claim.SAME
    time = everything().time
    assert time
    (stage, _) = findings(Explained("BM", same, time)).stages
    assert stage.head.claim is Claim.OTHER_TIME
    missed = replace(same, simulated=(Simulated("first", 10, NOTHING, (own_change("f", 9),)),))
    assert head(missed).claim is Claim.OTHER_MISSES
    more = replace(missed, loop=Attribution(10, 100_000, 100_001, ()))
    assert head(more).claim is Claim.DIFFERS
    untold = replace(more, simulated=(Simulated("first", 10, NOTHING, ()),))
    assert head(untold).claim is Claim.SMALL


def test_the_direction_of_the_whole_is_told_where_a_function_is_named() -> None:
    def sign(work: ExactWork) -> int:
        return findings(Explained("BM", work)).stages[0].sign

    for least in (1, -1):
        assert sign(exact_work(own_change("f", least))) == least
    assert sign(replace(exact_work(own_change("f", 9)), told=())) == 0


def test_a_cause_has_its_amount_and_its_calls() -> None:
    why = ChangeReason("calls", "g", AT, Fraction(70), (Fraction(10), Fraction(24)))
    one = OwnChange("f", Fraction(70), 9, 79, (why,))
    ((found,),) = findings(Explained("BM", exact_work(one))).answer
    assert found.amounts == (Difference("instruction", 100_000, 70, 10),)
    assert found.causes == (
        Cause(
            "calls", "g", AT, (Difference("instruction", 0, 70, 10),),
            calls=Difference("call", 10, 14, 10),
        ),
    )  # fmt: skip


def test_what_the_set_up_does_more_is_told_for_once_and_not_for_an_iteration() -> None:
    work = replace(exact_work(), told_setup=(own_change("start", 300),))
    (told,) = lines(work)
    assert (told.claim, told.subject) == (Claim.SETUP, "start")
    assert told.amounts == (Difference("instruction", 0, 300, 1),)
    assert told.causes[0].amounts == (Difference("instruction", 0, 300, 1),)


def test_misses_beyond_those_named_are_one_sum() -> None:
    counted = Attribution(10, 50, 68, ())
    told = tuple(own_change(f"f{n}", n) for n in (7, 6, 5, 4, 3, 2, 1))
    work = replace(exact_work(), simulated=(Simulated("last", 100, counted, told),))
    found = findings(Explained("BM", work), everything=False).stages[0].lines
    assert [(one.subject, one.others) for one in found] == [
        *((f"f{n}", 0) for n in (7, 6, 5, 4, 3)),
        ("", 2),
    ]
    assert found[0].amounts == (Difference("last", 50, 7, 10),)
    assert found[-1].amounts == (Difference("last", 50, 3, 10),)
    assert len(lines(work)) == 7


def test_a_tenth_of_a_miss_that_counts_ten_is_told_where_no_instruction_is() -> None:
    one = replace(own_change("f", 1), amount=Fraction(1, 10))
    work = replace(exact_work(), simulated=(Simulated("first", 10, NOTHING, (one,)),))
    assert [told.claim for told in lines(work)] == [Claim.MISSES]


def test_only_the_largest_change_is_told_where_nobody_is_named() -> None:
    def unnamed(*changes: OwnChange) -> list[Claim]:
        loop = Attribution(10, 100_000, 100_500, changes)
        return [one.claim for one in findings(Explained("BM", ExactWork(loop, NOTHING))).rest]

    assert unnamed(own_change("g", 500), LIBRARY) == []
    assert unnamed(replace(LIBRARY, own=False), LIBRARY) == []
    assert unnamed() == []
    small = Attribution(10, 1_000_000, 1_000_500, (LIBRARY,))
    assert findings(Explained("BM", ExactWork(small, NOTHING))).rest == ()
