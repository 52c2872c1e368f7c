"""Turns callgrind's counts and the inlining of functions into `Work`: cost by function and line.

    work_of(part, frames, iterations=1000)
    work_and_simulated_events(part, frames, 1000)[1]["branches"]   the same for mispredictions

An instruction counts for the innermost function of the user around it: operator[] of `std::vector`
inlined in `Table::find` is a cost of `Table::find`, and `mix` inlined there is a cost of `mix`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from assay.measure.profile.exact.callgrind_file import (
    CallgrindPart,
    CallgrindSymbol,
    CallLine,
    CostLine,
)
from assay.measure.profile.exact.entries import (
    CountedInstruction,
    EntriesOfInlinedCopies,
    InlinedCopy,
    Sites,
    parent_of,
)
from assay.measure.profile.program.frames import Frame, Frames
from assay.measure.profile.program.own_code import own_function, plain_name, system_object
from assay.work import Call, Calls, Node, Place, Work

FramesOf = Mapping[str, Frames]  # by executable or library: the functions around addresses in it
Line = CostLine | CallLine  # a line of callgrind's file that has costs

SIMULATED = {  # names of simulated misses, each with the callgrind events that it adds up
    "first": ("I1mr", "D1mr", "D1mw"),
    "last": ("ILmr", "DLmr", "DLmw"),
    "branches": ("Bcm", "Bim"),
}


def work_of(part: CallgrindPart, frames: FramesOf, iterations: int) -> Work:
    """The instructions of one of callgrind's files; they add up to the file's total."""
    return _Resolver(part, frames).work(iterations, _instruction_count)


def work_and_simulated_events(
    part: CallgrindPart, frames: FramesOf, iterations: int
) -> tuple[Work, dict[str, Work]]:
    """The instructions in a callgrind file, and by their name in `SIMULATED` the misses (empty if
    not simulated)."""
    resolver = _Resolver(part, frames)
    simulated = {
        name: resolver.work(iterations, _sum_of([part.events.index(one) for one in events]))
        for name, events in SIMULATED.items()
        if set(events) <= set(part.events)
    }
    return resolver.work(iterations, _instruction_count), simulated


def _instruction_count(line: Line) -> int:
    """The instructions of a line of costs; of a call, those of the callee and all that it
    called."""
    return line.cost if isinstance(line, CostLine) else line.inclusive


def _sum_of(places: Sequence[int]) -> Callable[[Line], int]:
    """A function that adds up the events at these positions; zeros at a line's end are missing."""

    def amount(line: Line) -> int:
        return sum(line.others[place - 1] for place in places if place <= len(line.others))

    return amount


def addresses(part: CallgrindPart) -> dict[str, set[int]]:
    """By executable or library: addresses in it whose functions must be looked up; system libraries
    are left out."""
    found: dict[str, set[int]] = defaultdict(set)
    for spent in part.lines:
        if spent.cost and not system_object(spent.symbol.object):
            found[spent.symbol.object].add(spent.address)
    for called in part.calls:
        if not system_object(called.caller.object):
            found[called.caller.object].add(called.address)
    return found


def executions_by_address(part: CallgrindPart) -> dict[str, dict[int, int]]:
    """How often each instruction ran, by object, in the user's executable and libraries."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for spent in part.lines:
        if spent.cost and not system_object(spent.symbol.object):
            found[spent.symbol.object][spent.address] += spent.cost
    return {name: dict(counts) for name, counts in found.items()}


class _Resolver:
    """Finds the function (node) and source line (place) of every instruction in one callgrind
    file."""

    def __init__(self, part: CallgrindPart, frames: FramesOf) -> None:
        self._part = part
        self._outermost = _outermost_frames(part, frames)  # by object and symbol
        # For each inlined function: the function with a symbol that it is inlined into.
        self._hosts: dict[Node, Node] = {}
        self._frames = frames
        self._roots: dict[CallgrindSymbol, Node] = {}  # nodes of functions that have a symbol
        self._places: dict[tuple[CallgrindSymbol, int, int], tuple[Node, Place]] = {}
        # By file and address of an instruction.
        self._copies: dict[tuple[str, int], tuple[InlinedCopy, int]] = {}
        self._within: dict[Node, set[Sites]] = {}  # for each inlined function where its copies are

    def work(self, iterations: int, amount: Callable[[Line], int]) -> Work:
        """The costs by function and line, and the calls. A function whose amount is 0 is kept, as
        it was executed."""
        costs: dict[tuple[Node, Place], int] = defaultdict(int)
        for spent in self._part.lines:
            if spent.cost:
                costs[self._node_and_place(spent.symbol, spent)] += amount(spent)
        calls: dict[Call, Calls] = {}
        for called in self._part.calls:
            if called.times:
                caller, place = self._node_and_place(called.caller, called)
                call = Call(caller, place, self._node_of_symbol(called.callee))
                count, inclusive = calls.get(call, Calls(0, 0))
                calls[call] = Calls(count + called.times, inclusive + amount(called))
        return Work(iterations, dict(costs), {**calls, **self._calls_of_inlined_functions(calls)})

    def _calls_of_inlined_functions(self, calls: Mapping[Call, Calls]) -> dict[Call, Calls]:
        """Calls of inlined functions: as often as each inlined copy was entered."""
        entered: dict[Node, int] = defaultdict(int)
        for call, counted in calls.items():
            entered[call.callee] += counted.times
        entries = EntriesOfInlinedCopies(self._instructions(), entered)
        found: dict[Call, Calls] = {}
        for node, sites in self._within.items():
            host = self._hosts[node]
            call = Call(parent_of(host, node), min(sites)[-1], node)
            times = sum(entries.of(host, InlinedCopy(node, one)) for one in sites)
            found[call] = Calls(times, 0)
        return found

    def _instructions(self) -> list[CountedInstruction]:
        """All instructions whose inlining is known, by address. One execution costs 1, so the cost
        is how often an instruction ran."""
        counts: dict[tuple[str, int], int] = defaultdict(int)
        for spent in self._part.lines:
            counts[spent.symbol.object, spent.address] += spent.cost
        known = sorted(key for key, count in counts.items() if count and key in self._copies)
        return [CountedInstruction(*self._copies[key], counts[key]) for key in known]

    def _node_and_place(
        self, symbol: CallgrindSymbol, line: CostLine | CallLine
    ) -> tuple[Node, Place]:
        key = (symbol, line.address, line.line)
        if key not in self._places:
            self._places[key] = self._node_and_place_of_instruction(symbol, line)
        return self._places[key]

    def _node_and_place_of_instruction(
        self, symbol: CallgrindSymbol, line: CostLine | CallLine
    ) -> tuple[Node, Place]:
        """The innermost function of the user around an instruction, and the instruction's line."""
        root = self._node_of_symbol(symbol)
        chain = self._frames.get(symbol.object, {}).get(line.address)
        if chain is None:
            return root, Place(_file(line.file), line.line)
        outer = chain[-1]
        own = [one for one in reversed(chain[:-1]) if own_function(one.function, one.file)]
        node, place = root, Place(outer.file, outer.line)
        sites: tuple[Place, ...] = ()
        for frame in own:
            name = plain_name(frame.function)
            # With equal names, the compiler split the function and inlined a part of it again.
            if name != node.function:
                node = Node((*node.path, name), own=True)
                sites = (*sites, place)
                self._within.setdefault(node, set()).add(sites)
                self._hosts[node] = root
            place = Place(frame.file, frame.line)
        self._copies[symbol.object, line.address] = InlinedCopy(node, sites), place.line
        return node, place

    def _node_of_symbol(self, symbol: CallgrindSymbol) -> Node:
        """The node of a function that has a symbol."""
        if symbol not in self._roots:
            self._roots[symbol] = Node((plain_name(symbol.name),), self._is_users(symbol))
        return self._roots[symbol]

    def _is_users(self, symbol: CallgrindSymbol) -> bool:
        """Whether a function that has a symbol is the user's, not a library's or the compiler's."""
        if system_object(symbol.object):
            return False
        frame = self._outermost.get((symbol.object, symbol.name))
        if frame and frame.is_implicit:
            return False
        file = (frame.file if frame else "") or _file(symbol.file)
        if self._frames.get(symbol.object) and not file:
            # Other functions of the object have debug information: this is a static library's.
            return False
        return own_function(plain_name(symbol.name), file)


def _outermost_frames(part: CallgrindPart, frames: FramesOf) -> dict[tuple[str, str], Frame]:
    """The frame of each function with a symbol, from the first instruction whose file is known."""
    found: dict[tuple[str, str], Frame] = {}
    for spent in part.lines:
        key = (spent.symbol.object, spent.symbol.name)
        chain = frames.get(spent.symbol.object, {}).get(spent.address)
        if chain and not (key in found and found[key].file):
            found[key] = chain[-1]
    return found


def _file(name: str) -> str:
    """The name of a source file; empty where callgrind wrote "???", which means not known."""
    return "" if name == "???" else name
