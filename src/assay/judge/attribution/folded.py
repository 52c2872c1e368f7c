"""The cost of library functions, given to the user's functions that called them.

    graph = fold_libraries_into_callers(work)
    graph.spent[node][("library", "memmove", place)]       1200

The cost of `malloc` is given to `operator new`, that to the growth of `std::vector`, that to
`Wal::append`: each amount is split among the callers in proportion to what was spent in their
calls, in whole numbers, so that nothing is lost. A function of the user that a library calls back
(the comparison of `qsort`) counts as called by the user's function that called the library.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from assay.judge.attribution.components import components
from assay.work import Node, Place, Work


class Spending(NamedTuple):
    """What a function spends instructions on: `itself`, or `library` and which function of it."""

    kind: str
    callee: str
    place: Place


class UserCallGraph(msgspec.Struct):
    """The user's functions only: instructions that they spent, and calls among them.

    `places` has the line of source that makes each call, `library_calls` how often a function
    calls each library function.
    """

    spent: dict[Node, dict[Spending, int]] = msgspec.field(default_factory=dict)
    calls: dict[tuple[Node, Node], int] = msgspec.field(default_factory=dict)
    places: dict[tuple[Node, Node], Place] = msgspec.field(default_factory=dict)
    library_calls: dict[tuple[Node, str], int] = msgspec.field(default_factory=dict)
    # Calls of each function, also from libraries.
    entered: dict[Node, int] = msgspec.field(default_factory=dict)

    def add_cost(self, node: Node, spending: Spending, amount: int) -> None:
        """Add instructions that a function spent."""
        parts = self.spent.setdefault(node, {})
        parts[spending] = parts.get(spending, 0) + amount

    def add_calls(self, caller: Node, callee: Node, count: int, place: Place) -> None:
        """Add `count` calls, made at one line."""
        edge = (caller, callee)
        self.calls[edge] = self.calls.get(edge, 0) + count
        self.places.setdefault(edge, place)

    def cost(self, node: Node) -> int:
        """Instructions of a function itself and of the libraries below it.

        What the user's functions below it spent is not in it.
        """
        return sum(self.spent.get(node, {}).values())

    def nodes(self) -> dict[Node, None]:
        """All functions of the graph, in the order in which they were added."""
        ends = [node for edge in self.calls for node in edge]
        return dict.fromkeys([*self.spent, *ends, *self.entered])


class _Entry(msgspec.Struct, frozen=True):
    """Calls of a library function from one source line; `weight`: instructions spent in them."""

    caller: Node
    place: Place
    callee: Node
    weight: int


def fold_libraries_into_callers(work: Work) -> UserCallGraph:
    """The graph of the user's functions, with the libraries' cost passed on to them.

    Costs are instructions of all iterations, and their sum is that of `work` (decision 37).
    """
    return _Folding(work).graph


def split_in_proportion(amount: int, weights: Sequence[int]) -> list[int]:
    """`amount` in whole shares in proportion to `weights` (the method of largest remainders).

    Raises `ZeroDivisionError` where all weights are 0.

    >>> split_in_proportion(10, [1, 1, 1])
    [4, 3, 3]
    """
    whole = sum(weights)
    shares = [amount * weight // whole for weight in weights]
    rests = sorted(range(len(weights)), key=lambda i: -(amount * weights[i] % whole))
    for index in rests[: amount - sum(shares)]:
        shares[index] += 1
    return shares


class _Folding:
    """Passes the cost of library functions on to their callers, up to the user's functions.

    Callees come before their callers.
    """

    def __init__(self, work: Work) -> None:
        self.graph = UserCallGraph()
        # Cost of library functions that was not passed on to their callers yet.
        self._held: dict[Node, int] = defaultdict(int)
        self._back: dict[Node, dict[Node, int]] = defaultdict(lambda: defaultdict(int))
        self._into: dict[Node, list[_Entry]] = defaultdict(list)
        self._out: dict[Node, list[Node]] = defaultdict(list)
        self._read_costs(work)
        self._read_calls(work)
        for members in components(self._library_call_graph()):
            self._pass_cost_to_callers(members)

    def _read_costs(self, work: Work) -> None:
        for (node, place), cost in work.costs.items():
            if node.own:
                self.graph.add_cost(node, Spending("itself", "", place), cost)
            else:
                self._held[node] += cost

    def _read_calls(self, work: Work) -> None:
        entered: dict[Node, int] = defaultdict(int)
        for (caller, place, callee), (count, inclusive) in work.calls.items():
            if callee.own:
                entered[callee] += count
                if caller.own:
                    self.graph.add_calls(caller, callee, count, place)
                else:
                    self._back[caller][callee] += count
                continue
            self._into[callee].append(_Entry(caller, place, callee, inclusive or 0))
            if caller.own:
                key = (caller, callee.function)
                known = self.graph.library_calls.get(key, 0)
                self.graph.library_calls[key] = known + count
            else:
                self._out[caller].append(callee)
        self.graph.entered.update(entered)

    def _library_call_graph(self) -> Mapping[Node, list[Node]]:
        nodes = dict.fromkeys([*self._held, *self._back, *self._into, *self._out])
        return {node: self._out.get(node, []) for node in nodes}

    def _pass_cost_to_callers(self, members: list[Node]) -> None:
        """Give the cost of these library functions to their callers, which are handled later."""
        circle = set(members)
        held = sum(self._held.pop(node, 0) for node in members)
        back: dict[Node, int] = defaultdict(int)
        for node in members:
            for callee, count in self._back.pop(node, {}).items():
                back[callee] += count
        into = [one for node in members for one in self._into[node] if one.caller not in circle]
        weights = [one.weight for one in into]
        if not sum(weights):
            self._leave_cost_with_library(members[0], held)
            return
        for entry, share in zip(into, split_in_proportion(held, weights), strict=True):
            self._receive_cost(entry, share)
        for callee, count in back.items():
            for entry, share in zip(into, split_in_proportion(count, weights), strict=True):
                self._receive_call(entry, callee, share)

    def _leave_cost_with_library(self, node: Node, held: int) -> None:
        """Leave the cost with the library function: no function of the user called it."""
        if held:
            self.graph.add_cost(node, Spending("itself", "", Place()), held)

    def _receive_cost(self, entry: _Entry, share: int) -> None:
        if not share:
            return
        if entry.caller.own:
            spending = Spending("library", entry.callee.function, entry.place)
            self.graph.add_cost(entry.caller, spending, share)
        else:
            self._held[entry.caller] += share

    def _receive_call(self, entry: _Entry, callee: Node, share: int) -> None:
        if not share:
            return
        if entry.caller.own:
            self.graph.add_calls(entry.caller, callee, share, entry.place)
        else:
            self._back[entry.caller][callee] += share
