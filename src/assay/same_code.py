"""What one benchmark executes on one side, described so that two sides can be compared.

    footprint.loops["1000"].digest == other.loops["1000"].digest

A footprint holds no address of the program: code is described by what it does, and data by its
content. Two builds that execute the same code on the same data have equal footprints, wherever the
linker put either. See docs/decisions/0042-placement.md.
"""

import msgspec


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """A piece of executed code, or of data that it refers to."""

    label: str  # a digest of its content and of all that it refers to
    own: str  # a digest of its content alone
    name: str  # the symbol that it belongs to, for messages; empty: none


class LoopCounts(msgspec.Struct, frozen=True, array_like=True):
    """What the user's code executed in one loop of a benchmark."""

    digest: str  # of the label of each piece of code and how often its instructions ran
    instructions: int


class Footprint(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides what a benchmark does, without an address in it.

    `refused` says why there is no footprint; then nothing else in it counts.
    """

    refused: str = ""
    asked: int = 0  # iterations that the benchmark was asked to run
    files: dict[str, str] = {}  # digests of the files that it ran or opened, by path
    # By name: digests of what the loader maps of the program and of its own libraries.
    loaded: dict[str, str] = {}
    code: tuple[Chunk, ...] = ()
    data: tuple[Chunk, ...] = ()
    loops: dict[str, LoopCounts] = {}  # by the number of iterations, in the order they ran
    iterations: int = 0  # iterations of all loops together
    libraries: dict[str, str] = {}  # digests of the system's libraries that it used, by name
    inputs: tuple[tuple[str, str], ...] = ()  # name and digest of each file that it opened
    neighbours: tuple[str, ...] = ()  # data in one cache line with data that the loop may write to
    sizes: dict[str, tuple[int, ...]] = {}  # by name: bytes of data that may be written to


class SameCode(msgspec.Struct, frozen=True):
    """Whether both sides of a benchmark execute the same code on the same data.

    `same` is True only where that is known; `why` then says what was compared, and otherwise
    what differs or could not be compared.
    """

    same: bool
    why: str
