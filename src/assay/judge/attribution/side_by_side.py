"""Two disassemblies of one function, line beside line.

    [(how, 4, 5), (new, None, 6)] = align_instructions(base, candidate)

Equal instructions are matched first; those between them are matched by what remains when registers
and offsets are left out.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from assay.judge.attribution.code_matching import without_registers
from assay.machine_code import Instruction

# How an instruction compares ("same", "gone", ...), its index in the base and in the candidate.
Line = tuple[str, int | None, int | None]
# Instructions of either side: aligning takes up to the square of it. Decision 41 has the time of
# 2,000; the number itself is a round one.
LONGEST = 2000
# Pairs of equal lines, one of each side, above which difflib ignores the most frequent lines, so
# that aligning 2,000 takes 0.02 s and not minutes (decision 41). The number is a round one.
_MOST_PAIRS = 40_000


def align_instructions(base: Sequence[Instruction], candidate: Sequence[Instruction]) -> list[Line]:
    """Every instruction of both sides once, in order: how it compares, and its place in each list.

    How is "same", "altered" (other registers or offsets), "gone" or "new". Matched by `difflib`.
    """
    ours, theirs = [_diff_token(one) for one in base], [_diff_token(one) for one in candidate]
    lines = list[Line]()
    for kind, i, i_end, j, j_end in diff_opcodes(ours, theirs):
        if kind == "equal":
            lines += (
                ("same" if base[a].code == candidate[b].code else "altered", a, b)
                for a, b in zip(range(i, i_end), range(j, j_end), strict=True)
            )
        else:
            lines += _loosely_aligned_lines(base, candidate, range(i, i_end), range(j, j_end))
    return lines


def _diff_token(one: Instruction) -> str:
    """The text to compare; of a jump only its opcode, because inserted code moves its target."""
    return one.text.split()[0] if one.inside else one.code


def _loosely_aligned_lines(
    base: Sequence[Instruction], candidate: Sequence[Instruction], ours: range, theirs: range
) -> Iterator[Line]:
    before, after = (
        [without_registers(base[i].code) for i in ours],
        [without_registers(candidate[j].code) for j in theirs],
    )
    for kind, i, i_end, j, j_end in diff_opcodes(before, after):
        if kind == "equal":
            for a, b in zip(range(i, i_end), range(j, j_end), strict=True):
                yield "altered", ours[a], theirs[b]
        else:
            yield from (("gone", ours[a], None) for a in range(i, i_end))
            yield from (("new", None, theirs[b]) for b in range(j, j_end))


def diff_opcodes(
    one: Sequence[str], other: Sequence[str]
) -> Sequence[tuple[str, int, int, int, int]]:
    """The opcodes of `difflib.SequenceMatcher`: what is equal, replaced, deleted or inserted.

    Words that occur everywhere make it take the cube of the length: a minute for 2,000 times the
    same instruction (decision 41). Where there are too many, difflib leaves frequent words out.
    """
    counts = Counter(other)
    pairs = sum(counts[word] for word in one)
    return SequenceMatcher(None, one, other, autojunk=pairs > _MOST_PAIRS).get_opcodes()
