"""No part that cannot be: what new calls cost, and how often what is inlined was entered."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from works import WORKS, N, an_iteration, node, work

from assay.judge.attribution.attribution import attribute
from assay.judge.attribution.folded import Spending, UserCallGraph
from assay.judge.attribution.own_change import own_changes
from assay.work import Place, Work

BENCH, SLOW = node("bench"), node("slow_path")


def calling(times: int, cost: int) -> UserCallGraph:
    """bench calls slow_path so often, which costs so much altogether."""
    graph = UserCallGraph()
    graph.spend(BENCH, Spending("itself", "", Place()), 1000)
    graph.spend(SLOW, Spending("itself", "", Place()), cost)
    graph.call(BENCH, SLOW, times, Place("a.cpp", 9))
    graph.entered.update({BENCH: 1, SLOW: times})
    return graph


def parts(base: UserCallGraph, candidate: UserCallGraph) -> dict[str, Fraction]:
    found = {one.node.function: one.amount for one in own_changes(base, candidate)}
    assert sum(found.values()) == _cost(candidate) - _cost(base)
    return {name: amount for name, amount in found.items() if amount}


def _cost(graph: UserCallGraph) -> int:
    return sum(map(graph.cost, graph.nodes()))


def test_new_calls_of_a_path_that_was_rare_and_dear_cost_what_they_cost_now() -> None:
    rare, often = calling(10, 2_000_000), calling(1000, 2_092_816)
    assert parts(rare, often) == {"bench": 92_816}
    assert parts(often, rare) == {"bench": -92_816}


def test_called_more_often_and_yet_cheaper_altogether_is_its_own_change() -> None:
    assert parts(calling(10, 2_000_000), calling(1000, 500_000)) == {"slow_path": -1_500_000}


def test_called_less_often_and_yet_dearer_altogether_is_its_own_change() -> None:
    assert parts(calling(1000, 500_000), calling(10, 2_000_000)) == {"slow_path": 1_500_000}


@pytest.mark.parametrize(("times", "cost"), [(20, 4000), (20, 5000), (5, 1000), (5, 900)])
def test_as_dear_or_dearer_new_calls_are_told_as_ever(times: int, cost: int) -> None:
    """10 calls of 200 before: the callers have 200 for each call more or less."""
    found = parts(calling(10, 2000), calling(times, cost))
    assert found.get("bench", 0) == 200 * (times - 10)
    assert found.get("slow_path", 0) == cost - 200 * times


@given(WORKS, WORKS)
def test_nobody_saves_more_than_there_was(base: Work, candidate: Work) -> None:
    found = attribute(base, candidate)
    assert found.unexplained == 0
    assert all(one.amount >= -found.base for one in found.changes)


def test_who_calls_instead_of_a_library_is_not_charged_and_nothing_is_saved_twice() -> None:
    """Found by hypothesis: what cost nothing any more seemed to save twice what it had cost."""
    before = work({"path": 1}, {"memmove -> path": (1, 0)})
    after = work({}, {"caller -> path": (1, 0)})
    found = {one.function: one.amount for one in attribute(before, after).changes}
    assert found == {"path": -N}


def once_inlined(cost: int, estimate: int) -> Work:
    """`run` is a part of bench, which is entered so often as an instruction of it says."""
    costs = {"bench": 10, "bench>run": cost}
    calls = {"bench -> bench>run": (1, 0)}
    found = work(costs, calls)
    (call,) = found.calls
    return Work(N, found.costs, {call: found.calls[call]._replace(times=estimate)})


def as_function(cost: int) -> Work:
    return work({"bench": 10, "run": cost}, {"bench -> run": (1, cost)})


@pytest.mark.parametrize("estimate", [1, N, 7 * N])
def test_a_count_of_calls_is_believed_before_an_estimate(estimate: int) -> None:
    """Inlined on one side, it seemed to be entered once a loop instead of once an iteration."""
    slower: Mapping[str, int] = {"run": 190}
    assert an_iteration(attribute(once_inlined(450, estimate), as_function(640))) == slower
    assert an_iteration(attribute(as_function(450), once_inlined(640, estimate))) == slower


def test_twice_as_many_calls_that_are_inlined_now_are_still_the_callers() -> None:
    found = attribute(as_function(450), once_inlined(900, 2 * N))
    assert an_iteration(found) == {"bench": 450}
