"""How often inlined code was entered, where both sides are known.

    settle(candidate, times(base, candidate))       of two graphs

What one side says is an estimate (`measure/profile/entries.py`), and what the compiler does
differently in the other build may change it a hundredfold. Of two answers, entered as often as
estimated, or as often as before by each call of what it is in, that one is taken which leaves the
cost of an entry nearer to what it was.
"""

from collections.abc import Mapping
from fractions import Fraction

from assay.judge.attribution.folded import Graph
from assay.work import Node


def times(base: Graph, candidate: Graph) -> dict[Node, int]:
    """Entries in the candidate, of whatever both have inlined."""
    parents = {
        callee: caller for caller, callee in candidate.calls if caller.path == callee.path[:-1]
    }
    found: dict[Node, int] = {}
    for node in sorted(parents, key=lambda one: len(one.path)):  # those around it first
        parent = parents[node]
        known = base.calls.get((parent, node), 0)
        if known and candidate.calls[parent, node]:
            entered = found.get(parent, candidate.entered.get(parent, 0)) or 1
            same = round(Fraction(known * entered, base.entered.get(parent, 0) or 1))
            found[node] = _nearer(base, candidate, node, (candidate.calls[parent, node], same))
    return found


def settle(candidate: Graph, entries: Mapping[Node, int]) -> None:
    """Put these numbers into the graph."""
    for caller, callee in list(candidate.calls):
        if callee in entries and caller.path == callee.path[:-1]:
            candidate.calls[caller, callee] = candidate.entered[callee] = entries[callee]


def _nearer(base: Graph, candidate: Graph, node: Node, choices: tuple[int, int]) -> int:
    """Which number of entries changes the cost of an entry less."""
    before = Fraction(base.cost(node), base.entered.get(node, 0) or 1)
    after = candidate.cost(node)
    estimated, same = choices
    if not before or not after or not same:
        return estimated

    def change(entries: int) -> Fraction:
        return max(before * entries / after, after / (before * entries))

    return estimated if change(estimated) < change(same) else same
