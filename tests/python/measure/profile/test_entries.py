"""How often inlined code was entered: by what is executed around it."""

import pytest

from assay.measure.profile.entries import Copy, Entries
from assay.work import Node, Place

HOST = Node(("lookups",), own=True)
FIND = Node(("lookups", "find"), own=True)
EQUAL = Node(("lookups", "find", "equal"), own=True)
AT_FIND, AT_EQUAL = Place("table.hpp", 9), Place("table.hpp", 12)
ROOT = Copy(HOST, ())
FOUND = Copy(FIND, (AT_FIND,))
COMPARED = Copy(EQUAL, (AT_FIND, AT_EQUAL))


def entered(executed: dict[Copy, set[int]], copy: Copy) -> int:
    return Entries(executed, {HOST: 10}).of(HOST, copy)


def test_a_function_itself_is_entered_as_often_as_it_is_called() -> None:
    assert entered({}, ROOT) == 10


@pytest.mark.parametrize("probes", [300, 900])
def test_in_a_loop_it_is_entered_as_often_as_the_loop_goes_round(probes: int) -> None:
    executed = {ROOT: {10}, FOUND: {100, probes}, COMPARED: {7, probes}}
    assert entered(executed, COMPARED) == probes


def test_a_loop_of_its_own_goes_round_without_entering() -> None:
    executed = {ROOT: {10, 100}, FOUND: {95, 700}}
    assert entered(executed, FOUND) == 95


def test_what_nothing_around_keeps_up_with_is_entered_once() -> None:
    assert entered({ROOT: {10}, FOUND: {700}}, FOUND) == 10
    assert entered({ROOT: {10}, FOUND: {100}, COMPARED: {5000}}, COMPARED) == 10


def test_a_function_that_only_calls_others_is_entered_as_often_as_they_are() -> None:
    executed = {ROOT: {10, 200}, COMPARED: {200}}
    assert entered(executed, FOUND) == 200


def test_around_a_condition_it_may_be_executed_a_little_more_often() -> None:
    assert entered({ROOT: {10, 110}, FOUND: {100}}, FOUND) == 100
    assert entered({ROOT: {10, 130}, FOUND: {100}}, FOUND) == 10
