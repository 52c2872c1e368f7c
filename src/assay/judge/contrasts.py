"""Every two conditions of an overhead experiment, compared: pairs for `judge`.

    contrasts = contrasts_of(samples, ("undisturbed", "bpftrace", "auditd"), settings)
    judge([one.pair for one in contrasts], settings)

A round holds one launch of each condition in random order, so any two conditions are in random
order too. All comparisons together share one alpha.
"""

from collections.abc import Sequence
from itertools import combinations

import msgspec

from assay.judge.pairing import pair_sides
from assay.model import Design, Pair, Sample, Settings


class Contrast(msgspec.Struct, frozen=True):
    """One benchmark under `condition`, compared with the same benchmark under `reference`."""

    reference: str
    condition: str
    pair: Pair


def contrasts_of(
    samples: Sequence[Sample],
    conditions: Sequence[str],
    settings: Settings,
    metrics: Sequence[str] = ("real_time",),
) -> list[Contrast]:
    """A pair for each benchmark and each two conditions; first all against the first condition.

    Raises `InputError` where a metric that is asked for is on no benchmark of two conditions.
    """
    by_condition = {name: [s for s in samples if s.condition == name] for name in conditions}
    found = []
    for reference, condition in combinations(conditions, 2):
        base, candidate = by_condition[reference], by_condition[condition]
        paired = pair_sides(
            base, candidate, design=Design.INTERLEAVED, metrics=metrics, settings=settings
        )
        found += [Contrast(reference, condition, each) for each in paired.pairs]
    return found
