"""Comparisons made of numbers: the verdict, and the words around it."""

import math
from functools import lru_cache

from assay.judge import outlook
from assay.judge.counts import METHOD as EXACT
from assay.judge.counts import Count, relative_change
from assay.judge.effects import Floats, Group
from assay.model import Comparison, Pair, Settings, Verdict
from assay.units import Better
from assay.units import metric as lookup

ZEROS = "holds zeros: a ratio of them cannot be judged"


@lru_cache(maxsize=1024)
def _better(metric: str) -> Better:
    return lookup(metric).better


def comparisons(
    group: Group, ends: tuple[Floats, Floats], margin: float, level: float
) -> list[Comparison]:
    """One comparison for each row of `group`, whose intervals at `level` are `ends`."""
    e = group.effects
    columns = [column.tolist() for column in (e.base, e.candidate, e.change, *ends, e.p_value)]
    fewest = group.fewest(level)
    return [
        _comparison(group, row, numbers, margin, fewest)
        for row, numbers in enumerate(zip(*columns, strict=True))
    ]


def _comparison(
    group: Group, row: int, numbers: tuple[float, ...], margin: float, fewest: int | None
) -> Comparison:
    pair, effects = group.pairs[row], group.effects
    better = _better(pair.base.metric)
    low, high = _around(numbers[2], numbers[3:5], margin)
    base, candidate, change = _inside(numbers[:3], low, high)
    verdict, p_value = outlook.decide(low, high, margin, better), numbers[5]
    known, is_open = not math.isnan(low), verdict is Verdict.UNDECIDED
    span = outlook.Span(change, low, high, margin)
    return Comparison(
        benchmark=pair.base.benchmark,
        metric=pair.base.metric,
        unit=pair.base.unit,
        base=base,
        candidate=candidate,
        change=change,
        low=low if known else None,
        high=high if known else None,
        verdict=verdict,
        rounds=effects.rounds,
        design=pair.design,
        method=effects.method,
        p_value=None if math.isnan(p_value) else p_value,
        lean=outlook.lean(change, margin, better) if is_open else None,
        rounds_needed=outlook.rounds_needed(span, effects.rounds, fewest) if is_open else None,
        findable=outlook.findable(span) if known else None,
        notes=group.notes(row),
    )


def _around(change: float, ends: tuple[float, ...], margin: float) -> tuple[float, float]:
    """The interval, stretched to the estimate where that leaves the verdict alone.

    They part when rounds contradict earlier ones, which had narrowed the interval.
    """
    low, high = ends
    wider = min(low, change), max(high, change)
    same = outlook.decide(low, high, margin, Better.LOWER) is outlook.decide(
        *wider, margin, Better.LOWER
    )
    return wider if same else (low, high)


def _inside(level: tuple[float, ...], low: float, high: float) -> tuple[float, ...]:
    """The estimate, moved into its interval where it would contradict an earlier verdict."""
    base, candidate, change = level
    moved = min(max(change, low), high)
    if moved == change or math.isnan(low):
        return level
    middle, root = math.sqrt(base * candidate), math.sqrt(1.0 + moved)
    return middle / root, middle * root, moved


def exact(pair: Pair, count: Count, settings: Settings) -> Comparison:
    """A count that does not vary: its change is its interval."""
    change = count.change
    verdict = outlook.decide(change, change, settings.margin, _better(pair.base.metric))
    return _plain(
        pair,
        (count.base, count.candidate, change),
        verdict=Verdict.SAME if verdict is Verdict.UNDECIDED else verdict,
        interval=change,
        method=EXACT,
        notes=(count.note,) if count.note else (),
    )


def unjudged(pair: Pair) -> Comparison:
    """Zeros, or nothing at all: what there is, and no verdict."""
    base, candidate = _median(pair.base.launches), _median(pair.candidate.launches)
    return _plain(
        pair,
        (base, candidate, relative_change(base, candidate)),
        verdict=Verdict.UNDECIDED,
        interval=None,
        method="not judged",
        notes=(ZEROS if any(pair.base.launches) else "nothing was measured",),
    )


def _plain(
    pair: Pair,
    numbers: tuple[float, float, float],
    *,
    verdict: Verdict,
    interval: float | None,
    method: str,
    notes: tuple[str, ...],
) -> Comparison:
    return Comparison(
        benchmark=pair.base.benchmark,
        metric=pair.base.metric,
        unit=pair.base.unit,
        base=numbers[0],
        candidate=numbers[1],
        change=numbers[2],
        low=interval,
        high=interval,
        verdict=verdict,
        rounds=min(len(pair.base.launches), len(pair.candidate.launches)),
        design=pair.design,
        method=method,
        notes=notes,
    )


def _median(launches: tuple[tuple[float, ...], ...]) -> float:
    values = sorted(value for launch in launches for value in launch)
    middle = len(values) // 2
    if not values:
        return 0.0
    return float(values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2)
