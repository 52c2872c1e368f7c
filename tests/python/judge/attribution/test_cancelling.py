"""Work that moved between a function and one that it calls is told as one change."""

from works import N, an_iteration, work

from assay.explained import Explained
from assay.judge.attribution.attribution import attribute, changes_to_name
from assay.judge.attribution.findings import findings
from assay.show.words import why_answer
from assay.work import Attribution, ExactWork, MovedCost, Work

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
