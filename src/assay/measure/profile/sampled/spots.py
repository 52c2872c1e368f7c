"""Whose time a sample is: the user's function it was in, and what that function called.

    resolver = Resolver(executor)
    resolver.resolve(stacks)            asks addr2line once for each file
    resolver.spot(stack), resolver.names(stack)

A sample counts for the innermost function of the user around it, inlined ones included. The time of
a `memmove` called by `Wal::append` is the time of `Wal::append`, and so is the kernel's work for
it.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator

import msgspec

from assay.measure.executor import Executor
from assay.measure.profile.program.demangle import demangled
from assay.measure.profile.program.frames import Frame, Frames, frames
from assay.measure.profile.program.own_code import own_function, plain_name, system_object
from assay.measure.profile.program.segments import Segments
from assay.measure.profile.sampled.perf_text import RawFrame, RawStack
from assay.stacks import Stack
from assay.timed import SampleSpot

UNKNOWN = "[unknown]"  # how perf names a function or file that it does not know
# Names of the kernel's functions that carry out a system call.
_SYSTEM_CALL = re.compile(r"__(?:x64|ia32|arm64|se|do)_sys_(\w+)")
# Names of the kernel's functions that handle a page fault.
_FAULT = re.compile(r"(?:asm_)?exc_page_fault|do_page_fault|el0_[di]a")
# Names of the kernel's functions that handle an interrupt.
_INTERRUPT = re.compile(r"(?:asm_)?(?:sysvec_\w+|common_interrupt)|el[01]_irq\w*")
# Functions that start a program; no stack of a flame graph begins with one.
_STARTING = {"main", "_start", "__libc_start_main", "__libc_start_call_main", UNKNOWN}
_ENGINE = "benchmark::"


class _Level(msgspec.Struct, frozen=True):
    """One function of a stack, inlined ones included.

    `own` says that it is the user's, `outer` that it has a symbol, so is not inlined.
    """

    name: str
    own: bool
    outer: bool


class Resolver:
    """Finds the functions of sampled stacks, those inlined too. Call `resolve` first."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._frames: dict[str, Frames] = {}
        self._names: dict[str, str] = {}
        self._segments: dict[str, Segments] = {}
        self._levels: dict[tuple[RawFrame, bool], tuple[_Level, ...]] = {}

    def resolve(self, stacks: Collection[RawStack]) -> None:
        """Look up the functions around every address in these stacks; the other methods need
        that."""
        seen = {raw for stack in stacks for raw in stack}
        wanted: dict[str, set[int]] = defaultdict(set)
        for raw in seen:
            if not _is_kernel(raw) and not system_object(raw.file):
                place = self._address_for_addr2line(raw)
                wanted[raw.file].update((place, place - 1))
        for file, addresses in wanted.items():
            self._frames[file] = frames(file, addresses, self._executor)
        self._names = demangled({raw.symbol for raw in seen}, self._executor)

    def spot(self, stack: RawStack) -> SampleSpot:
        """Where a sample was taken: the user's innermost function on the stack, or else the
        function that ran."""
        kernel, below = kernel_work(stack), ""
        first = UNKNOWN
        for level in self._levels_inside_out(stack):
            if level.own:
                return SampleSpot(level.name, kernel or below)
            if level.outer:
                below = level.name
                first = level.name if first == UNKNOWN else first
        return SampleSpot(kernel or first, own=False)

    def names(self, stack: RawStack) -> Stack:
        """The function names of a stack for a flame graph, the outermost first, without the
        program's start."""
        levels = list(self._levels_inside_out(stack))
        levels.reverse()
        own = [i for i, one in enumerate(levels) if one.own and one.name not in _STARTING]
        return tuple(one.name for one in levels[own[0] if own else 0 :])

    def has_names(self, stack: RawStack) -> bool:
        """Whether any function of the user in the stack has a name."""
        return any(one.own and one.name != UNKNOWN for one in self._levels_inside_out(stack))

    def has_lines(self, file: str) -> bool:
        """Whether the file has debug information, so that lines of source are known."""
        return bool(self._frames.get(file))

    def _levels_inside_out(self, stack: RawStack) -> Iterator[_Level]:
        for depth, raw in enumerate(stack):
            key = raw, depth > 0
            if key not in self._levels:
                self._levels[key] = self._levels_at(raw, is_caller=depth > 0)
            yield from self._levels[key]

    def _levels_at(self, raw: RawFrame, *, is_caller: bool) -> tuple[_Level, ...]:
        """The functions at an address of a stack, the innermost first. A caller's address is that
        after its call."""
        if _is_kernel(raw):
            return (_Level(raw.symbol, own=False, outer=True),)
        place = self._address_for_addr2line(raw) - is_caller
        chain = self._frames.get(raw.file, {}).get(place)
        if chain is None:
            return (self._by_symbol(raw),)
        inlined = [
            _Level(plain_name(one.function), _is_users(one), outer=False) for one in chain[:-1]
        ]
        outermost = chain[-1]
        return (*inlined, _Level(plain_name(outermost.function), _is_users(outermost), outer=True))

    def _by_symbol(self, raw: RawFrame) -> _Level:
        """The function at an address without debug information, by its symbol alone."""
        name = plain_name(self._names.get(raw.symbol, raw.symbol))
        # If other functions of the file have debug information, this one is a static library's.
        own = not (raw.file.startswith("[") or system_object(raw.file) or self.has_lines(raw.file))
        return _Level(name, own and own_function(name, ""), outer=True)

    def _address_for_addr2line(self, raw: RawFrame) -> int:
        """Convert perf's offset in the file to the address that addr2line expects."""
        if raw.file not in self._segments:
            self._segments[raw.file] = Segments.of_file(raw.file)
        return self._segments[raw.file].address(raw.address)


def kernel_work(stack: RawStack) -> str:
    """What the kernel did when the sample was taken, as "[kernel] munmap"; empty if it did not
    run."""
    if not stack or not _is_kernel(stack[0]):
        return ""
    inside = [raw.symbol for raw in stack if _is_kernel(raw)]
    for symbol in inside:
        if call := _SYSTEM_CALL.fullmatch(symbol):
            return f"[kernel] {call[1]}"
    if any(_INTERRUPT.fullmatch(symbol) for symbol in inside):
        return "[kernel] interrupt"
    if any(_FAULT.fullmatch(symbol) for symbol in inside):
        return "[kernel] page fault"
    return "[kernel]"


def _is_kernel(raw: RawFrame) -> bool:
    """Whether an address is in the kernel."""
    if raw.file.startswith("[") and raw.file not in (UNKNOWN, "[vdso]", "[vsyscall]", "[heap]"):
        return True
    return raw.file.endswith(".ko") or raw.address >> 63 == 1


def _is_users(frame: Frame) -> bool:
    """Whether a function is the user's, neither a library's nor made by the compiler."""
    return not frame.is_implicit and own_function(plain_name(frame.function), frame.file)
