"""Judges the pairs of one benchmark while it is still being measured.

The interval holds at every look, so looking often adds no error; such an interval is only wider.
`judge_benchmark` is told how many comparisons share alpha and how many of them have been found
changed so far: these are Holm's steps, taken as verdicts arrive (decisions 3 and 4).
"""

from collections.abc import Sequence

from assay.judge.family.family import Family, FamilyScope
from assay.judge.paired import suite_autocorrelation
from assay.judge.paired.interleaved import log_ratios
from assay.model import Comparison, Pair, Settings, Verdict


def judge_benchmark(
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    asked: FamilyScope = FamilyScope(),  # noqa: B008 (immutable)
    changed: int = 0,
) -> tuple[Comparison, ...]:
    """Judge the pairs of one benchmark in the order given; see `judge` for units and methods.

    `changed` is how many comparisons of the family, not among these, were found changed already.
    """
    suite = Family(pairs, settings, None, asked)
    suite.settle(changed)
    return suite.comparisons()


def shared_autocorrelation(pairs: Sequence[Pair]) -> float | None:
    """The autocorrelation from round to round over a whole suite, from 0 (usual) to 0.95.

    One pair a benchmark, of one metric. None when the suite is too small to tell (decision 27).
    """
    groups: dict[int, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(len(pair.base.launches), []).append(pair)
    return suite_autocorrelation.shared_autocorrelation(
        [log_ratios(group) for group in groups.values()], len(pairs)
    )


def is_settled(comparison: Comparison) -> bool:
    """Whether a comparison needs no more rounds, because it is no longer undecided."""
    return comparison.verdict is not Verdict.UNDECIDED
