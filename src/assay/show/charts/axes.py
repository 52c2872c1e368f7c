"""For each row of a report's table: the axes of its charts, and the unit they are drawn in."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from assay.model import Comparison, Level, Sample
from assay.show.charts.spans import change_span, effect_axis, value_span
from assay.show.content import Content, Curve, Floats
from assay.show.words import format

# The forest chart (a row with an interval for each effect) has at most so many rows; the table has
# all benchmarks, each with a bar.
SHOWN_EFFECTS = 40


class _LaunchIndexes:
    """Finds the launches of each benchmark in `content.samples`, by their indexes there."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples
        self._of: dict[str, list[int]] = {}
        for place, sample in enumerate(samples):
            self._of.setdefault(sample.benchmark, []).append(place)

    def values(self, benchmark: str, metric: str) -> Floats:
        lists = [self._samples[i].values.get(metric, ()) for i in self._of.get(benchmark, ())]
        return np.array([value for values in lists for value in values])

    def numbers(self, column: Mapping[str, Floats], benchmark: str, metric: str) -> Floats:
        chosen = column.get(metric)
        if chosen is None:
            return np.array([])
        found = chosen[self._of.get(benchmark, [])]
        return np.asarray(found[~np.isnan(found)])


def comparison_axes(content: Content, comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """The axes of the distribution, launches and changes charts, one entry for each comparison."""
    places = _LaunchIndexes(content.samples)
    made = [_axes_of_comparison(content, places, one) for one in comparisons]
    return _transposed(made)


def level_axes(content: Content, levels: Sequence[Level]) -> dict[str, Any]:
    """The axes of the distribution and launches charts of a one-sided run, one entry a level."""
    places = _LaunchIndexes(content.samples)
    made = [
        _value_axes(content, places, (one.benchmark, "real_time"), (one.real, one.unit))
        for one in levels
    ]
    return _transposed(made)


def forest_rows(
    comparisons: Sequence[Comparison],
    order: Sequence[int],
    margin: float,
    names: Sequence[str] = (),
) -> dict[str, Any]:
    """Rows and axis of the forest chart, with the most important effects and their intervals.

    `names` has a name for each comparison; if it is empty, the benchmarks' names are used.
    """
    chosen = [comparisons[i] for i in order[:SHOWN_EFFECTS]]
    shown = [names[i] if names else comparisons[i].benchmark for i in order[:SHOWN_EFFECTS]]
    ends = [end for one in chosen for end in (one.low, one.high, one.change) if end is not None]
    rows = [
        {
            "i": place,
            "name": format.name(name, 60),
            "text": format.change(one.change),
            "change": one.change,
            "low": one.change if one.low is None else one.low,
            "high": one.change if one.high is None else one.high,
            "verdict": str(one.verdict),
        }
        for place, (name, one) in enumerate(zip(shown, chosen, strict=True))
    ]
    return {"rows": rows, "params": {**effect_axis(ends, margin), "margin": margin}}


def shown_curve(curve: Curve) -> Curve:
    """The curve with its values in the unit that suits the largest one,
    such as ms instead of ns.
    """
    divisor, unit = format.shown_unit(max(curve.values, default=0.0), curve.unit)
    values = tuple(value / divisor for value in curve.values)
    return msgspec.structs.replace(curve, values=values, unit=unit)


def _axes_of_comparison(content: Content, places: _LaunchIndexes, one: Comparison) -> list[Any]:
    key = (one.benchmark, one.metric)
    changes = places.numbers(content.changes, *key)
    margin = content.judgement.settings.margin if content.judgement else 0.0
    span = change_span(changes, (margin, -margin, one.low, one.high, one.change))
    return [*_value_axes(content, places, key, (max(one.base, one.candidate), one.unit)), *span]


def _value_axes(
    content: Content, places: _LaunchIndexes, key: tuple[str, str], level: tuple[float, str]
) -> list[Any]:
    """The ends of two axes (for samples, and for estimates of launches), then what the values on
    both are divided by, and their unit.
    """
    values = places.values(*key)
    estimates = places.numbers(content.estimates, *key)
    divisor, unit = format.shown_unit(*level)
    spans = (*value_span(values), *value_span(estimates if len(estimates) else values))
    return [*(_to_six_digits(end / divisor) for end in spans), divisor, unit]


def _to_six_digits(value: float) -> float:
    return float(f"{value:.6g}")


def _transposed(made: list[list[Any]]) -> dict[str, Any]:
    keys = ("lo", "hi", "launch_lo", "launch_hi", "divisor", "unit", "change_lo", "change_hi")
    return {key: list(column) for key, column in zip(keys, zip(*made, strict=True), strict=False)}
