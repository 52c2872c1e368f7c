"""The user's function that caused a chain of calls, and the library function it called.

    who = Callers(stacks, executor)
    who.spot("allocation", stack)
    # ResourceSpot("allocation", "Log::seal()", "std::vector", Place(...))

A stack has its innermost call first. The user's innermost function is the cause. If a function ends
in a call, the compiler turns that into a jump, and the function is not on the stack; but the call
instruction of its caller still names it, and it is taken from there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from assay.measure.executor import Executor
from assay.measure.profile.program.frames import Frame, frames, names_from_symbol_table
from assay.measure.profile.program.own_code import (
    own_function,
    plain_name,
    qualified_name,
    system_object,
)
from assay.measure.profile.program.segments import Segments
from assay.resources import ResourceSpot
from assay.work import Place

OURS = "libassay_loop.so"  # our library, whose own functions are left out of stacks
_ENGINE = "benchmark::"
_NEIGHBOURS = range(-16, 17, 4)  # bytes around an address where addr2line may have the right name


class ReturnAddress(msgspec.Struct, frozen=True):
    """One return address of a stack: the file it lies in, the address in that, and a name if
    known."""

    object: str
    address: int
    name: str = ""
    # False for the innermost entry: it is the address of the instruction that ran.
    is_return: bool = True

    @property
    def address_in_call(self) -> int:
        """An address within the call instruction, because the next instruction may be of another
        line."""
        return self.address - self.is_return


Stack = tuple[ReturnAddress, ...]


class Callers:
    """Finds the functions in chains of calls, and among them the user's function that caused an
    event."""

    def __init__(self, stacks: Iterable[Stack], executor: Executor) -> None:
        self._executor = executor
        self._elves: dict[str, Segments] = {}
        self._chains: dict[tuple[str, int], tuple[Frame, ...]] = {}
        self._is_known: dict[str, bool] = {}  # by file: whether it has debug information
        calls = {call for stack in stacks for call in stack if not _is_outside_program(call)}
        wanted: dict[str, set[int]] = defaultdict(set)
        for call in calls:
            wanted[call.object].update(self._addresses(call))
        for binary, addresses in wanted.items():
            self._look_up(binary, addresses)

    def spot(self, what: str, stack: Stack) -> ResourceSpot:
        """What caused an event: the user's innermost function on the stack; an empty name if there
        is none."""
        via, found = "", None
        for call, frame in self._frames(stack):
            if not self._is_users(call.object, frame):
                via = via if found else frame.function or via
                continue
            function = plain_name(frame.function)
            if found is None:
                found = ResourceSpot(what, function, plain_name(via), Place(frame.file, frame.line))
            elif function != found.function:
                return replace(found, caller=function)
        return found or ResourceSpot(what, "", plain_name(via))

    def _frames(self, stack: Stack) -> Iterator[tuple[ReturnAddress, Frame]]:
        """The functions on the stack, from the innermost up to the engine that runs the loop."""
        for call in stack:
            if call.object.endswith(OURS):
                continue
            if _is_outside_program(call):
                if _of_engine(call):
                    return
                yield call, Frame(call.name, "", 0)
                continue
            chain = self._functions_around_call(call)
            if chain and qualified_name(chain[-1].function).startswith(_ENGINE):
                return
            for frame in chain:
                yield call, frame

    def _is_users(self, binary: str, frame: Frame) -> bool:
        """Whether a function is the user's."""
        if binary not in self._is_known:
            return False  # an object that was not looked up is a system library
        if self._is_known[binary] and not frame.file:
            return False  # the object has debug information, but not of this static library
        return not frame.is_implicit and own_function(plain_name(frame.function), frame.file)

    def _functions_around_call(self, call: ReturnAddress) -> tuple[Frame, ...]:
        """The functions around a call. If the called function left by a jump, and so is on no
        stack, it comes first."""
        around = self._chains.get((call.object, call.address_in_call), ())
        target = (
            self._segments_of_file(call.object).call_target_before(call.address)
            if call.is_return
            else None
        )
        called = self._chains.get((call.object, target or 0), ())[-1:]
        if not any(frame.file for frame in called):
            return around  # linker stubs have no source file
        return (*called, *around)

    def _addresses(self, call: ReturnAddress) -> Iterable[int]:
        """The addresses to look up for one call: its own, and that of the function it calls."""
        yield call.address_in_call
        target = (
            self._segments_of_file(call.object).call_target_before(call.address)
            if call.is_return
            else None
        )
        if target is not None:
            yield target

    def _segments_of_file(self, path: str) -> Segments:
        """The segments of a file, read once."""
        if path not in self._elves:
            self._elves[path] = Segments.of_file(path)
        return self._elves[path]

    def _look_up(self, binary: str, addresses: set[int]) -> None:
        around = {address + step for address in addresses for step in _NEIGHBOURS}
        known = frames(binary, {at for at in around if at > 0}, self._executor)
        self._is_known[binary] = bool(known)
        missing = names_from_symbol_table(binary, addresses - set(known), self._executor)
        for address in addresses:
            frame = Frame(missing.get(address, hex(address)), "", 0)
            self._chains[binary, address] = known.get(address, (frame,))


def _is_outside_program(call: ReturnAddress) -> bool:
    """Whether a call is in a system library, in the kernel's [vdso], or in no known file."""
    return system_object(call.object) or not call.object.startswith("/")


def _of_engine(call: ReturnAddress) -> bool:
    """Whether a call is in Google Benchmark."""
    return "/libbenchmark" in call.object or qualified_name(call.name).startswith(_ENGINE)
