"""Instructions that take far longer than others, where the candidate executes more of them.

    (found,) = costlier_kinds(base, candidate, smallest=100)     of (text, times) in their order
    found.kind, found.at, found.times                    "locked", 3, 1000

An atomic addition is one instruction like a plain one, and a division one like a shift: a count of
instructions shows no change there, or an improvement. So the text of the instructions is looked at.
"""

import re
from collections.abc import Sequence

import msgspec

Counted = tuple[str, int]  # an instruction's text, and how often it was executed

# Approximate cycles of one instruction of each kind, from tables, not measured (decision 41).
CYCLES = {"locked": 18, "divide": 15, "gather": 12, "serialising": 30, "reloaded": 12}
_KINDS = (
    ("locked", re.compile(r"lock |xchg .*\[|cmpxchg")),
    ("divide", re.compile(r"i?div |v?div[sp][sd] |v?sqrt[sp][sd] ")),
    ("gather", re.compile(r"vp?gather")),
    ("serialising", re.compile(r"(?:mfence|lfence|cpuid|serialize|rdtscp|wbinvd)\b")),
)
_STORE = re.compile(r"v?mov\w* (\w+) ptr (\[[^\]]+\]), ")
_LOAD = re.compile(r"[a-z]\w* .*?\b(\w+) ptr (\[[^\]]+\])$")
_WIDTHS = ("byte", "word", "dword", "qword", "xmmword", "ymmword")  # each wider than the last
# Instructions after a store within which a load may find it not yet in the cache. No decision names
# the number, and it was not measured.
_NEAR = 12


class CostlierKind(msgspec.Struct, frozen=True):
    """How many `times` more the candidate executes expensive instructions of one kind.

    `at` is the index of one of them in the candidate's list: one that the base lacks, if there is
    any, and of these the one executed most often.
    """

    kind: str
    at: int
    times: int


def costlier_kinds(
    base: Sequence[Counted], candidate: Sequence[Counted], smallest: float
) -> tuple[CostlierKind, ...]:
    """The kinds of expensive instructions that one function executes more of, the dearest first.

    Each side is the function's instructions in order. `smallest` is the least that is told, in
    cycles of all executions together. Method and limits: decision 41.
    """
    before, after = _indices_by_kind(base), _indices_by_kind(candidate)
    known = {text for text, _ in base}
    found = []
    for kind, places in after.items():
        more = _executions(candidate, places) - _executions(base, before.get(kind, []))
        if more * CYCLES[kind] >= max(smallest, 1):
            at = max(places, key=lambda i: (candidate[i][0] not in known, candidate[i][1]))
            found.append(CostlierKind(kind, at, more))
    return tuple(sorted(found, key=lambda one: -one.times * CYCLES[one.kind]))


def _executions(lines: Sequence[Counted], places: Sequence[int]) -> int:
    return sum(lines[at][1] for at in places)


def _indices_by_kind(lines: Sequence[Counted]) -> dict[str, list[int]]:
    """Indices of the executed instructions, by kind of expensive instruction."""
    found: dict[str, list[int]] = {}
    for at, (text, times) in enumerate(lines):
        if times:
            for kind in _kinds_of_instruction(lines, at, text):
                found.setdefault(kind, []).append(at)
    return found


def _kinds_of_instruction(lines: Sequence[Counted], at: int, text: str) -> list[str]:
    known = [kind for kind, words in _KINDS if words.match(text)]
    return known or (["reloaded"] if _loads_more_than_stored(lines, at, text) else [])


def _loads_more_than_stored(lines: Sequence[Counted], at: int, text: str) -> bool:
    """Whether instruction `at` loads more bytes than were stored to its address just before.

    Then the processor waits until the store is in the cache.
    """
    load = _LOAD.match(text)
    if load is None or _STORE.match(text):
        return False
    for earlier, _ in reversed(lines[max(0, at - _NEAR) : at]):
        store = _STORE.match(earlier)
        if store and store[2] == load[2]:
            return _is_narrower(store[1], load[1])
    return False


def _is_narrower(one: str, other: str) -> bool:
    if one not in _WIDTHS or other not in _WIDTHS:
        return False
    return _WIDTHS.index(one) < _WIDTHS.index(other)
