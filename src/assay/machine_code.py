"""What the compiler made of the functions that ran, on both sides.

    code.functions[0].how           'changed'
    code.shown[0].rows[4].candidate.text        'call memmove'

Only functions of which something was executed are in it, however large the executable is.
"""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from assay.work import Place

# A stored answer of `assay why` is refused where it has a word that reports have no sentence for.
HowRow = Annotated[str, Meta(pattern=r"\A(same|altered|gone|new)\Z")]
DearKind = Annotated[str, Meta(pattern=r"\A(locked|divide|gather|serialising|reloaded)\Z")]
HowCode = Annotated[
    str,
    Meta(pattern=r"\A(same|changed|renamed|inlined|split off|unused|first used|gone|new)\Z"),
]


class Instruction(msgspec.Struct, frozen=True):
    """One instruction of a function.

    `code` is what it does, without its own address and those that it refers to: it is equal for
    equal instructions. A jump within the function has its distance in instructions.
    """

    address: int
    text: str  # the instruction as reports show it
    code: str
    callee: str = ""  # mangled name of the function that a direct call calls; empty: none
    inside: bool = False  # whether it jumps to an address within its function


class Body(msgspec.Struct, frozen=True):
    """The machine code of one function on one side."""

    name: str  # demangled, without the suffix of a copy that the compiler made
    symbol: str  # mangled, as the symbol table has it
    object: str  # the executable or library that it is in
    address: int
    size: int  # bytes of code
    instructions: tuple[Instruction, ...]
    executed: int  # how many instructions were executed in it, in all iterations


class ExecutedLine(msgspec.Struct, frozen=True, array_like=True):
    """One instruction in a function's disassembly, with how often it was executed."""

    address: int
    text: str
    place: Place
    times: int  # executions in all iterations


class InstructionRow(msgspec.Struct, frozen=True, array_like=True):
    """One row of two aligned disassemblies: an instruction of both sides (`same` or `altered`), of
    the base alone (`gone`) or of the candidate alone (`new`)."""

    how: HowRow
    base: ExecutedLine | None
    candidate: ExecutedLine | None


class PairedDisassembly(msgspec.Struct, frozen=True):
    """The disassemblies of one function on both sides, with equal instructions in one row."""

    function: str
    rows: tuple[InstructionRow, ...]
    left_out: int = 0  # instructions of long functions that were never executed


class HotLoop(NamedTuple):
    """The size of a function's most executed loop, and how many cache lines it lies across."""

    size: int  # bytes of code
    lines: int  # how many cache lines of 64 bytes it lies in
    windows: int  # how many aligned blocks of 32 bytes it lies in


class CallSite(msgspec.Struct, frozen=True, array_like=True):
    """A call instruction that only one of the sides has."""

    callee: str
    address: int
    place: Place
    times: int


class DearInstruction(msgspec.Struct, frozen=True, array_like=True):
    """An instruction that takes far longer than others, and is executed more often than before.

    `kind`: locked, divide, gather, serialising, or reloaded (it loads more bytes than were stored
    there just before).
    """

    function: str
    kind: DearKind
    text: str
    place: Place
    times: int  # how much more often, in all iterations


class FunctionCode(msgspec.Struct, frozen=True):
    """How the machine code of one function changed. Pairs are of (base, candidate). `how` is one of

    same        the same instructions
    changed     other instructions
    renamed     the same or nearly the same code; `other` is its name in the base
    inlined     its code is in `other` now
    split off   its code was in `other` before
    unused      it is in the candidate, but did not run there
    first used  it is in the base, but did not run there
    gone, new   only one side has it
    """

    name: str
    how: HowCode
    sizes: tuple[int, int]  # bytes of code
    instructions: tuple[int, int]
    calls: tuple[int, int]
    executed: tuple[int, int]
    other: str = ""
    likeness: float = 1.0
    replaced: int = 0  # instructions of the candidate that the base does not have as they are
    moved: bool = False  # whether its address differs between the sides
    new_calls: tuple[CallSite, ...] = ()
    gone_calls: tuple[CallSite, ...] = ()
    # The function's most executed loop on both sides; None: their code differs.
    loops: tuple[HotLoop, HotLoop] | None = None

    @property
    def is_unchanged(self) -> bool:
        """Whether both sides have the same instructions in this function."""
        return self.how == "same"


class SourceLine(msgspec.Struct, frozen=True, array_like=True):
    """A line of source: its number on each side, 0 where a side lacks it, and what it costs."""

    base: int
    candidate: int
    text: str
    costs: tuple[int, int]  # instructions of the line in all iterations, called libraries included


class Source(msgspec.Struct, frozen=True):
    """The lines of one file around those that cost more or less than before."""

    file: str
    # Excerpts of the source file, in order; the lines between them are not shown.
    parts: tuple[tuple[SourceLine, ...], ...]
    note: str = ""  # why the text is missing, or may be of another version


class MachineCode(msgspec.Struct, frozen=True):
    """The machine code of one benchmark's loop; functions that changed most come first."""

    iterations: int
    functions: tuple[FunctionCode, ...]
    shown: tuple[PairedDisassembly, ...] = ()
    sources: tuple[Source, ...] = ()
    compilers: tuple[str, str] = ("", "")  # what compiled each side; empty: not known
    notes: tuple[str, ...] = ()
    # Slow instructions executed more often than before, the most costly first.
    dear: tuple[DearInstruction, ...] = ()

    @property
    def same_compiler(self) -> bool:
        """Whether both sides were built by one compiler, as far as is known."""
        return not all(self.compilers) or self.compilers[0] == self.compilers[1]

    @property
    def unchanged(self) -> frozenset[str]:
        """Names of the functions whose code is the same on both sides."""
        return frozenset(one.name for one in self.functions if one.is_unchanged)
