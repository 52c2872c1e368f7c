"""How often code was entered that the compiler put into another function.

    entries = Entries(executed, entered)
    entries.of(host, copy)      300

Nothing says so directly: there is no call. But the code around it was executed as often as it
was entered, and the copy's own loops more often than anything around it. So it was entered as
often as its most executed instruction that something around it keeps up with.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from assay.work import Node, Place

Sites = tuple[Place, ...]
_NEAR = Fraction(5, 4)  # `while (used && !equal(key))`: the first part is executed more often


class Copy(NamedTuple):
    """A function as it is inlined once: from which lines, from the outermost in."""

    node: Node
    sites: Sites


def parent_of(host: Node, node: Node) -> Node:
    """What it is inlined into."""
    return host if len(node.path) == 2 else Node(node.path[:-1], own=True)


class Entries:
    """`executed`: numbers of executions of each copy's instructions; `entered`: of functions."""

    def __init__(self, executed: Mapping[Copy, set[int]], entered: Mapping[Node, int]) -> None:
        self._executed, self._entered = executed, entered
        self._inside = _inside(executed)

    def of(self, host: Node, copy: Copy) -> int:
        """Of one copy in this function; 0 when the function itself was under way already."""
        if not copy.sites:
            return self._entered.get(host, 0)
        counts = self._executed.get(copy) or self._inside.get(copy, set())
        around = sorted(set().union(*self._around(host, copy)))
        near = [count for count in counts if _kept_up(count, around)]
        outer = Copy(parent_of(host, copy.node), copy.sites[:-1])
        return max(near) if near else self.of(host, outer)

    def _around(self, host: Node, copy: Copy) -> Iterator[set[int]]:
        while copy.sites:
            copy = Copy(parent_of(host, copy.node), copy.sites[:-1])
            yield self._executed.get(copy, set())
        yield {self._entered.get(host, 0)}


def _inside(executed: Mapping[Copy, set[int]]) -> dict[Copy, set[int]]:
    """What is executed of code that is inlined into each copy in turn."""
    found: dict[Copy, set[int]] = defaultdict(set)
    for (node, sites), counts in executed.items():
        for length in range(1, len(sites)):
            found[Copy(Node(node.path[: length + 1], own=True), sites[:length])] |= counts
    return found


def _kept_up(count: int, around: list[int]) -> bool:
    index = bisect_left(around, count)
    return index < len(around) and around[index] <= count * _NEAR
