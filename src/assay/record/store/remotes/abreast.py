"""Calls a function for many items, some at a time: for what waits for a server.

    calls = ParallelConnections(16)
    for answer in calls.results(read, names, size_of): ...    # in the order of the names
    calls.close()

As many items are taken as can be worked on, and no more bytes than `_BYTES_AT_ONCE` are held, so
that the items may be many and large. The threads are daemons: who ends Assay waits for none.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.pool import AsyncResult, ThreadPool
from typing import TypeVar

from assay.errors import InputError

_BYTES_AT_ONCE = 32 * 2**20
_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


class ParallelConnections:
    """Threads that wait for the answers of one server."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPool(threads)

    def results(
        self,
        function: Callable[[_Item], _Answer],
        items: Iterable[_Item],
        bytes_of: Callable[[_Item], int],
    ) -> Iterator[_Answer]:
        """What the function returns for each item, in their order. Items are taken as results are.

        After an `InputError` of one no more are begun; the results of those under way are yielded
        before it is raised, so that everything that was done is known.
        """
        waiting: deque[tuple[AsyncResult[_Answer], int]] = deque()
        size = 0
        try:
            for item in items:
                while waiting and self._is_enough(len(waiting), size + bytes_of(item)):
                    answer, of_it = waiting.popleft()
                    size -= of_it
                    yield answer.get()
                waiting.append((self._pool.apply_async(function, (item,)), bytes_of(item)))
                size += bytes_of(item)
            while waiting:
                yield waiting.popleft()[0].get()
        except InputError:
            yield from _answers_of([answer for answer, _ in waiting])
            raise

    def _is_enough(self, items: int, size: int) -> bool:
        return items >= 2 * self._threads or size > _BYTES_AT_ONCE

    def close(self) -> None:
        """End the threads as soon as they are done with what they do; nobody waits for them."""
        self._pool.terminate()


def _answers_of(waiting: Iterable[AsyncResult[_Answer]]) -> Iterator[_Answer]:
    """What came of calls that were begun; those that failed have nothing."""
    for answer in waiting:
        try:
            yield answer.get()
        except InputError:
            continue
