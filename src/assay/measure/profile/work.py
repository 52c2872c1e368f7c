"""Makes one amount of work of what callgrind wrote and of what is inlined where.

    work_of(part, frames, iterations=1000)

Each instruction counts for the innermost function of the user around it: `std::vector`'s
operator[] in `Table::find` is a cost of `Table::find`, and `mix` inlined there is one of `mix`.
"""

from collections import defaultdict
from collections.abc import Mapping

from assay.measure.profile.callgrind_file import Called, Part, Spent, Symbol
from assay.measure.profile.frames import Frames
from assay.measure.profile.own_code import own_function, plain, system_object
from assay.work import Call, Calls, Node, Place, Work

FramesOf = Mapping[str, Frames]  # by object


def work_of(part: Part, frames: FramesOf, iterations: int) -> Work:
    """Sums up to what the part says."""
    return _Resolver(part, frames).work(iterations)


def addresses(part: Part) -> dict[str, set[int]]:
    """Of every instruction whose functions are worth knowing, by object."""
    found: dict[str, set[int]] = defaultdict(set)
    for spent in part.lines:
        if spent.cost and not system_object(spent.symbol.object):
            found[spent.symbol.object].add(spent.address)
    for called in part.calls:
        if not system_object(called.caller.object):
            found[called.caller.object].add(called.address)
    return found


def executed(part: Part) -> dict[str, dict[int, int]]:
    """How often each instruction of the user's executable and libraries was, by object."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for spent in part.lines:
        if spent.cost and not system_object(spent.symbol.object):
            found[spent.symbol.object][spent.address] += spent.cost
    return {name: dict(counts) for name, counts in found.items()}


class _Resolver:
    """Knows the node and the place of every instruction of one part."""

    def __init__(self, part: Part, frames: FramesOf) -> None:
        self._part = part
        self._files = _files(part, frames)
        self._hosts: dict[Node, Node] = {}  # of each inlined one: the function with the symbol
        self._frames = frames
        self._roots: dict[Symbol, Node] = {}
        self._places: dict[tuple[Symbol, int, int], tuple[Node, Place]] = {}
        self._within: dict[Node, set[tuple[Place, ...]]] = {}  # inlined, and where, from outside in

    def work(self, iterations: int) -> Work:
        costs: dict[tuple[Node, Place], int] = defaultdict(int)
        for spent in self._part.lines:
            if spent.cost:
                costs[self._at(spent.symbol, spent)] += spent.cost
        calls: dict[Call, Calls] = {}
        for called in self._part.calls:
            if called.times:
                caller, place = self._at(called.caller, called)
                _add(calls, Call(caller, place, self._root(called.callee)), called)
        return Work(iterations, dict(costs), {**calls, **self._inlined(calls)})

    def _inlined(self, calls: Mapping[Call, Calls]) -> dict[Call, Calls]:
        """What is inlined counts as called once from each place, by each call of what it is in."""
        entered: dict[Node, int] = defaultdict(int)
        for call, counted in calls.items():
            entered[call.callee] += counted.times
        found: dict[Call, Calls] = {}
        for node, sites in self._within.items():
            root = self._hosts[node]
            parent = root if len(node.path) == 2 else Node(node.path[:-1], own=True)
            call = Call(parent, min(sites)[-1], node)
            found[call] = Calls(entered[root] * len(sites), 0)
        return found

    def _at(self, symbol: Symbol, line: Spent | Called) -> tuple[Node, Place]:
        key = (symbol, line.address, line.line)
        if key not in self._places:
            self._places[key] = self._resolved(symbol, line)
        return self._places[key]

    def _resolved(self, symbol: Symbol, line: Spent | Called) -> tuple[Node, Place]:
        root = self._root(symbol)
        chain = self._frames.get(symbol.object, {}).get(line.address)
        if chain is None:
            return root, Place(_file(line.file), line.line)
        outer = chain[-1]
        own = [one for one in reversed(chain[:-1]) if own_function(one.function, one.file)]
        node, place = root, Place(outer.file, outer.line)
        sites: tuple[Place, ...] = ()
        for frame in own:
            name = plain(frame.function)
            if name != node.function:  # else a part of itself put back
                node = Node((*node.path, name), own=True)
                sites = (*sites, place)
                self._within.setdefault(node, set()).add(sites)
                self._hosts[node] = root
            place = Place(frame.file, frame.line)
        return node, place

    def _root(self, symbol: Symbol) -> Node:
        if symbol not in self._roots:
            self._roots[symbol] = Node((plain(symbol.name),), self._own(symbol))
        return self._roots[symbol]

    def _own(self, symbol: Symbol) -> bool:
        if system_object(symbol.object):
            return False
        file = self._files.get((symbol.object, symbol.name)) or _file(symbol.file)
        if self._frames.get(symbol.object) and not file:
            return False  # others in this program have debug information: linked in statically
        return own_function(plain(symbol.name), file)


def _files(part: Part, frames: FramesOf) -> dict[tuple[str, str], str]:
    """Where each function is written: callgrind says where its first instruction is from."""
    found: dict[tuple[str, str], str] = {}
    for spent in part.lines:
        key = (spent.symbol.object, spent.symbol.name)
        if not found.get(key):
            chain = frames.get(spent.symbol.object, {}).get(spent.address)
            found[key] = chain[-1].file if chain else ""
    return found


def _add(calls: dict[Call, Calls], call: Call, more: Called) -> None:
    count, inclusive = calls.get(call, Calls(0, 0))
    calls[call] = Calls(count + more.times, inclusive + more.inclusive)


def _file(name: str) -> str:
    return "" if name == "???" else name
