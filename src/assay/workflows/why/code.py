"""The stage of code: what the compiler made of the functions that ran, and of their source lines.

stage = CodeStage(sides)
stage.explain(found, names).code.functions[0].how       'changed'

It measures nothing: it looks at the code that earlier stages found to be executed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from assay.errors import InputError
from assay.explained import Explained
from assay.judge.attribution.code_matching import FunctionPair, paired_functions, renamed_symbols
from assay.judge.attribution.dear_instructions import CYCLES, Counted, costlier_kinds
from assay.judge.attribution.hot_loop import hot_loop
from assay.judge.attribution.side_by_side import LONGEST, align_instructions, diff_opcodes
from assay.machine_code import (
    Body,
    CallSite,
    DearInstruction,
    ExecutedLine,
    FunctionCode,
    HotLoop,
    Instruction,
    InstructionRow,
    MachineCode,
    PairedDisassembly,
)
from assay.measure.profile.program.bodies import CodeReader, Counts, reason_unreadable
from assay.model import Side
from assay.plurals import count
from assay.work import ExactWork, Profile
from assay.workflows.why.sources import sources
from assay.workflows.why.stage import StageError, WhySides

# Slow instructions are mentioned if they are at least this share of the instructions executed in
# the base's loop.
_WORTH = 0.02
_SHOWN = 3  # functions whose disassembly is shown: those that changed most


class CodeStage:
    """The stage that explains a change by the machine code that ran on both sides."""

    name = "code"

    def __init__(self, sides: WhySides) -> None:
        self._sides = sides
        self._code = CodeReader(sides.executor)

    def explain(self, found: Explained, names: tuple[str, str]) -> Explained:
        """Add the machine code of the functions that ran to `found` (see `Stage`)."""
        if found.work is None or found.work.sides is None:
            if found.unanswered:
                # The stage of work, on which this one builds, has already said why it found
                # nothing.
                return found
            raise StageError("which functions run is not known: exact work is to find them")
        try:
            return replace(found, code=self._machine_code(found.work, found.work.sides))
        except InputError as error:
            raise StageError(error.message) from None

    def _machine_code(self, work: ExactWork, sides: tuple[Profile, Profile]) -> MachineCode:
        counts = sides[0].executed, sides[1].executed
        compilers = self._compiler(Side.BASE), self._compiler(Side.CANDIDATE)
        (base, more), (candidate, more_now) = map(self._code.bodies, counts)
        same = not all(compilers) or compilers[0] == compilers[1]
        renamed = {one.into: one.function for one in work.loop.moved if one.how == "renamed"}
        pairs = _ranked(paired_functions(base, candidate, renamed, same_compiler=same), work)
        changed = [one for one in pairs if one.how == "changed"]
        names = renamed_symbols(pairs)
        return MachineCode(
            work.loop.iterations,
            tuple(self._function(one, counts, names) for one in pairs),
            tuple(self._side_by_side(one, counts) for one in changed[:_SHOWN]),
            sources(work, (self._sides.base.argv[0], self._sides.candidate.argv[0])),
            compilers,
            notes=tuple(_notes(more + more_now)),
            dear=self._expensive_instructions(changed, counts, _WORTH * work.loop.base),
        )

    def _expensive_instructions(
        self, changed: Sequence[FunctionPair], counts: tuple[Counts, Counts], smallest: float
    ) -> tuple[DearInstruction, ...]:
        found = [
            DearInstruction(pair.body.name, one.kind, line.text, line.place, one.times)
            for pair in changed
            if pair.base is not None and pair.candidate is not None
            for one in costlier_kinds(
                _instructions_with_counts(pair.base, counts[0]),
                _instructions_with_counts(pair.candidate, counts[1]),
                smallest,
            )
            for line in [self._code.lines(pair.candidate, counts[1])[one.at]]
        ]
        return tuple(sorted(found, key=lambda one: -one.times * CYCLES[one.kind]))

    def _compiler(self, side: Side) -> str:
        target = dict(self._sides.both())[side]
        try:
            binary = self._code.binary(target.argv[0])
        except InputError as error:
            raise StageError(error.message, side) from None
        if why := reason_unreadable(binary):
            raise StageError(why, side)
        return binary.compiler()

    def _function(
        self, pair: FunctionPair, counts: tuple[Counts, Counts], names: Mapping[str, str]
    ) -> FunctionCode:
        base, candidate = pair.base, pair.candidate
        gone, new = self._call_sites(pair, counts, names)
        return FunctionCode(
            name=pair.body.name,
            how=self._how(pair),
            sizes=(base.size if base else 0, candidate.size if candidate else 0),
            instructions=(_bytes_of_code(base), _bytes_of_code(candidate)),
            calls=(len(_call_instructions(base)), len(_call_instructions(candidate))),
            executed=(base.executed if base else 0, candidate.executed if candidate else 0),
            other=pair.other,
            likeness=pair.likeness,
            replaced=_number_of_replaced(base, candidate),
            moved=bool(base and candidate and base.address != candidate.address),
            gone_calls=gone,
            new_calls=new,
            loops=_hottest_loops(pair, counts),
        )

    def _how(self, pair: FunctionPair) -> str:
        """How a function's code differs, in a word.

        If it ran on one side only, the word tells whether the other executable has it too.
        """
        base, candidate = pair.base, pair.candidate
        if pair.how == "gone" and base is not None and self._has(Side.CANDIDATE, base.symbol):
            return "unused"
        if pair.how == "new" and candidate and self._has(Side.BASE, candidate.symbol):
            return "first used"
        return pair.how

    def _has(self, side: Side, symbol: str) -> bool:
        return self._code.binary(dict(self._sides.both())[side].argv[0]).has_symbol(symbol)

    def _call_sites(
        self, pair: FunctionPair, counts: tuple[Counts, Counts], names: Mapping[str, str]
    ) -> tuple[tuple[CallSite, ...], tuple[CallSite, ...]]:
        """Calls of a function that only one side makes, for functions on both sides.

        `names` maps symbols of renamed functions in the candidate to those in the base.
        """
        if pair.base is None or pair.candidate is None or pair.how == "same":
            return (), ()
        ours, theirs = _call_instructions(pair.base), _call_instructions(pair.candidate)
        return (
            self._code.calls(pair.base, _calls_that_others_lack(ours, theirs, names), counts[0]),
            self._code.calls(
                pair.candidate, _calls_that_others_lack(theirs, ours, names), counts[1]
            ),
        )

    def _side_by_side(self, pair: FunctionPair, counts: tuple[Counts, Counts]) -> PairedDisassembly:
        assert pair.base is not None
        assert pair.candidate is not None
        base = _body_to_show(pair.base, counts[0])
        candidate = _body_to_show(pair.candidate, counts[1])
        ours, theirs = self._code.lines(base, counts[0]), self._code.lines(candidate, counts[1])
        rows = tuple(_rows(base, candidate, ours, theirs))
        left_out = (
            _bytes_of_code(pair.base) + _bytes_of_code(pair.candidate) - len(ours) - len(theirs)
        )
        return PairedDisassembly(pair.body.name, rows, left_out)


def _instructions_with_counts(body: Body, counts: Counts) -> list[Counted]:
    times = counts.get(body.object, {})
    return [(one.text, times.get(one.address, 0)) for one in body.instructions]


def _hottest_loops(
    pair: FunctionPair, counts: tuple[Counts, Counts]
) -> tuple[HotLoop, HotLoop] | None:
    """The hottest loop in both executables, for a function whose machine code is the
    same; None if there is none.
    """
    if pair.how != "same" or pair.base is None or pair.candidate is None:
        return None
    base = hot_loop(pair.base, counts[0].get(pair.base.object, {}))
    candidate = hot_loop(pair.candidate, counts[1].get(pair.candidate.object, {}))
    return (base, candidate) if base and candidate else None


def _rows(
    base: Body, candidate: Body, ours: Sequence[ExecutedLine], theirs: Sequence[ExecutedLine]
) -> Iterator[InstructionRow]:
    for how, i, j in align_instructions(base.instructions, candidate.instructions):
        yield InstructionRow(how, None if i is None else ours[i], None if j is None else theirs[j])


def _body_to_show(body: Body, counts: Counts) -> Body:
    """The whole body of a function; of a very long one only the executed instructions."""
    if len(body.instructions) <= LONGEST:
        return body
    counted = counts.get(body.object, {})
    executed = [one for one in body.instructions if counted.get(one.address)]
    return replace(body, instructions=tuple(executed[:LONGEST]))


def _bytes_of_code(body: Body | None) -> int:
    return len(body.instructions) if body else 0


def _number_of_replaced(base: Body | None, candidate: Body | None) -> int:
    if base is None or candidate is None:
        return 0
    before = Counter(one.code for one in base.instructions)
    return (Counter(one.code for one in candidate.instructions) - before).total()


def _call_instructions(body: Body | None) -> list[Instruction]:
    return [one for one in body.instructions if one.callee] if body else []


def _calls_that_others_lack(
    some: Sequence[Instruction], others: Sequence[Instruction], names: Mapping[str, str]
) -> list[Instruction]:
    """Calls that `some` has and `others` has not, by comparing the orders in which both sides call
    functions. `names` maps new names of renamed functions to old ones.
    """
    words = [[names.get(one.callee, one.callee) for one in side] for side in (others, some)]
    found = diff_opcodes(words[0], words[1])
    return [some[at] for kind, _, _, i, end in found if kind != "equal" for at in range(i, end)]


def _ranked(pairs: Sequence[FunctionPair], work: ExactWork) -> list[FunctionPair]:
    """Pairs of functions in the order to show them: changed code first, then as the work stage
    ranks them, then by difference in executed instructions.
    """
    told = {one.function: place for place, one in enumerate(work.told)}

    def key(pair: FunctionPair) -> tuple[bool, int, int, str]:
        base, candidate = (one.executed if one else 0 for one in (pair.base, pair.candidate))
        place = told.get(pair.body.name, len(told))
        return (pair.how == "same", place, -abs(candidate - base), pair.body.name)

    return sorted(pairs, key=key)


def _notes(more: int) -> Iterator[str]:
    if more:
        were = "was" if more == 1 else "were"
        yield f"{count(more, 'function')} in which least was executed {were} not looked at"
