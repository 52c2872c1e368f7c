"""All code that the executed functions can lead to, executed or not.

    addresses = reachable(binary, things, executed)

From each function it goes to those that it calls, jumps to or takes the address of, and to those
whose address is in data that it refers to. Code that starts the program and registers benchmarks
would lead to all of them, so it does not begin there. If that code itself asks the CPU for
features, the program is refused.
"""

import re
from collections.abc import Collection, Iterator

from assay.errors import InputError
from assay.measure.profile.identity.data import DataPieces
from assay.measure.profile.identity.normal_form import (
    ASKS_THE_CPU,
    NormalInstruction,
    Reference,
    decoded,
)
from assay.measure.profile.program.binary import Binary, Symbol

_STARTS = re.compile(  # functions that start the program or register benchmarks
    r"main|_start|_GLOBAL__sub_|_Z41__static_initialization_and_destruction|__cxx_global_var_init"
)
_MOST_FUNCTIONS = 20_000  # functions at most; a program with more is not compared


def reachable(binary: Binary, things: DataPieces, executed: Collection[int]) -> set[int]:
    """Addresses of all instructions that the executed ones can lead to. Raises `InputError` if they
    are too many, or if start-up code asks the CPU for its features."""
    walk = _Walk(binary, things)
    for address in sorted(executed):
        if address >= walk.end:
            walk.begin(address)
    return walk.addresses()


class _Walk:
    """The search for reachable code: functions found so far, and those still to be followed."""

    def __init__(self, binary: Binary, things: DataPieces) -> None:
        self._binary, self._things = binary, things
        self._waiting: list[Symbol] = []
        self._functions: dict[int, list[NormalInstruction]] = {}
        self._data: set[tuple[int, int]] = set()
        self.end = 0  # end of the function that `begin` took last: its other addresses are skipped

    def begin(self, address: int) -> None:
        """Start from the function at an executed address, unless it is one that starts the
        program."""
        symbol = self._binary.function_at(address)
        if symbol is None:
            return
        self.end = symbol.address + symbol.size
        if not _STARTS.match(symbol.name):
            self._add_function(symbol)
        elif any(one.text in ASKS_THE_CPU for one in decoded(self._binary, symbol)):
            raise InputError("asks the CPU for its features where it starts", where=symbol.name)

    def addresses(self) -> set[int]:
        """The addresses of all instructions of the functions reached."""
        while self._waiting:
            symbol = self._waiting.pop()
            code = self._functions[symbol.address] = list(decoded(self._binary, symbol))
            for one in code:
                for to in one.refers:
                    self._follow(to)
        return {one.address for code in self._functions.values() for one in code}

    def _add_function(self, symbol: Symbol) -> None:
        if symbol.address in self._functions:
            return
        if len(self._functions) > _MOST_FUNCTIONS:
            raise InputError("can reach too much code to be compared", where=self._binary.path)
        self._functions[symbol.address] = []
        self._waiting.append(symbol)

    def _follow(self, to: Reference) -> None:
        if to.kind == "code":
            if (symbol := self._binary.function_at(to.address)) is not None:
                self._add_function(symbol)
            return
        thing = self._things.at(to.address, to.width)
        if (thing.start, thing.size) not in self._data:
            self._data.add((thing.start, thing.size))
            for pointer in self._pointers(thing.pointers):
                self._follow(pointer)

    def _pointers(self, found: tuple[tuple[int, Reference | str], ...]) -> Iterator[Reference]:
        return (to for _, to in found if isinstance(to, Reference))
