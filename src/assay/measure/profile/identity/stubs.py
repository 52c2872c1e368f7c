"""Linker stubs: the few instructions through which a program calls a function of a library.

    stub_target(binary, 0x1030)         "memcpy", or where the program's own function is
    Stubs().placed(part)                the part without calls that end in a stub

Callgrind leaves most stubs out, but it knows only the section `.plt`. Those that are never bound
lazily (`.plt.got`) seem to it to be code of no file, as if the program had made it while it ran.
Here they are given back to their file, and a call of one becomes a call of what it leads to.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from assay.errors import InputError
from assay.measure.profile.exact.callgrind_file import CallgrindPart, CallLine, CostLine
from assay.measure.profile.identity.normal_form import Reference, executed_instructions
from assay.measure.profile.program.binary import Binary
from assay.measure.profile.program.disassembly import imported_slot

NO_FILE = ("", "???")  # the objects that callgrind names for code that is in no file
_STUBS = re.compile(r"\.i?plt")  # sections of linker stubs
_PAGE = 4096  # bytes: a file is loaded at a multiple of it
Place = tuple[str, int]  # path of an executable or library, and an address in it


def is_stub(binary: Binary, address: int) -> bool:
    """Whether a linker stub is at this address."""
    section = binary.section_at(address)
    return section is not None and section.is_code and bool(_STUBS.match(section.name))


def stub_target(binary: Binary, address: int) -> str | Reference:
    """The function that a linker stub jumps to: its name if the loader finds it by that, else where
    it is, or the code that chooses it. Raises `InputError` for a stub that is not understood."""
    slot = imported_slot(binary, address)
    for _, target in binary.pointers_in(slot, slot + 1) if slot else ():
        if isinstance(target, int):
            return Reference("code", target)
        if target and not target.startswith("unknown"):
            return target
    raise InputError("calls through a linker stub that is not understood", where=binary.path)


class Stubs:
    """The linker stubs of one process. It learns from direct calls of stubs where each file was
    loaded."""

    def __init__(self) -> None:
        self._binaries: dict[str, Binary | None] = {}
        self._slots: dict[Place, Place | None] = {}
        self._loaded: dict[str, set[int]] = defaultdict(set)  # by file: where it seems to be loaded

    def placed(self, part: CallgrindPart) -> CallgrindPart:
        """The part with stubs given to their files, and calls of them led to their targets.

        Code of no file that is no stub stays as it is.
        """
        for one in part.calls:
            self._learn(one)
        lines = [self._placed_line(one) for one in part.lines]
        calls = self._led_to_targets([self._placed_call(one) for one in part.calls])
        return replace(part, lines=lines, calls=calls)

    def _learn(self, call: CallLine) -> None:
        """Where the caller's file is loaded, if this is a direct call of one of its stubs."""
        if call.callee.object not in NO_FILE or call.caller.object in NO_FILE:
            return
        binary = self._binary(call.caller.object)
        for one in executed_instructions(binary, [call.address]) if binary else ():
            for to in one.refers:
                if to.kind == "code" and self._is_stub((call.caller.object, to.address)):
                    self._loaded[call.caller.object].add(call.to - to.address)

    def _binary(self, path: str) -> Binary | None:
        if path not in self._binaries:
            self._binaries[path] = None
            with suppress(InputError):
                self._binaries[path] = Binary(path) if Path(path).is_file() else None
        return self._binaries[path]

    def _is_stub(self, place: Place) -> bool:
        binary = self._binary(place[0]) if place[0] not in NO_FILE else None
        return binary is not None and is_stub(binary, place[1])

    def _place(self, address: int) -> Place | None:
        """The stub that is loaded at an address; None: there is none, or it is not certain."""
        found = [
            (path, address - begin)
            for path, (begin, *others) in self._loaded.items()
            if not others and begin % _PAGE == 0 and self._is_stub((path, address - begin))
        ]
        return found[0] if len(found) == 1 else None

    def _placed_line(self, one: CostLine) -> CostLine:
        place = self._place(one.address) if one.symbol.object in NO_FILE else None
        if place is None:
            return one
        return replace(one, symbol=replace(one.symbol, object=place[0]), address=place[1])

    def _placed_call(self, one: CallLine) -> CallLine:
        if one.callee.object in NO_FILE and (place := self._place(one.to)):
            one = replace(one, callee=replace(one.callee, object=place[0]), to=place[1])
        if one.caller.object in NO_FILE and (place := self._place(one.address)):
            one = replace(one, caller=replace(one.caller, object=place[0]), address=place[1])
        return one

    def _led_to_targets(self, calls: Iterable[CallLine]) -> list[CallLine]:
        """The calls, with each call of a stub replaced by calls of what that stub called."""
        targets: dict[Place, list[CallLine]] = defaultdict(list)
        direct: list[CallLine] = []
        for one in calls:
            slot = self._slot((one.caller.object, one.address))
            (targets[slot] if slot else direct).append(one)
        found: list[CallLine] = []
        reached = set[Place | None]()
        for one in direct:
            slot = self._slot((one.callee.object, one.to))
            some = targets[slot] if slot else []
            reached.add(slot)
            found += [replace(one, callee=to.callee, to=to.to, number=to.number) for to in some]
            found += [] if some else [one]
        # What a stub called, if the call of the stub itself is in another part.
        found += [one for slot, some in targets.items() if slot not in reached for one in some]
        return found

    def _slot(self, place: Place) -> Place | None:
        """What tells a stub from others: the place of the pointer that it jumps through."""
        if place not in self._slots:
            binary = self._binary(place[0]) if self._is_stub(place) else None
            slot = (place[0], imported_slot(binary, place[1])) if binary else None
            self._slots[place] = slot
        return self._slots[place]
