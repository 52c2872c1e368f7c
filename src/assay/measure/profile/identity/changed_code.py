"""Which benchmarks can reach code that a change altered, told from the two files alone.

    with Binary("build-old/bench") as base, Binary("build-new/bench") as candidate:
        ChangedCode(base, candidate, executor).reached_by(["BM_copy/8", "BM_sort"])   {"BM_sort"}

Nothing is run, so it takes a second for a suite where tracing takes two for each benchmark. It is
good for an order and not for a verdict: functions are told apart by their names, what is called
through a pointer is followed only where its address is taken, and a benchmark whose function is not
found by its name is not in the answer. What both sides really execute is compared by
`assay.measure.profile.identity.footprint`, when something is about to be called changed.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from assay.errors import InputError
from assay.measure.executor import Executor
from assay.measure.profile.identity.normal_form import NormalInstruction, Reference, decoded
from assay.measure.profile.program.binary import Binary, Symbol
from assay.measure.profile.program.demangle import demangled

_MOST_INSTRUCTIONS = 400_000  # decoded on both sides together, which takes some three seconds
_TEXT_BYTES = 64  # bytes compared of data without a symbol, such as a string literal
_MOST_DATA_BYTES = 4096  # bytes compared of data with a symbol
_IDENTIFIER = re.compile(r"\w+")  # a name in C++


class ChangedCode:
    """Compares functions of equal names in two builds. Raises `InputError` if a build cannot be
    read."""

    def __init__(self, base: Binary, candidate: Binary, executor: Executor) -> None:
        self._base, self._candidate = _Program(base, executor), _Program(candidate, executor)
        self._altered: dict[str, bool] = {}
        self._left = _MOST_INSTRUCTIONS

    def reached_by(self, benchmarks: Iterable[str]) -> set[str]:
        """Those of the benchmarks that can reach a function whose code differs between the
        builds.

        Raises `InputError` where there is too much code to be read in a few seconds.
        """
        return {one for one in benchmarks if self._reaches(one)}

    def _reaches(self, benchmark: str) -> bool:
        waiting = self._candidate.functions_of(benchmark)
        seen = set(waiting)
        while waiting:
            name = waiting.pop()
            if self._is_altered(name):
                return True
            for called in self._candidate.called_by(name):
                if called not in seen:
                    seen.add(called)
                    waiting.append(called)
        return False

    def _is_altered(self, name: str) -> bool:
        if name not in self._altered:
            ours, theirs = self._base.content(name), self._candidate.content(name)
            self._left -= len(ours) + len(theirs)
            if self._left < 0:
                raise InputError("it has too much code", where=self._candidate.path)
            self._altered[name] = ours != theirs
        return self._altered[name]


class _Program:
    """The functions of one executable, each decoded when it is first needed."""

    def __init__(self, binary: Binary, executor: Executor) -> None:
        self._binary, self._executor = binary, executor
        self.path = binary.path
        self._code: dict[str, list[NormalInstruction]] = {}
        self._called: dict[str, frozenset[str]] = {}
        self._known: dict[tuple[str, ...], dict[str, str]] = {}

    @cached_property
    def _symbols(self) -> dict[str, Symbol]:
        return {one.name: one for one in self._binary.functions()}

    def functions_of(self, benchmark: str) -> list[str]:
        """Functions named like the benchmark, or as Google Benchmark's macros name a fixture's.

        All instances of a template are given if the name does not tell which one is meant, as
        with `BM_a<std::string>`, whose arguments have other names in the file.
        """
        parts = [_IDENTIFIER.match(part) for part in benchmark.split("/")[:2]]
        words = [part[0] for part in parts if part]
        wanted = (words[0], "_".join([*words, "Benchmark"])) if words else ()
        names = self._functions_named(wanted)
        instance = benchmark.partition("/")[0]
        exact = [one for one, name in names.items() if f"{instance}(" in name]
        return exact or list(names)

    def _functions_named(self, wanted: tuple[str, ...]) -> dict[str, str]:
        """Mangled names of functions with these names, template instances too, with their demangled
        names."""
        if wanted not in self._known:
            mangled = [f"{len(name)}{name}" for name in wanted]
            found = [
                one
                for one in self._symbols
                if one in wanted or any(name in one for name in mangled)
            ]
            self._known[wanted] = demangled(found, self._executor)
        return self._known[wanted]

    def content(self, name: str) -> list[str]:
        """The instructions of a function, without addresses; empty if the file does not define
        it."""
        return [self._described(one) for one in self._instructions(name) if not one.is_padding]

    def called_by(self, name: str) -> frozenset[str]:
        """Functions that the function `name` calls, jumps to, or refers to through a pointer."""
        if name not in self._called:
            refers = {to for one in self._instructions(name) for to in one.refers}
            addresses = {address for to in refers for address in self._code_at(to)}
            found = (self._binary.function_at(address) for address in addresses)
            self._called[name] = frozenset(one.name for one in found if one) - {name}
        return self._called[name]

    def _instructions(self, name: str) -> list[NormalInstruction]:
        if name not in self._code:
            symbol = self._symbols.get(name)
            self._code[name] = list(decoded(self._binary, symbol)) if symbol else []
        return self._code[name]

    def _described(self, one: NormalInstruction) -> str:
        """An instruction as text, with what its references lead to in place of addresses."""
        return " ".join([one.text, *(self._reference_text(to) for to in one.refers)])

    def _reference_text(self, to: Reference) -> str:
        """What a reference in an instruction leads to, as text: a symbol and an offset, or else the
        bytes that are there."""
        if to.kind == "code":
            symbol = self._binary.function_at(to.address)
            return f"{symbol.name}+{to.address - symbol.address:x}" if symbol else ""
        if (thing := self._binary.data_symbol_at(to.address)) is not None:
            return f"{thing.name}+{to.address - thing.address:x} {self._constant(thing)}"
        if name := self._binary.name_in_loader_table(to.address):
            return name
        content = self._binary.bytes_at(to.address, to.width or _TEXT_BYTES)
        return (content if to.width else content.partition(b"\0")[0]).hex()

    def _constant(self, thing: Symbol) -> str:
        """The bytes of a symbol's data that no code changes; empty for data that may be written
        to."""
        section = self._binary.section_at(thing.address)
        if section is None or section.is_written:
            return ""
        return self._binary.bytes_at(thing.address, min(thing.size, _MOST_DATA_BYTES)).hex()

    def _code_at(self, to: Reference) -> Iterator[int]:
        """Addresses that a reference leads to: the code itself, or what pointers in the data lead
        to."""
        if to.kind == "code":
            yield to.address
            return
        thing = self._binary.data_symbol_at(to.address)
        begin, size = (thing.address, thing.size) if thing else (to.address, 8)
        for _, target in self._binary.pointers_in(begin, begin + size):
            if isinstance(target, int):
                yield target
