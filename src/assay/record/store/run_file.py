"""One run as one Parquet file: a row for each sample, the rest in the file's metadata.

    data = encode(record, Header(run="20261123-145203-1a2b3c", time_s=1.7e9, host="...", ...))
    header, record = decode(data, "runs/2026-11/20261123-145203-1a2b3c.parquet")

Anything that reads Parquet can read it: `SELECT benchmark, median(value) FROM 'runs/*/*.parquet'
WHERE metric = 'real_time' GROUP BY benchmark`. Times are in the unit that `unit` names.

A row has the columns of `_SCHEMA`. Most of them hold the same in thousands of rows; stored as
dictionaries they take almost nothing. Values are stored byte by byte (BYTE_STREAM_SPLIT): times
of one benchmark have their leading bytes in common, so that a sample takes 7 to 8 bytes in all.
The metadata `assay_run` are JSON: header, context, facts, failures, histograms and series
(decision 36).
"""

import io
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.facts import Facts, Seconds
from assay.model import Failure, Record, Sample, Side
from assay.record.rows import checked_series
from assay.typed_json import decoded
from assay.units import TIME, TIME_UNITS_NS
from assay.units import metric as lookup

VERSION = 1  # of the format of a run's file
_KEY = b"assay_run"  # key of Parquet's metadata under which Assay keeps what is not in rows
MOST_VALUES = 1_000_000  # values in a run's file at most; read as samples they take up to 700 MB
_LARGEST_BYTES = 256_000_000  # bytes of a file once unpacked, at most

# A column of text, stored as numbers into a list of the distinct texts.
_WORDS = pa.dictionary(pa.int32(), pa.string())
_SCHEMA = pa.schema(
    [
        *((name, _WORDS) for name in ("run", "host", "revision", "suite")),
        ("time", pa.timestamp("us", tz="UTC")),
        *((name, _WORDS) for name in ("benchmark", "parameters", "side", "condition", "label")),
        *((name, _WORDS) for name in ("metric", "unit", "time_unit")),
        *((name, pa.int32()) for name in ("sample", "round", "launch", "position", "cpu")),
        *((name, pa.int64()) for name in ("iterations", "threads")),
        *((name, pa.float64()) for name in ("started_s", "steal", "load", "value")),
    ]
)
_VALUE = _SCHEMA.get_field_index("value")  # position of the column `value`
# Columns with whole numbers that are fields of `Sample`.
_PLACE = ("round", "launch", "position", "cpu", "iterations", "threads")
_FLOATS = ("started_s", "steal", "load")  # float columns that are fields of a sample


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a stored run is found and listed by: name, time, class of host, revision and so on."""

    run: str
    time_s: Seconds  # when it was measured, in seconds since 1970
    host: str = ""  # its class of host, see `host_class`
    revision: str = ""  # the revision measured; a comparison has one for each side in `revisions`
    suite: str = ""
    kind: str = "run"  # "run", "compare", "import" ...
    target: str = ""  # what was measured, as it was written on the command line
    revisions: dict[str, str] = {}  # by side, in a comparison
    committed_s: dict[str, Seconds] = {}  # when each side's revision was committed; "": the run's
    version: int = VERSION


class _Rest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything of a record that is not in rows: it is kept as JSON in the file's metadata."""

    header: Header
    context: dict[str, Any]
    facts: dict[str, Any]
    failures: tuple[Failure, ...]
    histograms: dict[str, dict[str, str]]  # by the number of the sample: its HdrHistograms
    # Quantities over time, by the number of the sample that they belong to.
    series: dict[str, dict[str, dict[str, Any]]]


class Rows(msgspec.Struct, frozen=True):
    """A run as columns, without `Sample` objects, to summarise it: an entry for each metric of each
    sample."""

    header: Header
    benchmark: list[str]
    side: list[str | None]
    condition: list[str | None]
    metric: list[str]
    unit: list[str]
    ends: list[int]  # where the values of each entry end in `value`
    value: NDArray[np.float64]
    facts: Facts
    failures: int
    steal: list[float | None]
    load: list[float | None]


def encode(record: Record, header: Header) -> bytes:
    """A record as the bytes of a Parquet file.

    Raises `InputError` for more than `MOST_VALUES` values, which would not be read again.
    """
    values = sum(len(some) or 1 for one in record.samples for some in one.values.values())
    if values > MOST_VALUES:
        what = f"has {values:,} values; a store keeps up to {MOST_VALUES:,} of a run"
        raise InputError(what, where=record.origin, hint="keep the file, or measure less at once")
    table = _table(record, header)
    rest = _Rest(
        header=header,
        context=record.context,
        facts=record.facts.written,
        failures=record.failures,
        histograms={str(i): s.histograms for i, s in enumerate(record.samples) if s.histograms},
        series={str(i): s.series for i, s in enumerate(record.samples) if s.series},
    )
    file = io.BytesIO()
    writer = pq.ParquetWriter(
        file,
        table.schema,
        compression="zstd",
        compression_level=6,
        use_dictionary=[name for name in _SCHEMA.names if name != "value"],
        column_encoding={"value": "BYTE_STREAM_SPLIT"},
        store_schema=False,  # Parquet's own types are enough; Arrow's would take 2 kB more
    )
    with writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_KEY: json_bytes(rest)})
    return file.getvalue()


def decode(data: bytes, origin: str) -> tuple[Header, Record]:
    """The header and the whole record, equal to what was encoded; `origin` names the file.

    Raises `InputError` for any file that Assay did not write, or that is damaged or too large.
    """
    table, rest = _table_and_rest(data, origin)
    rows = table.to_pylist()
    samples = tuple(_samples(rows, rest))
    record = Record(
        context=rest.context,
        facts=Facts.read(rest.facts, where=origin),
        samples=samples,
        failures=rest.failures,
        origin=origin,
    )
    return rest.header, record


def run_in(data: bytes, origin: str) -> str:
    """The run that a file says it is, looking at its metadata alone: 1 ms in place of ten or more.

    Raises `InputError` for a file that is no Parquet file, or not ours. Rows are not looked at.
    """
    try:
        metadata = pq.ParquetFile(io.BytesIO(data)).metadata.metadata or {}
    except _NOT_PARQUET as error:
        raise InputError(f"is no Parquet file ({_first_line(error)})", where=origin) from None
    return decoded(metadata.get(_KEY, b""), _Named, where=origin, what="a run").header.run


def decode_rows(data: bytes, origin: str) -> Rows:
    """What a summary needs of a file, without making samples: ten times as fast as `decode`.

    Values that are not finite are left out. Raises `InputError` as `decode` does.
    """
    table, rest = _table_and_rest(data, origin)
    table = table.filter(pc.is_finite(table.column("value")))
    starts = _entry_starts(table)
    heads = table.take(pa.array(starts))
    words = {
        name: heads.column(name).to_pylist()
        for name in ("benchmark", "side", "condition", "metric", "unit", "steal", "load")
    }
    ends = [*starts[1:].tolist(), table.num_rows] if table.num_rows else []
    return Rows(
        header=rest.header,
        **words,
        ends=ends,
        value=table.column("value").to_numpy(),
        facts=Facts.read(rest.facts, where=origin),
        failures=len(rest.failures),
    )


def _entry_starts(table: pa.Table) -> NDArray[np.int64]:
    """The indexes of the rows at which another sample or another metric begins."""
    sample = table.column("sample").to_numpy()
    metric = table.column("metric").combine_chunks().dictionary_encode().indices.to_numpy()
    is_new = (np.diff(sample) != 0) | (np.diff(metric) != 0)
    return np.flatnonzero(np.concatenate(([True], is_new))) if len(sample) else np.array([], int)


def _table_and_rest(data: bytes, origin: str) -> tuple[pa.Table, _Rest]:
    try:
        file = pq.ParquetFile(io.BytesIO(data))
        metadata = file.metadata.metadata or {}
        _check_size(file.metadata, origin)
        table = file.read()
        table.validate(full=True)  # checks that text is UTF-8, and indices of dictionaries
    except _NOT_PARQUET as error:
        raise InputError(
            f"is not a whole Parquet file ({_first_line(error)})", where=origin, hint=_RESTORE
        ) from None
    if _KEY not in metadata:
        raise InputError("was not written by Assay", where=origin, hint=_RESTORE)
    _check_version(metadata[_KEY], origin)
    _check_columns(table, origin)
    what = "a run as Assay stores it (in its metadata)"
    rest = decoded(metadata[_KEY], _Rest, where=origin, what=what, hint=_RESTORE)
    for number, series in rest.series.items():
        checked_series(series, origin, f"sample {number}")
    return table, rest


def _check_size(metadata: pq.FileMetaData, origin: str) -> None:
    """Raise `InputError` for a file that is too large unpacked, before it is: a megabyte of Parquet
    can hold rows that fill the memory."""
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    if sum(group.total_byte_size for group in groups) > _LARGEST_BYTES:
        what = f"unpacks to more than {_LARGEST_BYTES:,} bytes"
    elif metadata.num_rows > MOST_VALUES:
        what = f"holds {metadata.num_rows:,} values; up to {MOST_VALUES:,} are read"
    else:
        return
    raise InputError(what, where=origin, hint="move it out of the store")


def _check_columns(table: pa.Table, origin: str) -> None:
    """Raise `InputError` unless every column is there, of its type, with values where it must."""
    for field in _SCHEMA:
        place = table.schema.get_field_index(field.name)
        wanted = pa.string() if field.type == _WORDS else field.type
        if place < 0 or table.schema.field(place).type != wanted:
            raise InputError(f"has no column {field.name!r} of ours", where=origin, hint=_RESTORE)
        column = table.column(place)
        is_odd = field.name in _CHOICES and not _are_among(column, _CHOICES[field.name])
        if is_odd or (field.name not in _MAY_BE_NULL and column.null_count):
            what = f"has a value in column {field.name!r} that Assay does not write"
            raise InputError(what, where=origin, hint=_RESTORE)


def _are_among(column: pa.ChunkedArray, choices: list[str]) -> bool:
    """Whether every value of a column is one of `choices`; nulls do not count."""
    return set(column.unique().drop_null().to_pylist()) <= set(choices)


# Columns of a run's file whose values must be one of a few.
_CHOICES = {"side": [side.value for side in Side], "time_unit": list(TIME_UNITS_NS)}
# Columns of a run's file that may lack a value.
_MAY_BE_NULL = {"side", "condition", "round", "position", "cpu", *_FLOATS, "value"}
# What pyarrow raises for bytes that are no Parquet file, or an unusual one.
_NOT_PARQUET = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)


_RESTORE = "restore it from a backup, or move it out of the store"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")


class _Versioned(msgspec.Struct):
    version: int = VERSION


class _Head(msgspec.Struct):
    header: _Versioned


class _Run(msgspec.Struct):
    run: str


class _Named(msgspec.Struct):
    header: _Run


def _check_version(metadata: bytes, origin: str) -> None:
    """Raise `InputError` for a file of a newer version, before its other fields are looked at."""
    try:
        version = decoded(metadata, _Head, where=origin, what="").header.version
    except InputError:
        return  # decoding the whole metadata will say what is wrong
    if version > VERSION:
        what = f"is of version {version}, this Assay reads up to {VERSION}"
        raise InputError(what, where=origin, hint="read it with a newer Assay")


def _table(record: Record, header: Header) -> pa.Table:
    """A row for each value; a metric without values has one row, whose value is null."""
    groups = [
        (_row(sample, number, metric, header), values or (None,))
        for number, sample in enumerate(record.samples)
        for metric, values in (sample.values or {"": ()}).items()
    ]
    rows = pa.Table.from_pylist([row for row, _ in groups], schema=_SCHEMA.remove(_VALUE))
    lengths = [len(values) for _, values in groups]
    table = rows.take(pa.array(np.repeat(np.arange(len(groups)), lengths)))
    values = pa.array([value for _, of_row in groups for value in of_row], pa.float64())
    return table.append_column("value", values)


def _row(sample: Sample, number: int, metric: str, header: Header) -> dict[str, Any]:
    side = sample.side.value if sample.side else None
    is_time = lookup(metric).unit == TIME
    return {
        "run": header.run,
        "time": int(header.time_s * 1e6),
        "host": header.host,
        "revision": header.revisions.get(side or "", header.revision),
        "suite": header.suite,
        "benchmark": sample.benchmark,
        "parameters": parameters_of(sample.benchmark),
        "side": side,
        "condition": sample.condition,
        "label": sample.label,
        "metric": metric,
        "unit": sample.time_unit if is_time else lookup(metric).unit,
        "time_unit": sample.time_unit,
        "sample": number,
        **{name: getattr(sample, name) for name in (*_PLACE, *_FLOATS)},
    }


def parameters_of(benchmark: str) -> str:
    """The arguments in a name of Google Benchmark: "64/threads:2" of "BM_copy/64/threads:2"."""
    return benchmark.partition("/")[2]


def _samples(rows: list[dict[str, Any]], rest: _Rest) -> Iterator[Sample]:
    for number, group in groupby(rows, key=itemgetter("sample")):
        of_sample = list(group)
        first = of_sample[0]
        values: dict[str, tuple[float, ...]] = {}
        for metric, same in groupby(of_sample, key=itemgetter("metric")):
            values[metric] = tuple(row["value"] for row in same if row["value"] is not None)
        values.pop("", None)
        yield Sample(
            benchmark=first["benchmark"],
            values=values,
            time_unit=first["time_unit"],
            label=first["label"],
            side=Side(first["side"]) if first["side"] else None,
            condition=first["condition"],
            histograms=rest.histograms.get(str(number), {}),
            series=rest.series.get(str(number), {}),
            **{name: first[name] for name in (*_PLACE, *_FLOATS)},
        )
