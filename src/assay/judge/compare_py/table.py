"""compare.py's table, as numbers: its rows, its U test, its geomean.

For scripts and people who expect that table. None of Assay's own judgement is in here:
repetition i is compared with repetition i, whatever the host did meanwhile.

    report(rows(base), rows(candidate)).entries[0].measurements[0].time

Formatting is `show`'s. Semantics follow google/benchmark's tools/gbench; time
grows with the number of rows, not with its square.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from assay.compare_py import ComparePyEntry, Measurement, UTest
from assay.judge.compare_py.mann_whitney import two_sided_p
from assay.model import Sample
from assay.units import TIME_UNITS_NS

FEWEST_REPETITIONS = 2  # a side; with fewer, compare.py makes no U test (its UTEST_MIN_REPETITIONS)
GEOMEAN = "OVERALL_GEOMEAN"


class BenchmarkRow(msgspec.Struct, frozen=True):
    """One row of a Google Benchmark file: a repetition or an aggregate."""

    name: str
    real_time: float
    cpu_time: float
    time_unit: str = "ns"
    run_type: str = ""
    aggregate_name: str = ""
    label: str = ""
    order: tuple[int, ...] = ()  # sort key: family, instance, 1 for an aggregate, repetition


class Report(msgspec.Struct, frozen=True):
    """Every benchmark both sides have, in the order of the base side, then the geomean."""

    entries: tuple[ComparePyEntry, ...]


class _FileRow(msgspec.Struct, frozen=True):
    """The fields that the table needs of a row; rows of BigO, RMS and errors have no times."""

    name: str | None = None
    real_time: float = math.nan
    cpu_time: float = math.nan
    time_unit: Literal["ns", "us", "ms", "s"] | None = None
    run_type: str | None = None
    aggregate_name: str | None = None
    label: str | None = None
    family_index: int | None = None
    per_family_instance_index: int | None = None
    repetition_index: int | None = None


def rows_of_json(benchmarks: object) -> list[BenchmarkRow]:
    """Rows of a file's `benchmarks`; those without times are left out.

    Raises `msgspec.ValidationError` where one is of another shape.
    """
    rows = msgspec.convert(benchmarks, list[_FileRow])
    return [_row(row) for row in rows if row.time_unit and _has_times(row)]


def _has_times(row: _FileRow) -> bool:
    return math.isfinite(row.real_time) and math.isfinite(row.cpu_time)


def _row(row: _FileRow) -> BenchmarkRow:
    return BenchmarkRow(
        row.name or "",
        row.real_time,
        row.cpu_time,
        row.time_unit or "",
        row.run_type or "",
        row.aggregate_name or "",
        row.label or "",
        _sort_key(row),
    )


def _sort_key(row: _FileRow) -> tuple[int, ...]:
    """compare.py's order of rows: a file may hold repetitions shuffled, with aggregates between."""
    indices = row.family_index, row.per_family_instance_index, row.repetition_index
    family, instance, repetition = (-1 if index is None else index for index in indices)
    return family, instance, int(row.run_type == "aggregate"), repetition


def rows_of_samples(samples: Iterable[Sample]) -> list[BenchmarkRow]:
    """One row for each launch that Assay measured: the means of its inner samples.

    Times are in the sample's own unit. A plain file has rows of its own: `rows_of_json`.
    """
    return [
        BenchmarkRow(
            sample.benchmark,
            _mean(sample.values["real_time"]),
            _mean(sample.values["cpu_time"]),
            sample.time_unit,
            run_type="iteration",
            label=sample.label,
        )
        for sample in samples
        if sample.values.get("real_time") and sample.values.get("cpu_time")
    ]


def filter_rows(
    rows: Iterable[BenchmarkRow], pattern: str, replacement: str = ""
) -> list[BenchmarkRow]:
    """The rows in whose name `pattern` is found, with what it found replaced.

    So benchmarks of different names can be compared: compare.py replaces what it finds on both
    sides by `[PATTERN1 vs. PATTERN2]`. Raises `re.error` for a pattern that is none.
    """
    regex = re.compile(pattern)
    return [
        replace(row, name=regex.sub(lambda _: replacement, row.name))
        for row in rows
        if regex.search(row.name)
    ]


def report(
    base: Sequence[BenchmarkRow], candidate: Sequence[BenchmarkRow], *, utest: bool = True
) -> Report:
    """Compare every benchmark of both sides, and their geometric means over all rows.

    Repetition i with repetition i, as google/benchmark's tools/gbench/report.py does; rows in
    another time unit than the benchmark's first are left out. Changes are fractions of the base.
    """
    base, candidate = (sorted(rows, key=lambda row: row.order) for rows in (base, candidate))
    ours, theirs = _by_name(base), _by_name(candidate)
    entries = [
        entry
        for name, rows in ours.items()
        if name in theirs and (entry := _benchmark_entry(rows, theirs[name], utest=utest))
    ]
    geomean = _geomean_entry(base, candidate)
    return Report((*entries, geomean) if geomean else tuple(entries))


def change(old: float, new: float) -> float:
    """(new - old) / |old|; from zero, the difference over the mean of the two."""
    if old == 0 and new == 0:
        return 0.0
    if old == 0:
        return math.copysign(2.0, new)  # written out, so that it is not rounded
    return (new - old) / abs(old)


def _mean(values: Sequence[float]) -> float:
    return values[0] if len(values) == 1 else math.fsum(values) / len(values)


def _by_name(rows: Iterable[BenchmarkRow]) -> dict[str, list[BenchmarkRow]]:
    groups: dict[str, list[BenchmarkRow]] = {}
    for row in rows:
        groups.setdefault(row.name, []).append(row)
    return groups


def _benchmark_entry(
    ours: list[BenchmarkRow], theirs: list[BenchmarkRow], *, utest: bool
) -> ComparePyEntry | None:
    """The entry of one benchmark; None where no row of both sides has the same time unit."""
    first = ours[0]
    ours = [row for row in ours if row.time_unit == first.time_unit]
    theirs = [row for row in theirs if row.time_unit == first.time_unit]
    if not theirs:
        return None
    return ComparePyEntry(
        first.name,
        first.label,
        first.time_unit,
        first.run_type,
        first.aggregate_name if first.run_type == "aggregate" else "",
        tuple(_measurement(*pair) for pair in zip(ours, theirs, strict=False)),
        _utest(ours, theirs) if utest else None,
    )


def _measurement(one: BenchmarkRow, other: BenchmarkRow) -> Measurement:
    return Measurement(
        change(one.real_time, other.real_time),
        change(one.cpu_time, other.cpu_time),
        one.real_time,
        other.real_time,
        one.cpu_time,
        other.cpu_time,
    )


def _utest(ours: list[BenchmarkRow], theirs: list[BenchmarkRow]) -> UTest | None:
    if min(len(ours), len(theirs)) < FEWEST_REPETITIONS:
        return None
    return UTest(
        two_sided_p([row.real_time for row in ours], [row.real_time for row in theirs]),
        two_sided_p([row.cpu_time for row in ours], [row.cpu_time for row in theirs]),
        len(ours),
        len(theirs),
    )


def _geomean_entry(
    base: Sequence[BenchmarkRow], candidate: Sequence[BenchmarkRow]
) -> ComparePyEntry | None:
    """The geometric means over all repetitions of each file, also of benchmarks that only one file
    has, as compare.py has it."""
    ours, theirs = _geomeans(base), _geomeans(candidate)
    if not any(ours) or not any(theirs):
        return None
    time, cpu = change(ours[0], theirs[0]), change(ours[1], theirs[1])
    both = Measurement(time, cpu, ours[0], theirs[0], ours[1], theirs[1])
    return ComparePyEntry(GEOMEAN, "", "s", "aggregate", "geomean", (both,), None)


def _geomeans(rows: Sequence[BenchmarkRow]) -> tuple[float, float]:
    """Geometric means of real and CPU time in seconds; 0 when there is nothing or a zero."""
    kept = [row for row in rows if row.run_type != "aggregate"]
    seconds = [TIME_UNITS_NS[row.time_unit] * 1e-9 for row in kept]
    return (
        _geomean([row.real_time * s for row, s in zip(kept, seconds, strict=True)]),
        _geomean([row.cpu_time * s for row, s in zip(kept, seconds, strict=True)]),
    )


def _geomean(values: Sequence[float]) -> float:
    if not values or min(values) <= 0.0:
        return 0.0
    return math.exp(math.fsum(map(math.log, values)) / len(values))
