"""Stacks of calls as one would sample them, made of who calls whom and what it cost.

    stacks = call_stacks(base, candidate)
    stacks.base["BM_log", "Log::append", "memcpy"]      130000 instructions

Of a call it is known what was spent in it altogether, not on behalf of which caller's caller.
So what a function does is given to its callers in proportion to what was spent in each one's
calls, as gprof does it: exact for a function with one caller, and a guess where two callers ask
it for different things. The sum is exact but for rounding. Functions that call each other in a
circle stand side by side above the first of them.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from assay.judge.attribution.components import components
from assay.stacks import Stack, Stacks
from assay.work import Node, Work

_SMALLEST = 1 / 4000  # of the whole: what is less is told of its caller; not seen in a picture
_DEEPEST = 200  # calls
SMALL = "(small)"  # the frame of what is left out below a function


class _Edge(NamedTuple):
    """A call out of a group, by the frames it is called from."""

    frames: Stack
    callee: str
    spent: int


def call_stacks(base: Work, candidate: Work, renamed: Mapping[str, str] | None = None) -> Stacks:
    """`renamed` has the base's names by the candidate's, which then are those of both."""
    return Stacks(_stacks(base, {}), _stacks(candidate, renamed or {}))


def _stacks(work: Work, names: Mapping[str, str]) -> dict[Stack, int]:
    tree = _Tree(work, names)
    return {stack: round(amount) for stack, amount in tree.stacks().items() if round(amount)}


class _Tree:
    """Functions by name: the one with the symbol, and what is inlined in it as frames of it."""

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
        self._group = self._grouped(spent)
        self._edges: dict[int, list[_Edge]] = defaultdict(list)
        self._entered: dict[int, int] = defaultdict(int)
        for (frames, callee), amount in spent.items():
            group = self._group[frames[0]]
            if group != self._group[callee]:
                self._edges[group].append(_Edge(frames, callee, amount))
                self._entered[self._group[callee]] += amount
        self._whole = self._totals()
        self._smallest = work.total * _SMALLEST
        self._found: dict[Stack, float] = defaultdict(float)

    def stacks(self) -> dict[Stack, float]:
        """What nobody called, or not all of it, begins a stack."""
        for group, members in enumerate(self._members):
            left = self._whole[group] - self._entered[group]
            if left > 0 and self._whole[group]:
                self._expand((), members[0], left / self._whole[group])
        return dict(self._found)

    def _frames(self, node: Node) -> Stack:
        return tuple(self._names.get(name, name) for name in node.path)

    def _grouped(self, spent: Mapping[tuple[Stack, str], int]) -> dict[str, int]:
        """Who calls each other in a circle has one number; callees have lower ones."""
        graph: dict[str, list[str]] = {name: [] for name in self._own}
        for frames, callee in spent:
            graph.setdefault(frames[0], []).append(callee)
            graph.setdefault(callee, [])
        self._members = components(graph)
        return {name: number for number, some in enumerate(self._members) for name in some}

    def _totals(self) -> list[int]:
        """Of each group, with all that it calls."""
        found = []
        for group, members in enumerate(self._members):
            own = sum(sum(self._own[name].values()) for name in members if name in self._own)
            found.append(own + sum(edge.spent for edge in self._edges[group]))
        return found

    def _expand(self, above: Stack, first: str, share: float) -> None:
        """All of a group, entered at `first`, as often as `share` of its calls."""
        waiting = [(above, first, share)]
        while waiting:
            stack, entry, part = waiting.pop()
            group = self._group[entry]
            if part * self._whole[group] < self._smallest or len(stack) > _DEEPEST:
                self._found[*stack, SMALL] += part * self._whole[group]
                continue
            for name in self._members[group]:
                for frames, cost in self._own.get(name, {}).items():
                    self._found[(*stack, *_within(entry, frames))] += part * cost
            for edge in self._edges[group]:
                whole = self._whole[self._group[edge.callee]]
                below = (*stack, *_within(entry, edge.frames))
                waiting.append((below, edge.callee, part * edge.spent / whole if whole else 0.0))


def _within(entry: str, frames: Stack) -> Stack:
    return frames if frames[0] == entry else (entry, *frames)
