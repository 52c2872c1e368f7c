"""Which function's own change it is: each change made to a small program, one at a time."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from works import MOVE, WORKS, N, an_iteration, node, work

from assay.errors import InputError
from assay.judge.attribution.attribution import (
    attribute,
    changes_to_name,
    setup_changes_to_name,
)
from assay.judge.attribution.matching import renamed_functions
from assay.work import Attribution, ChangeReason, MovedCost, OwnChange, Place, Work

COSTS = {"bench": 10, "append": 50, "crc": 20, MOVE: 30}
CALLS = {"bench -> append": (2, 100), "append -> crc": (2, 20), f"append -> {MOVE}": (2, 30)}
BASE = work(COSTS, CALLS)


def changed(costs: Mapping[str, int], calls: Mapping[str, tuple[int, int]]) -> Attribution:
    return attribute(BASE, work({**COSTS, **costs}, {**CALLS, **calls}))


def test_the_same_work_has_no_reason() -> None:
    found = attribute(BASE, BASE)
    assert (found.whole, found.changes, found.moved) == (0, (), ())


def test_more_of_its_own_code() -> None:
    assert an_iteration(changed({"crc": 35}, {"bench -> append": (2, 115)})) == {"crc": 15}


def test_what_a_library_does_is_told_of_its_caller() -> None:
    found = changed({MOVE: 90}, {f"append -> {MOVE}": (3, 90)})
    assert an_iteration(found) == {"append": 60}
    (why,) = found.changes[0].reasons
    assert (why.kind, why.callee, why.place) == ("library", MOVE, Place("a.cpp", 9))
    assert (why.counts[0] / N, why.counts[1] / N) == (2, 3)


def test_libraries_below_libraries_too() -> None:
    costs = {"operator new": 5, "malloc": 40}
    calls = {"append -> operator new": (1, 45), "operator new -> malloc": (1, 40)}
    found = changed(costs, calls)
    assert an_iteration(found) == {"append": 45}
    assert found.changes[0].reasons[0].callee == "operator new"


def test_more_calls_are_the_callers_change() -> None:
    """`crc` costs twice as much because `append` calls it twice as often."""
    found = changed({"crc": 40}, {"append -> crc": (4, 40)})
    assert an_iteration(found) == {"append": 20}
    assert found.changes[0].reasons[0].kind == "calls"


def test_of_a_whole_chain_whoever_began_it() -> None:
    """bench calls append three times instead of twice: everything below grows by half."""
    costs = {"append": 75, "crc": 30, MOVE: 45}
    calls = {"bench -> append": (3, 150), "append -> crc": (3, 30), f"append -> {MOVE}": (3, 45)}
    assert an_iteration(changed(costs, calls)) == {"bench": 50}


def test_a_new_function_is_its_callers_change() -> None:
    found = changed({"lower": 33}, {"append -> lower": (2, 33)})
    assert an_iteration(found) == {"append": 33}


def test_but_not_one_that_cost_nothing_before() -> None:
    candidate = work({**COSTS, "append>digit": 33}, {**CALLS, "append -> append>digit": (2, 0)})
    assert an_iteration(attribute(BASE, candidate, {"digit"})) == {"digit": 33}


def test_a_function_that_is_inlined_now_explains_nothing() -> None:
    costs = {"bench": 10, "append": 50, "append>crc": 20, MOVE: 30}
    calls = {**CALLS, "append -> append>crc": (2, 0)}
    del calls["append -> crc"]
    found = attribute(BASE, work(costs, calls))
    assert (found.whole, an_iteration(found)) == (0, {})
    assert [(one.function, one.into, one.how) for one in found.moved] == [
        ("crc", "append", "inlined")
    ]


def test_nor_does_one_that_its_caller_has_taken_over() -> None:
    """Without debug information there is no sign of it but the cost."""
    candidate = work(
        {"bench": 10, "append": 70, MOVE: 30},
        {"bench -> append": (2, 100), f"append -> {MOVE}": (2, 30)},
    )
    found = attribute(BASE, candidate)
    assert (found.whole, an_iteration(found)) == (0, {})


def test_growing_while_it_is_inlined_is_its_own_change() -> None:
    costs = {"bench": 10, "append": 50, "append>crc": 60, MOVE: 30}
    calls = {
        "bench -> append": (2, 140),
        f"append -> {MOVE}": (2, 30),
        "append -> append>crc": (2, 0),
    }
    assert an_iteration(attribute(BASE, work(costs, calls))) == {"crc": 40}


def test_recursion_is_told_of_whom_it_happens_in() -> None:
    base = work({"bench": 1, "walk": 70}, {"bench -> walk": (1, 70), "walk -> walk": (6, 60)})
    more = work({"bench": 1, "walk": 105}, {"bench -> walk": (1, 105), "walk -> walk": (6, 90)})
    assert an_iteration(attribute(base, more)) == {"walk": 35}


def test_what_a_library_calls_back_is_called_by_its_caller() -> None:
    base = work(
        {"order": 5, "qsort": 50, "by_key": 30},
        {"order -> qsort": (1, 80), "qsort -> by_key": (10, 30)},
    )
    twice = work(
        {"order": 5, "qsort": 100, "by_key": 60},
        {"order -> qsort": (2, 160), "qsort -> by_key": (20, 60)},
    )
    slower = work(
        {"order": 5, "qsort": 50, "by_key": 90},
        {"order -> qsort": (1, 140), "qsort -> by_key": (10, 90)},
    )
    assert an_iteration(attribute(base, twice)) == {"order": 80}
    assert an_iteration(attribute(base, slower)) == {"by_key": 60}


def test_a_changed_signature_and_a_changed_name_are_the_same_function() -> None:
    base = work({"Log::append(char*)": 50, "checksum_crc32(int)": 30, "bench": 1}, {})
    candidate = work({"Log::append(View)": 60, "checksum_crc32c(int)": 30, "bench": 1}, {})
    assert renamed_functions(base, candidate) == {
        "Log::append(View)": "Log::append(char*)",
        "checksum_crc32c(int)": "checksum_crc32(int)",
    }
    assert an_iteration(attribute(base, candidate)) == {"Log::append(char*)": 10}


def test_different_iterations_are_refused() -> None:
    with pytest.raises(InputError, match="100 iterations against 7"):
        attribute(BASE, Work(7, {}, {}))


@pytest.mark.parametrize(("more", "named"), [(7, False), (20, True)])  # of 1,170
def test_what_libraries_do_for_the_same_calls_must_be_more_to_be_named(
    more: int, named: bool
) -> None:
    base = work({**COSTS, "bench": 1000, "append": 120}, CALLS)
    again = work({**COSTS, "bench": 1000, "append": 120, MOVE: 30 + more},
                 {**CALLS, f"append -> {MOVE}": (2, 30 + more)})  # fmt: skip
    assert bool(changes_to_name(attribute(base, again))) is named
    itself = work({**COSTS, "bench": 1000, "append": 120 + more}, CALLS)
    assert changes_to_name(attribute(base, itself))


def test_those_that_explain_most_come_first_in_the_direction_of_the_whole() -> None:
    found = changed({"bench": 30, "crc": 60, "append": 10}, {"bench -> append": (2, 100)})
    assert [one.function for one in found.changes] == ["crc", "bench", "append"]
    faster = changed({"bench": 12, "append": 10}, {"bench -> append": (2, 60)})
    assert [one.function for one in faster.changes] == ["append", "bench"]


@given(WORKS, WORKS)
def test_changes_add_up_to_the_whole_whatever_the_graph(base: Work, candidate: Work) -> None:
    found = attribute(base, candidate)
    assert found.unexplained == 0
    assert found.whole == candidate.total - base.total
    for one in found.changes:
        assert sum((why.amount for why in one.reasons), Fraction(0)) == one.amount


@given(WORKS)
def test_nothing_differs_from_itself(one: Work) -> None:
    assert attribute(one, one).changes == ()


def inlined(times: int, cost: int, around: int = 50) -> Work:
    """A comparison inlined in a loop of `append`, entered so many times an iteration."""
    costs = {"bench": 10, "append": around, "append>equal": cost}
    return work(
        costs, {"bench -> append": (1, around + cost), "append -> append>equal": (times, 0)}
    )


def test_inlined_code_in_a_longer_loop_is_the_loops_change() -> None:
    found = attribute(inlined(10, 40), inlined(30, 130, 150))
    assert an_iteration(found) == {"append": 100 + 80, "equal": 10}


def test_inlined_code_that_does_more_is_its_own_change() -> None:
    assert an_iteration(attribute(inlined(10, 40), inlined(10, 70))) == {"equal": 30}


@pytest.mark.parametrize("times", [1, 1000])
def test_a_number_of_entries_that_explains_nothing_is_not_believed(times: int) -> None:
    """The compiler unrolled a loop, or moved an instruction out of it."""
    assert an_iteration(attribute(inlined(10, 40), inlined(times, 44))) == {"equal": 4}


def test_a_function_that_only_calls_others_is_called_as_often_as_they_do_work() -> None:
    """`find` is nothing but `slot`, inlined: two calls of it are their caller's change."""

    def finds(times: int) -> Work:
        costs = {"bench": 10, "bench>find>slot": 30 * times}
        calls = {"bench -> bench>find": (times, 0), "bench>find -> bench>find>slot": (times, 0)}
        return work(costs, calls)

    assert an_iteration(attribute(finds(1), finds(2))) == {"bench": 30}


def test_who_suffers_from_anothers_change_comes_after_it() -> None:
    """`reserve` was taken out of the constructor, so `append` has to grow."""
    calls = {"bench -> append": (1, 100), f"append -> {MOVE}": (1, 50)}
    base = work(
        {"bench": 1000, "start": 90, "append": 50, MOVE: 50}, calls | {"bench -> start": (1, 90)}
    )
    calls |= {"bench -> append": (1, 550), f"append -> {MOVE}": (1, 500), "bench -> start": (1, 10)}
    found = attribute(base, work({"bench": 1000, "start": 10, "append": 50, MOVE: 500}, calls))
    assert [one.function for one in found.changes] == ["append", "start"]
    assert [one.function for one in changes_to_name(found)] == ["start", "append"]


def test_what_costs_nothing_any_more_but_is_still_there_changed_itself() -> None:
    costs = {"bench": 10, "bench>start": 40}
    calls = {"bench -> bench>start": (1, 0)}
    gone = work({"bench": 10}, {})
    assert an_iteration(attribute(work(costs, calls), gone, {"start"})) == {"start": -40}
    assert an_iteration(attribute(work(costs, calls), gone)) == {"bench": -40}


def test_what_was_inlined_elsewhere_keeps_its_callers() -> None:
    """`grow` was called, and is inlined now; `fill` in it is called twice."""
    base = work(
        {"bench": 10, "grow": 5, "grow>fill": 100},
        {"bench -> grow": (1, 105), "grow -> grow>fill": (1, 0)},
    )
    candidate = work(
        {"bench": 10, "bench>grow": 5, "bench>grow>fill": 200},
        {"bench -> bench>grow": (1, 0), "bench>grow -> bench>grow>fill": (2, 0)},
    )
    assert an_iteration(attribute(base, candidate)) == {"grow": 100}


def test_a_call_that_debug_information_gives_to_another_copy_is_not_a_change() -> None:
    costs = {"bench": 10, "parse": 50, "parse>size": 5, "value": 100}
    calls = {"bench -> parse": (1, 155), "parse -> parse>size": (1, 0)}
    base = work(costs, {**calls, "parse -> value": (3, 100)})
    candidate = work({**costs, "value": 130}, {**calls, "parse>size -> value": (3, 130)})
    assert an_iteration(attribute(base, candidate)) == {"value": 30}


def test_who_only_pays_for_an_allocators_state_is_no_second_reason() -> None:
    """`crc` does 500 more; append's library does 20 more for the same calls, 2 % of the base."""
    costs = {"bench": 1000, "append": 120}
    base = work({**COSTS, **costs}, CALLS)
    paying = {**costs, MOVE: 50}
    calls = {**CALLS, f"append -> {MOVE}": (2, 50)}
    found = attribute(base, work({**COSTS, **paying, "crc": 520}, calls))
    assert [one.function for one in changes_to_name(found)] == ["crc"]
    alone = attribute(base, work({**COSTS, **paying}, calls))
    assert [one.function for one in changes_to_name(alone)] == ["append"]


ITSELF = ChangeReason("itself", "", Place(), Fraction(1))
LIBRARY = ChangeReason("library", MOVE, Place(), Fraction(1), (Fraction(2), Fraction(2)))


def change(name: str, amount: int, why: ChangeReason = ITSELF, *, own: bool = True) -> OwnChange:
    return OwnChange(name, Fraction(amount), 10, 10 + amount, (why,), own)


def named(base: int, *changes: OwnChange, iterations: int = 1) -> list[str]:
    whole = sum(int(one.amount) for one in changes)
    found = Attribution(iterations, base, base + whole, changes)
    return [one.function for one in changes_to_name(found)]


def test_a_thousandth_or_half_an_instruction_an_iteration_is_named() -> None:
    """Below that, addresses alone make a difference."""
    assert named(1000, change("f", 50), iterations=100) == ["f"]
    assert named(1000, change("f", 49), iterations=100) == []
    assert named(1000, change("f", -50), iterations=100) == ["f"]
    assert named(1000, change("f", 50, own=False), iterations=100) == []
    assert named(1_001_000, change("f", 1001)) == ["f"]
    assert named(1_001_000, change("f", 1000)) == []


def test_a_fiftieth_of_the_largest_change_is_named() -> None:
    assert named(1000, change("f", 5000), change("g", 100), change("h", 99)) == ["f", "g"]


def test_of_library_calls_alone_a_hundredth_is_named_and_beside_others_a_tenth_of_all() -> None:
    assert named(10_000, change("f", 100, LIBRARY)) == ["f"]
    assert named(10_000, change("f", 99, LIBRARY)) == []
    assert named(10_100, change("f", 100, LIBRARY)) == []
    assert named(10_000, change("g", 1800), change("f", 200, LIBRARY)) == ["g", "f"]
    assert named(10_000, change("g", 1800), change("f", 199, LIBRARY)) == ["g"]
    assert named(10_000, change("g", -1800), change("f", -199, LIBRARY)) == ["g"]


def test_a_victims_change_is_at_most_ten_times_as_large_as_its_cause() -> None:
    """Only then the cause comes before it."""
    assert named(10_000, change("f", 1000, LIBRARY), change("g", 100)) == ["g", "f"]
    assert named(10_000, change("f", 1000, LIBRARY), change("g", 99)) == ["f", "g"]
    assert named(10_000, change("f", 1000), change("g", 500)) == ["f", "g"]


def test_of_the_set_up_a_hundredth_is_named_and_nothing_below_a_hundred() -> None:
    def of_setup(base: int, amount: int) -> bool:
        found = Attribution(1, base, base + amount, (change("f", amount),))
        return bool(setup_changes_to_name(found))

    assert of_setup(100, 100)
    assert not of_setup(100, 99)
    assert of_setup(20_000, -200)
    assert not of_setup(20_000, -199)


def test_library_functions_that_nobody_called_come_last() -> None:
    base = work({"bench": 10, "malloc": 10}, {})
    found = attribute(base, work({"bench": 20, "malloc": 90}, {}))
    assert [(one.function, one.own) for one in found.changes] == [
        ("bench", True),
        ("malloc", False),
    ]


def test_where_nothing_changed_in_all_the_largest_comes_first_and_equals_by_name() -> None:
    base = work({"a": 30, "b": 30, "c": 90, "d": 30}, {})
    found = attribute(base, work({"a": 20, "b": 20, "c": 130, "d": 10}, {}))
    assert [one.function for one in found.changes] == ["c", "d", "a", "b"]


def test_a_whole_of_one_instruction_has_a_direction() -> None:
    def order(*amounts: int) -> list[str]:
        base, candidate = (
            Work(
                1,
                {(node(name), Place()): 9 + more for name, more in zip("abc", side, strict=True)},
                {},
            )
            for side in ((0, 0, 0), amounts)
        )
        return [one.function for one in attribute(base, candidate).changes]

    assert order(2, 2, -3) == ["a", "b", "c"]
    assert order(-2, -2, 3) == ["a", "b", "c"]
    assert order(2, 1, -3) == ["c", "a", "b"]


def test_a_function_that_is_called_no_more_is_its_callers_change_though_it_is_there() -> None:
    base = work({"bench": 10, "start": 40}, {"bench -> start": (1, 40)})
    assert an_iteration(attribute(base, work({"bench": 10}, {}), {"start"})) == {"bench": -40}


def test_what_a_function_costs_on_both_sides_is_told_with_its_change() -> None:
    found = attribute(work({"f": 30, "g": 5}, {}), work({"f": 42, "g": 5}, {}))
    (one,) = found.changes
    assert (one.base, one.candidate, one.amount) == (30 * N, 42 * N, 12 * N)


def test_the_same_reason_in_two_copies_of_a_function_is_one() -> None:
    def copies(one: int, other: int, times: int = 2) -> Work:
        costs = {"a": 5, "b": 5, "a>f": 10, "b>f": 10, MOVE: one + other}
        calls = {"a -> a>f": (1, 0), "b -> b>f": (1, 0)}
        calls |= {f"a>f -> {MOVE}": (times, one), f"b>f -> {MOVE}": (3, other)}
        return work(costs, calls)

    (one,) = attribute(copies(20, 40), copies(50, 45, times=6)).changes
    (why,) = one.reasons
    assert (one.function, why.amount, why.counts) == ("f", 35 * N, (5 * N, 9 * N))
    assert attribute(copies(20, 40), copies(30, 30)).changes == ()


def test_half_of_its_cost_in_its_caller_is_enough_to_have_been_put_there() -> None:
    def taken_over(cost: int) -> Attribution:
        costs = {"bench": 10, "append": 50 + cost, MOVE: 30}
        calls = {"bench -> append": (2, 80 + cost), f"append -> {MOVE}": (2, 30)}
        return attribute(BASE, work(costs, calls))

    assert taken_over(20).moved == (MovedCost("crc", "", 20 * N, "put into its caller"),)
    assert taken_over(10).moved == (MovedCost("crc", "", 20 * N, "put into its caller"),)
    assert taken_over(9).moved == ()
    assert taken_over(0).moved == ()
    assert taken_over(-5).moved == ()


def test_half_of_its_cost_less_in_its_caller_is_enough_to_have_been_split_off() -> None:
    def split_off(cost: int) -> Attribution:
        lower = {"append": 50 - cost, "lower": 20}
        return changed(lower, {"append -> lower": (2, 20), "bench -> append": (2, 120 - cost)})

    assert split_off(10).moved == (MovedCost("lower", "", 20 * N, "split off"),)
    assert split_off(9).moved == ()
    assert split_off(-9).moved == ()
