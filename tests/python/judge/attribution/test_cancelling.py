"""Work that moved between a function and one that it calls is told as one change."""

from fractions import Fraction

from works import N, an_iteration, work

from assay.explained import Explained
from assay.judge.attribution.attribution import attribute, changes_to_name
from assay.judge.attribution.cancelling import joined_changes
from assay.judge.attribution.findings import findings
from assay.show.words import why_answer
from assay.work import Attribution, ChangeReason, ExactWork, MovedCost, OwnChange, Place, Work

CALLS = {"bench -> parse": (1, 0), "parse -> scan": (2, 0), "bench -> other": (1, 0)}


def side(parse: int, scan: int, other: int = 100) -> Work:
    return work({"bench": 10, "parse": parse, "scan": scan, "other": other}, CALLS)


def told(found: Attribution) -> list[str]:
    return [one.function for one in changes_to_name(found)]


def test_of_two_that_cancel_one_is_told_with_the_difference() -> None:
    found = attribute(side(5000, 1000), side(1000, 5300))
    assert an_iteration(found) == {"scan": 300}
    assert told(found) == ["scan"]
    (moved,) = found.moved
    assert moved == MovedCost("parse", "scan", 4000 * N, "passed")
    counted = ExactWork(found, attribute(side(1, 1), side(1, 1)), changes_to_name(found))
    said = findings(Explained("BM", counted))
    assert "-4,000 in `parse`, whose work it does now" in next(why_answer.ranked_sentences(said))
    assert list(why_answer.lines(said, said.stages[0])) == [
        "`scan` does now what `parse` did: 4,000 instructions moved, which makes nothing slower"
    ]


def test_where_all_of_it_moved_nobody_is_told() -> None:
    found = attribute(side(5000, 1000), side(1000, 5000))
    assert (an_iteration(found), told(found)) == ({}, [])


def test_the_other_way_round_the_one_that_does_less_is_told() -> None:
    assert an_iteration(attribute(side(1000, 5300), side(5000, 1000))) == {"scan": -300}


def test_two_that_do_not_call_each_other_changed_each_by_itself() -> None:
    found = attribute(side(5000, 1000, 1000), side(5000, 5300, 100 - 100))
    assert an_iteration(found) == {"scan": 4300, "other": -1000}
    apart = attribute(side(100, 5000, 100), side(100, 900, 4300))
    assert an_iteration(apart) == {"other": 4200, "scan": -4100}


def test_parts_that_are_no_more_than_the_whole_stay_two() -> None:
    found = attribute(side(5000, 1000), side(4000, 5300))
    assert an_iteration(found) == {"scan": 4300, "parse": -1000}


REASON = ChangeReason("itself", "", Place("a.cpp", 3), Fraction(7), (Fraction(1), Fraction(1)))
BOTH = [frozenset(("f", "g")), frozenset(("h", "i"))]


def change(name: str, amount: int, *reasons: ChangeReason, own: bool = True) -> OwnChange:
    return OwnChange(name, Fraction(amount), 1000, 1000 + amount, reasons, own)


def left(*changes: OwnChange, whole: int) -> dict[str, Fraction]:
    found, _ = joined_changes(changes, whole, BOTH)
    return {one.function: one.amount for one in found}


def test_each_has_to_be_more_than_twice_the_whole_difference() -> None:
    assert left(change("f", 41), change("g", -20), whole=10) == {"f": 41, "g": -20}
    assert left(change("f", 20), change("g", -41), whole=10) == {"f": 20, "g": -41}
    assert left(change("f", 41), change("g", -21), whole=10) == {"f": 20}
    assert left(change("f", 41), change("g", -21), whole=-10) == {"g": 20}
    assert left(change("f", 1), change("g", -1), whole=0) == {"f": 0}
    assert left(change("f", 41), change("i", -21), whole=10) == {"f": 41, "i": -21}


def test_library_functions_that_no_function_of_the_user_called_are_not_joined() -> None:
    found = left(change("f", 41, own=False), change("g", -21, own=False), whole=10)
    assert found == {"f": 41, "g": -21}


def test_the_joined_change_is_the_sum_of_both_with_a_reason_for_what_moved() -> None:
    more, less = change("f", 41, REASON), change("g", -21)
    (joined,), (moved,) = joined_changes([more, less], 10, BOTH)
    passed = ChangeReason("moved", "g", Place(), Fraction(-21), (Fraction(0), Fraction(0)))
    assert joined == OwnChange("f", Fraction(20), 2000, 2020, (passed, REASON))
    assert moved == MovedCost("g", "f", 21, "passed")


def test_the_largest_pair_is_joined_first_and_a_joined_one_never_again() -> None:
    related = [frozenset(pair) for pair in (("f", "g"), ("f", "i"), ("h", "g"))]
    changes = [change("f", 50), change("g", -30), change("h", 90), change("i", -45)]
    found, moved = joined_changes(changes, 0, related)
    assert [(one.function, one.into, one.amount) for one in moved] == [
        ("i", "f", 45),
        ("g", "h", 30),
    ]
    assert {one.function: one.amount for one in found} == {"f": 5, "h": 60}
    again = [*related, frozenset(("f", "h")), frozenset(("j", "f"))]
    found, _ = joined_changes([*found, change("j", -70)], 0, again)
    assert {one.function: one.amount for one in found} == {"f": 5, "h": 60, "j": -70}
