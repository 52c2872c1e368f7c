"""Makes the table of Google Benchmark's compare.py, from files or from our own launches."""

import re
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.compare_py import ComparePyEntry
from assay.errors import InputError, NoBenchmarksError
from assay.judge.compare_py.table import (
    BenchmarkRow,
    filter_rows,
    report,
    rows_of_json,
    rows_of_samples,
)
from assay.record import reader
from assay.small_files import read_results
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.targets import is_recorded
from assay.workflows.compare.result import CompareResult


class GbenchTableOptions(msgspec.Struct, frozen=True):
    """Which rows of compare.py's table to print: aggregates only, and the U test or not."""

    aggregates_only: bool = False
    utest: bool = True


def table_of_files(plan: ComparePlan, wanted: GbenchTableOptions) -> list[ComparePyEntry] | None:
    """The table from the targets' files, row by row; None if one of them is not a file."""
    base, candidate = (_rows_of_file(plan, side) for side in ("base", "candidate"))
    return None if base is None or candidate is None else _table_entries(base, candidate, wanted)


def table_of_result(
    plan: ComparePlan, result: CompareResult, wanted: GbenchTableOptions
) -> list[ComparePyEntry]:
    """The table of a comparison that measured: a live target has one row for each launch."""
    base, candidate = (
        _rows_of_file(plan, side) or rows_of_samples(samples)
        for side, samples in zip(("base", "candidate"), result.samples, strict=True)
    )
    return _table_entries(base, candidate, wanted)


def _rows_of_file(plan: ComparePlan, side: str) -> list[BenchmarkRow] | None:
    target = getattr(plan, side) or ""
    if not (is_recorded(target) and target.endswith(".json")):
        return None
    reader.read(Path(target))  # raises an error if the file cannot be used
    data = read_results(Path(target))
    if not reader.is_google_benchmark(data):
        hint = "leave --format gbench out"
        raise InputError("has no rows that compare.py reads", where=target, hint=hint)
    rows = _rows_matching_filter(_table_rows(data, target), plan.filters.both)
    if not plan.filters.renaming:
        return rows
    marker = f"[{plan.filters.base} vs. {plan.filters.candidate}]"
    return filter_rows(rows, getattr(plan.filters, side), marker)


def _table_rows(data: bytes, origin: str) -> list[BenchmarkRow]:
    document = reader.decoded_object(data, origin)
    try:
        return rows_of_json(document["benchmarks"])
    except msgspec.ValidationError as error:
        what = f"has rows that compare.py does not read ({error})"
        raise InputError(what, where=origin, hint="leave --format gbench out") from None


def _table_entries(
    base: list[BenchmarkRow], candidate: list[BenchmarkRow], wanted: GbenchTableOptions
) -> list[ComparePyEntry]:
    found = report(base, candidate, utest=wanted.utest).entries
    if not found:
        raise NoBenchmarksError("the two sides have no benchmark in common")
    only = wanted.aggregates_only
    return [replace(one, measurements=one.lines(aggregates_only=only)) for one in found]


def _rows_matching_filter(rows: list[BenchmarkRow], pattern: str) -> list[BenchmarkRow]:
    """The rows of benchmarks whose names match the regular expression."""
    regex = re.compile(pattern)
    return [row for row in rows if regex.search(row.name)]
