"""Which function of one build is which of the other: by name, signature, letters and place."""

import pytest
from works import MOVE, N, node, work

from assay.judge.attribution.matching import matched_work, renamed_functions
from assay.work import Calls, MovedCost, Node, Place, Work


def costing(**costs: int) -> Work:
    return Work(1, {(node(name), Place()): cost for name, cost in costs.items()}, {})


def test_in_a_nameless_namespace_a_signature_may_change_too() -> None:
    """Both cost so differently that their letters are not compared."""
    base = work({"(anonymous namespace)::grow(int)": 1}, {})
    candidate = work({"(anonymous namespace)::grow(long)": 500}, {})
    assert renamed_functions(base, candidate) == {
        "(anonymous namespace)::grow(long)": "(anonymous namespace)::grow(int)"
    }
    assert renamed_functions(work({"(int)": 1}, {}), work({"(long)": 500}, {})) == {}


def test_of_overloads_it_is_not_known_which_is_which() -> None:
    base = work({"f(char)": 1}, {})
    assert renamed_functions(base, work({"f(int)": 500, "f(long)": 500}, {})) == {}
    assert renamed_functions(base, work({"f(int)": 500}, {})) == {"f(int)": "f(char)"}
    assert renamed_functions(work({"f(char)": 1, "f(x)": 1}, {}), work({"f(int)": 500}, {})) == {}


@pytest.mark.parametrize(
    ("new", "is_same"), [("abcdefgX", True), ("abcdefXY", True), ("abcdeXYZ", False)]
)
def test_three_letters_of_four_are_the_same_function_by_another_name(
    new: str, is_same: bool
) -> None:
    assert (renamed_functions(costing(abcdefgh=9), costing(**{new: 9})) != {}) is is_same


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [(100, 400, True), (100, 401, False), (0, 4, True), (0, 5, False), (1, 5, False)],
)
def test_a_renamed_function_costs_at_most_four_times_as_much(
    one: int, other: int, is_same: bool
) -> None:
    for base, candidate in ((one, other), (other, one)):
        found = renamed_functions(costing(parse_all=base), costing(parse_alm=candidate))
        assert (found != {}) is is_same


def test_the_sixty_dearest_of_each_side_are_compared() -> None:
    base, candidate = (
        costing(**{f"function_{n:02}_{end}": 1000 - n for n in range(61)}) for end in "xy"
    )
    found = renamed_functions(base, candidate)
    assert len(found) == 60
    assert found["function_07_y"] == "function_07_x"
    assert "function_60_y" not in found


def test_of_very_long_names_the_beginning_is_compared() -> None:
    old, new = "a" * 200 + "b" * 300, "a" * 200 + "c" * 300
    assert renamed_functions(costing(**{old: 9}), costing(**{new: 9})) == {new: old}


def moved(base: Work, candidate: Work) -> tuple[MovedCost, ...]:
    return matched_work(base, candidate).moved


def test_what_is_inlined_or_called_now_is_told_with_what_it_costs_there() -> None:
    called = work({"append": 5, "crc": 20}, {"append -> crc": (2, 20)})
    inlined = work({"append": 5, "append>crc": 30}, {"append -> append>crc": (2, 0)})
    deeper = work({"append": 5, "append>mix>crc": 30}, {"append -> append>mix>crc": (2, 0)})
    assert moved(called, inlined) == (MovedCost("crc", "append", 30 * N, "inlined"),)
    assert moved(called, deeper) == (MovedCost("crc", "mix", 30 * N, "inlined"),)
    assert moved(inlined, called) == (MovedCost("crc", "", 20 * N, "called"),)
    there = Node(("", "crc"), own=True)
    assert matched_work(called, inlined).called == (frozenset({there}), frozenset())
    assert matched_work(inlined, called).called == (frozenset(), frozenset({there}))


def test_two_copies_are_one_with_all_their_calls() -> None:
    base = work({"a": 5, "b": 5, "crc": 20}, {"a -> crc": (1, 10), "b -> crc": (1, 10)})
    candidate = work(
        {"a": 5, "b": 5, "a>crc": 7, "b>crc": 8},
        {
            "a -> a>crc": (1, 0),
            "b -> b>crc": (1, 0),
            f"a>crc -> {MOVE}": (2, 30),
            f"b>crc -> {MOVE}": (3, 50),
        },
    )
    both = matched_work(base, candidate).candidate
    there = Node(("", "crc"), own=True)
    assert both.costs[there, Place("a.cpp", 7)] == 15 * N
    assert [counted for call, counted in both.calls.items() if call.caller == there] == [
        Calls(5 * N, 80 * N)
    ]
    assert both.total == candidate.total


def test_a_renamed_function_is_told_with_what_it_costs_now() -> None:
    base, candidate = work({"Log::append(char*)": 50}, {}), work({"Log::append(View)": 60}, {})
    both = matched_work(base, candidate)
    assert both.moved == (MovedCost("Log::append(char*)", "Log::append(View)", 60 * N, "renamed"),)
    assert {one.function for one, _ in both.candidate.costs} == {"Log::append(char*)"}


def test_a_short_name_that_fits_two_symbols_stands_for_neither() -> None:
    base = work({"one::namespace::trimmed(int)": 50, "another::one::trimmed(int)": 50}, {})
    both = matched_work(base, work({"bench>trimmed": 50}, {}))
    assert "trimmed" in {one.function for one, _ in both.candidate.costs}


def test_functions_that_are_nothing_like_each_other_are_two() -> None:
    assert renamed_functions(work({"parse(int)": 50}, {}), work({"zoom(int)": 50}, {})) == {}


def test_a_short_name_is_the_symbol_it_fits() -> None:
    base = work({"ns::trimmed(int)": 50}, {})
    candidate = work({"bench>trimmed": 50}, {})
    both = matched_work(base, candidate)
    assert {one.function for one, _ in both.candidate.costs} == {"ns::trimmed(int)"}
