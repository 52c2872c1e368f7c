"""Google Benchmark's CSV, read and written.

Its console context goes to standard error, but files made by redirecting both
streams carry it above the header; lines before `name,iterations,` are skipped.
"""

import csv
import io
import re
from typing import Any

from assay.errors import InputError
from assay.model import Record
from assay.outside_text import csv_cell, csv_text
from assay.record.document import record_from

# First columns of Google Benchmark's CSV.
_HEADER = ("name", "iterations", "real_time", "cpu_time", "time_unit")
# Columns of Google Benchmark's CSV after those of the times; counters follow.
_TAIL = ("bytes_per_second", "items_per_second", "label", "error_occurred", "error_message")
# Columns of Google Benchmark's CSV that hold text; all others hold numbers.
_TEXT = {"name", "time_unit", "label", "error_occurred", "error_message"}


def looks_like(data: bytes) -> bool:
    """Whether the header of Google Benchmark's CSV is in the data."""
    return re.search(rb"^name,iterations,", data, re.MULTILINE) is not None


def parse_csv(data: bytes, origin: str) -> Record:
    """The record in a CSV file; `origin` names it in messages.

    Raises `InputError` where the header is missing or a cell is no number.
    """
    lines = data.decode("utf-8", errors="replace").splitlines(keepends=True)
    start = next((i for i, line in enumerate(lines) if line.startswith("name,iterations,")), None)
    if start is None:
        raise InputError(
            "has no line `name,iterations,...`", where=origin, hint="is it Google Benchmark's CSV?"
        )
    rows = [_row(cells, origin) for cells in csv.DictReader(lines[start:])]
    return record_from({"context": {}, "benchmarks": rows}, origin)


def write_csv(record: Record) -> str:
    """The record as the CSV that Google Benchmark writes: a line a launch, with mean times.

    Text that a spreadsheet would run as a formula is quoted (decision 11).
    """
    from assay.record.rows import KNOWN_KEYS, row_from_sample

    rows = [row_from_sample(sample, 0, 1) for sample in record.samples]
    counters = sorted({k for row in rows for k in row.keys() - KNOWN_KEYS - set(_TAIL)})
    out = io.StringIO()
    writer = csv.DictWriter(
        out, [*_HEADER, *_TAIL, *counters], extrasaction="ignore", lineterminator="\n"
    )
    writer.writerow({name: csv_cell(name) for name in writer.fieldnames})
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    """A value for a cell, quoted where a spreadsheet would run the text as a formula."""
    return csv_cell(value) if isinstance(value, str) else value


def _row(cells: dict[Any, Any], origin: str) -> dict[str, Any]:
    row: dict[str, Any] = {"error_occurred": cells.get("error_occurred") == "true"}
    for key, cell in cells.items():
        if key is None:  # where `csv` puts the cells that have no heading
            what = f"benchmark {cells.get('name')!r} has more cells than the header"
            raise InputError(what, where=origin, hint="quote text with a comma in it")
        if cell in ("", None) or key == "error_occurred":
            continue
        known = csv_text(cell) if key in _TEXT else _number(cell, key, cells.get("name"), origin)
        row[csv_text(key)] = known
    return row


def _number(cell: str, key: str, name: object, origin: str) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise InputError(
            f"benchmark {name!r} has {key} = {cell!r}", where=origin, hint="expected a number"
        ) from None
