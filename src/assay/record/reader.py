"""Reads files of results by their content: Assay's JSON and journals, and those of other tools.

    record = read(Path("base.json"))
    record.samples[0].values["real_time"]

`formats/table.py` lists which files of other tools are read; this module reads Google Benchmark's
JSON, of which Assay's is a kind. In a plain file repetitions of one benchmark come from one
process, so they become one `Sample` with as many inner samples. Rows that Assay wrote are one
launch each. Raises `InputError` saying what is wrong, where, and what to try. Files without
counters are decoded straight into rows: 30 MB in about 0.3 s.
"""

import gc
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import msgspec

from assay.errors import InputError
from assay.model import Record, Sample
from assay.record.document import SHAPE_HINT, facts_in, record_from, recorded_failures
from assay.record.formats.checks import HEAD_BYTES, has_keys, lenient_json
from assay.record.rows import PlainRow, checked_time, checked_unit
from assay.small_files import read_results


class _PlainFile(msgspec.Struct, frozen=True):
    benchmarks: list[PlainRow]
    context: dict[str, Any] = {}


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_GOOGLE_BENCHMARK = re.compile(rb'\s*\{\s*"context"\s*:')  # how Google Benchmark's JSON begins
_PLAIN = msgspec.json.Decoder(_PlainFile)


def read(path: Path) -> Record:
    """The record in a file or folder, recognised by its content; the formats are in `table`.

    Raises `InputError` for a file that cannot be read or is of no format known, or is wrong.
    """
    with _garbage_collection_off():
        return _folder(path) if path.is_dir() else _file(path)


@contextmanager
def _garbage_collection_off() -> Iterator[None]:
    """Turn the garbage collector off: samples are up to a million small objects without cycles, and
    looking for cycles among them doubles the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _file(path: Path) -> Record:
    data = _bytes_of(path).removeprefix(_BYTE_ORDER_MARK)
    if data.startswith(b'{"assay_journal"'):
        from assay.record.journal import parse_journal

        return parse_journal(data, str(path))
    if _GOOGLE_BENCHMARK.match(data):
        return parse(data, str(path))
    return _foreign_record(data, str(path))


def is_known(path: Path) -> bool:
    """Whether a file or folder looks like results that `read` can read, by its first 64 KiB.

    False where it cannot be opened. `read` may still find an error further down.
    """
    from assay.record.formats import table

    try:
        if path.is_dir():
            return table.is_folder(path)
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES).removeprefix(_BYTE_ORDER_MARK)
    except OSError:  # also where a file in the folder is removed meanwhile
        return False
    return head.lstrip().startswith(b"{") or table.importer_for(head) is not None


def is_google_benchmark(data: bytes) -> bool:
    """Whether a file that `read` accepts has its rows in Google Benchmark's format."""
    from assay.record.formats import table

    return _GOOGLE_BENCHMARK.match(data) is not None or table.importer_for(data) is None


def _foreign_record(data: bytes, origin: str) -> Record:
    """The record in a file of another tool, or in JSON of Google Benchmark's shape."""
    from assay.record.formats import table

    if importer := table.importer_for(data):
        return importer.parse(data, origin)
    if has_keys(data, "benchmarks"):
        return parse(data, origin)
    raise InputError(
        "is no file of results that Assay knows",
        where=origin,
        hint=f"it reads {table.readable_formats()}",
    )


def _folder(path: Path) -> Record:
    from assay.record.formats import table

    if record := table.read_folder(path):
        return record
    hint = "name a file in it, or target/criterion or target/gungraun"
    raise InputError("is a directory", where=str(path), hint=hint)


def parse(data: bytes, origin: str) -> Record:
    """The record in a JSON file of Google Benchmark's shape; `origin` names it in messages.

    Raises `InputError` for anything else, and for facts of a newer version of Assay.
    """
    try:
        plain = _PLAIN.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _parse_any(data, origin)
    facts = facts_in(plain.context, origin)
    return Record(
        context=plain.context,
        facts=facts,
        samples=_plain_samples(plain.benchmarks, origin),
        failures=recorded_failures(facts, origin),
        origin=origin,
    )


def _bytes_of(path: Path) -> bytes:
    data = read_results(path)
    if not data or data.isspace():
        raise InputError("is empty", where=str(path), hint="measure again")
    return data


def _parse_any(data: bytes, origin: str) -> Record:
    """The record in a JSON file that has counters, errors or Assay's own objects, or mistakes."""
    return record_from(decoded_object(data, origin), origin)


def decoded_object(data: bytes, origin: str) -> dict[str, Any]:
    """A JSON object, in which NaN and Infinity are allowed. Raises `InputError`."""
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        document = _document_with_nan(data, origin, error)
    if not isinstance(document, dict):
        raise InputError("is JSON of another shape", where=origin, hint=SHAPE_HINT)
    return document


def _document_with_nan(data: bytes, origin: str, error: Exception) -> Any:
    """The document with NaN and Infinity, which are no JSON, but Google Benchmark writes them for
    counters without a finite value."""
    try:
        return lenient_json(data)
    except (ValueError, RecursionError):
        raise InputError(
            f"is not JSON ({error})", where=origin, hint="is it complete? measure again"
        ) from None


def _plain_samples(rows: list[PlainRow], origin: str) -> tuple[Sample, ...]:
    groups: dict[tuple[str, str], list[PlainRow]] = {}
    name = unit = None
    for row in _rows_of_repetitions(rows):
        if row.name != name or row.time_unit != unit:  # most rows follow one of their group
            name, unit = row.name, row.time_unit
            group = groups.setdefault((name, unit), [])
        group.append(row)
    return tuple(_plain_sample(_rows_in_order(group), origin) for group in groups.values())


def _rows_in_order(rows: list[PlainRow]) -> list[PlainRow]:
    """The rows in compare.py's order: by repetition, rows marked as aggregates last."""
    last = rows[0].repetition_index
    for row in rows:
        if row.run_type == "aggregate" or row.repetition_index < last:
            return sorted(rows, key=lambda one: (one.run_type == "aggregate", one.repetition_index))
        last = row.repetition_index
    return rows


def _rows_of_repetitions(rows: list[PlainRow]) -> list[PlainRow]:
    """Rows of repetitions; of a benchmark with aggregates only, the row of its mean."""
    if not any(row.aggregate_name for row in rows):
        return rows
    raw = [row for row in rows if not row.aggregate_name]
    measured = {row.run_name or row.name for row in raw}
    means = [
        msgspec.structs.replace(row, name=row.run_name)
        for row in rows
        if row.aggregate_name == "mean" and row.run_name not in measured
    ]
    return raw + means


def _plain_sample(rows: list[PlainRow], origin: str) -> Sample:
    first = rows[0]
    unit = checked_unit(first.time_unit, first.name, origin)
    return Sample(
        benchmark=first.name,
        values={
            "real_time": _checked_times(
                [r.real_time for r in rows], first.name, "real_time", origin
            ),
            "cpu_time": _checked_times([r.cpu_time for r in rows], first.name, "cpu_time", origin),
        },
        time_unit=unit,
        iterations=int(first.iterations),
        threads=first.threads,
        label=first.label,
    )


def _checked_times(
    values: list[float | None], name: str, key: str, origin: str
) -> tuple[float, ...]:
    """The times as floats. Raises `InputError` where one is missing, negative or not finite."""
    times = cast("list[float]", values)
    if None in values or not (min(times) >= 0 and sum(times) < math.inf):  # a NaN fails this too
        for value in values:
            if value is None or not 0 <= value < math.inf:
                checked_time(value, name, key, origin)
    return tuple(times)
