"""The measured samples inside a page: all, or every k-th if there are too many.

They are stored by columns, not as objects: for each launch its benchmark, side, round, start and
the state of the host; for each metric how many samples each launch has; and all samples in one
array of floats.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from assay.model import Sample
from assay.show.content import Content, Floats

MOST_VALUES = 200_000  # at most so many samples are in a page; they take about 1.5 MB
MOST_LAUNCHES = 240_000  # at most so many estimates, one for each launch and metric, are in a page
_SIDES = {None: "measured", "base": "base", "candidate": "candidate"}


class Raw(msgspec.Struct, frozen=True):
    """The samples as a page stores them.

    If there are too many, it has only each `every`-th, and lacks those of the metrics in
    `left_out`.
    """

    launches: dict[str, Any]
    floats: Floats
    every: int
    total: int
    left_out: tuple[str, ...]  # metrics without samples in the page, because there are too many


def raw_samples(content: Content, names: dict[str, int]) -> Raw:
    """The samples of `content`; `names` has a number for each benchmark."""
    samples = content.samples
    every_metric = list(dict.fromkeys(metric for sample in samples for metric in sample.values))
    total = sum(len(values) for sample in samples for values in sample.values.values())
    every = -(-total // MOST_VALUES) or 1
    metrics = _metrics_that_fit([*content.estimates, *every_metric], len(samples))
    kept = {metric: [s.values.get(metric, ())[::every] for s in samples] for metric in metrics}
    estimates, changes = (
        {metric: column[metric] for metric in metrics if metric in column}
        for column in (content.estimates, content.changes)
    )
    launches = {
        **_columns(samples, names),
        "metrics": metrics,
        "counts": [[len(values) for values in kept[metric]] for metric in metrics],
        "estimated": list(estimates),
        "changed": list(changes),
    }
    floats = _floats(kept, [*estimates.values(), *changes.values()])
    left_out = tuple(metric for metric in every_metric if metric not in kept)
    return Raw(launches, floats, every, total, left_out)


def _metrics_that_fit(metrics: Sequence[str], launches: int) -> list[str]:
    """The first of these metrics, as many as a page has room for, but at least one."""
    most = max(1, MOST_LAUNCHES // max(1, launches))
    return list(dict.fromkeys(metrics))[:most]


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


def _floats(kept: dict[str, list[tuple[float, ...]]], columns: Sequence[Floats]) -> Floats:
    """All floats of the page in one array: samples by metric and launch, then the judge's estimate
    of each launch, then the changes of launches.
    """
    flat = [value for lists in kept.values() for values in lists for value in values]
    return np.concatenate([np.array(flat, dtype=np.float64), *columns])
