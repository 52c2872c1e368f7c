"""Source of base and candidate side by side near changed lines, with each line's instructions.

parts = excerpts_around_changes(base_lines, candidate_lines, {53: 600}, {53: 790}, smallest=1)
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from assay.machine_code import SourceLine

_AROUND = 3  # lines shown before and after one that changed (decision 41)
# The next two are round numbers that no decision names; they bound what a page holds and how long
# it takes, and decide no finding.
_MOST_PARTS = 12  # excerpts shown of one source file: those with the largest changes
_LONGEST = 20_000  # lines of a source file; in a longer one, line n is compared with line n
Costs = Mapping[int, int]  # instructions of all iterations, by line number from 1


def excerpts_around_changes(
    base: Sequence[str], candidate: Sequence[str], before: Costs, after: Costs, smallest: float
) -> tuple[tuple[SourceLine, ...], ...]:
    """Excerpts of a source file around lines whose cost differs by `smallest` instructions or more.

    `base` and `candidate` are the file's lines on each side, which are matched by their text
    (difflib). Excerpts come in the order of the file, with lines of both sides in one list.
    """
    lines = list(_matched_lines(base, candidate, before, after))
    changed = [i for i, one in enumerate(lines) if _cost_difference(one) >= smallest]
    parts = [lines[start:end] for start, end in _excerpt_ranges(changed, len(lines))]
    most = sorted(parts, key=lambda part: -max(map(_cost_difference, part)))[:_MOST_PARTS]
    return tuple(tuple(part) for part in parts if part in most)


def lines_by_number(before: Costs, after: Costs, smallest: float) -> tuple[SourceLine, ...]:
    """Lines whose cost differs by at least `smallest` instructions, matched by number alone.

    For a source file that cannot be read: line 53 of one side may be another line of the other.
    """
    lines = [
        SourceLine(line, line, "", (before.get(line, 0), after.get(line, 0)))
        for line in sorted({*before, *after})
    ]
    return tuple(one for one in lines if _cost_difference(one) >= smallest)


def _cost_difference(one: SourceLine) -> int:
    return abs(one.costs[1] - one.costs[0])


def _matched_lines(
    base: Sequence[str], candidate: Sequence[str], before: Costs, after: Costs
) -> Iterator[SourceLine]:
    for kind, i, i_end, j, j_end in _diff_opcodes(base, candidate):
        if kind == "equal":
            for a, b in zip(range(i + 1, i_end + 1), range(j + 1, j_end + 1), strict=True):
                costs = before.get(a, 0), after.get(b, 0)
                yield SourceLine(a, b, candidate[b - 1], costs)
            continue
        for a in range(i + 1, i_end + 1):
            yield SourceLine(a, 0, base[a - 1], (before.get(a, 0), 0))
        for b in range(j + 1, j_end + 1):
            yield SourceLine(0, b, candidate[b - 1], (0, after.get(b, 0)))


def _diff_opcodes(
    base: Sequence[str], candidate: Sequence[str]
) -> Sequence[tuple[str, int, int, int, int]]:
    if base == candidate or max(len(base), len(candidate)) > _LONGEST:
        common = min(len(base), len(candidate))
        return [
            ("equal", 0, common, 0, common),
            ("replace", common, len(base), common, len(candidate)),
        ]
    return SequenceMatcher(None, base, candidate).get_opcodes()


def _excerpt_ranges(changed: Sequence[int], count: int) -> list[tuple[int, int]]:
    """Start and end (exclusive) of each excerpt of lines to show; excerpts that touch are joined.

    `changed` are the indices of the changed lines.
    """
    found: list[tuple[int, int]] = []
    for at in changed:
        start, end = max(0, at - _AROUND), min(count, at + _AROUND + 1)
        if found and start <= found[-1][1]:
            start, _ = found.pop()
        found.append((start, end))
    return found
