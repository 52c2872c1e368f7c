"""How often the code of an inlined function was entered.

    entries = EntriesOfInlinedCopies(instructions, entered)
    entries.of(host, copy)      300

Nothing says so directly, because there is no call. The function's first line is executed as often
as it is entered, or more often if a loop begins there. The code right before and after the inlined
code runs as often as it is entered, or more often if a loop ends there. The smaller of the two
counts is the best estimate there is.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from assay.work import Node, Place

Sites = tuple[Place, ...]  # lines of source, each with a call that was inlined
# So many instructions before and after inlined code count as around it, as compilers mix both.
_NEAR = 6


class InlinedCopy(msgspec.Struct, frozen=True):
    """One copy of an inlined function. `sites` are the lines that call it, the outermost first."""

    node: Node
    sites: Sites

    def surrounding_copy(self, length: int) -> "InlinedCopy":
        """The inlined copy around this one, at the given depth of inlining."""
        return InlinedCopy(Node(self.node.path[: length + 1], own=True), self.sites[:length])


class CountedInstruction(NamedTuple):
    """One instruction: the inlined copy and line it belongs to, and how often it was executed."""

    copy: InlinedCopy
    line: int
    times: int


class EntriesOfInlinedCopies:
    """Estimates how often the code of inlined functions was entered.

    `instructions` are ordered by address; `entered` says how often functions were called.
    """

    def __init__(
        self, instructions: Sequence[CountedInstruction], entered: Mapping[Node, int]
    ) -> None:
        self._entered = entered
        # By inlined copy: its first line, and the most executions of an instruction of that line.
        self._first: dict[InlinedCopy, tuple[int, int]] = {}
        # By inlined copy: the most executions of any instruction, further inlined code included.
        self._inside: dict[InlinedCopy, int] = defaultdict(int)
        # For each inlined copy the most executions of an instruction just before or after it.
        self._around: dict[InlinedCopy, int] = defaultdict(int)
        for index, (copy, line, count) in enumerate(instructions):
            first, most = self._first.get(copy, (line, 0))
            if line <= first:
                self._first[copy] = line, max(count, most if line == first else 0)
            self._note_counts_around(
                copy, count, instructions[max(0, index - _NEAR) : index + _NEAR + 1]
            )

    def of(self, host: Node, copy: InlinedCopy) -> int:
        """How often the copy inlined in `host` was entered; 0 if `host` was running before counting
        began."""
        if not copy.sites:
            return self._entered.get(host, 0)
        outer = InlinedCopy(parent_of(host, copy.node), copy.sites[:-1])
        around = self._around[copy] or self.of(host, outer)
        inside = self._first[copy][1] if copy in self._first else self._inside[copy]
        return min(inside, around) if inside else around

    def _note_counts_around(
        self, copy: InlinedCopy, count: int, near: Sequence[CountedInstruction]
    ) -> None:
        for length in range(1, len(copy.sites) + 1):
            one = copy.surrounding_copy(length)
            self._inside[one] = max(self._inside[one], count)
            around = (other.times for other in near if _is_around(other.copy, copy, length))
            self._around[one] = max(self._around[one], *around, 0)


def _is_around(other: InlinedCopy, copy: InlinedCopy, length: int) -> bool:
    """Whether the instruction of copy `other` belongs to the code that `copy` is inlined into."""
    depth = len(other.sites)
    return (
        depth < length
        and other.node.path[0] == copy.node.path[0]
        and other.sites == copy.sites[:depth]
    )


def parent_of(host: Node, node: Node) -> Node:
    """The function that `node` is inlined into."""
    return host if len(node.path) == 2 else Node(node.path[:-1], own=True)
