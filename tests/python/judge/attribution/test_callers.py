"""To whom a call is given that the compiler mixed with what is inlined around it."""

from works import MOVE, work

from assay.judge.attribution.callers import with_callers_added
from assay.work import Calls

COSTS = {"parse": 50, "parse>size": 5, "value": 100}
Made = dict[str, tuple[int, int]]


def given(before: Made, after: Made) -> dict[str, tuple[int, int]]:
    """The candidate's calls of an iteration, as they are given to callers."""
    found = with_callers_added(work(COSTS, before), work(COSTS, after))
    assert found.total == work(COSTS, {}).total
    return {
        f"{'>'.join(call.caller.path)} -> {'>'.join(call.callee.path)}": _each(counted)
        for call, counted in found.calls.items()
    }


def _each(counted: Calls) -> tuple[int, int]:
    return counted.times // 100, counted.inclusive // 100


def test_as_many_calls_from_one_symbol_keep_the_callers_of_the_base() -> None:
    before = {"parse -> value": (2, 60), "parse>size -> value": (1, 40)}
    assert given(before, {"parse>size -> value": (3, 130)}) == before


def test_more_calls_are_of_whom_debug_information_says() -> None:
    after: Made = {"parse>size -> value": (4, 130)}
    assert given({"parse -> value": (3, 100)}, after) == after


def test_the_same_callers_keep_what_they_spend_now() -> None:
    after: Made = {"parse -> value": (3, 130)}
    assert given({"parse -> value": (3, 100)}, after) == after


def test_another_symbol_that_calls_is_another_caller() -> None:
    after: Made = {"bench -> value": (3, 100)}
    assert given({"parse -> value": (3, 100)}, after) == after


def test_only_calls_among_the_users_functions_are_given_to_others() -> None:
    """Nor is code that is inlined: it is called by what it is inlined in."""
    for callee in (MOVE, "parse>size>value"):
        after: Made = {f"parse>size -> {callee}": (3, 130)}
        assert given({f"parse -> {callee}": (3, 100)}, after) == after
    after = {f"{MOVE}>size -> value": (3, 130)}
    assert given({f"{MOVE} -> value": (3, 100)}, after) == after
