"""The machine code of the functions that ran, read from executables.

bodies, more = CodeReader(executor).bodies({"build/bench": {0x1380: 400}})
bodies[0].name      'Wal::append(char const*)'
"""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from assay.machine_code import Body, CallSite, ExecutedLine, Instruction
from assay.measure.executor import Executor
from assay.measure.profile.program.binary import MACHINES, Binary, Symbol
from assay.measure.profile.program.demangle import demangled
from assay.measure.profile.program.disassembly import instructions
from assay.measure.profile.program.frames import Frame, frames
from assay.measure.profile.program.own_code import own_function, plain_name
from assay.work import Place

Counts = Mapping[str, Mapping[int, int]]  # how often instructions ran: by object, by address
MOST_FUNCTIONS = 1000  # of a benchmark's functions, those with most instructions are read
_MOST_KEPT = 200_000  # decoded instructions kept for the next benchmark, of some 400 bytes each


class CodeReader:
    """Reads the machine code of functions. Each executable is opened once for all benchmarks."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._binaries: dict[str, Binary] = {}
        self._read: dict[tuple[str, int], tuple[Instruction, ...]] = {}
        self._kept = 0
        self._names: dict[str, str] = {}

    def bodies(self, counts: Counts) -> tuple[list[Body], int]:
        """The functions that executed the most instructions, and how many others ran too."""
        ran = self._executed_functions(counts)
        dearest = sorted(ran, key=lambda key: (-ran[key], key))
        found = [self._body(*key, ran[key]) for key in dearest[:MOST_FUNCTIONS]]
        self._demangle_together([one.symbol for one in found])
        named = [replace(one, name=self.name(one.symbol)) for one in found]
        return named, len(dearest) - len(found)

    def binary(self, path: str) -> Binary:
        """The executable at this path, opened once. Raises `InputError`."""
        if path not in self._binaries:
            self._binaries[path] = Binary(path)
        return self._binaries[path]

    def name(self, symbol: str) -> str:
        """The demangled name of a symbol, without what compilers add to it."""
        if symbol not in self._names:
            self._demangle_together([symbol])
        return plain_name(self._names[symbol])

    def calls(self, body: Body, some: list[Instruction], counts: Counts) -> tuple[CallSite, ...]:
        """These call instructions of a function, with their callees' names, source lines and
        counts."""
        self._demangle_together([one.callee for one in some])
        places = self._places(body, [one.address for one in some])
        counted = counts.get(body.object, {})
        return tuple(
            CallSite(
                self.name(one.callee),
                one.address,
                places.get(one.address, Place()),
                counted.get(one.address, 0),
            )
            for one in some
        )

    def lines(self, body: Body, counts: Counts) -> list[ExecutedLine]:
        """A function's disassembly with demangled names, source lines and counts."""
        self._demangle_together([one.callee for one in body.instructions])
        places = self._places(body, [one.address for one in body.instructions])
        counted = counts.get(body.object, {})
        return [
            ExecutedLine(
                one.address,
                one.text.replace(one.callee, self.name(one.callee)) if one.callee else one.text,
                places.get(one.address, Place()),
                counted.get(one.address, 0),
            )
            for one in body.instructions
        ]

    def _executed_functions(self, counts: Counts) -> dict[tuple[str, Symbol], int]:
        """How many instructions were executed in each function: by path and symbol."""
        found: dict[tuple[str, Symbol], int] = defaultdict(int)
        for path, some in counts.items():
            if not Path(path).is_file():  # code of the kernel, such as the vdso
                continue
            binary = self.binary(path)
            symbol: Symbol | None = None
            for address, count in sorted(some.items()):
                if symbol is None or address >= symbol.address + symbol.size:
                    symbol = binary.function_at(address)
                if symbol is not None:
                    found[path, symbol] += count
        return found

    def _body(self, path: str, symbol: Symbol, executed: int) -> Body:
        """A function's code, decoded when it is first asked for."""
        key = path, symbol.address
        code = self._read.get(key)
        if code is None:
            code = instructions(self.binary(path), symbol)
            if self._kept > _MOST_KEPT:
                self._read, self._kept = {}, 0
            self._read[key] = code
            self._kept += len(code)
        return Body("", symbol.name, path, symbol.address, symbol.size, code, executed)

    def _demangle_together(self, symbols: list[str]) -> None:
        """Demangle these symbols together, because each run of `c++filt` starts a process."""
        unknown = {one for one in symbols if one not in self._names}
        if unknown:
            self._names.update(demangled(sorted(unknown), self._executor))

    def _places(self, body: Body, addresses: list[int]) -> dict[int, Place]:
        found = frames(body.object, addresses, self._executor)
        return {at: _own_place(chain) for at, chain in found.items()}


def _own_place(chain: tuple[Frame, ...]) -> Place:
    """The user's line around an instruction, not the line of a container inlined there."""
    own = (one for one in chain if own_function(one.function, one.file))
    frame = next(own, chain[0])
    return Place(frame.file, frame.line)


def reason_unreadable(binary: Binary) -> str:
    """Why the code of an executable cannot be compared; empty if it can."""
    if binary.machine not in MACHINES.values():
        return f"its instructions are of {binary.machine}, which are not read"
    if not binary.has_symbols:
        return "it is stripped: where its functions begin and end is not known, link it without -s"
    return ""
