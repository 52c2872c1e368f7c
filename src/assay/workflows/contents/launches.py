"""What a page shows of single launches: the judge's estimate for each, and its histograms."""

from collections.abc import Iterable, Sequence

import numpy as np

from assay.judge.estimate import launch_estimates
from assay.model import Sample
from assay.record import hdr
from assay.show.content import Curve, Floats


def estimates_of(samples: Sequence[Sample], metrics: Iterable[str]) -> dict[str, Floats]:
    """For each metric the judge's estimate of every launch's value, in the unit of its sample; NaN
    for launches without the metric.
    """
    found = {}
    for metric in metrics:
        column = np.full(len(samples), np.nan)
        places = [place for place, sample in enumerate(samples) if sample.values.get(metric)]
        if places:
            lists = [samples[place].values[metric] for place in places]
            column[places] = launch_estimates(lists, metric)
        found[metric] = column
    return found


def curves_of(samples: Sequence[Sample]) -> tuple[Curve, ...]:
    """Percentiles for every benchmark, histogram and side, over all launches together."""
    found: dict[tuple[str, str, str], list[hdr.Histogram]] = {}
    for sample in samples:
        for name, text in sample.histograms.items():
            side = str(sample.side or "measured")
            histogram = hdr.decode(text, where=sample.benchmark)
            found.setdefault((sample.benchmark, name, side), []).append(histogram)
    return tuple(
        _curve(*key, hdr.merged_histogram(histograms)) for key, histograms in found.items()
    )


def _curve(benchmark: str, name: str, side: str, histogram: hdr.Histogram) -> Curve:
    points = histogram.percentiles()
    return Curve(
        benchmark=benchmark,
        name=name,
        side=side,
        above=tuple(above for above, _ in points),
        values=tuple(float(value) for _, value in points),
        count=histogram.total,
    )
