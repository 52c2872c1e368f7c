"""How often inlined code was entered, told from both sides together.

    settle_entries_of_both(base, candidate, called)        of two graphs

Of one side alone there is an estimate (`measure/profile/exact/entries.py`), which another choice of
the compiler may change a hundredfold. There are two answers: as often as estimated, or as often as
in the base for each call of the function it is inlined in. The one is taken that leaves the cost of
an entry nearer to what it was. Where one side calls the function instead of inlining it, the calls
were counted: that number stays, and it may replace the other side's estimate (decision 37).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction

from assay.judge.attribution.folded import UserCallGraph, split_in_proportion
from assay.work import Node

# Functions that the base only calls, and those that the candidate only calls, while the other side
# inlines them: `MatchedWork.called`.
Called = tuple[Collection[Node], Collection[Node]]


def settle_entries_of_both(
    base: UserCallGraph,
    candidate: UserCallGraph,
    called: Called,
    like: tuple[UserCallGraph, UserCallGraph] | None = None,
) -> None:
    """Put how often inlined code was entered into both graphs (and into `like`'s base).

    `like`: the graphs of instructions that say how often, when `base` and `candidate` are of
    simulated misses, which say too little.
    """
    ours, theirs = like or (base, candidate)
    of_base = _entries_in_base(ours, theirs, called)
    for one in {id(base): base, id(ours): ours}.values():
        set_entries(one, of_base)
    set_entries(candidate, entries_in_candidate(ours, theirs, called))


def _entries_in_base(
    base: UserCallGraph, candidate: UserCallGraph, called: Called
) -> dict[Node, int]:
    """How often the base entered each function that it inlines and the candidate calls.

    The candidate's calls were counted, the base's entries only estimated.
    """
    ours, theirs = called
    found: dict[Node, int] = {}
    for node in sorted(node for node in theirs if node not in ours):
        estimated, counted = base.entered.get(node, 0), candidate.entered.get(node, 0)
        if estimated and counted:
            found[node] = _entries_nearer_in_cost(candidate, base, node, (estimated, counted))
    return found


def entries_in_candidate(
    base: UserCallGraph, candidate: UserCallGraph, called: Called = ((), ())
) -> dict[Node, int]:
    """How often the candidate entered each function that both sides inline.

    `called` are the functions that one side only calls: there their entries were counted, and not
    estimated.
    """
    parents = {
        callee: caller for caller, callee in candidate.calls if caller.path == callee.path[:-1]
    }
    found: dict[Node, int] = {}
    # Outer functions before those inlined in them.
    for node in sorted(parents, key=lambda one: len(one.path)):
        parent = parents[node]
        known = base.calls.get((parent, node), 0)
        if known and candidate.calls[parent, node]:
            entered = found.get(parent, candidate.entered.get(parent, 0)) or 1
            same = round(Fraction(known * entered, base.entered.get(parent, 0) or 1))
            found[node] = _entries_nearer_in_cost(
                base, candidate, node, (candidate.calls[parent, node], same)
            )
    for node, entered in candidate.entered.items():
        if _is_inlined_elsewhere(node) and node not in called[1] and base.entered.get(node):
            found[node] = _entries_nearer_in_cost(
                base, candidate, node, (entered, base.entered[node])
            )
    return found


def _is_inlined_elsewhere(node: Node) -> bool:
    """Whether `matching` found that the function is inlined elsewhere than before."""
    return node.path[0] == ""


def set_entries(candidate: UserCallGraph, entries: Mapping[Node, int]) -> None:
    """Put these numbers of entries into the graph, which is changed in place.

    The calls are split among the callers in the proportion that they had.
    """
    by_callee: dict[Node, list[Node]] = defaultdict(list)
    for caller, callee in candidate.calls:
        if callee in entries and (_is_inlined_elsewhere(callee) or caller.path == callee.path[:-1]):
            by_callee[callee].append(caller)
    for callee, callers in by_callee.items():
        weights = [candidate.calls[caller, callee] for caller in callers]
        if sum(weights):
            candidate.entered[callee] = entries[callee]
            for caller, share in zip(
                callers, split_in_proportion(entries[callee], weights), strict=True
            ):
                candidate.calls[caller, callee] = share


def _own_cost(graph: UserCallGraph, node: Node) -> Fraction:
    """A function's own instructions; if it only calls others, its share of their instructions."""
    if own := graph.cost(node):
        return Fraction(own)
    calls = ((callee, n) for (caller, callee), n in graph.calls.items() if caller == node)
    shares = (Fraction(graph.cost(one) * n, graph.entered.get(one, 0) or 1) for one, n in calls)
    return sum(shares, Fraction(0))


def _entries_nearer_in_cost(
    base: UserCallGraph, candidate: UserCallGraph, node: Node, choices: tuple[int, int]
) -> int:
    """The one of two possible numbers of entries by which the cost per entry changed less."""
    before = _own_cost(base, node) / (base.entered.get(node, 0) or 1)
    after = _own_cost(candidate, node)
    estimated, same = choices
    if not same:
        return estimated
    if not before or not after:
        return same

    def change(entries: int) -> Fraction:
        return max(before * entries / after, after / (before * entries))

    return estimated if change(estimated) < change(same) else same
