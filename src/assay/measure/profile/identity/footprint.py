"""Makes the footprint of a benchmark: everything that decides what it does, except addresses.

    footprint = Footprints(executor).footprint(target, "BM_find", iterations=5000)

A program that asks the CPU for its features may run other code under valgrind, which offers fewer
of them. Of such a program all code is compared that can be reached from the executed code. Code
that belongs to no file, because the program made it while it ran, is refused.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from assay.errors import AssayError, InputError, LaunchError
from assay.measure.executor import Executor
from assay.measure.profile.exact.pinned import Valgrind, extended_path_length
from assay.measure.profile.identity.cache_lines import names_in_cache_lines_of
from assay.measure.profile.identity.caught import caught_types
from assay.measure.profile.identity.data import DataPiece, DataPieces
from assay.measure.profile.identity.effects import Reach, uses_thread_data
from assay.measure.profile.identity.labels import LabelledPart, digest, refined_labels
from assay.measure.profile.identity.loaded import loaded_digest
from assay.measure.profile.identity.normal_form import (
    ASKS_THE_CPU,
    NormalInstruction,
    Reference,
    executed_instructions,
    first_instructions,
)
from assay.measure.profile.identity.order import constructors, groups_in_order, loader_entries
from assay.measure.profile.identity.part import ENGINE, CodePart
from assay.measure.profile.identity.reachable import reachable
from assay.measure.profile.identity.starts import without_start_code
from assay.measure.profile.identity.stubs import NO_FILE, is_stub, stub_target
from assay.measure.profile.identity.trace import Ran, Trace, trace_benchmark
from assay.measure.profile.program.binary import Binary
from assay.measure.profile.program.own_code import system_object
from assay.measure.targets.gbench import GBenchTarget
from assay.same_code import Chunk, Footprint, LoopCounts
from assay.small_files import open_regular

FORMAT = "5"  # the format of kept footprints; if it is raised, every footprint is made anew
_LEAVES = re.compile(r"(?:bnd |notrack |rep |repz )?(?:ret|jmp|ud2|hlt)\b")  # end a path of code
_NOT_EXECUTED = "not executed"  # the word for a reference to code that did not run
_MOST_PARTS = 200_000  # pieces of data at most; a program with more is not compared
_LARGEST_INPUT = 256_000_000  # bytes of a file that the program opens, at most
_OF_THE_SYSTEM = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/", "/lib/", "/lib64/")
Key = Hashable  # names a part of the code, or a piece of data


class Footprints:
    """Makes footprints of benchmarks. Raises `MeasurementError` if valgrind is not installed."""

    def __init__(self, executor: Executor) -> None:
        self._valgrind = Valgrind.installed(executor)
        self.version = f"{FORMAT} valgrind {self._valgrind.version}"

    def footprint(
        self, target: GBenchTarget, benchmark: str, iterations: int, loop_s: float = 0.0
    ) -> Footprint:
        """A benchmark's footprint; `refused` says why if it cannot be made. Raises nothing."""
        longer = target.named_as_long_as(extended_path_length(target.argv[0]))
        try:
            return footprint_of(
                trace_benchmark(self._valgrind, longer, benchmark, iterations, loop_s)
            )
        except (AssayError, OSError) as error:
            said = error.message if isinstance(error, AssayError) else str(error)
            return Footprint(refused=said)


def footprint_of(trace: Trace) -> Footprint:
    """The footprint of a trace. Raises `InputError` or `LaunchError` if it cannot be made."""
    reader = _Reader(trace)
    return reader.footprint()


class _Reader:
    """Makes a trace's footprint. Code is keyed by file and address, data by its size as well."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._own = [path for path in _objects(trace) if not system_object(path)]
        self._binaries = {path: Binary(path) for path in self._own}
        self._executed = {path: _executed(trace, path) for path in self._own}
        self._things = {
            path: DataPieces(binary, self._executed[path])
            for path, binary in self._binaries.items()
        }
        # For each instruction the key of the part it is in, and its index in that part.
        self._places: dict[tuple[str, int], tuple[Key, int]] = {}
        self._nodes: dict[Key, LabelledPart] = {}
        self._found: dict[Key, tuple[str, DataPiece]] = {}
        self._of_loop: set[Key] = set()  # data in `_found` that instructions of the loop refer to

    def footprint(self) -> Footprint:
        for path in self._own:
            if self._asks_the_cpu(path):
                self._executed[path] |= reachable(
                    self._binaries[path], self._things[path], self._executed[path]
                )
        every = [one for path in self._own for one in self._parts(path)]
        reach = Reach(every, self._trace.calls, self._things)
        parts = without_start_code(every, reach, self._constructors(), self._trace.called_later)
        for part in parts:
            for index, one in enumerate(part.instructions):
                self._places[part.object, one.address] = ((part.object, part.start), index)
        for part in parts:
            self._nodes[part.object, part.start] = self._node(part)
        self._add_shared_data()
        self._add_exception_tables()
        self._add_thread_data(parts)
        self._add_order_of_constructors(parts, reach)
        labels = refined_labels(self._nodes)
        return Footprint(
            code=tuple(self._chunk((one.object, one.start), labels, one.name) for one in parts),
            data=tuple(
                self._chunk(key, labels, thing.name) for key, (_, thing) in self._found.items()
            ),
            loops={
                str(n): self._counts(ran, parts, labels) for n, ran in self._trace.inside.items()
            },
            iterations=self._trace.iterations,
            libraries={Path(path).name: file_digest(path) for path in self._system_libraries()},
            inputs=tuple((path.name, file_digest(str(path))) for path in self._inputs()),
            files={
                path: file_digest(path)
                for path in (*self._own, *self._system_libraries(), *map(str, self._inputs()))
            },
            loaded=self._loaded(),
            neighbours=self._neighbours(),
            sizes=self._sizes(),
        )

    def _constructors(self) -> set[tuple[str, int]]:
        lists = (constructors(self._binaries[path], self._things[path]) for path in self._own)
        return {place for one in lists for place in one}

    def _loaded(self) -> dict[str, str]:
        """Digests of what is loaded of each file: of the executable under an empty name."""
        return {
            "" if binary.is_started else Path(path).name: loaded_digest(binary)
            for path, binary in self._binaries.items()
        }

    def _chunk(self, key: Key, labels: Mapping[Key, str], name: str) -> Chunk:
        return Chunk(labels[key], digest(self._nodes[key].content), name)

    def _parts(self, path: str) -> Iterator[CodePart]:
        binary, loop = self._binaries[path], self._loop_addresses(path)
        addresses = sorted(self._executed[path])
        run: list[NormalInstruction] = []
        end = None
        for one in executed_instructions(binary, addresses):
            if run and (one.address != end or self._starts_new_part(binary, run[-1], one)):
                yield from self._part(path, run, loop)
                run = []
            run.append(one)
            end = one.address + one.size
        if run:
            yield from self._part(path, run, loop)

    def _starts_new_part(
        self, binary: Binary, last: NormalInstruction, following: NormalInstruction
    ) -> bool:
        """Whether `following` is not reached from `last`: the linker decided that it comes next."""
        if _LEAVES.match(last.text):
            return True
        symbol = binary.function_at(following.address)
        return symbol is not None and symbol.address == following.address

    def _asks_the_cpu(self, path: str) -> bool:
        code = executed_instructions(self._binaries[path], sorted(self._executed[path]))
        return any(one.text in ASKS_THE_CPU for one in code)

    def _part(self, path: str, run: list[NormalInstruction], loop: set[int]) -> Iterator[CodePart]:
        """The instructions as a part; none for linker stubs, or for the engine outside of loops."""
        start = run[0].address
        if is_stub(self._binaries[path], start):
            return
        symbol = self._binaries[path].function_at(start)
        name = symbol.name if symbol else ""
        in_loop = any(one.address in loop for one in run)
        if not in_loop and ENGINE.match(name):
            return
        kept = tuple(one for one in run if not one.is_padding)
        if kept:
            function = symbol.address if symbol else start
            yield CodePart(path, start, kept, name, in_loop, function)

    def _node(self, part: CodePart) -> LabelledPart:
        texts = "\n".join(one.text for one in part.instructions)
        refers = tuple(
            self._refers(part.object, reference)
            for one in part.instructions
            for reference in one.refers
        )
        if part.in_loop:
            self._of_loop.update(key for _, key in refers if key in self._found)
        end = part.instructions[-1].address + 1
        return LabelledPart(texts.encode() + self._exported(part.object, part.start, end), refers)

    def _refers(self, path: str, to: Reference) -> tuple[str, Key | None]:
        if to.kind == "code":
            return self._refers_to_code(path, to.address)
        thing = self._things[path].at(to.address, to.width)
        return f"+{to.address - thing.start}", self._data_node(path, thing)

    def _refers_to_code(self, path: str, address: int) -> tuple[str, Key | None]:
        """The code a reference leads to, behind padding; code that did not run is all the same."""
        while (path, address) not in self._places:
            # Callgrind leaves out most stubs, so that they seem not to have been executed.
            if is_stub(self._binaries[path], address):
                return self._stub(path, stub_target(self._binaries[path], address))
            if address not in self._executed[path]:
                return _NOT_EXECUTED, None
            following = next(executed_instructions(self._binaries[path], [address]), None)
            if following is None or not following.is_padding:
                return "engine", None
            address += following.size
        key, index = self._places[path, address]
        return f"#{index}", key

    def _stub(self, path: str, target: str | Reference) -> tuple[str, Key | None]:
        if isinstance(target, str):
            return f"import {target}", None
        word, key = self._pointer(path, 0, target)
        return f"import {word}", key

    def _data_node(self, path: str, thing: DataPiece) -> Key:
        key = path, thing.start, thing.size
        if key not in self._found:
            if len(self._found) > _MOST_PARTS:
                raise InputError("it refers to too much data to be compared", where=path)
            self._found[key] = path, thing
            refers = tuple(self._pointer(path, *one) for one in thing.pointers)
            content = thing.kind.encode() + b"\0" + thing.content
            content += self._exported(path, thing.start, thing.start + thing.size)
            self._nodes[key] = LabelledPart(content, refers)
        return key

    def _exported(self, path: str, start: int, end: int) -> bytes:
        """By which names other files find what is in a range: only these tell two functions of a
        library apart that have exchanged their names."""
        names = self._binaries[path].exported_in(start, end) if start >= 0 else []
        return "\0".join(sorted(f"{at - start} {name}" for at, name in names)).encode()

    def _pointer(self, path: str, offset: int, to: Reference | str) -> tuple[str, Key | None]:
        if isinstance(to, str):
            return f"{offset} {to}", None
        word, key = self._refers(path, to)
        if word == _NOT_EXECUTED and not self._is_inside(path, to.address):
            # Of a function that never ran, only its first instructions tell it from another one.
            word = f"{word} {first_instructions(self._binaries[path], to.address)}"
        return f"{offset} {word}", key

    def _is_inside(self, path: str, address: int) -> bool:
        """Whether an address is in the middle of a function, as in a `switch` statement's table."""
        symbol = self._binaries[path].function_at(address)
        return symbol is None or symbol.address != address

    def _add_shared_data(self) -> None:
        """Adds data that one file of the project defines and another one refers to by its name."""
        names = {thing.name or thing.slot or thing.kind for _, thing in self._found.values()}
        for path in self._own:
            for symbol in self._binaries[path].data_symbols(written=False):
                if symbol.name in names:
                    self._data_node(path, self._things[path].at(symbol.address, 0))

    def _add_exception_tables(self) -> None:
        """If exceptions were thrown, adds the tables by which they are caught."""
        for path in self._own if self._throws() else ():
            self._data_node(path, caught_types(self._binaries[path]))

    def _add_thread_data(self, parts: Sequence[CodePart]) -> None:
        """Adds the initial content of thread-local data, which no instruction refers to by name.

        A program finds it through a register; a library may call the loader for it.
        """
        for path, binary in self._binaries.items():
            names = {one.name for one in binary.sections}
            own = (one for one in parts if one.object == path)
            if ".interp" not in names or any(map(uses_thread_data, own)):
                for one in (one for one in binary.sections if one.name == ".tdata"):
                    self._data_node(path, self._things[path].thread_local(one))

    def _add_order_of_constructors(self, parts: Sequence[CodePart], reach: Reach) -> None:
        """Adds the order of code that runs before `main`, where the order can make a difference."""
        places = loader_entries(self._binaries, self._things, self._trace.calls)
        for group in groups_in_order(places, parts, reach):
            path = group[0].object
            thing = DataPiece(-3 - len(self._found), 0, "order", b"", name="order of constructors")
            key = self._data_node(path, thing)
            keys = [(one.object, one.start) for one in group]
            own = [digest(self._nodes[one].content) for one in keys]
            refers = tuple(("then", one) for one in keys)
            self._nodes[key] = LabelledPart("\0".join(own).encode(), refers)

    def _throws(self) -> bool:
        for path in self._system_libraries():
            if Path(path).name.startswith("libgcc_s"):
                with Binary(path) as unwinder:
                    ran = sorted(_executed(self._trace, path))
                    names = {one.name for at in ran if (one := unwinder.function_at(at))}
                return "_Unwind_RaiseException" in names
        return False

    def _counts(self, ran: Ran, parts: Iterable[CodePart], labels: Mapping[Key, str]) -> LoopCounts:
        words = Counter[str]()
        total = 0
        for part in parts:
            here = ran.get(part.object, {})
            counts = [here.get(one.address, 0) for one in part.instructions]
            if any(counts):
                words[f"{labels[part.object, part.start]} {counts}"] += 1
                total += sum(counts)
        return LoopCounts(digest(repr(sorted(words.items())).encode()), total)

    def _loop_addresses(self, path: str) -> set[int]:
        return {address for ran in self._trace.inside.values() for address in ran.get(path, {})}

    def _system_libraries(self) -> list[str]:
        found = [path for path in _objects(self._trace) if system_object(path)]
        return [path for path in found if Path(path).is_file() and "/valgrind/" not in path]

    def _inputs(self) -> Iterator[Path]:
        """The user's files that were opened, as inputs that the result depends on."""
        for written in self._trace.opened:
            path = Path(written)
            is_systems = str(path.absolute()).startswith(_OF_THE_SYSTEM)
            if is_systems or ".git" in path.parts or not path.is_file() or _is_program(path):
                continue
            if path.stat().st_size > _LARGEST_INPUT:
                raise InputError("it opens a file of more than 256 MB", where=written)
            yield path.absolute()

    def _neighbours(self) -> tuple[str, ...]:
        """Names of data sharing a cache line with named, writable data that the loop refers to."""
        found = set[str]()
        for key in self._of_loop:
            path, thing = self._found[key]
            if thing.name and self._things[path].is_written(thing.start):
                found.update(names_in_cache_lines_of(self._binaries[path], thing))
                found.discard(thing.name)
        return tuple(sorted(found))

    def _sizes(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = defaultdict(list)
        for path, binary in self._binaries.items():
            for thing in binary.data_symbols(written=True):
                if self._things[path].is_written(thing.address):
                    found[thing.name].append(thing.size)
        return {name: tuple(sorted(some)) for name, some in sorted(found.items())}


def _objects(trace: Trace) -> list[str]:
    """Files whose code ran, in a fixed order. Raises `LaunchError` for code that is in no file."""
    for ran in trace.inside.values():
        if any(path in NO_FILE for path in ran):
            raise LaunchError("it executes code that is in no file: it was made while it ran")
    names = set(trace.before).union(*trace.inside.values())
    return sorted(name for name in names if Path(name).is_file())


def _executed(trace: Trace, path: str) -> set[int]:
    """Addresses of all instructions of a file that ran until the last loop ended."""
    found = set(trace.before.get(path, {}))
    return found.union(*(ran.get(path, {}) for ran in trace.inside.values()))


def _is_program(path: Path) -> bool:
    with open_regular(path) as file:
        return file.read(4) == b"\x7fELF"


def file_digest(path: str) -> str:
    """A hash of a file's content. Raises `OSError`, or `InputError` if it is no regular file."""
    now = Path(path).stat()
    return _file_digest(path, now.st_mtime_ns, now.st_size, now.st_ino)


@lru_cache(maxsize=4096)
def _file_digest(path: str, _changed_ns: int, _size: int, _number: int) -> str:
    """Time, size and inode are part of the cache's key, so that a changed file is read again."""
    total = hashlib.blake2b(digest_size=16)
    with open_regular(Path(path)) as file:
        while block := file.read(1 << 20):
            total.update(block)
    return total.hexdigest()
