"""The instructions of one function, in a form that does not depend on where it is placed.

    instructions(binary, symbol)[3].text        'call memmove'

Addresses are replaced by the names of what is there, constants by their bytes, and jumps within the
function by their distance in instructions. So code that only moved reads the same.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from assay.machine_code import Instruction
from assay.measure.profile.program.binary import Binary, Symbol

LONGEST = 400_000  # bytes of a function that are read: the rest of a larger one is left out
# Instructions that have an address as operand, on x86-64 or aarch64.
_JUMPS = re.compile(r"j|loop|call|b(?!f|i|t|r|s)|cb|tb|adr")
_CALLS = ("call", "bl", "jmp", "b")  # `jmp` and `b` count as calls when they leave the function
_TARGET = re.compile(r"#?(0x[0-9a-f]+)$")  # an address at the end of the operands
# An operand relative to the instruction pointer of x86-64.
_RIP = re.compile(r"\[rip ([+-]) (0x[0-9a-f]+|\d+)\]")
_NUMBER = re.compile(r"0x[0-9a-f]{5,}")  # a number large enough to be an address
# How many bytes an x86 operand accesses, by the word before `ptr` in it.
_WIDTHS = {"byte": 1, "word": 2, "dword": 4, "qword": 8, "xmmword": 16, "ymmword": 32}
_WIDTH = re.compile(r"(\w+) ptr \[rip")  # how many bytes an operand relative to rip accesses
_LOW = re.compile(r"#(?:0x[0-9a-f]+|\d+)")  # on aarch64: the lower part of an address


class _DecodedInstruction(NamedTuple):
    """An instruction as capstone decodes it."""

    address: int
    size: int
    mnemonic: str
    operands: str


def instructions(binary: Binary, symbol: Symbol) -> tuple[Instruction, ...]:
    """A function's instructions; none for an unknown machine, or if the file has no bytes of it."""
    code = binary.bytes_at(symbol.address, min(symbol.size, LONGEST))
    raw = [_DecodedInstruction(*one) for one in disassembled(binary.machine, code, symbol.address)]
    reader = _Reader(binary, symbol, [one.address for one in raw])
    return tuple(reader.read(raw))


class _Reader:
    """Describes the instructions of one function; `addresses` are those of all of them."""

    def __init__(self, binary: Binary, symbol: Symbol, addresses: Sequence[int]) -> None:
        self._binary = binary
        self._symbol = symbol
        self._addresses = addresses
        self._page = ""  # on aarch64: the register that adrp loaded with a page's address

    def read(self, raw: Sequence[_DecodedInstruction]) -> Iterator[Instruction]:
        for index, one in enumerate(raw):
            target = _TARGET.search(one.operands)
            if target is not None and _JUMPS.match(one.mnemonic):
                yield self._jump(one, index, target)
            else:
                text = self._text_without_addresses(one)
                yield Instruction(one.address, text, text)

    def _jump(self, one: _DecodedInstruction, index: int, target: re.Match[str]) -> Instruction:
        to = int(target[1], 16)
        before = f"{one.mnemonic} {one.operands[: target.start()]}"
        if one.mnemonic.startswith("adr"):
            self._page = one.operands.split(",")[0]
            return Instruction(one.address, f"{before}{to:#x}", f"{before}data")
        if self._symbol.address <= to < self._symbol.address + self._symbol.size:
            steps = bisect_left(self._addresses, to) - index
            return Instruction(one.address, f"{before}{to:#x}", f"{before}{steps:+d}", inside=True)
        name = self._target(to)
        text = f"{before}{name or hex(to)}"
        # A part of this function that the compiler moved away as rarely executed, such as f.cold.
        part = name.startswith(f"{self._symbol.name}.")
        callee = name if one.mnemonic in _CALLS and not part else ""
        return Instruction(one.address, text, f"{before}{name or 'somewhere'}", callee)

    def _target(self, address: int) -> str:
        name = self._binary.named_at(address)
        return name or imported_function(self._binary, address)

    def _text_without_addresses(self, one: _DecodedInstruction) -> str:
        operands = one.operands
        relative = _RIP.search(operands)
        if relative is not None:
            there = self._name_of_data(one, relative)
            operands = operands.replace(relative[0], f"[{there}]")
        elif self._binary.is_fixed:
            operands = _NUMBER.sub(self._name_of_absolute_address, operands)
        elif self._page and self._page in operands:
            operands = _LOW.sub("#low", operands)
            self._page = ""
        return f"{one.mnemonic} {operands}".rstrip()

    def _name_of_data(self, one: _DecodedInstruction, relative: re.Match[str]) -> str:
        """What data at an address relative to the instruction is called: its name, or the
        constant's bytes."""
        distance = int(relative[2], 0) * (1 if relative[1] == "+" else -1)
        address = one.address + one.size + distance
        known = self._binary.name_in_loader_table(address) or self._binary.named_at(address)
        if known:
            return known
        section = self._binary.section_at(address)
        width = _WIDTH.search(one.operands)
        if section is None or section.is_written or width is None or one.mnemonic == "lea":
            return "data"
        content = self._binary.bytes_at(address, _WIDTHS.get(width[1], 8))
        return f"constant {content[::-1].hex()}"

    def _name_of_absolute_address(self, number: re.Match[str]) -> str:
        """The name of what an absolute address leads to; the number itself if it is no address."""
        address = int(number[0], 16)
        if self._binary.section_at(address) is None:
            return number[0]
        return (
            self._binary.name_in_loader_table(address) or self._binary.named_at(address) or "data"
        )


def imported_function(binary: Binary, address: int) -> str:
    """The name of the library function that a linker stub jumps to; empty if this is no such
    stub."""
    slot = imported_slot(binary, address)
    return binary.name_in_loader_table(slot) if slot else ""


def imported_slot(binary: Binary, address: int) -> int:
    """The address of the pointer that a linker stub jumps through; 0 if this is no such stub."""
    page = 0
    for one in map(
        _DecodedInstruction._make,
        disassembled(binary.machine, binary.bytes_at(address, 16), address),
    ):
        relative = _RIP.search(one.operands)
        if one.mnemonic.endswith("jmp") and relative is not None:
            sign = 1 if relative[1] == "+" else -1
            return one.address + one.size + sign * int(relative[2], 0)
        numbers = _LOW.findall(one.operands)
        if one.mnemonic == "adrp":
            page = int(numbers[0][1:], 0)
        elif one.mnemonic == "ldr" and page:
            return page + (int(numbers[0][1:], 0) if numbers else 0)
    return 0


def disassembled(machine: str, code: bytes, address: int) -> Iterator[tuple[int, int, str, str]]:
    """Address, size, mnemonic and operands of each instruction; none for an unknown machine."""
    yield from _capstone_decoder(machine)(code, address)


@cache
def _capstone_decoder(machine: str) -> Callable[[bytes, int], Any]:
    """Capstone's decoder for a machine. It is imported only here, because few commands look at
    code."""
    import capstone

    if machine == "x86-64":
        engine = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    elif machine == "aarch64":
        engine = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
    else:
        return lambda _code, _address: ()
    engine.skipdata = True  # go on after bytes that are no code, such as a table of jumps
    return engine.disasm_lite  # type: ignore[no-any-return]
