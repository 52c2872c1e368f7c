"""Shows many files beside one: each benchmark relative to the reference file's.

sheet = multiview(["base0.out", "bpf0.json", "run:LAST"])
sheet.ratios[row, column]     # 1.0: as fast, 2.0: takes twice as long; NaN: not measured

All times are converted to nanoseconds. A record of two sides or of several conditions has a column
for each. The first column of the first file is the reference.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import NoBenchmarksError
from assay.judge.unpaired.median_interval import MedianInterval, median_interval, ratio_interval
from assay.model import Record, Sample, by_benchmark
from assay.show.multiview_sheet import ERROR, MEASURED, MISSING, Sheet, SheetColumn
from assay.units import TIME_UNITS_NS
from assay.workflows.common.matching import compiled
from assay.workflows.common.targets import RUN, read
from assay.workflows.contents.side_facts import facts_of

METRIC = "real_time"


def multiview(written: Sequence[str], pattern: str = "", store: Path | None = None) -> Sheet:
    """Put results side by side. `InputError` if one cannot be read or there is nothing to show."""
    regex = compiled(pattern, "--filter")
    columns = [
        one
        for record, label in _records_with_labels(written, store)
        for one in _columns(record, label)
    ]
    names = [
        name
        for name in dict.fromkeys(name for one in columns for name in one.names())
        if regex.search(name)
    ]
    if not names:
        where = f"--filter {pattern}" if pattern else written[0]
        raise NoBenchmarksError("nothing to show", where=where, hint="no file holds such a row")
    return _sheet(columns, names)


class _Column:
    """One column of the page while it is made: the results of a file, or of one side of it."""

    def __init__(self, label: str, record: Record, samples: Iterable[Sample]) -> None:
        self.shown = SheetColumn(label=label, origin=record.origin, facts=facts_of(record))
        self.cells: dict[str, MedianInterval] = {}
        for name, group in by_benchmark(samples).items():
            launches = [values for one in group if (values := _in_ns(one))]
            if launches:
                self.cells[name] = median_interval(launches, METRIC)
        self.errors = {one.benchmark: one.what for one in record.failures if one.benchmark}

    def names(self) -> Iterator[str]:
        yield from self.cells
        yield from self.errors


def _in_ns(sample: Sample) -> tuple[float, ...]:
    factor = TIME_UNITS_NS[sample.time_unit]
    return tuple([value * factor for value in sample.values.get(METRIC, ())])


def _records_with_labels(
    written: Sequence[str], store: Path | None
) -> Iterator[tuple[Record, str]]:
    """Each record with its label: a file's name (its path if names are equal), or the run."""
    stems = [one if one.startswith(RUN) else Path(one).stem for one in written]
    for one, stem in zip(written, stems, strict=True):
        yield read(one, store), stem if stems.count(stem) == 1 else one


def _columns(record: Record, label: str) -> Iterator[_Column]:
    parts: dict[str, list[Sample]] = {}
    for sample in record.samples:
        parts.setdefault(sample.condition or str(sample.side or ""), []).append(sample)
    if not parts:
        yield _Column(label, record, ())
    for part, samples in parts.items():
        yield _Column(f"{label}: {part}" if part else label, record, samples)


def _sheet(columns: Sequence[_Column], names: Sequence[str]) -> Sheet:
    shape = len(names), len(columns)
    values, low, high = (np.full(shape, np.nan) for _ in range(3))
    states = np.full(shape, MISSING, dtype=np.uint8)
    errors: list[tuple[int, int, str]] = []
    place = {name: row for row, name in enumerate(names)}
    reference = columns[0].cells
    for number, column in enumerate(columns):
        for name, what in column.errors.items():
            if name in place:
                states[place[name], number] = ERROR
                errors.append((place[name], number, what))
        for name, one in column.cells.items():
            row = place.get(name)
            if row is None or name in column.errors:
                continue
            states[row, number], values[row, number] = MEASURED, one.value
            known = ratio_interval(reference[name], one) if number and name in reference else None
            if known:
                low[row, number], high[row, number] = known
    return Sheet(
        columns=[one.shown for one in columns],
        names=list(names),
        values=values,
        states=states,
        ratios=_ratios(values),
        low=low,
        high=high,
        errors=errors,
        facts=_common_facts([one.shown.facts for one in columns]),
    )


def _ratios(values: Any) -> Any:
    reference = values[:, :1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(reference > 0, values / reference, np.nan)


def _common_facts(facts: Sequence[dict[str, str]]) -> list[tuple[str, dict[str, list[int]]]]:
    """For each fact about the files, such as the CPU, the values that occur
    and the columns with each.
    """
    found: dict[str, dict[str, list[int]]] = {}
    for number, one in enumerate(facts):
        for name, value in one.items():
            found.setdefault(name, {}).setdefault(value, []).append(number)
    return list(found.items())
