"""How often inlined code was entered: by what is executed around it."""

import pytest

from assay.measure.profile.exact.entries import (
    CountedInstruction,
    EntriesOfInlinedCopies,
    InlinedCopy,
)
from assay.work import Node, Place

HOST = Node(("lookups",), own=True)
FIND = Node(("lookups", "find"), own=True)
EQUAL = Node(("lookups", "find", "equal"), own=True)
AT_FIND, AT_EQUAL = Place("table.hpp", 9), Place("table.hpp", 12)
ROOT = InlinedCopy(HOST, ())
FOUND = InlinedCopy(FIND, (AT_FIND,))
COMPARED = InlinedCopy(EQUAL, (AT_FIND, AT_EQUAL))


def entered(copy: InlinedCopy, *executed: tuple[InlinedCopy, int]) -> int:
    """All of one line."""
    instructions = [CountedInstruction(one, 7, count) for one, count in executed]
    return EntriesOfInlinedCopies(instructions, {HOST: 10}).of(HOST, copy)


def test_a_function_itself_is_entered_as_often_as_it_is_called() -> None:
    assert entered(ROOT) == 10


@pytest.mark.parametrize("probes", [300, 900])
def test_in_a_loop_it_is_entered_as_often_as_the_loop_goes_round(probes: int) -> None:
    executed = [(ROOT, 10), (FOUND, 100), (COMPARED, probes), (COMPARED, 7), (FOUND, probes)]
    assert entered(COMPARED, *executed) == probes


def test_a_loop_of_its_own_goes_round_without_entering() -> None:
    executed = [(ROOT, 10), (ROOT, 100), (FOUND, 90), (FOUND, 700), (ROOT, 95), (ROOT, 10)]
    assert entered(FOUND, *executed) == 100


def test_a_function_that_only_calls_others_is_entered_as_often_as_they_are() -> None:
    assert entered(FOUND, (ROOT, 200), (COMPARED, 150), (ROOT, 10)) == 150


def test_another_loop_far_away_says_nothing() -> None:
    executed = [(ROOT, 10), (FOUND, 700), (FOUND, 10), *[(ROOT, 10)] * 9, (ROOT, 5000)]
    assert entered(FOUND, *executed) == 10


def test_code_beside_it_is_not_around_it() -> None:
    beside = InlinedCopy(FIND, (Place("table.hpp", 99),))
    assert entered(FOUND, (ROOT, 10), (FOUND, 700), (beside, 5000), (ROOT, 10)) == 10


def test_the_first_line_says_how_often_it_was_entered() -> None:
    """A loop right before it was executed more often, and so was its own."""
    executed = [(ROOT, 6, 5000), (FOUND, 21, 100), (FOUND, 22, 400), (FOUND, 21, 7), (ROOT, 8, 100)]
    instructions = [CountedInstruction(*one) for one in executed]
    assert EntriesOfInlinedCopies(instructions, {HOST: 10}).of(HOST, FOUND) == 100
