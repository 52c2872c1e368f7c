"""Reads what `libassay_loop.so` wrote about the loops of one launch.

loops = parse(text)
loops.loops[-1].iterations          10
loops.loops[-1].sites[0].stack      return addresses, the innermost first
loops.loops[-1].module(0x55cb0ff7943e)      Module(path, load, begin, end)

`native/measure/loop/loop_preload.cpp` describes the lines.
"""

from collections.abc import Sequence

import msgspec

from assay.errors import LaunchError


class Module(msgspec.Struct, frozen=True):
    """An executable or library, and the addresses at which it lay in memory."""

    load: int
    begin: int
    end: int
    path: str


class Site(msgspec.Struct, frozen=True):
    """How often, and how many bytes, one chain of calls allocated or freed."""

    what: str  # "allocation" or "free"
    times: int
    size: int  # bytes, of all together
    stack: tuple[int, ...]  # return addresses, the innermost first


class TracedLoop(msgspec.Struct):
    """What our library recorded while one loop of a benchmark ran: allocations and counters."""

    iterations: int  # how many iterations the loop was asked to run
    peak: int = 0
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    # The errno that says why a counter could not be read, by the counter's name.
    uncounted: dict[str, int] = msgspec.field(default_factory=dict)
    sites: list[Site] = msgspec.field(default_factory=list)
    # Executable and libraries in memory at the loop's end; more may be loaded later.
    modules: list[Module] = msgspec.field(default_factory=list)

    def module(self, address: int) -> Module | None:
        return next((one for one in self.modules if one.begin <= address < one.end), None)


class LoopFile(msgspec.Struct):
    """What the library wrote about all processes of one launch. `watched` is about the one that
    runs loops."""

    watched: str = ""  # "watched", "unknown" or "refused"; empty if no process loaded the library
    is_counted: bool = False
    loops: list[TracedLoop] = msgspec.field(default_factory=list)


_EVENTS = {"allocated": "allocation", "freed": "free"}  # our names by those in the file


def parse(text: str) -> LoopFile:
    """The content of a file that the library wrote. Raises `LaunchError` if it is cut short or not
    understood."""
    found = LoopFile()
    try:
        for line in text.split("\n"):
            _read_line(found, line)
    except (ValueError, IndexError, KeyError):
        raise LaunchError("what was written of its loops cannot be read") from None
    return found


def _read_line(found: LoopFile, line: str) -> None:
    """Read one line into `found`."""
    kind, _, rest = line.partition(" ")
    if kind == "program":
        _, watched, counted, _ = rest.split(" ", 3)
        if found.watched != "watched":  # a process that starts the program has no loop
            found.watched, found.is_counted = watched, counted == "counted"
    elif kind == "loop":
        found.loops.append(TracedLoop(int(rest)))
    elif kind == "module":
        load, begin, end, path = rest.split(" ", 3)
        found.loops[-1].modules.append(Module(int(load, 16), int(begin, 16), int(end, 16), path))
    elif kind:
        _read_loop_line(found.loops[-1], kind, rest.split(" "))


def _read_loop_line(loop: TracedLoop, kind: str, words: Sequence[str]) -> None:
    if kind == "peak":
        loop.peak = int(words[0])
    elif kind == "count":
        name, value, why_not = words
        if int(why_not):
            loop.uncounted[name] = int(why_not)
        else:
            loop.counts[name] = int(value)
    elif kind == "site":
        stack = tuple(int(word, 16) for word in words[3:])
        loop.sites.append(Site(_EVENTS[words[0]], int(words[1]), int(words[2]), stack))
    elif kind == "lost":
        count, size = map(int, words)
        if count:
            loop.sites.append(Site("allocation", count, size, ()))
    else:
        raise ValueError(kind)
