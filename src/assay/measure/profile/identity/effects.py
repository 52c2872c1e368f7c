"""What code that runs before `main` executed, and what of its effects remains afterwards.

    reach = Reach(parts, calls, things)
    below = reach.below(parts_of_a_constructor)
    below.written       data that it, or anything it called, refers to and that may be written to
    below.elsewhere     whether it called something that may keep state in a library or the CPU
    reach.called_only_by(starts)     functions that were called only by these and by each other

Who called whom comes from the trace, so calls through a table or a linker's stub are followed too.
Calls made by the engine are not followed: from a registration they would lead to every benchmark.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from assay.measure.profile.exact.callgrind_file import CallLine
from assay.measure.profile.identity.data import MARKS, DataPieces
from assay.measure.profile.identity.normal_form import NormalInstruction, Reference
from assay.measure.profile.identity.part import CodePart
from assay.measure.profile.program.own_code import plain_name, qualified_name, system_object

Place = tuple[str, int]  # path of an executable or library, and an address in it
Datum = str | Place  # data: its name if other files find it by that, else where it begins
_ENGINE_LIBRARY = "libbenchmark"  # beginning of the name of Google Benchmark's shared library
# Text of a jump or call to a fixed address.
_BRANCHES = re.compile(r"(?:bnd |notrack )?(?:j\w+|call|loop\w*) @")
# Instructions that change how the CPU computes, or ask the kernel for something.
_PROCESSOR = re.compile(r"ldmxcsr|vldmxcsr|fldcw|fldenv|frstor|xrstor|syscall|wr[fg]sbase")
# Access to thread-local data. 0x28 is left out: it holds the stack protector's value.
_OF_A_THREAD = re.compile(r"[fg]s:\[(?!0x28\])")
# Functions of the system that keep no state other code could find: they allocate memory, handle
# text and bytes, register what happens at exit, or compute. Any function not listed may keep some.
_KEEPS_NOTHING = re.compile(
    r"(?:malloc|calloc|realloc|free|cfree|aligned_alloc|posix_memalign|operator (?:new|delete).*"
    r"|(?:__)?_?(?:mem|str(?!tok)|wmem|wcs(?!tok))\w+|bcmp|v?snprintf|sysconf"
    r"|__cxa_(?:atexit|finalize|guard_\w+|allocate_exception|throw|begin_catch|end_catch\w*|demangle)"
    r"|__stack_chk_fail|__tls_get_addr|_Unwind_\w+|__dynamic_cast|__errno_location"
    r"|pthread_(?:mutex|once|self|rwlock)\w*|abs|labs|div"
    r"|a?(?:sin|cos|tan)h?f?|(?:exp|exp2|expm1|log|log2|log10|log1p|pow|sqrt|cbrt|floor|ceil"
    r"|round|trunc|fmod|fabs|hypot|ldexp|frexp|lround|llround|rint|nearbyint)[fl]?"
    r"|std::.*|__gnu_cxx::.*|__cxxabiv1::.*)"
)
_STD_KEEPS = re.compile(  # functions of the standard library that do keep state
    r"std::(?:locale::global|random_device|set_\w+|basic_\w*(?:filebuf|fstream|ostream|istream)"
    r"|ostream|istream|filesystem|thread|this_thread|_V2::)"
)


class CodeEffects(msgspec.Struct, frozen=True):
    """What a function that runs before `main`, and all that it called, may have changed."""

    parts: tuple[CodePart, ...]  # all code that it executed, itself included
    written: frozenset[Datum]  # data that may be written to and that this code refers to
    elsewhere: bool  # whether it may have changed state in a library or the CPU
    registers: bool  # whether a function that it calls hands something to the benchmark engine


class Reach:
    """Which code a piece of code led to, by calls and jumps, before the first loop began."""

    def __init__(
        self, parts: Sequence[CodePart], calls: Iterable[CallLine], things: Mapping[str, DataPieces]
    ) -> None:
        self._things = things
        self._at: dict[Place, CodePart] = {}
        self._functions: dict[Place, list[CodePart]] = defaultdict(list)
        for part in parts:
            self._functions[part.object, part.function].append(part)
            self._at.update({(part.object, one.address): part for one in part.instructions})
        self._calls: dict[Place, set[Place]] = defaultdict(set)
        self._names: dict[Place, str] = {}  # names of the functions that were called
        # For each function of a system library, the functions that it called.
        self._called_by: dict[tuple[str, str], set[Place]] = defaultdict(set)
        for one in calls:
            there = one.callee.object, one.to
            self._names[there] = one.callee.name
            self._calls[one.caller.object, one.address].add(there)
            if system_object(one.caller.object):
                self._called_by[one.caller.object, one.caller.name].add(there)

    def below(self, parts: Iterable[CodePart]) -> CodeEffects:
        """The effects of all code that was executed from these parts on, the parts included."""
        begun = list(parts)
        walk = _Walk(self, {(one.object, one.function) for one in begun})
        for part in begun:
            walk.add(part)
        found = walk.parts()
        elsewhere = walk.elsewhere or any(map(_changes_cpu_state, found))
        return CodeEffects(tuple(found), self.written(found), elsewhere, walk.registers)

    def called_only_by(
        self, starts: Collection[Place], later: Collection[Place]
    ) -> frozenset[Place]:
        """Functions that were called only by `starts` and by each other.

        `later` is what was called after the first loop began. A function called by the engine, by a
        library or by unknown code is left out, because it may have been called for a benchmark.
        """
        callers = self._callers
        beyond = {self._function_at(place) for place in later}
        looped = {place for place, some in self._functions.items() if any(o.in_loop for o in some)}
        found = set(callers) - beyond - looped - set(starts)
        while wrong := {one for one in found if not callers[one] <= found.union(starts)}:
            found -= wrong
        return frozenset(found)

    def is_called(self, function: Place) -> bool:
        """Whether the program's own code called the function, and not only the loader."""
        return any(one is not None for one in self._callers[function])

    @cached_property
    def _callers(self) -> defaultdict[Place, set[Place | None]]:
        """For each function, the functions that called it or jumped to it; None: code that is not
        looked at."""
        found: defaultdict[Place, set[Place | None]] = defaultdict(set)
        for place, called in self._calls.items():
            for there in called:
                if (callee := self._function_at(there)) is not None:
                    found[callee].add(self._function_at(place))
        for part in self._at.values():
            here = part.object, part.function
            for one in part.instructions:
                for to in one.refers if _BRANCHES.match(one.text) else ():
                    target = self._function_at((part.object, to.address))
                    if target not in (None, here):
                        found[target].add(here)
        return found

    def _function_at(self, place: Place) -> Place | None:
        """The function that holds the instruction at an address."""
        part = self.part_at(place)
        return (part.object, part.function) if part else None

    def written(self, parts: Iterable[CodePart]) -> frozenset[Datum]:
        """Data that these parts of code refer to and that may be written to."""
        return frozenset(
            one for part in parts for one in self._writable_data_by_part[part.object, part.start]
        )

    def part_at(self, place: Place) -> CodePart | None:
        """The part of code that holds the instruction at an address; None: no executed code of the
        user."""
        return self._at.get(place)

    def function_of(self, part: CodePart) -> list[CodePart]:
        return self._functions[part.object, part.function]

    def called_at(self, place: Place) -> set[Place]:
        """The functions that the instruction at an address called."""
        return self._calls.get(place, set())

    def name(self, place: Place) -> str:
        return self._names.get(place, "")

    def called_back(self, there: Place) -> set[Place]:
        """What a function of a system library called in turn."""
        return self._called_by.get((there[0], self.name(there)), set())

    @cached_property
    def _writable_data_by_part(self) -> dict[Place, frozenset[Datum]]:
        """For each part of code, the writable data it refers to; by name where a file finds the
        data by name only."""
        found = {
            place: [*self._data_of(part)]
            for place, part in {(one.object, one.start): one for one in self._at.values()}.items()
        }
        shared = {name for some in found.values() for name, place in some if place is None}
        return {
            key: frozenset(
                name if place is None or name in shared else place for name, place in some
            )
            for key, some in found.items()
        }

    def _data_of(self, part: CodePart) -> Iterable[tuple[str, Place | None]]:
        """Names and addresses of a part's writable data; None as address where the loader finds it
        by its name."""
        for one in part.instructions:
            if _OF_A_THREAD.search(one.text):
                yield "data of a thread", None
            for to in one.refers:
                if to.kind == "data":
                    yield from self._writable_data_behind(part.object, to)

    def _writable_data_behind(self, path: str, to: Reference) -> Iterable[tuple[str, Place | None]]:
        """Writable data that a reference leads to, directly or through pointers in other data."""
        things, waiting, seen = self._things[path], [to], set[int]()
        while waiting:
            to = waiting.pop()
            thing = things.at(to.address, to.width)
            if thing.start in seen:
                continue
            seen.add(thing.start)
            if thing.slot:
                yield thing.slot, None
            elif things.is_written(to.address) and thing.name not in MARKS:
                yield thing.name, (path, thing.start)
            for _, other in thing.pointers:
                if isinstance(other, Reference) and other.kind == "data":
                    waiting.append(other)
                elif isinstance(other, str) and other in self._written_names:
                    yield other, None

    @cached_property
    def _written_names(self) -> frozenset[str]:
        """Names of writable data in the program's files, by which another file can find it."""
        return frozenset(
            one.name
            for things in self._things.values()
            for one in things.named()
            if things.is_written(one.address)
        )

    def makes_objects(self, parts: Iterable[CodePart], ignored: Collection[Place]) -> bool:
        """Whether the parts refer to a table of methods (vtable) of which a method was executed for
        a benchmark.

        `ignored` are functions that did not run for a benchmark. Methods of engine classes count
        too, because a compiler puts a fixture's loop into its `Fixture::Run`.
        """
        return any(
            self._function_at((part.object, to.address)) not in {None, *ignored}
            for part in parts
            for one in part.instructions
            for reference in one.refers
            if reference.kind == "data"
            for _, to in self._constants(part.object, reference)
            if isinstance(to, Reference)
        )

    def _constants(self, path: str, to: Reference) -> Iterable[tuple[int, Reference | str]]:
        things = self._things[path]
        return () if things.is_written(to.address) else things.at(to.address, to.width).pointers


class _Walk:
    """Collects all code that was executed below some functions, by following calls and jumps."""

    def __init__(self, reach: Reach, begun: Collection[Place]) -> None:
        self._reach, self._begun = reach, begun
        self._found: dict[Place, CodePart] = {}
        self._waiting: list[CodePart] = []
        self._libraries = set[Place]()
        self.elsewhere = self.registers = False

    def add(self, part: CodePart) -> None:
        for one in self._reach.function_of(part):
            if (one.object, one.start) not in self._found:
                self._found[one.object, one.start] = one
                self._waiting.append(one)

    def parts(self) -> list[CodePart]:
        while self._waiting:
            part = self._waiting.pop()
            for one in part.instructions:
                self._follow(part, one)
        return list(self._found.values())

    def _follow(self, part: CodePart, one: NormalInstruction) -> None:
        path = part.object
        branches = one.refers if _BRANCHES.match(one.text) else ()
        for place in {(path, to.address) for to in branches if to.kind == "code"}:
            if (there := self._reach.part_at(place)) is not None:
                self.add(there)
        for callee in self._reach.called_at((path, one.address)):
            is_below = (path, part.function) not in self._begun
            if is_below and _is_engine(callee, self._reach.name(callee)):
                self.registers = True
            self._call(callee, directly=True)

    def _call(self, there: Place, *, directly: bool) -> None:
        if (part := self._reach.part_at(there)) is not None:
            self.add(part)
            return
        name = self._reach.name(there)
        if not system_object(there[0]) or there in self._libraries or _is_engine(there, name):
            return
        self._libraries.add(there)
        if directly and not _keeps_no_state(name):
            self.elsewhere = True
        for one in self._reach.called_back(there):
            self._call(one, directly=False)


def _keeps_no_state(name: str) -> bool:
    """Whether a library function of this name keeps no state that other code could find."""
    plainly = qualified_name(plain_name(name))
    return bool(_KEEPS_NOTHING.fullmatch(plainly)) and not _STD_KEEPS.match(plainly)


def _is_engine(there: Place, name: str) -> bool:
    """Whether a called function is Google Benchmark's."""
    return Path(there[0]).name.startswith(_ENGINE_LIBRARY) or qualified_name(name).startswith(
        "benchmark::"
    )


def _changes_cpu_state(part: CodePart) -> bool:
    """Whether an instruction changes how the CPU computes, or calls the kernel."""
    return any(_PROCESSOR.match(one.text) for one in part.instructions)


def uses_thread_data(part: CodePart) -> bool:
    """Whether an instruction uses the register through which thread-local data is found."""
    return any(_OF_A_THREAD.search(one.text) for one in part.instructions)
