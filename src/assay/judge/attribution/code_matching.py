"""Matches the functions of base and candidate by name and machine code, and says what changed.

    for pair in paired_functions(base, candidate): print(pair.how, pair.likeness)

The same name is the same function. Of what one side alone ran, nearly the same code is the same
function with another name, and code that another function gained or lost was inlined or split
off. How alike two functions are is told by which short sequences of instructions they share.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assay.machine_code import Body, Instruction

# Unmatched functions that are compared with the other side's: the costliest. All are compared with
# all, so this bounds the time; a round number that no decision names.
_COMPARED = 60
# Two functions with this share of instruction triples in common are one, renamed; a function with
# that share in another's change was inlined there, or split off. Not tuned (decision 41).
_RENAMED = 0.8  # share of instruction triples in common from which a function is one renamed
_CONTAINED = 0.5  # share of a function's instruction triples that another gained or lost
_SHORTEST = 8  # instructions: shorter functions are alike by chance (decision 41)
_REGISTER = re.compile(r"\b(?:[re]?[abcd][xhl]|[re]?[sd]il?|[re]?[bs]pl?|r\d+[dwb]?|[wxv]\d+)\b")
_VECTOR = re.compile(r"\b[xyz]mm\d+\b")
_OFFSET = re.compile(r"(?<=[+-] )(?:0x[0-9a-f]+|\d+)(?=\])")
Shape = Counter[tuple[str, ...]]


class FunctionPair(NamedTuple):
    """A function's code in base and candidate, or in one alone; `how` is as in `FunctionCode`."""

    how: str
    base: Body | None
    candidate: Body | None
    likeness: float = 1.0
    other: str = ""  # name of another function that contains this code now, or had it before

    @property
    def body(self) -> Body:
        """The candidate's code, or the base's where the candidate has none."""
        found = self.candidate or self.base
        assert found is not None
        return found


def paired_functions(
    base: Sequence[Body],
    candidate: Sequence[Body],
    renamed: Mapping[str, str],
    *,
    same_compiler: bool = True,
) -> list[FunctionPair]:
    """Every function of both sides once, with what became of it. The rules are in decision 41.

    `renamed` has a function's name in the base by its name in the candidate, as found by the
    comparison of instruction counts.
    Unless it was the `same_compiler`, functions are paired by name alone: two compilers make
    different code of the same source.
    """
    found, gone, new = _pairs_by_name(base, candidate, renamed)
    if same_compiler:
        found += _pairs_by_code(gone, new)
        found = _with_renamed_calls(found)
        found += _inlined_or_split(found, gone, new)
    left = [FunctionPair("gone", one, None) for one in gone] + [
        FunctionPair("new", None, one) for one in new
    ]
    return found + left


def likeness(one: Sequence[Instruction], other: Sequence[Instruction]) -> float:
    """How alike two functions are: from 0, nothing in common, to 1, the same instructions.

    It is the share of their sequences of three instructions that they have in common (Dice's
    coefficient), registers and offsets left out.
    """
    return _dice_coefficient(_instruction_triples(one), _instruction_triples(other))


def without_registers(code: str) -> str:
    """An instruction without its registers and offsets, which change with what is around it.

    >>> without_registers("mov rax, qword ptr [rsp + 0x10]")
    'mov r, qword ptr [r + n]'
    """
    return _OFFSET.sub("n", _VECTOR.sub("v", _REGISTER.sub("r", code)))


def _have_same_code(one: Body, other: Body) -> bool:
    return [i.code for i in one.instructions] == [i.code for i in other.instructions]


def _pairs_by_name(
    base: Sequence[Body], candidate: Sequence[Body], renamed: Mapping[str, str]
) -> tuple[list[FunctionPair], list[Body], list[Body]]:
    """Pairs of functions with one name, and the unmatched functions of base and candidate.

    Where several functions have one name, those most alike are paired.
    """
    waiting: dict[str, list[Body]] = defaultdict(list)
    for one in base:
        waiting[one.name].append(one)
    found, new = list[FunctionPair](), list[Body]()
    for body in candidate:
        name = body.name if waiting.get(body.name) else renamed.get(body.name, "")
        fitting = waiting.get(name, [])
        if not fitting:
            new.append(body)
            continue
        best = fitting[0]
        if len(fitting) > 1:
            best = max(fitting, key=lambda one: likeness(one.instructions, body.instructions))
        fitting.remove(best)
        found.append(_compared_pair(best, body))
    return found, [one for left in waiting.values() for one in left], new


def _compared_pair(base: Body, candidate: Body) -> FunctionPair:
    other = base.name if base.name != candidate.name else ""
    if _have_same_code(base, candidate):
        return FunctionPair("renamed" if other else "same", base, candidate, other=other)
    alike = likeness(base.instructions, candidate.instructions)
    return FunctionPair("renamed" if other else "changed", base, candidate, alike, other)


def _pairs_by_code(gone: list[Body], new: list[Body]) -> list[FunctionPair]:
    """Pairs of functions with nearly the same code under two names; both lists lose them."""
    found = []
    left = [(one, _instruction_triples(one.instructions)) for one in _costliest_functions(gone)]
    for body in _costliest_functions(new):
        mine = _instruction_triples(body.instructions)
        best = max(left, key=lambda one: _dice_coefficient(one[1], mine), default=None)
        if best is not None and _dice_coefficient(best[1], mine) >= _RENAMED:
            left.remove(best)
            gone.remove(best[0])
            new.remove(body)
            found.append(_compared_pair(best[0], body))
    return found


def _costliest_functions(bodies: Sequence[Body]) -> list[Body]:
    large = [one for one in bodies if len(one.instructions) >= _SHORTEST]
    return sorted(large, key=lambda one: -one.executed)[:_COMPARED]


def renamed_symbols(pairs: Sequence[FunctionPair]) -> dict[str, str]:
    """The symbol of each renamed function in the base, by its symbol in the candidate."""
    return {
        one.candidate.symbol: one.base.symbol
        for one in pairs
        if one.how == "renamed" and one.base and one.candidate
    }


def _with_renamed_calls(found: Sequence[FunctionPair]) -> list[FunctionPair]:
    """The pairs; one that differs only in the names of renamed callees becomes "same"."""
    names = renamed_symbols(found)

    def followed(one: Instruction) -> str:
        name = names.get(one.callee)
        return one.code.replace(one.callee, name) if name else one.code

    def is_same(pair: FunctionPair) -> bool:
        if pair.how != "changed" or not pair.base or not pair.candidate:
            return False
        before = [one.code for one in pair.base.instructions]
        return before == [followed(one) for one in pair.candidate.instructions]

    return [FunctionPair("same", *one[1:3]) if is_same(one) else one for one in found]


def _inlined_or_split(
    found: Sequence[FunctionPair], gone: list[Body], new: list[Body]
) -> list[FunctionPair]:
    """Functions inlined into another, from `gone`, or split off from one, from `new`.

    Both lists lose the functions that were found.
    """
    changes = [
        (
            one.body.name,
            _instruction_triples(one.base.instructions),
            _instruction_triples(one.candidate.instructions),
        )
        for one in found
        if one.how == "changed" and one.base and one.candidate
    ][:_COMPARED]
    gained = {name: after - before for name, before, after in changes}
    gained.update(
        {one.name: _instruction_triples(one.instructions) for one in _costliest_functions(new)}
    )
    lost = {name: before - after for name, before, after in changes}
    inlined = [
        FunctionPair("inlined", one, None, other=into)
        for one in _costliest_functions(gone)
        if (into := _containing_function(one, gained))
    ]
    split = [
        FunctionPair("split off", None, one, other=origin)
        for one in _costliest_functions(new)
        if (origin := _containing_function(one, lost))
    ]
    for pair in inlined:
        gone.remove(pair.body)
    for pair in split:
        new.remove(pair.body)
    return [*inlined, *split]


def _containing_function(body: Body, places: Mapping[str, Shape]) -> str:
    """The function that contains most of the code of `body`; empty: none contains enough."""
    mine = _instruction_triples(body.instructions)
    shares = {name: (mine & there).total() / mine.total() for name, there in places.items()}
    best = max(shares, key=lambda name: shares[name], default="")
    return best if best and shares[best] >= _CONTAINED else ""


def _dice_coefficient(one: Shape, other: Shape) -> float:
    return 2 * (one & other).total() / (one.total() + other.total())


def _instruction_triples(instructions: Sequence[Instruction]) -> Shape:
    """How often each sequence of three instructions occurs; a shorter list is one sequence."""
    words = [
        one.text.split()[0] if one.inside else without_registers(one.code) for one in instructions
    ]
    if len(words) < 3:
        return Counter([tuple(words)])
    return Counter(zip(words, words[1:], words[2:], strict=False))
