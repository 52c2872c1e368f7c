"""Counts by place of two builds: what is named, what adds up, and what only moved."""

from random import Random

import pytest

from assay.judge.attribution.exact_deltas import (
    changes_by_function,
    compare_quantity,
    is_steady,
    sum_of_amounts,
)
from assay.resources import Amount, Counts, ResourceSpot
from assay.work import Place

ITERATIONS = 100


def at(function: str, line: int = 1, via: str = "", what: str = "allocation") -> ResourceSpot:
    return ResourceSpot(what, function, via, Place("a.cpp", line))


BASE: Counts = {at("f", 10): Amount(100, 6400), at("g", 20): Amount(300, 900)}


def named(base: Counts, candidate: Counts) -> list[str]:
    return [
        one.function for one in changes_by_function([base] * 2, [candidate] * 2, ITERATIONS).told
    ]


def test_the_same_on_both_sides_names_nothing() -> None:
    found = changes_by_function([BASE] * 2, [BASE] * 2, ITERATIONS)
    assert found.whole == Amount()
    assert found.told == ()


def test_the_function_that_does_more_comes_first() -> None:
    more = {**BASE, at("f", 10): Amount(200, 12800), at("g", 20): Amount(310, 1000)}
    found = changes_by_function([BASE], [more], ITERATIONS)
    assert [one.function for one in found.told] == ["f", "g"]
    assert found.whole == Amount(110, 6500) == sum_of_amounts(one.amount for one in found.changes)
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
    (change,) = changes_by_function([base], [{**moved, at("f", 12): Amount(7, 7)}], ITERATIONS).told
    lines = [one.spot.place.line for one in change.places if one.amount != Amount()]
    assert lines == [12]


def test_a_renamed_function_is_told_as_moved() -> None:
    renamed = {at("new f", 10): Amount(100, 6400), at("g", 20): Amount(400, 1200)}
    found = changes_by_function([BASE], [renamed], ITERATIONS)
    assert found.moved == (("f", "new f"),)
    assert [one.function for one in found.told] == ["g"]


def test_what_nobody_is_known_for_is_unexplained() -> None:
    found = changes_by_function([BASE], [{**BASE, at("", 0): Amount(500, 5)}], ITERATIONS)
    assert found.told == ()
    assert found.unexplained == Amount(500, 5) == found.whole


def test_one_more_in_many_iterations_is_not_worth_naming() -> None:
    more = {**BASE, at("f", 10): Amount(101, 6400)}
    assert named(BASE, more) == ["f"]
    assert [one.function for one in changes_by_function([BASE], [more], 10_000).told] == []


def test_what_varies_from_run_to_run_is_not_named() -> None:
    base = [{at("f"): Amount(count, 8)} for count in (100, 140, 120)]
    near = [{at("f"): Amount(count, 8)} for count in (145, 150, 160)]
    far = [{at("f"): Amount(count, 8)} for count in (300, 310, 320)]
    assert not is_steady(base, near)
    assert changes_by_function(base, near, ITERATIONS).told == ()
    assert [one.function for one in changes_by_function(base, far, ITERATIONS).told] == ["f"]


def test_system_calls_of_two_names_are_two_places() -> None:
    base = {at("f", 1, what="write"): Amount(100)}
    other = {at("f", 1, what="write"): Amount(100), at("f", 2, what="fsync"): Amount(100)}
    (change,) = changes_by_function([base], [other], ITERATIONS).told
    assert [one.spot.what for one in change.places if one.amount != Amount()] == ["fsync"]


@pytest.mark.parametrize("seed", range(50))
def test_changes_add_up_exactly(seed: int) -> None:
    random = Random(seed)

    def counts() -> Counts:
        spots = [
            at(random.choice("fgh"), random.randrange(9), random.choice("xy")) for _ in "12345"
        ]
        return {spot: Amount(random.randrange(1000), random.randrange(99)) for spot in spots}

    found = changes_by_function([counts()], [counts()], ITERATIONS)
    assert sum_of_amounts(one.amount for one in found.changes) == found.whole
    for one in found.changes:
        assert sum_of_amounts(place.amount for place in one.places) == one.amount


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
        ([0.0, 0.0], [0.001, 0.001], True),
        ([99.0, 99.0], [100.0, 100.0], True),
        ([99.005, 99.005], [100.0, 100.0], False),
        ([1.0, 1.5], [2.0, 2.0], False),
        ([1.0, 1.5], [2.25, 2.25], True),
        ([2.0, 2.0], [1.0, 1.5], False),
        ([2.25, 2.25], [1.0, 1.5], True),
        ([1.0, 1.25], [2.0, 2.5], False),
    ],
)
def test_a_gauge_changed_when_the_sides_are_further_apart_than_they_vary(
    base: list[float], candidate: list[float], changed: bool
) -> None:
    assert compare_quantity("minor_faults", base, candidate).is_changed is changed


def test_a_gauge_has_the_range_of_each_side() -> None:
    found = compare_quantity("waits", [2.0, 1.0, 3.0], [9.0, 8.0, 7.0])
    assert (found.name, found.base, found.candidate) == ("waits", (1.0, 3.0), (7.0, 9.0))


def test_one_event_in_a_thousand_iterations_is_named_and_as_many_bytes_of_the_base() -> None:
    def is_named(base: Amount, more: Amount, iterations: int) -> bool:
        found = changes_by_function([{at("f"): base}], [{at("f"): base.plus(more)}], iterations)
        return bool(found.told)

    assert is_named(Amount(5, 5), Amount(1), 1000)
    assert not is_named(Amount(5, 5), Amount(1), 1001)
    assert is_named(Amount(5, 8000), Amount(0, 8), 100)
    assert not is_named(Amount(5, 8001), Amount(0, 8), 100)
    assert is_named(Amount(5, 5), Amount(0, 1), 1000)
    assert not is_named(Amount(5, 5), Amount(0, 1), 1001)


def test_where_there_is_no_difference_in_all_nobody_explains_it() -> None:
    base = {at("f"): Amount(100, 100), at("g"): Amount(100, 100)}
    candidate = {at("f"): Amount(110, 100), at("g"): Amount(90, 100)}
    found = changes_by_function([base], [candidate], ITERATIONS)
    assert (found.told, [one.function for one in found.changes]) == ((), ["f", "g"])


def test_bytes_say_the_direction_where_as_many_events_are_left() -> None:
    base = {at("f"): Amount(10, 1000), at("g"): Amount(10, 1000)}
    less = {at("f"): Amount(10, 1100), at("g"): Amount(10, 500)}
    assert named(base, less) == ["g", "f"]
    assert named(less, base) == ["g", "f"]


def test_unknown_functions_come_last_and_equals_by_name() -> None:
    candidate = {at(name): Amount(5, 5) for name in ("", "b", "a")}
    base = {at(name): Amount(1, 1) for name in ("", "b", "a")}
    found = changes_by_function([base], [candidate], ITERATIONS)
    assert [one.function for one in found.changes] == ["a", "b", ""]


def places(base: Counts, candidate: Counts) -> list[tuple[int, int, int]]:
    """Of the only function that changed: its lines, with their events on both sides."""
    (change,) = changes_by_function([base], [candidate], ITERATIONS).changes
    return [(one.spot.place.line, one.base.times, one.candidate.times) for one in change.places]


def test_a_line_that_moved_and_changed_is_one_place() -> None:
    assert places({at("f", 10): Amount(100)}, {at("f", 14): Amount(120)}) == [(14, 100, 120)]
    both = {at("f", 10): Amount(120), at("f", 14): Amount(50)}
    assert places({at("f", 10): Amount(100)}, both) == [(14, 0, 50), (10, 100, 120)]
    other = {at("f", 14, "via"): Amount(120)}
    assert places({at("f", 10): Amount(100)}, other) == [(14, 0, 120), (10, 100, 0)]


def test_a_line_that_is_as_it_was_is_not_taken_for_another() -> None:
    assert places({at("f", 11): Amount(5)}, {at("f", 10): Amount(5), at("f", 11): Amount(5)}) == [
        (10, 0, 5)
    ]


def test_what_nobody_is_known_for_did_not_move() -> None:
    assert (
        changes_by_function([{at("f"): Amount(9)}], [{at(""): Amount(9)}], ITERATIONS).moved == ()
    )
    assert (
        changes_by_function([{at(""): Amount(9)}], [{at("f"): Amount(9)}], ITERATIONS).moved == ()
    )


def test_one_run_is_steady_and_a_third_may_not_be() -> None:
    assert is_steady([BASE], [{}])
    assert is_steady([BASE] * 3, [{}] * 3)
    assert not is_steady([BASE], [{}, {}, BASE])
    assert not is_steady([BASE, {}], [{}])
