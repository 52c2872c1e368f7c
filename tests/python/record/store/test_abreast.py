"""Calls that wait for a server, some at a time: in order, bounded, what was done is known."""

import threading
from collections.abc import Iterator

import pytest

from assay.errors import InputError
from assay.record.store.remotes.abreast import ParallelConnections


@pytest.fixture
def calls() -> Iterator[ParallelConnections]:
    made = ParallelConnections(4)
    yield made
    made.close()


def nothing(_: object) -> int:
    return 0


def test_answers_are_in_the_order_of_the_items(calls: ParallelConnections) -> None:
    """The first waits until the fourth has begun: they are under way at once."""
    begun = threading.Event()

    def answer(item: int) -> int:
        if item == 3:
            begun.set()
        assert item or begun.wait(60)
        return item * item

    assert list(calls.results(answer, range(50), nothing)) == [item * item for item in range(50)]


@pytest.mark.parametrize(("size", "most"), [(0, 9), (20 * 2**20, 2), (100 * 2**20, 2)])
def test_no_more_items_are_taken_than_can_be_held(
    calls: ParallelConnections, size: int, most: int
) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    answers = calls.results(str, items(), lambda _: size)
    for done, answer in enumerate(answers):
        assert answer == str(done)
        assert len(taken) <= done + most + 1
    assert len(taken) == 100


def test_what_was_done_is_known_when_one_fails(calls: ParallelConnections) -> None:
    done: list[int] = []

    def answer(item: int) -> int:
        if item in (2, 5):
            raise InputError(f"{item} failed")
        done.append(item)
        return item

    seen: list[int] = []
    with pytest.raises(InputError, match="2 failed"):
        seen.extend(calls.results(answer, range(100), nothing))  # keeps what came before
    assert sorted(done) == seen
    assert len(seen) < 20
