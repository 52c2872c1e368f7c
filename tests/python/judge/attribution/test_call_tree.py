"""Stacks made of who calls whom: what is exact, what is in proportion, and circles."""

from assay.judge.attribution.call_tree import SMALL, call_stacks
from assay.work import Call, Calls, Node, Place, Work


def node(path: str) -> Node:
    return Node(tuple(path.split(">")), own=True)


def work(costs: dict[str, int], calls: dict[str, int]) -> Work:
    """'a>b' is b inlined into a; calls are 'a -> b' with what was spent in them."""
    made = {}
    for edge, spent in calls.items():
        caller, callee = edge.split(" -> ")
        made[Call(node(caller), Place(), node(callee))] = Calls(1, spent)
    return Work(1, {(node(path), Place()): cost for path, cost in costs.items()}, made)


def stacks(costs: dict[str, int], calls: dict[str, int]) -> dict[str, int]:
    found = call_stacks(work(costs, calls), Work(1, {}, {})).base
    return {" ".join(stack): amount for stack, amount in found.items()}


def test_each_stack_has_what_its_last_function_cost() -> None:
    costs = {"bench": 10, "append": 50, "append>mix": 20, "memcpy": 30}
    calls = {"bench -> append": 100, "append -> memcpy": 10, "append>mix -> memcpy": 20}
    assert stacks(costs, calls) == {
        "bench": 10,
        "bench append": 50,
        "bench append mix": 20,
        "bench append memcpy": 10,
        "bench append mix memcpy": 20,
    }


def test_of_several_callers_each_has_its_part_of_what_is_below() -> None:
    costs = {"one": 1, "two": 1, "shared": 30, "below": 60}
    calls = {"one -> shared": 60, "two -> shared": 30, "shared -> below": 60}
    assert stacks(costs, calls) == {
        "one": 1,
        "two": 1,
        "one shared": 20,
        "two shared": 10,
        "one shared below": 40,
        "two shared below": 20,
    }


def test_a_call_that_began_before_the_loop_begins_a_stack() -> None:
    """Only 40 of its 100 were spent in calls from elsewhere."""
    assert stacks({"main": 10, "f": 100}, {"main -> f": 40}) == {"main": 10, "main f": 40, "f": 60}


def test_functions_that_call_each_other_add_up() -> None:
    costs = {"bench": 1, "walk": 50, "leaf": 20, "odd": 30}
    calls = {"bench -> walk": 100, "walk -> odd": 90, "odd -> walk": 60, "odd -> leaf": 20}
    found = stacks(costs, calls)
    assert sum(found.values()) == 101
    assert found["bench walk"] == 50
    assert found["bench walk odd"] == 30
    assert found["bench walk odd leaf"] == 20


def test_what_is_small_is_told_of_its_caller() -> None:
    costs = {"bench": 100_000, "tiny": 2, "below": 2}
    found = stacks(costs, {"bench -> tiny": 4, "tiny -> below": 2})
    assert found == {"bench": 100_000, f"bench {SMALL}": 4}


def test_a_renamed_function_is_one_frame_of_both_sides() -> None:
    both = call_stacks(work({"old": 5}, {}), work({"new": 6}, {}), {"new": "old"})
    assert (both.base, both.candidate) == ({("old",): 5}, {("old",): 6})


def test_a_million_ways_through_a_graph_are_not_walked_one_by_one() -> None:
    """Each level calls the next from two places: 2 to the power of 60 ways."""
    costs = {f"{side}{level}": 10_000_000 for level in range(60) for side in "ab"}
    calls = {}
    for level in range(59):
        for side in "ab":
            for to in "ab":
                calls[f"{side}{level} -> {to}{level + 1}"] = 5_000_000 * (59 - level)
    found = stacks(costs, calls)
    assert len(found) < 100_000
    assert abs(sum(found.values()) - 1_200_000_000) < len(found)  # each is rounded


def test_what_is_a_four_thousandth_of_all_is_still_a_box() -> None:
    """A smaller one could not be seen in a flame graph."""
    calls = {"bench -> tiny": 1}
    assert stacks({"bench": 3999, "tiny": 1}, calls) == {"bench": 3999, "bench tiny": 1}
    assert stacks({"bench": 4000, "tiny": 1}, calls) == {"bench": 4000, f"bench {SMALL}": 1}


def test_a_stack_that_is_very_deep_ends_before_its_functions_do() -> None:
    costs = {f"f{level}": 10 for level in range(300)}
    calls = {f"f{level} -> f{level + 1}": 10 * (299 - level) for level in range(299)}
    found = stacks(costs, calls)
    deepest = max(found, key=len).split()
    assert deepest == [*(f"f{level}" for level in range(201)), SMALL]
    assert found[" ".join(deepest)] == 10 * (300 - 201)
    assert sum(found.values()) == 3000


def test_whose_calls_cost_more_than_it_ever_did_begins_no_stack() -> None:
    """What a function's callers spent may be counted from before the loop."""
    assert stacks({"main": 10, "f": 100}, {"main -> f": 140}) == {"main": 10, "main f": 140}
    assert stacks({"f": 1}, {}) == {"f": 1}


def test_a_call_in_which_nothing_was_spent_is_no_part_of_a_stack() -> None:
    assert stacks({"main": 10, "f": 100}, {"main -> f": 0}) == {"main": 10, "f": 100}
    assert stacks({"main": 10}, {"main -> gone": 5}) == {"main": 10}
