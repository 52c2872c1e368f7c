"""The measured samples inside a page: everything, or every k-th where that is too much.

Columns, not objects: for each launch which benchmark, side and round it was, when it
began and what the host did; for each metric how many samples each launch has; and
all samples as one run of floats.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from assay.model import Sample
from assay.show.content import Content, Floats

MOST_VALUES = 300_000  # about 2.5 MB of page
_SIDES = {None: "measured", "base": "base", "candidate": "candidate"}


class Raw(msgspec.Struct, frozen=True):
    """What the page unpacks; `every` is 1 when nothing was left out."""

    launches: dict[str, Any]
    floats: Floats
    every: int
    total: int


def raw(content: Content, names: dict[str, int]) -> Raw:
    """`names` numbers the benchmarks."""
    samples = content.samples
    metrics = list(dict.fromkeys(metric for sample in samples for metric in sample.values))
    total = sum(len(values) for sample in samples for values in sample.values.values())
    every = -(-total // MOST_VALUES) or 1
    kept = {metric: [s.values.get(metric, ())[::every] for s in samples] for metric in metrics}
    launches = {
        **_columns(samples, names),
        "metrics": metrics,
        "counts": [[len(values) for values in kept[metric]] for metric in metrics],
        "estimated": list(content.estimates),
        "changed": list(content.changes),
    }
    return Raw(launches, _floats(content, kept), every, total)


def _columns(samples: Sequence[Sample], names: dict[str, int]) -> dict[str, Any]:
    return {
        "benchmark": [names[sample.benchmark] for sample in samples],
        "side": [_SIDES[sample.side] for sample in samples],
        "round": [sample.round for sample in samples],
        "launch": [sample.launch for sample in samples],
        "started": [sample.started_s for sample in samples],
        "steal": [sample.steal for sample in samples],
        "load": [sample.load for sample in samples],
        "unit": [sample.time_unit for sample in samples],
    }


def _floats(content: Content, kept: dict[str, list[tuple[float, ...]]]) -> Floats:
    """Samples of each metric, launch by launch; then estimates; then changes."""
    flat = [value for lists in kept.values() for values in lists for value in values]
    parts = [np.array(flat, dtype=np.float64)]
    parts += [*content.estimates.values(), *content.changes.values()]
    return np.concatenate(parts)
