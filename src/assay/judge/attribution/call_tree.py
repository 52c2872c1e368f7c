"""Stacks of calls as one would sample them, made of who calls whom and what it cost.

    stacks = call_stacks(base, candidate)
    stacks.base["BM_log", "Log::append", "memcpy"]      130000 instructions

Callgrind says what was spent in a call altogether, but not which caller's caller it was for.
So what a function does is given to its callers in proportion to what was spent in each one's
calls, as gprof does it (decision 41): exact for a function with one caller, and a guess where two
callers ask it for different things. The sum is exact but for rounding. Functions that call each
other in a circle stand side by side above the first of them.
"""

from collections import defaultdict
from collections.abc import Mapping

import msgspec

from assay.judge.attribution.components import components
from assay.stacks import Stack, Stacks
from assay.work import Node, Work

# Both are round numbers that no decision names; they bound what is drawn and decide no finding.
_SMALLEST = 1 / 4000  # of all instructions: a smaller box could not be seen in a flame graph
_DEEPEST = 200  # frames of a stack; all that is called deeper becomes one frame, `SMALL`
SMALL = "(small)"  # the frame that stands for what is left out below a function


class _Edge(msgspec.Struct, frozen=True):
    """Calls of one function from another group of functions, and the instructions spent in them.

    A group is one function, or several that call each other in a circle. `frames` are the calling
    function and what is inlined in it, down to the code that makes the call.
    """

    frames: Stack
    callee: str
    spent: int


def call_stacks(base: Work, candidate: Work, renamed: Mapping[str, str] | None = None) -> Stacks:
    """Instructions of all iterations by stack, on both sides, as a flame graph draws them.

    `renamed` has a function's name in the base by its name in the candidate; the stacks of both
    sides use the base's name.
    """
    return Stacks(_stacks_of_side(base, {}), _stacks_of_side(candidate, renamed or {}))


def _stacks_of_side(work: Work, names: Mapping[str, str]) -> dict[Stack, int]:
    tree = _Tree(work, names)
    return {stack: round(amount) for stack, amount in tree.stacks().items() if round(amount)}


class _Tree:
    """The call graph of one side, by function name; inlined functions are further frames of it."""

    def __init__(self, work: Work, names: Mapping[str, str]) -> None:
        self._names = names
        self._own: dict[str, dict[Stack, int]] = defaultdict(lambda: defaultdict(int))
        for (node, _), cost in work.costs.items():
            frames = self._frames(node)
            self._own[frames[0]][frames] += cost
        spent: dict[tuple[Stack, str], int] = defaultdict(int)
        for call, counted in work.calls.items():
            if counted.inclusive:
                spent[self._frames(call.caller), self._frames(call.callee)[0]] += counted.inclusive
        self._group = self._group_numbers(spent)
        self._edges: dict[int, list[_Edge]] = defaultdict(list)
        self._entered: dict[int, int] = defaultdict(int)
        for (frames, callee), amount in spent.items():
            group = self._group[frames[0]]
            if group != self._group[callee]:
                self._edges[group].append(_Edge(frames, callee, amount))
                self._entered[self._group[callee]] += amount
        self._whole = self._inclusive_costs()
        self._smallest = work.total * _SMALLEST
        self._found: dict[Stack, float] = defaultdict(float)

    def stacks(self) -> dict[Stack, float]:
        """Instructions by stack. A stack begins where the calls of a function do not explain all
        that it cost."""
        for group, members in enumerate(self._members):
            left = self._whole[group] - self._entered[group]
            if left > 0:
                self._expand((), members[0], left / self._whole[group])
        return dict(self._found)

    def _frames(self, node: Node) -> Stack:
        return tuple(self._names.get(name, name) for name in node.path)

    def _group_numbers(self, spent: Mapping[tuple[Stack, str], int]) -> dict[str, int]:
        """The number of each function's group; a group is numbered after all that it calls.

        Functions that call each other in a circle are one group.
        """
        graph: dict[str, list[str]] = {name: [] for name in self._own}
        for frames, callee in spent:
            graph.setdefault(frames[0], []).append(callee)
            graph.setdefault(callee, [])
        self._members = components(graph)
        return {name: number for number, some in enumerate(self._members) for name in some}

    def _inclusive_costs(self) -> list[int]:
        """Instructions of each group of functions that call each other, with all that it calls."""
        found = []
        for group, members in enumerate(self._members):
            own = sum(sum(self._own[name].values()) for name in members if name in self._own)
            found.append(own + sum(edge.spent for edge in self._edges[group]))
        return found

    def _expand(self, above: Stack, first: str, share: float) -> None:
        """Add the stacks of the group of functions that `above` calls and that begins at `first`.

        They get `share` (from 0 to 1) of the instructions of that group.
        """
        waiting = [(above, first, share)]
        while waiting:
            stack, entry, part = waiting.pop()
            group = self._group[entry]
            if part * self._whole[group] < self._smallest or len(stack) > _DEEPEST:
                self._found[*stack, SMALL] += part * self._whole[group]
                continue
            for name in self._members[group]:
                for frames, cost in self._own.get(name, {}).items():
                    self._found[(*stack, *_frames_from_entry(entry, frames))] += part * cost
            for edge in self._edges[group]:
                if whole := self._whole[self._group[edge.callee]]:
                    below = (*stack, *_frames_from_entry(entry, edge.frames))
                    waiting.append((below, edge.callee, part * edge.spent / whole))


def _frames_from_entry(entry: str, frames: Stack) -> Stack:
    return frames if frames[0] == entry else (entry, *frames)
