"""What one benchmark executes on one side, described so that two sides can be compared.

    footprint.loops["1000"].digest == other.loops["1000"].digest

A footprint holds no address of the program: code is described by what it does, and data by its
content. Two builds that execute the same code on the same data have equal footprints, wherever the
linker put either. See docs/decisions/0042-placement.md.
"""

import msgspec


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """Code that was executed, or data that it refers to."""

    label: str  # a digest of its content and of all that it refers to
    own: str  # a digest of its content alone
    name: str  # the symbol that it lies in, to be shown; empty: none


class LoopCounts(msgspec.Struct, frozen=True, array_like=True):
    """How often the user's code ran in one loop."""

    digest: str  # a digest of all chunks and how often each instruction ran
    instructions: int


class Footprint(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides what a benchmark does, apart from where things lie.

    `refused` says why there is no footprint; then nothing else in it counts.
    """

    refused: str = ""
    asked: int = 0  # iterations that were asked for
    files: dict[str, str] = {}  # digests of the files that it ran or opened, by path
    code: tuple[Chunk, ...] = ()
    data: tuple[Chunk, ...] = ()
    loops: dict[str, LoopCounts] = {}  # by the number of iterations, in the order they ran
    iterations: int = 0  # of all loops together
    libraries: dict[str, str] = {}  # digests of the system's libraries that ran, by name
    inputs: tuple[tuple[str, str], ...] = ()  # name and digest of files that were opened
    neighbours: tuple[str, ...] = ()  # data that share a cache line with data the loop writes
    sizes: dict[str, tuple[int, ...]] = {}  # bytes of all named data that may be written to


class SameCode(msgspec.Struct, frozen=True):
    """Whether both sides of a benchmark execute the same code on the same data.

    `same` is True only where that is known; `why` then says what was compared, and otherwise
    what differs or could not be compared.
    """

    same: bool
    why: str
