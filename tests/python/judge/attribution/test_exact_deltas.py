"""Counts by place of two builds: what is named, what adds up, and what only moved."""

from random import Random

import pytest

from assay.judge.attribution.exact_deltas import deltas, gauge, is_steady, total
from assay.resources import Amount, Counts, ResourceSpot
from assay.work import Place

ITERATIONS = 100


def at(function: str, line: int = 1, via: str = "", what: str = "allocation") -> ResourceSpot:
    return ResourceSpot(what, function, via, Place("a.cpp", line))


BASE: Counts = {at("f", 10): Amount(100, 6400), at("g", 20): Amount(300, 900)}


def named(base: Counts, candidate: Counts) -> list[str]:
    return [one.function for one in deltas([base] * 2, [candidate] * 2, ITERATIONS).told]


def test_the_same_on_both_sides_names_nothing() -> None:
    found = deltas([BASE] * 2, [BASE] * 2, ITERATIONS)
    assert found.whole == Amount()
    assert found.told == ()


def test_the_function_that_does_more_comes_first() -> None:
    more = {**BASE, at("f", 10): Amount(200, 12800), at("g", 20): Amount(310, 1000)}
    found = deltas([BASE], [more], ITERATIONS)
    assert [one.function for one in found.told] == ["f", "g"]
    assert found.whole == Amount(110, 6500) == total(one.amount for one in found.changes)
    (place,) = found.told[0].places
    assert (place.spot.place.line, place.amount) == (10, Amount(100, 6400))


def test_fewer_of_one_are_told_behind_more_of_another() -> None:
    other = {at("f", 10): Amount(1000, 64000)}
    assert named(BASE, other) == ["f", "g"]
    assert named(other, BASE) == ["f", "g"]


def test_larger_blocks_alone_are_a_change() -> None:
    assert named(BASE, {**BASE, at("f", 10): Amount(100, 9000)}) == ["f"]


def test_lines_that_only_moved_are_not_the_place() -> None:
    base = {at("f", 10): Amount(100, 800), at("f", 11): Amount(50, 50)}
    moved = {at("f", 14): Amount(100, 800), at("f", 15): Amount(50, 50)}
    assert named(base, moved) == []
    (change,) = deltas([base], [{**moved, at("f", 12): Amount(7, 7)}], ITERATIONS).told
    lines = [one.spot.place.line for one in change.places if one.amount != Amount()]
    assert lines == [12]


def test_a_renamed_function_is_told_as_moved() -> None:
    renamed = {at("new f", 10): Amount(100, 6400), at("g", 20): Amount(400, 1200)}
    found = deltas([BASE], [renamed], ITERATIONS)
    assert found.moved == (("f", "new f"),)
    assert [one.function for one in found.told] == ["g"]


def test_what_nobody_is_known_for_is_unexplained() -> None:
    found = deltas([BASE], [{**BASE, at("", 0): Amount(500, 5)}], ITERATIONS)
    assert found.told == ()
    assert found.unexplained == Amount(500, 5) == found.whole


def test_one_more_in_many_iterations_is_not_worth_naming() -> None:
    more = {**BASE, at("f", 10): Amount(101, 6400)}
    assert named(BASE, more) == ["f"]
    assert [one.function for one in deltas([BASE], [more], 10_000).told] == []


def test_what_varies_from_run_to_run_is_not_named() -> None:
    base = [{at("f"): Amount(count, 8)} for count in (100, 140, 120)]
    near = [{at("f"): Amount(count, 8)} for count in (145, 150, 160)]
    far = [{at("f"): Amount(count, 8)} for count in (300, 310, 320)]
    assert not is_steady(base, near)
    assert deltas(base, near, ITERATIONS).told == ()
    assert [one.function for one in deltas(base, far, ITERATIONS).told] == ["f"]


def test_system_calls_of_two_names_are_two_places() -> None:
    base = {at("f", 1, what="write"): Amount(100)}
    other = {at("f", 1, what="write"): Amount(100), at("f", 2, what="fsync"): Amount(100)}
    (change,) = deltas([base], [other], ITERATIONS).told
    assert [one.spot.what for one in change.places if one.amount != Amount()] == ["fsync"]


@pytest.mark.parametrize("seed", range(50))
def test_changes_add_up_exactly(seed: int) -> None:
    random = Random(seed)

    def counts() -> Counts:
        spots = [
            at(random.choice("fgh"), random.randrange(9), random.choice("xy")) for _ in "12345"
        ]
        return {spot: Amount(random.randrange(1000), random.randrange(99)) for spot in spots}

    found = deltas([counts()], [counts()], ITERATIONS)
    assert total(one.amount for one in found.changes) == found.whole
    for one in found.changes:
        assert total(place.amount for place in one.places) == one.amount


@pytest.mark.parametrize(
    ("base", "candidate", "changed"),
    [
        ([0.0, 0.0], [0.0, 0.0], False),
        ([0.0, 0.0], [1.0, 1.0], True),
        ([1.0, 1.3], [1.4, 1.7], False),
        ([1.0, 1.1], [2.0, 2.1], True),
        ([2.0, 2.1], [1.0, 1.1], True),
        ([1000.0, 1000.0], [1001.0, 1001.0], False),
        ([0.0, 0.0], [0.0001, 0.0001], False),
    ],
)
def test_a_gauge_changed_when_the_sides_are_further_apart_than_they_vary(
    base: list[float], candidate: list[float], changed: bool
) -> None:
    assert gauge("minor_faults", base, candidate).is_changed is changed
