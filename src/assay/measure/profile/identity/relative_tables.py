"""Tables of distances from the table itself, and the instructions that show that one is such.

    RelativeTables(binary).is_one(0x2004)       True: code adds the table's address to its entries

A compiler makes one for a `switch` statement, where the distances lead to code, and clang one for a
constant array of pointers, so that the loader need not write them. The numbers in it differ with
placement, and what they lead to does not. Whether a table is one is not told from its numbers, as
any numbers may look like it, but from code that uses it:

    lea rdx, [rip + TABLE];  movsxd rax, dword ptr [rdx + rax*4];  add rax, rdx
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.measure.profile.identity.functions import FunctionRanges
from assay.measure.profile.program.binary import Binary, Section
from assay.measure.profile.program.disassembly import LONGEST, disassembled

# Opcodes (lea, mov, cmp, add ...) that come before a rip-relative operand.
_OPCODES = tuple(b"\x8d\x8b\x89\x8a\x88\x3b\x39\x63\x03\x2b\xff\x83\x80\xc7\xc6")
_TWO_BYTE_OPCODE = 0x0F  # first byte of every opcode of two bytes
_ADDRESS = re.compile(r"(\w+), \[rip ([+-]) (0x[0-9a-f]+|\d+)\]$")  # operands of `lea`
_ENTRY = re.compile(r"(\w+), dword ptr \[(\w+) \+ \w+\*4\]$")  # operands that read an entry
_FIRST = re.compile(r"\w+")  # the operand that most instructions write to
_ONLY_READ = re.compile(r"cmp|test|push|j\w+|bt")  # instructions that write to no operand
# Instructions that write to registers which they do not name.
_UNNAMED = re.compile(
    r"(?:mul|i?div|c[dw]qe?|cqo|cwde|rep\w*|(?:mov|sto|lod|sca|cmp)s[bwdq]|cpuid|rdtscp?|xgetbv"
    r"|cmpxchg\w*)\b|imul [^,]*$"
)
# Registers that a called function may change.
_NOT_KEPT = frozenset(("rax", "rcx", "rdx", "rsi", "rdi", *(f"r{n}" for n in range(8, 12))))
_NEAR = 4  # instructions from the one that reads an entry to the one that adds the address


class TablesUsed(msgspec.Struct, frozen=True):
    """The relative tables that a function uses."""

    known: frozenset[int]  # their addresses
    has_others: bool  # whether there are some whose address is not known


class RelativeTables:
    """Tells which of the addresses that the code of one file refers to are relative tables."""

    def __init__(self, binary: Binary) -> None:
        self._binary = binary
        self._functions = FunctionRanges(binary)
        self._known: dict[int, bool] = {}
        self._looked_at: dict[tuple[int, int], TablesUsed] = {}

    def is_one(self, address: int) -> bool:
        """Whether some function adds this address to the numbers that it reads there."""
        if address not in self._known:
            used = (self._used_in(*one) for one in self._functions_naming(address))
            self._known[address] = any(address in one.known for one in used)
        return self._known[address]

    def is_in_function_with_another(self, address: int, targets: Sequence[int]) -> bool:
        """Whether all targets lie in a function that refers to the address, and that uses a table
        whose address it took from elsewhere, as from the stack."""
        return any(
            self._used_in(start, size).has_others
            and all(start <= one < start + size for one in targets)
            for start, size in self._functions_naming(address)
        )

    @cached_property
    def referred(self) -> set[int]:
        """Every address that an instruction refers to."""
        return set(map(int, self._references[1]))

    def _functions_naming(self, address: int) -> set[tuple[int, int]]:
        """Begins and sizes of the functions that refer to an address."""
        places, targets = self._references
        found = {self._functions.around(int(one)) for one in places[targets == address]}
        return {one for one in found if one is not None}

    def _used_in(self, start: int, size: int) -> TablesUsed:
        if (start, size) not in self._looked_at:
            code = self._binary.bytes_at(start, min(size, LONGEST))
            self._looked_at[start, size] = _tables_used(self._binary.machine, code, start)
        return self._looked_at[start, size]

    @cached_property
    def _references(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        every = [_references(self._binary, one) for one in self._binary.sections if one.is_code]
        none = np.zeros(0, np.int64)
        return (
            np.concatenate([none, *(one for one, _ in every)]),
            np.concatenate([none, *(one for _, one in every)]),
        )


def _references(binary: Binary, section: Section) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where instructions name an address relative to themselves (rip-relative operands), and which.

    They are found by their bytes, without decoding all the code before them: an opcode, a byte that
    has one of eight values, and four bytes of distance. Other bytes may look the same; then a piece
    of data without a symbol seems to end too early. (That once cut off the last letter of a
    string, so that it was not compared. Text is therefore read to its end.)
    """
    raw = np.frombuffer(binary.bytes_at(section.address, section.size), np.uint8)
    if len(raw) < 5:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    at = np.flatnonzero((raw[:-4] & 0xC7) == 0x05)
    at = at[at > 1]
    at = at[np.isin(raw[at - 1], _OPCODES) | (raw[at - 2] == _TWO_BYTE_OPCODE)]
    distance = sum(raw[at + 1 + i].astype(np.int64) << (8 * i) for i in range(4))
    signed = np.where(distance >= 1 << 31, distance - (1 << 32), distance)
    return section.address + at, np.asarray(section.address + at + 5 + signed, np.int64)


def _tables_used(machine: str, code: bytes, start: int) -> TablesUsed:
    """The tables whose address a function adds to numbers that it reads there.

    The last instruction before that wrote to the register must be the one that put the address
    into it. Where the address waited on the stack, it is not known which table is meant. A jump to
    the sum of such an address and anything else tells the same.
    """
    found: set[int | None] = set()
    held: dict[str, int] = {}  # by register: the address that it holds
    sums: dict[str, int] = {}  # by register: the address that the last instruction added to it
    # By register: of the entry that it holds, the table's register, and instructions since then.
    entries: dict[str, tuple[str, int]] = {}
    for address, size, mnemonic, operands in disassembled(machine, code, start):
        entries = {one: (base, n + 1) for one, (base, n) in entries.items() if n < _NEAR}
        if mnemonic.endswith("jmp") and operands in sums:
            found.add(sums[operands])
        sums = {}
        if mnemonic == "add":
            found |= {held.get(base) for base in _bases_added(operands, entries)}
            to, _, other = operands.partition(", ")
            summed = held.get(other, held.get(to))
            sums = {} if summed is None else {to: summed}
        written = {_whole(one) for one in _written_by(mnemonic, operands)}
        held = {one: there for one, there in held.items() if one not in written}
        entries = {a: b for a, b in entries.items() if not written & {a, b[0]}}
        if mnemonic == "movsxd" and (read := _ENTRY.match(operands)) and read[1] != read[2]:
            entries[read[1]] = read[2], 0
        if mnemonic == "lea" and (there := _ADDRESS.match(operands)):
            distance = int(there[3], 0) * (1 if there[2] == "+" else -1)
            held[there[1]] = address + size + distance
    return TablesUsed(frozenset(one for one in found if one is not None), None in found)


def _bases_added(operands: str, entries: Mapping[str, tuple[str, int]]) -> list[str]:
    """The registers of tables that an `add` adds to an entry of the same table."""
    both = sorted(operands.split(", "))
    return [base for entry, (base, _) in entries.items() if both == sorted((entry, base))]


def _written_by(mnemonic: str, operands: str) -> frozenset[str]:
    """The registers that an instruction may write to, and perhaps other words of its operands."""
    if mnemonic.endswith("call"):
        return _NOT_KEPT
    if _ONLY_READ.fullmatch(mnemonic):
        return frozenset()
    # Of `xchg` and its like both operands are written to.
    named = _FIRST.findall(operands)[: 2 if "x" in mnemonic else 1]
    more = _NOT_KEPT if _UNNAMED.match(f"{mnemonic} {operands}") else frozenset()
    return more.union(named)


def _whole(register: str) -> str:
    """The register of 64 bits that a name of a part of it belongs to.

    >>> [_whole(name) for name in ("eax", "al", "sil", "r8d", "rax")]
    ['rax', 'rax', 'rsi', 'r8', 'rax']
    """
    if numbered := re.match(r"r\d+", register):
        return numbered[0]
    if register.startswith(("r", "e")) and len(register) == 3:
        return f"r{register[1:]}"
    letters = register[:-1] if register.endswith("l") and len(register) == 3 else register
    return f"r{letters[0]}x" if len(letters) == 2 and letters[1] in "lh" else f"r{letters}"
