"""Every two conditions of an overhead experiment, compared: pairs for `judge`.

    contrasts = contrasts_of(samples, ("undisturbed", "bpftrace", "auditd"), settings)
    judge([one.pair for one in contrasts], settings)

Rounds hold one launch of each condition in random order, so any two of them are in
random order too. All comparisons share one budget of error.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from assay.judge.pairing import pair
from assay.model import Design, Pair, Sample, Settings


class Contrast(NamedTuple):
    """`condition` against `reference`, of one benchmark."""

    reference: str
    condition: str
    pair: Pair


def contrasts_of(
    samples: Sequence[Sample],
    conditions: Sequence[str],
    settings: Settings,
    metrics: Sequence[str] = ("real_time",),
) -> list[Contrast]:
    """Two and two, in the order of `conditions`: first all against the first."""
    by_condition = {name: [s for s in samples if s.condition == name] for name in conditions}
    found = []
    for reference, condition in combinations(conditions, 2):
        base, candidate = by_condition[reference], by_condition[condition]
        if base and candidate:
            paired = pair(
                base, candidate, design=Design.INTERLEAVED, metrics=metrics, settings=settings
            )
            found += [Contrast(reference, condition, each) for each in paired.pairs]
    return found
