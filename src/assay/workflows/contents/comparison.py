"""Makes the content of a report from a finished comparison.

    content = of_comparison(compare(plan, ...))

The numbers of launches come from the judge, and percentiles from the record's histograms. The code
that shows them computes nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from assay.facts import Facts
from assay.judge.family.exact_counts import relative_change
from assay.model import Sample, Side
from assay.show.content import Content, Floats
from assay.show.export import results_json
from assay.workflows.compare.result import CompareResult
from assay.workflows.contents.launches import curves_of, estimates_of
from assay.workflows.contents.side_facts import sides_of


def of_comparison(result: CompareResult) -> Content:
    """What a report shows of a comparison."""
    samples = (
        *_with_side(Side.BASE, result.samples[0]),
        *_with_side(Side.CANDIDATE, result.samples[1]),
    )
    metrics = list(dict.fromkeys(one.metric for one in result.judgement.comparisons))
    estimates = estimates_of(samples, metrics)
    rounds = _rounds(samples)
    facts = result.records[0].facts if result.records else Facts()
    return Content(
        document=comparison_document(result),
        samples=samples,
        judgement=result.judgement,
        estimates=estimates,
        changes={metric: _changes(rounds, estimates[metric]) for metric in metrics},
        curves=curves_of(samples),
        sides=sides_of(result.records),
        only_base=result.only_base,
        only_candidate=result.only_candidate,
        failures=result.failures,
        unavailable=tuple(facts.unavailable),
        interrupted=result.interrupted_by is not None or facts.interrupted,
    )


def comparison_document(result: CompareResult) -> dict[str, Any]:
    """The JSON document that `--json` writes of a comparison."""
    document = results_json.results(
        result.judgement,
        targets=result.targets,
        hosts=result.hosts,
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
    )
    results_json.add_repetitions(document, result.samples)
    return document


def _with_side(side: Side, samples: Iterable[Sample]) -> list[Sample]:
    """The samples with their side set, because samples from plain files have none."""
    return [
        sample if sample.side is side else msgspec.structs.replace(sample, side=side)
        for sample in samples
    ]


def _rounds(samples: Sequence[Sample]) -> list[tuple[int, int]]:
    """For each round the indexes in `samples` of its two launches, base first."""
    base: dict[tuple[str, int | None], int] = {
        (sample.benchmark, sample.round): place
        for place, sample in enumerate(samples)
        if sample.side is Side.BASE and sample.round is not None
    }
    return [
        (base[sample.benchmark, sample.round], place)
        for place, sample in enumerate(samples)
        if sample.side is Side.CANDIDATE and (sample.benchmark, sample.round) in base
    ]


def _changes(rounds: Sequence[tuple[int, int]], estimates: Floats) -> Floats:
    """The relative change of each launch of the candidate against the base's launch of the same
    round. It is NaN for launches of the base.
    """
    column = np.full(len(estimates), np.nan)
    known = estimates.tolist()
    for base, candidate in rounds:
        column[candidate] = relative_change(known[base], known[candidate])
    return column
