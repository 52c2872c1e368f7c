"""Instructions without addresses: what each does, and what it refers to.

    for one in executed_instructions(binary, addresses): print(one.text, one.refers)
    'call @'  Reference(kind='code', address=0x1380)

An instruction names other code and data by their distance, so the same instruction has other bytes
wherever the linker puts it. Here such a distance is replaced by `@`, and what it leads to is kept
beside it. Everything else stays: registers, constants, offsets in a structure.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from assay.measure.profile.program.binary import Binary, Symbol
from assay.measure.profile.program.disassembly import disassembled

# Mnemonics of x86 jumps and calls.
_BRANCH = re.compile(r"(?:bnd |notrack )?(?:j\w+|call|loop\w*|xbegin)$")
_DIRECT = re.compile(r"0x[0-9a-f]+$")  # a target that is a fixed address
# An x86 operand that is relative to the instruction pointer.
_RELATIVE = re.compile(r"\[rip ([+-]) (0x[0-9a-f]+|\d+)\]")
_NUMBER = re.compile(r"0x[0-9a-f]{5,}")  # a number large enough to be an address
_WIDTH = re.compile(r"(\w+) ptr ")  # how many bytes an operand accesses: "qword ptr"
_WIDTHS = {
    "byte": 1,
    "word": 2,
    "dword": 4,
    "qword": 8,
    "tbyte": 10,
    "xword": 10,
    "xmmword": 16,
    "ymmword": 32,
    "zmmword": 64,
    "fword": 6,
}
# Instructions that do nothing, put in for alignment.
_PADDING = re.compile(r"(?:data16 )?(?:cs )?nop|xchg ax, ax$|data16")
_BEGINNING = 12  # instructions by which a function that did not run is compared
_LONGEST = 15  # bytes of the longest x86 instruction
ASKS_THE_CPU = ("cpuid", "xgetbv")  # instructions that ask the CPU for its features


class Reference(msgspec.Struct, frozen=True):
    """What an instruction refers to. `width` is how many bytes it accesses there; 0: it takes the
    address only."""

    kind: str  # "code" or "data"
    address: int
    width: int = 0


class NormalInstruction(msgspec.Struct, frozen=True):
    """One instruction as text without addresses; `refers` has what the `@` in the text stand
    for."""

    address: int
    size: int
    text: str
    refers: tuple[Reference, ...] = ()
    is_padding: bool = False


def executed_instructions(binary: Binary, addresses: Sequence[int]) -> Iterator[NormalInstruction]:
    """The instructions at `addresses`, which must be sorted, decoded."""
    index = 0
    while index < len(addresses):
        last = index
        while last + 1 < len(addresses) and addresses[last + 1] - addresses[last] <= _LONGEST:
            last += 1
        yield from _stretch(binary, addresses[index : last + 1])
        index = last + 1


def decoded(binary: Binary, symbol: Symbol) -> Iterator[NormalInstruction]:
    """All instructions of a function, executed or not, decoded."""
    code = binary.bytes_at(symbol.address, symbol.size)
    for one in disassembled(binary.machine, code, symbol.address):
        yield _normal(binary, *one)


def first_instructions(binary: Binary, address: int) -> str:
    """The first instructions of a function, which tell it from others without using its name."""
    found = []
    code = binary.bytes_at(address, _BEGINNING * _LONGEST)
    for one in disassembled(binary.machine, code, address):
        found.append(_normal(binary, *one).text)
        if len(found) == _BEGINNING or one[2] in ("ret", "jmp"):
            break
    return "; ".join(found)


def _stretch(binary: Binary, addresses: Sequence[int]) -> Iterator[NormalInstruction]:
    """Decode addresses close together in one go; begin again where bytes between are not code."""
    wanted = set(addresses)
    start = addresses[0]
    while wanted:
        code = binary.bytes_at(start, addresses[-1] + _LONGEST - start)
        for address, size, mnemonic, operands in disassembled(binary.machine, code, start):
            if address in wanted:
                wanted.discard(address)
                yield _normal(binary, address, size, mnemonic, operands)
            elif any(address < one < address + size for one in wanted):
                break
        later = [one for one in addresses if one in wanted and one > start]
        if not later:
            return
        start = later[0]


def _normal(
    binary: Binary, address: int, size: int, mnemonic: str, operands: str
) -> NormalInstruction:
    """An instruction as capstone decodes it, with its addresses taken out of the text."""
    if _PADDING.match(f"{mnemonic} {operands}".strip()):
        return NormalInstruction(address, size, "", is_padding=True)
    if _BRANCH.match(mnemonic) and _DIRECT.match(operands):
        target = Reference("code", int(operands, 16))
        return NormalInstruction(address, size, f"{mnemonic} @", (target,))
    refers: list[Reference] = []
    relative = _RELATIVE.search(operands)
    if relative is not None:
        distance = int(relative[2], 0) * (1 if relative[1] == "+" else -1)
        refers.append(_data(binary, address + size + distance, mnemonic, operands))
        operands = operands.replace(relative[0], "[@]")
    if binary.is_fixed:
        operands = _NUMBER.sub(
            lambda one: _replace_absolute_address(binary, one, operands, refers), operands
        )
    return NormalInstruction(address, size, f"{mnemonic} {operands}".rstrip(), tuple(refers))


def _data(binary: Binary, there: int, mnemonic: str, operands: str) -> Reference:
    """What an instruction refers to at an address: code, or data and how many bytes of it."""
    section = binary.section_at(there)
    if section is not None and section.is_code:
        return Reference("code", there)
    width = _WIDTH.search(operands)
    known = width is not None and not mnemonic.startswith("lea")
    return Reference("data", there, _WIDTHS.get(width[1], 0) if known and width else 0)


def _replace_absolute_address(
    binary: Binary, number: re.Match[str], operands: str, refers: list[Reference]
) -> str:
    """`@` in place of a number in an operand that seems to be an address; else the number
    itself."""
    there = int(number[0], 16)
    section = binary.section_at(there)
    if section is None:
        return number[0]
    inside = operands.rfind("[", 0, number.start())
    indexed = inside >= 0 and operands[inside + 1 : number.start()].strip() != ""
    is_operand = inside >= 0 and "]" in operands[inside:] and not indexed
    width = _WIDTH.search(operands) if is_operand else None
    kind = "code" if section.is_code else "data"
    refers.append(Reference(kind, there, _WIDTHS.get(width[1], 0) if width else 0))
    return "@"
