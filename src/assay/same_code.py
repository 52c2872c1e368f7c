"""What one benchmark executes on one side, told so that two sides can be compared.

    footprint.loops["1000"].digest == other.loops["1000"].digest

A footprint holds no address of the program: code is told by what it does, and data by what is in
it. Two builds that execute the same code on the same data have equal footprints, wherever the
linker put either. See docs/decisions/0042-placement.md.
"""

import msgspec


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """Code that was executed, or data that it refers to."""

    label: str  # of its content and of all that it refers to
    own: str  # of its content alone
    name: str  # the symbol it lies in, for people; empty: none


class LoopCounts(msgspec.Struct, frozen=True, array_like=True):
    """How often the user's code ran in one loop."""

    digest: str  # of every chunk and how often each of its instructions was executed
    instructions: int


class Footprint(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides what a benchmark does, apart from where things lie.

    `refused` says why it cannot be told; nothing else is then to be believed.
    """

    refused: str = ""
    asked: int = 0  # iterations that were asked for
    files: dict[str, str] = {}  # digest of each that it ran or opened, by path
    code: tuple[Chunk, ...] = ()
    data: tuple[Chunk, ...] = ()
    loops: dict[str, LoopCounts] = {}  # by the number of iterations, in their order
    iterations: int = 0  # of all loops together
    libraries: dict[str, str] = {}  # of the system, that ran: digest of each, by name
    inputs: tuple[tuple[str, str], ...] = ()  # files that were opened: name and digest
    neighbours: tuple[str, ...] = ()  # what shares a cache line with data that the loop writes
    sizes: dict[str, tuple[int, ...]] = {}  # of all data with a name that may be written to


class SameCode(msgspec.Struct, frozen=True):
    """Whether both sides of a benchmark execute the same code on the same data.

    `same` is only said where it is known; `why` then says what was compared, and otherwise
    what differs or could not be looked at.
    """

    same: bool
    why: str
