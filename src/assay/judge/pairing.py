"""From two lists of samples to the pairs that can be compared.

Interleaved launches are matched by their round. A round is not used if a launch of it failed, or
if the hypervisor took more of the CPU than a rule that was fixed beforehand allows (decision 23).
Plain files have no rounds: rows of one launch are joined, in the order of the file.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

import msgspec

from assay.errors import InputError
from assay.model import Design, Pair, Sample, Series, Settings, by_benchmark
from assay.units import TIME, time_factor
from assay.units import metric as lookup

Rows = list[Sample]
Values = tuple[float, ...]
FIRST = ("real_time", "cpu_time")
# The first six rounds show how much steal is usual on a host. No verdict falls sooner, so none that
# was given can change when rounds are dropped by it (decision 23).
_USUAL_ROUNDS = 6
_UNUSUAL = 2.0  # times the usual steal, above which a round is dropped (decision 23)


class Pairing(msgspec.Struct, frozen=True):
    """Pairs of base and candidate, by benchmark and metric in the base's order.

    Benchmarks that could not be paired are named.
    """

    pairs: tuple[Pair, ...]
    only_base: tuple[str, ...]
    only_candidate: tuple[str, ...]
    unmatched: tuple[str, ...] = ()  # on both sides, yet never in the same round


class _Rounds(msgspec.Struct, frozen=True):
    """The samples of one benchmark, round by round, without the `dropped` rounds."""

    base: list[Rows]
    candidate: list[Rows]
    base_first: tuple[bool, ...]
    dropped: int
    numbers: tuple[int, ...]
    autocorrelations: tuple[float, ...] = ()


# From a benchmark and a round to the number of the pair of linked executables that the round ran.
PlacementOf = Callable[[str, int], int]
# (launch, autocorrelation): the autocorrelation that was known from this launch on.
Autocorrelations = Sequence[tuple[int, float | None]]


def pair_sides(
    base: Sequence[Sample],
    candidate: Sequence[Sample],
    *,
    design: Design,
    metrics: Sequence[str] | None,
    settings: Settings,
    autocorrelations: Autocorrelations = (),
    placement: PlacementOf | None = None,
) -> Pairing:
    """Match what both sides measured, benchmark by benchmark.

    `metrics=None` takes all that both sides have; times are converted to the unit of the base's
    first row. `autocorrelations`: of rounds, as a live session knew them while
    it measured (decision 27). `placement`: which of several links a round took (decision 42).
    Raises `InputError` where no pair has one of the `metrics` asked for, or a time unit is unknown.
    """
    ours, theirs = by_benchmark(base), by_benchmark(candidate)
    in_rounds = partial(_pairs_in_rounds, autocorrelations=autocorrelations, placement=placement)
    match = _pairs_in_files if design is Design.SEQUENTIAL else in_rounds
    pairs: list[Pair] = []
    unmatched = []
    for name, rows in ours.items():
        if name in theirs:
            made = match(rows, theirs[name], design, metrics, settings)
            pairs += made
            if not made:
                unmatched.append(name)
    _check_metrics(metrics, pairs, base)
    return Pairing(
        tuple(pairs),
        tuple(name for name in ours if name not in theirs),
        tuple(name for name in theirs if name not in ours),
        tuple(unmatched),
    )


def _check_metrics(wanted: Sequence[str] | None, pairs: list[Pair], base: Sequence[Sample]) -> None:
    found = {pair.base.metric for pair in pairs}
    for name in wanted or ():
        if pairs and name not in found:
            there = sorted({key for sample in base for key in sample.values})
            raise InputError(
                f"no benchmark has metric {name!r} on both sides",
                hint=f"there are {', '.join(there)}",
            )


def _shared_metrics(ours: Rows, theirs: Rows, wanted: Sequence[str] | None) -> list[str]:
    here, there = ours[0].values, theirs[0].values
    if wanted is not None:
        return [m for m in wanted if m in here and m in there]
    times = [m for m in FIRST if m in here and m in there]
    return times + [m for m in here if m in there and m not in FIRST]


def _pairs_in_files(
    ours: Rows, theirs: Rows, design: Design, wanted: Sequence[str] | None, settings: Settings
) -> list[Pair]:
    unit = ours[0].time_unit
    ours_by_launch, theirs_by_launch = _rows_by_launch(ours), _rows_by_launch(theirs)
    result = []
    for name in _shared_metrics(ours, theirs, wanted):
        left = tuple(filter(None, _launches(ours_by_launch, name, unit)))
        right = tuple(filter(None, _launches(theirs_by_launch, name, unit)))
        result.append(_pair(ours[0].benchmark, name, unit, (left, right), design))
    return result


def _pairs_in_rounds(
    ours: Rows,
    theirs: Rows,
    design: Design,
    wanted: Sequence[str] | None,
    settings: Settings,
    *,
    autocorrelations: Autocorrelations,
    placement: PlacementOf | None,
) -> list[Pair]:
    unit = ours[0].time_unit
    rounds = _matched_rounds(ours, theirs, settings, autocorrelations)
    if not rounds.base:
        return []
    result = []
    for name in _shared_metrics(ours, theirs, wanted):
        left = _launches(rounds.base, name, unit)
        right = _launches(rounds.candidate, name, unit)
        kept = [i for i in range(len(left)) if left[i] and right[i]]
        sides = tuple(left[i] for i in kept), tuple(right[i] for i in kept)
        first = tuple(rounds.base_first[i] for i in kept)
        made = _pair(ours[0].benchmark, name, unit, sides, design)
        known = tuple(rounds.autocorrelations[i] for i in kept) if rounds.autocorrelations else ()
        links = (
            tuple(placement(made.benchmark, rounds.numbers[i]) for i in kept) if placement else ()
        )
        result.append(
            msgspec.structs.replace(
                made,
                base_first=first,
                dropped_rounds=rounds.dropped,
                autocorrelations=known,
                placements=links,
            )
        )
    return result


def _pair(
    benchmark: str,
    name: str,
    time_unit: str,
    sides: tuple[tuple[Values, ...], tuple[Values, ...]],
    design: Design,
) -> Pair:
    unit = time_unit if lookup(name).unit == TIME else lookup(name).unit
    return Pair(
        Series(benchmark, name, unit, sides[0]), Series(benchmark, name, unit, sides[1]), design
    )


def _rows_by_launch(rows: Rows) -> list[Rows]:
    first = rows[0].launch
    if all(row.launch == first for row in rows):
        return [rows]
    groups: dict[int, Rows] = {}
    for row in rows:
        groups.setdefault(row.launch, []).append(row)
    return list(groups.values())


def _launches(groups: list[Rows], name: str, unit: str) -> tuple[Values, ...]:
    return tuple([_values(rows, name, unit) for rows in groups])


def _values(rows: Rows, name: str, unit: str) -> Values:
    """All samples of `name` in `rows`, times in `unit`."""
    if len(rows) == 1 and rows[0].time_unit == unit:  # as in a plain file, of ten thousand rows
        return rows[0].values.get(name, ())
    if any(row.time_unit != unit for row in rows) and lookup(name).unit == TIME:
        return tuple(
            value * time_factor(row.time_unit, unit)
            for row in rows
            for value in row.values.get(name, ())
        )
    return tuple([value for row in rows for value in row.values.get(name, ())])


def _matched_rounds(
    ours: Rows, theirs: Rows, settings: Settings, autocorrelations: Autocorrelations
) -> _Rounds:
    left, right = _rows_by_round(ours), _rows_by_round(theirs)
    both = sorted(number for number in left if number in right)
    stolen = [_largest_steal(left[n] + right[n]) for n in both]
    limit = _steal_limit(stolen, settings)
    kept = [n for n, share in zip(both, stolen, strict=True) if share <= limit]
    return _Rounds(
        [left[n] for n in kept],
        [right[n] for n in kept],
        tuple(_base_first(left[n][0], right[n][0]) for n in kept),
        len(both) - len(kept),
        tuple(kept),
        tuple(_known_autocorrelation(autocorrelations, left[n] + right[n]) for n in kept)
        if autocorrelations
        else (),
    )


def _known_autocorrelation(autocorrelations: Autocorrelations, rows: Rows) -> float:
    """The autocorrelation that was known when the first launch of a round began; NaN: none."""
    first = min(row.launch for row in rows)
    at = bisect_right(autocorrelations, first, key=lambda step: step[0]) - 1
    known = autocorrelations[at][1] if at >= 0 else None
    return math.nan if known is None else known


def _rows_by_round(rows: Rows) -> dict[int, Rows]:
    groups: dict[int, Rows] = {}
    for index, row in enumerate(rows):
        groups.setdefault(index if row.round is None else row.round, []).append(row)
    return groups


def _largest_steal(rows: Rows) -> float:
    """The largest share of CPU stolen from a launch of this round."""
    return max((row.steal for row in rows if row.steal is not None), default=0.0)


def _steal_limit(stolen: Sequence[float], settings: Settings) -> float:
    """Steal above which a round is dropped: the setting, or twice the median of the first six
    rounds if that is more (decision 23)."""
    usual = median(stolen[:_USUAL_ROUNDS]) if stolen else 0.0
    return max(settings.steal_limit, _UNUSUAL * usual)


def _base_first(base: Sample, candidate: Sample) -> bool:
    """Whether the base ran first; in a duet, whether it had the lower CPU."""
    if base.position == candidate.position and base.cpu is not None and candidate.cpu is not None:
        return base.cpu < candidate.cpu
    if base.position is not None and candidate.position is not None:
        return base.position < candidate.position
    return (base.started_s or 0.0) <= (candidate.started_s or 0.0)
