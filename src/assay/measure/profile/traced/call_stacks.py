"""Which function of the user a chain of calls began in, and what of a library it called.

    who = Callers(stacks, executor)
    who.spot("allocation", stack)       Spot("allocation", "Log::seal()", "std::vector", Place(...))

A stack has its innermost call first. The user's innermost function is the cause, whatever it
called. Where a function ends in a call, the compiler makes that a jump, and no trace of the
function is on the stack: the instruction that called it still names it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assay.measure.executor import Executor
from assay.measure.profile.program.frames import Frame, frames, named
from assay.measure.profile.program.own_code import own_function, plain, scope, system_object
from assay.measure.profile.program.segments import Segments
from assay.resources import Spot
from assay.work import Place

OURS = "libassay_loop.so"
_ENGINE = "benchmark::"
_NEIGHBOURS = range(-16, 17, 4)  # bytes: where addr2line misnames one, others know better


class Call(NamedTuple):
    """One return address: the object, the address in it as addr2line counts, a name if known."""

    object: str
    address: int
    name: str = ""
    is_return: bool = True  # False: where it is, not where it will return to

    @property
    def at(self) -> int:
        """An address of the calling instruction itself: what follows may be of another line."""
        return self.address - self.is_return


Stack = tuple[Call, ...]


class Callers:
    """Knows the functions around every call of some stacks."""

    def __init__(self, stacks: Iterable[Stack], executor: Executor) -> None:
        self._executor = executor
        self._elves: dict[str, Segments] = {}
        self._chains: dict[tuple[str, int], tuple[Frame, ...]] = {}
        self._is_known: dict[str, bool] = {}  # objects of which there is debug information
        calls = {call for stack in stacks for call in stack if not _foreign(call)}
        wanted: dict[str, set[int]] = defaultdict(set)
        for call in calls:
            wanted[call.object].update(self._addresses(call))
        for binary, addresses in wanted.items():
            self._look_up(binary, addresses)

    def spot(self, what: str, stack: Stack) -> Spot:
        """Who caused it; without a function where none of the user's is on the way."""
        via, found = "", None
        for call, frame in self._frames(stack):
            if not self._own(call.object, frame):
                via = via if found else frame.function or via
                continue
            function = plain(frame.function)
            if found is None:
                found = Spot(what, function, plain(via), Place(frame.file, frame.line))
            elif function != found.function:
                return found._replace(caller=function)
        return found or Spot(what, "", plain(via))

    def _frames(self, stack: Stack) -> Iterator[tuple[Call, Frame]]:
        """The functions around it, as far as the engine that runs the loop."""
        for call in stack:
            if call.object.endswith(OURS):
                continue
            if _foreign(call):
                if _of_engine(call):
                    return
                yield call, Frame(call.name, "", 0)
                continue
            chain = self._chain(call)
            if chain and scope(chain[-1].function).startswith(_ENGINE):
                return
            for frame in chain:
                yield call, frame

    def _own(self, binary: str, frame: Frame) -> bool:
        if binary not in self._is_known:
            return False  # a library's
        if self._is_known[binary] and not frame.file:
            return False  # others have debug information: linked in from elsewhere
        return not frame.is_implicit and own_function(plain(frame.function), frame.file)

    def _chain(self, call: Call) -> tuple[Frame, ...]:
        """The functions around a call, behind the one that it called and that jumped away."""
        around = self._chains.get((call.object, call.at), ())
        target = self._elf(call.object).called_before(call.address) if call.is_return else None
        called = self._chains.get((call.object, target or 0), ())[-1:]
        if not any(frame.file for frame in called):
            return around  # the linkage table has no functions of its own
        return (*called, *around)

    def _addresses(self, call: Call) -> Iterable[int]:
        yield call.at
        target = self._elf(call.object).called_before(call.address) if call.is_return else None
        if target is not None:
            yield target

    def _elf(self, path: str) -> Segments:
        if path not in self._elves:
            self._elves[path] = Segments.of(path)
        return self._elves[path]

    def _look_up(self, binary: str, addresses: set[int]) -> None:
        around = {address + step for address in addresses for step in _NEIGHBOURS}
        known = frames(binary, {at for at in around if at > 0}, self._executor)
        self._is_known[binary] = bool(known)
        missing = named(binary, addresses - set(known), self._executor)
        for address in addresses:
            frame = Frame(missing.get(address, hex(address)), "", 0)
            self._chains[binary, address] = known.get(address, (frame,))


def _foreign(call: Call) -> bool:
    """Of a library, of the kernel's [vdso], or of where the tracer lost its way."""
    return system_object(call.object) or not call.object.startswith("/")


def _of_engine(call: Call) -> bool:
    return "/libbenchmark" in call.object or scope(call.name).startswith(_ENGINE)
