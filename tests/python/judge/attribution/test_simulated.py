"""Who makes a simulated processor do worse: told when it is large for the benchmark."""

from fractions import Fraction

import pytest

from assay.judge.attribution.simulated import simulated_changes
from assay.work import Call, Calls, Node, Place, Profile, Work

N = 10
BENCH, WALK = Node(("bench",), own=True), Node(("walk",), own=True)
CALLS = {Call(BENCH, Place(), WALK): Calls(N, 0)}


def costs(bench: int, walk: int) -> Work:
    at = Place("a.cpp", 7)
    return Work(N, {(BENCH, at): bench * N, (WALK, at): walk * N}, CALLS)


def profile(misses: int, **others: Work) -> Profile:
    return Profile(costs(1000, 1000), costs(0, 0), {"first": costs(5, misses), **others})


@pytest.mark.parametrize(
    ("misses", "named"),
    [(40, ["walk"]), (41, ["walk"]), (22, ["walk"]), (21, []), (20, []), (0, ["walk"])],
)
def test_a_change_is_told_that_is_worth_a_hundredth_of_the_benchmark(
    misses: int, named: list[str]
) -> None:
    """20 misses are worth 200 instructions of 2,000 an iteration, 2 of them a hundredth."""
    (found,) = simulated_changes(profile(20), profile(misses))
    assert [one.function for one in found.told] == named
    assert found.found.unexplained == 0
    assert found.found.whole == (misses - 20) * N


def test_a_change_is_told_that_is_large_for_what_is_counted() -> None:
    (found,) = simulated_changes(profile(1000), profile(1050))
    assert [one.function for one in found.told] == []
    (found,) = simulated_changes(profile(1000), profile(1051))
    assert [one.function for one in found.told] == ["walk"]


def test_only_what_both_sides_simulated_is_compared() -> None:
    assert simulated_changes(Profile(costs(1, 1), costs(0, 0)), profile(20)) == ()
    (found,) = simulated_changes(profile(20), profile(20, last=costs(1, 1)))
    assert (found.what, found.worth) == ("first", 10)


def test_without_any_misses_before_nothing_is_divided() -> None:
    (found,) = simulated_changes(profile(0), profile(9))
    assert [one.amount for one in found.told] == [Fraction(9 * N)]


def test_what_one_event_of_each_kind_is_worth() -> None:
    """KCachegrind's estimate of cycles (decision 37)."""
    both = profile(20, last=costs(1, 1), branches=costs(1, 1))
    worths = {one.what: one.worth for one in simulated_changes(both, both)}
    assert worths == {"first": 10, "last": 100, "branches": 10}
