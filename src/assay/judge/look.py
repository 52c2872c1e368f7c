"""The pairs of one benchmark after some more rounds: look(), settled().

The interval holds at every look, so looking often costs no error, only the width that such
an interval has. `look` is told how many comparisons share alpha and how many of them have
been found changed so far: Holm's step, taken as verdicts arrive.
"""

from collections.abc import Sequence

from assay.judge.family.family import Asked, Family
from assay.judge.paired import suite_echo
from assay.judge.paired.interleaved import log_ratios
from assay.model import Comparison, Pair, Settings, Verdict


def look(
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    asked: Asked = Asked(),  # noqa: B008 (immutable)
    changed: int = 0,
) -> tuple[Comparison, ...]:
    """Judge the pairs of one benchmark; `changed` of the others are found so already."""
    suite = Family(pairs, settings, None, asked)
    suite.settle(changed)
    return suite.comparisons()


def shared_echo(pairs: Sequence[Pair]) -> float | None:
    """How much of a round returns in the next, over a whole suite: usually nothing.

    One pair a benchmark, of one metric. None when the suite is too small to tell.
    """
    groups: dict[int, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(len(pair.base.launches), []).append(pair)
    return suite_echo.shared_echo([log_ratios(group) for group in groups.values()], len(pairs))


def settled(comparison: Comparison) -> bool:
    """More rounds would change nothing."""
    return comparison.verdict is not Verdict.UNDECIDED
