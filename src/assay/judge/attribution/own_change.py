"""What each function changed by itself, so that the parts add up to the whole exactly.

    changes = own_changes(base, candidate)      of two graphs
    sum(one.amount for one in changes) == candidate's cost - base's cost

A function may cost more because it does more when it is called, or because it is called more
often. The first is its own change; the second is its caller's, which is charged with all that such
a call cost before. For each function f, let n be its calls, s the instructions of its own a call,
k(g) the calls of each g a call, and I the instructions a call with all that it calls:

    own(f) = n' * (s' - s + sum over g of (k'(g) - k(g)) * I(g)) + (r' - r) * I(f)

(' is the candidate; r are calls that no function of the graph makes). Put I = s + sum k * I into
the sum over all f, and everything cancels but the two totals: no amount is left over or told
twice. Cost that only moved, from a function into its caller or out of it, gives 0 on both.

That prices new calls at what calls cost before. Where a path was rare and expensive, and is now
taken often and cheaply, the caller would then seem to do far more than the whole difference, and
the function as much less. So I is set lower there: the price of a call is what the additional
calls cost, and at least 0, for any price cancels in the sum. So no function gains what its callers
lose by calling it, nor the reverse, and none saves more than it cost before with all that it
calls. Fewer calls that cost more each are priced in the same way.

For a function that only the candidate has, s and k are taken from there: all of it is its caller's
change. Calls within a circle of functions are left out of the graph: they count as r.
"""

from collections import defaultdict
from fractions import Fraction

import msgspec

from assay.judge.attribution.components import components
from assay.judge.attribution.folded import Spending, UserCallGraph
from assay.work import ChangeReason, Node, Place

_NONE = Fraction(0)
Edge = tuple[Node, Node]


class NodeChange(msgspec.Struct, frozen=True):
    """What one function changed by itself; `reasons` add up to `amount`.

    `base` and `candidate` are what it cost on each side, with the libraries below it. All in
    instructions of all iterations.
    """

    node: Node
    amount: Fraction
    base: int
    candidate: int
    reasons: tuple[ChangeReason, ...]


def own_changes(base: UserCallGraph, candidate: UserCallGraph) -> list[NodeChange]:
    """The own change of every function of either side, by the module's formula (decision 37).

    In instructions of all iterations; they add up to the difference of the two costs exactly.
    """
    return _BothSides(base, candidate).changes()


class _Side:
    """The graph of one side: how often each function was called, and what it did in a call."""

    def __init__(self, graph: UserCallGraph, rounds: set[Edge]) -> None:
        self.graph = graph
        self.calls = {edge: n for edge, n in graph.calls.items() if edge not in rounds and n}
        self.received: dict[Node, int] = defaultdict(int)
        self.callees: dict[Node, list[Node]] = defaultdict(list)
        for (caller, callee), count in self.calls.items():
            self.received[callee] += count
            self.callees[caller].append(callee)
        within: dict[Node, int] = defaultdict(int)
        for edge in rounds:
            within[edge[1]] += graph.calls.get(edge, 0)
        self.entries = {node: self._entries(node, within[node]) for node in graph.nodes()}

    def _entries(self, node: Node, within: int) -> int:
        """How often a function was called; 1 for one that was running when counting began."""
        entered = self.graph.entered.get(node, 0) - within
        return max(entered, self.received[node]) or 1

    def cost_per_call(self, node: Node) -> Fraction:
        """The function's own instructions per call: s of the formula."""
        return Fraction(self.graph.cost(node), self.entries[node])

    def calls_per_call(self, caller: Node, callee: Node) -> Fraction:
        count = self.calls.get((caller, callee), 0)
        return Fraction(count, self.entries[caller]) if count else _NONE

    def entries_without_caller(self, node: Node) -> int:
        return self.entries.get(node, 0) - self.received[node]


class _BothSides:
    def __init__(self, base: UserCallGraph, candidate: UserCallGraph) -> None:
        self._order, rounds = _callees_first(base, candidate)
        self._base, self._candidate = _Side(base, rounds), _Side(candidate, rounds)
        # Instructions of a call with all that it calls: I of the module's formula.
        self._below: dict[Node, Fraction] = {}
        # Factor by which a function's cost grew because anybody calls it more often, or less.
        self._growth: dict[Node, Fraction] = {}
        for node in self._order:
            price = self._price_of_call(node)
            share = self._share_charged_to_callers(node, price)
            self._below[node] = share * price
            self._growth[node] = 1 + share * (self._ratio_of_entries(node) - 1)

    def changes(self) -> list[NodeChange]:
        return [self._change(node) for node in self._order]

    def _price_of_call(self, node: Node) -> Fraction:
        """Instructions of a call of the function with all that it calls.

        They are the base's, or the candidate's for a function that the base lacks.
        """
        side = self._reference_side(node)
        callees = side.callees.get(node, [])
        calls = (side.calls_per_call(node, one) * self._below[one] for one in callees)
        return side.cost_per_call(node) + sum(calls, _NONE)

    def _share_charged_to_callers(self, node: Node, price: Fraction) -> Fraction:
        """The share of `price` at which additional calls are charged to callers; usually 1."""
        if not self._is_in_both(node):
            return Fraction(1)
        more = self._candidate.received[node] - self._base.received[node]
        of_callers, whole = more * price, self._cost_difference(node)
        if of_callers * (whole - of_callers) >= 0:
            return Fraction(1)
        return max(_NONE, whole / of_callers)

    def _cost_difference(self, node: Node) -> Fraction:
        """By how much all calls of the function together cost more, with what they call."""
        both = {*self._candidate.callees.get(node, ()), *self._base.callees.get(node, ())}
        whole = Fraction(self._candidate.graph.cost(node) - self._base.graph.cost(node))
        for callee in both:
            edge = (node, callee)
            more = self._candidate.calls.get(edge, 0) - self._base.calls.get(edge, 0)
            whole += more * self._below[callee]
        return whole

    def _is_in_both(self, node: Node) -> bool:
        return node in self._candidate.entries and node in self._base.entries

    def _ratio_of_entries(self, node: Node) -> Fraction:
        if not self._is_in_both(node):
            return Fraction(1)
        return Fraction(self._candidate.entries[node], self._base.entries[node])

    def _reference_side(self, node: Node) -> _Side:
        return self._base if node in self._base.entries else self._candidate

    def _change(self, node: Node) -> NodeChange:
        reasons: list[ChangeReason] = []
        if self._is_in_both(node):
            reasons += self._spending_reasons(node)
            reasons += self._call_reasons(node)
        roots = self._candidate.entries_without_caller(node) - self._base.entries_without_caller(
            node
        )
        if roots:
            counts = (
                Fraction(self._base.entries_without_caller(node)),
                Fraction(self._candidate.entries_without_caller(node)),
            )
            reasons.append(ChangeReason("outside", "", Place(), roots * self._below[node], counts))
        reasons = [why for why in reasons if why.amount]
        return NodeChange(
            node,
            sum((why.amount for why in reasons), _NONE),
            self._base.graph.cost(node),
            self._candidate.graph.cost(node),
            tuple(reasons),
        )

    def _spending_reasons(self, node: Node) -> list[ChangeReason]:
        growth = self._growth[node]
        before = _by_line(self._base.graph.spent.get(node, {}))
        after = _by_line(self._candidate.graph.spent.get(node, {}))
        found: dict[tuple[str, str], list[tuple[Fraction, Place]]] = defaultdict(list)
        for key in dict.fromkeys([*after, *before]):
            new, place = after.get(key, (0, Place()))
            old, _ = before.get(key, (0, Place()))
            found[key[0], key[1]].append((new - old * growth, place))
        return [
            ChangeReason(
                kind, callee, max(parts)[1], sum((part for part, _ in parts), _NONE), counts
            )
            for (kind, callee), parts in found.items()
            for counts in [self._library_counts(node, callee)]
        ]

    def _library_counts(self, node: Node, callee: str) -> tuple[Fraction, Fraction]:
        sides = (self._base.graph.library_calls, self._candidate.graph.library_calls)
        base, candidate = (Fraction(calls.get((node, callee), 0)) for calls in sides)
        return base, candidate

    def _call_reasons(self, node: Node) -> list[ChangeReason]:
        growth = self._growth[node]
        found = []
        both = [*self._candidate.callees.get(node, []), *self._base.callees.get(node, [])]
        for callee in dict.fromkeys(both):
            kind = "inlined" if len(callee.path) > 1 else "calls"
            edge = (node, callee)
            place = self._candidate.graph.places.get(edge, Place())
            counts = (
                Fraction(self._base.calls.get(edge, 0)),
                Fraction(self._candidate.calls.get(edge, 0)),
            )
            amount = (counts[1] - counts[0] * growth) * self._below[callee]
            found.append(ChangeReason(kind, callee.function, place, amount, counts))
        return found


_Line = tuple[str, str, str, int]


def _by_line(spent: dict[Spending, int]) -> dict[_Line, tuple[int, Place]]:
    """Instructions by kind, callee and line, which is counted from the function's first line.

    Code inserted above a function moves all its lines.
    """
    first: dict[str, int] = {}
    for _, _, place in spent:
        first[place.file] = min(place.line, first.get(place.file, place.line))
    found: dict[_Line, tuple[int, Place]] = {}
    for (kind, callee, place), amount in spent.items():
        file = place.file.rpartition("/")[2]
        key = (kind, callee, file, place.line - first[place.file])
        found[key] = (amount + found.get(key, (0, place))[0], place)
    return found


def _callees_first(base: UserCallGraph, candidate: UserCallGraph) -> tuple[list[Node], set[Edge]]:
    """All functions, callees before callers in both graphs; and the calls within circles."""
    following: dict[Node, list[Node]] = {}
    for graph in (base, candidate):
        for node in graph.nodes():
            following.setdefault(node, [])
        for caller, callee in graph.calls:
            following[caller].append(callee)
    order: list[Node] = []
    rounds: set[Edge] = set()
    for members in components(following):
        order += members
        circle = set(members)
        rounds |= {(one, to) for one in members for to in following[one] if to in circle}
    return order, rounds | _rounds_through_inlined(following)


def _rounds_through_inlined(following: dict[Node, list[Node]]) -> set[Edge]:
    """Calls by which a function comes back to itself, once inlined and once not.

    Its two places are two nodes and no circle, but what it saves is told once, as that function's:
    a saving that both had would be told twice. A call of a function's own rest, which compilers
    make where they inline its beginning only, is no such round.
    """
    functions: dict[str, list[str]] = {}
    for caller, callees in following.items():
        others = [one.function for one in callees if one.function != caller.function]
        functions.setdefault(caller.function, []).extend(others)
    circles = [set(members) for members in components(functions) if len(members) > 1]
    return {
        (caller, callee)
        for caller, callees in following.items()
        for callee in callees
        if caller.function != callee.function
        and any(caller.function in one and callee.function in one for one in circles)
    }
