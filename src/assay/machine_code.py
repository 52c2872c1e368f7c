"""What the compiler made of the functions that ran, on both sides.

    code.functions[0].how           'changed'
    code.shown[0].rows[4].candidate.text        'call memmove'

Only functions of which something was executed are in it, however large the executable is.
"""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from msgspec import Meta

from assay.work import Place

# Kept answers are read again: a word that nobody has a sentence for is refused at the door.
HowRow = Annotated[str, Meta(pattern=r"\A(same|altered|gone|new)\Z")]
DearKind = Annotated[str, Meta(pattern=r"\A(locked|divide|gather|serialising|reloaded)\Z")]
HowCode = Annotated[
    str,
    Meta(
        pattern=r"\A(same|changed|renamed|inlined|split off|unused|first used|gone|new|too long)\Z"
    ),
]


class Instruction(NamedTuple):
    """One instruction of a function.

    `code` is what it does, whatever address it and its targets lie at: two of them are equal
    when the instructions are. A target within the function is a number of instructions.
    """

    address: int
    text: str  # as people read it
    code: str
    callee: str = ""  # mangled, of a direct call
    inside: bool = False  # it jumps within its function


@dataclass(frozen=True)
class Body:
    """The machine code of one function on one side."""

    name: str  # demangled, without what compilers add to copies
    symbol: str
    object: str
    address: int
    size: int
    instructions: tuple[Instruction, ...]
    executed: int  # of its instructions, in all iterations


class Executed(NamedTuple):
    """One line of a disassembly."""

    address: int
    text: str
    place: Place
    times: int  # in all iterations


class Row(NamedTuple):
    """The same instruction of both sides: `same` or `altered`; or one that is `gone` or `new`."""

    how: HowRow
    base: Executed | None
    candidate: Executed | None


@dataclass(frozen=True)
class SideBySide:
    """The disassembly of one function."""

    function: str
    rows: tuple[Row, ...]
    left_out: int = 0  # instructions of long functions that were never executed


class HotLoop(NamedTuple):
    """Where the loop of a function lies that was executed most."""

    size: int  # bytes
    lines: int  # of 64 bytes that it lies in
    windows: int  # of 32 bytes


class CallSite(NamedTuple):
    """A call that one side alone has."""

    callee: str
    address: int
    place: Place
    times: int


class Dear(NamedTuple):
    """An instruction that takes far longer than others, and is executed more often than before.

    `kind`: locked, divide, gather, serialising, or reloaded (more bytes than were just stored).
    """

    function: str
    kind: DearKind
    text: str
    place: Place
    times: int  # more, in all iterations


@dataclass(frozen=True)
class FunctionCode:
    """One function, and what became of it. Pairs are of (base, candidate).

    same        the same instructions
    changed     other instructions
    renamed     the same or nearly the same code; `other` is its name in the base
    inlined     its code is in `other` now
    split off   its code was in `other` before
    unused      it did not run in the candidate; `other` is empty
    first used  it did not run in the base, but is there
    gone, new   one side alone has it
    too long    not looked at
    """

    name: str
    how: HowCode
    sizes: tuple[int, int]  # bytes
    instructions: tuple[int, int]
    calls: tuple[int, int]
    executed: tuple[int, int]
    other: str = ""
    likeness: float = 1.0
    replaced: int = 0  # instructions of the candidate that the base does not have so
    moved: bool = False  # to another address
    new_calls: tuple[CallSite, ...] = ()
    gone_calls: tuple[CallSite, ...] = ()
    loops: tuple[HotLoop, HotLoop] | None = None  # of the same code on both sides

    @property
    def is_unchanged(self) -> bool:
        return self.how == "same"


class SourceLine(NamedTuple):
    """A line of source on either side, 0 where a side does not have it, and what it costs."""

    base: int
    candidate: int
    text: str
    costs: tuple[int, int]  # with library functions called there, in all iterations


@dataclass(frozen=True)
class Source:
    """The lines of one file near those that cost more or less than before."""

    file: str
    parts: tuple[tuple[SourceLine, ...], ...]  # with other lines between them
    note: str = ""  # why its text is not there, or may not fit


@dataclass(frozen=True)
class MachineCode:
    """Of one benchmark's loop; functions that changed most come first."""

    iterations: int
    functions: tuple[FunctionCode, ...]
    shown: tuple[SideBySide, ...] = ()
    sources: tuple[Source, ...] = ()
    compilers: tuple[str, str] = ("", "")  # empty: not known
    notes: tuple[str, ...] = ()
    dear: tuple[Dear, ...] = ()  # most first

    @property
    def same_compiler(self) -> bool:
        """Also where one of them is not known."""
        return not all(self.compilers) or self.compilers[0] == self.compilers[1]

    @property
    def unchanged(self) -> frozenset[str]:
        """Names of the functions whose code is the same on both sides."""
        return frozenset(one.name for one in self.functions if one.is_unchanged)
