"""No part that cannot be: what new calls cost, and how often what is inlined was entered."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from works import WORKS, N, an_iteration, node, work

from assay.judge.attribution.attribution import attribute
from assay.judge.attribution.folded import Spending, UserCallGraph
from assay.judge.attribution.own_change import own_changes
from assay.work import ChangeReason, Place, Work

BENCH, SLOW = node("bench"), node("slow_path")


def calling(times: int, cost: int) -> UserCallGraph:
    """bench calls slow_path so often, which costs so much altogether."""
    graph = UserCallGraph()
    graph.add_cost(BENCH, Spending("itself", "", Place()), 1000)
    graph.add_cost(SLOW, Spending("itself", "", Place()), cost)
    graph.add_calls(BENCH, SLOW, times, Place("a.cpp", 9))
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


def test_who_comes_back_to_itself_by_an_inlined_copy_saves_once() -> None:
    """Found by hypothesis: b inlined into a calls c, and that calls b. Both b saved all of it."""
    before = work({"b": 1}, {"a>b -> c": (1, 0), "c -> b": (1, 0)})
    after = work({}, {"a -> b": (1, 0)})
    found = {one.function: one.amount for one in attribute(before, after).changes}
    assert found == {"b": -N}


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


def spending(line: int, *costs: int, file: str = "/src/a.cpp", entered: int = 10) -> UserCallGraph:
    """bench spends so much at each of some lines of a file, one after the other."""
    graph = UserCallGraph()
    for number, cost in enumerate(costs):
        graph.add_cost(BENCH, Spending("itself", "", Place(file, line + number)), cost)
    graph.entered[BENCH] = entered
    return graph


def reasons(base: UserCallGraph, candidate: UserCallGraph) -> list[ChangeReason]:
    return [why for one in own_changes(base, candidate) for why in one.reasons]


def test_the_line_that_costs_more_is_the_place_also_where_all_lines_moved() -> None:
    (why,) = reasons(spending(10, 100, 100, 70), spending(30, 100, 150, 80))
    assert (why.kind, why.amount, why.place) == ("itself", 60, Place("/src/a.cpp", 31))
    (why,) = reasons(spending(10, 100, 100), spending(10, 100, 150, file="/tmp/other/a.cpp"))
    assert (why.amount, why.place) == (50, Place("/tmp/other/a.cpp", 11))


def test_a_function_called_more_often_from_elsewhere_changed_outside() -> None:
    (why,) = reasons(spending(10, 1000), spending(10, 2000, entered=20))
    assert why == ChangeReason("outside", "", Place(), Fraction(1000), (Fraction(10), Fraction(20)))
    more, outside = reasons(spending(10, 1000), spending(10, 2600, entered=20))
    assert (more.kind, more.amount) == ("itself", 600)
    assert (outside.kind, outside.amount) == ("outside", 1000)


def test_a_function_that_nobody_entered_was_running_when_counting_began() -> None:
    (why,) = reasons(spending(10, 1000, entered=0), spending(10, 1300, entered=0))
    assert (why.kind, why.amount) == ("itself", 300)


def test_more_calls_are_told_with_their_number_and_place() -> None:
    found = own_changes(calling(10, 2000), calling(30, 6000))
    (why,) = [why for one in found for why in one.reasons]
    assert why == ChangeReason(
        "calls", "slow_path", Place("a.cpp", 9), Fraction(4000), (Fraction(10), Fraction(30))
    )
    bench, slow = sorted(found, key=lambda one: one.node)
    assert (bench.base, bench.candidate, bench.amount) == (1000, 1000, 4000)
    assert (slow.base, slow.candidate, slow.amount) == (2000, 6000, 0)


def test_calls_of_inlined_code_and_of_libraries_are_told_as_such() -> None:
    inner = node("bench", "inner")

    def graph(times: int, moves: int) -> UserCallGraph:
        made = UserCallGraph()
        made.add_cost(BENCH, Spending("itself", "", Place()), 1000)
        made.add_cost(BENCH, Spending("library", "memmove", Place("a.cpp", 4)), 30 * moves)
        made.add_cost(inner, Spending("itself", "", Place()), 7 * times)
        made.add_calls(BENCH, inner, times, Place("a.cpp", 5))
        made.library_calls[BENCH, "memmove"] = moves
        made.entered.update({BENCH: 1, inner: times})
        return made

    library, inlined = sorted(reasons(graph(10, 2), graph(15, 5)), key=lambda why: -why.amount)
    assert library == ChangeReason(
        "library", "memmove", Place("a.cpp", 4), Fraction(90), (Fraction(2), Fraction(5))
    )
    assert (inlined.kind, inlined.callee, inlined.amount) == ("inlined", "inner", 35)
