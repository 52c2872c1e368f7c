"""Which functions an instruction belongs to: the one with the symbol, and those inlined there.

    found = frames("build/bench", {0x1380, 0x13a4}, executor)
    found[0x13a4]       (Frame("mix(unsigned int)", "hash.hpp", 12), Frame("BM_hash", ...))

The innermost comes first. Members that the compiler made and inlined (`implicit.py`) are left out:
they belong to the line that needs them. `addr2line` reads the debug information. Without the tool
or the information nothing is found, and callers go by the functions that callgrind names.
"""

import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from assay.errors import LaunchError
from assay.measure.executor import Executor, Launch
from assay.measure.profile.program.implicit import ImplicitMembers
from assay.measure.profile.program.own_code import bare_name

# "file:line" as addr2line prints it.
_PLACE = re.compile(r"(.*):(\d+|\?)(?: \(discriminator \d+\))?")
_TIMEOUT_S = 60.0  # seconds that addr2line may take
_AT_ONCE = 4000  # addresses on one command line, of 20 bytes each: far below Linux's limit


class Frame(NamedTuple):
    """One of the functions that an instruction belongs to, and the line in it."""

    function: str
    file: str
    line: int
    is_implicit: bool = False  # whether the compiler made the function, as nobody wrote it


Frames = Mapping[int, tuple[Frame, ...]]  # by address: the functions around it, the innermost first


def frames(binary: str, addresses: Iterable[int], executor: Executor) -> Frames:
    """The functions around each address; an address without debug information is absent."""
    program = shutil.which("addr2line")
    wanted = sorted(set(addresses))
    if program is None or not wanted:
        return {}
    found: dict[int, tuple[Frame, ...]] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = [hex(one) for one in wanted[start : start + _AT_ONCE]]
        argv = (program, "-a", "-f", "-i", "-C", "-e", binary, *some)
        try:
            done = executor.run(Launch(argv, _TIMEOUT_S))
        except LaunchError:
            return found
        if done.ok:
            found.update(parse(done.stdout))
    return without_compiler_made(
        with_repaired_names(found), ImplicitMembers(binary).is_made_by_compiler
    )


def without_compiler_made(found: Frames, made: Callable[[str, str, int], bool]) -> Frames:
    """The frames without inlined functions that the compiler made; those that are a whole symbol
    are marked."""
    return {
        address: (
            *(one for one in chain[:-1] if not made(*one[:3])),
            *(one._replace(is_implicit=made(*one[:3])) for one in chain[-1:]),
        )
        for address, chain in found.items()
    }


def with_repaired_names(found: Frames) -> Frames:
    """The frames with inlined functions renamed to which `addr2line` gave the name of the whole
    symbol.

    addr2line does so at some addresses, for functions without a linkage name. Another instruction
    inlined at the same place has the right name.
    """
    names: dict[tuple[str, tuple[Frame, ...]], str] = {}
    for chain in found.values():
        if not _misnamed(chain):
            names.setdefault((chain[0].file, chain[1:]), chain[0].function)
    right = dict(found)
    for address, chain in found.items():
        name = names.get((chain[0].file, chain[1:])) if _misnamed(chain) else None
        if name is not None:
            right[address] = (chain[0]._replace(function=name), *chain[1:])
    return right


def _misnamed(chain: tuple[Frame, ...]) -> bool:
    """Whether an inlined function has the name of the whole symbol, as addr2line gives by
    mistake."""
    return len(chain) > 1 and bare_name(chain[0].function) == bare_name(chain[-1].function)


def parse(text: str) -> dict[int, tuple[Frame, ...]]:
    """Read what `addr2line -a -f -i` printed: an address, then two lines for each function."""
    found: dict[int, tuple[Frame, ...]] = {}
    address, pending, chain = None, "", list[Frame]()
    for line in text.split("\n"):
        if address is None or (not pending and re.fullmatch("0x[0-9a-f]{16}", line)):
            if address is not None:
                found[address] = tuple(chain)
            address, chain = _address(line), []
        elif not pending:
            pending = line
        else:
            chain.append(_frame(pending, line))
            pending = ""
    if address is not None:
        found[address] = tuple(chain)
    return {at: chain for at, chain in found.items() if _has_lines(chain)}


def _address(line: str) -> int | None:
    return int(line, 16) if re.fullmatch("0x[0-9a-f]{1,16}", line) else None


def _frame(function: str, place: str) -> Frame:
    split = _PLACE.fullmatch(place)
    if split is None:
        return Frame(function, "", 0)
    file = "" if split[1] == "??" else split[1]
    return Frame(function, file, int(split[2]) if split[2] != "?" else 0)


def _has_lines(chain: tuple[Frame, ...]) -> bool:
    """Whether frames come from debug information; the symbol table gives names but no lines."""
    return any(frame.line for frame in chain)


def names_from_symbol_table(
    binary: str, addresses: Iterable[int], executor: Executor
) -> Mapping[int, str]:
    """Names of the functions around addresses without debug information, from the symbol table."""
    program = shutil.which("addr2line")
    wanted = sorted(set(addresses))
    if program is None or not wanted:
        return {}
    found: dict[int, str] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        argv = (program, "-f", "-C", "-e", binary, *map(hex, some))
        try:
            done = executor.run(Launch(argv, _TIMEOUT_S))
        except LaunchError:
            return found
        lines = done.stdout.split("\n")[::2]
        pairs = zip(some, lines, strict=False)
        found.update((at, name) for at, name in pairs if name not in ("", "??"))
    return found
