"""What is stored of a run is what was measured, to the last bit."""

import io
import random
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from records import two_sided

from assay.errors import InputError
from assay.model import Failure, Record, Sample
from assay.record import reader
from assay.record.store import run_file
from assay.record.store.run_file import (
    Header,
    decode,
    decode_rows,
    encode,
    parameters_of,
    run_in,
)

ROOT = Path(__file__).parents[4]
HEADER = Header(run="20261123-120000-abcdef", time_s=1_790_000_000.5, host="a CPU", suite="main")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "schema" / "golden").glob("*.json")), ids=lambda path: path.stem
)
def test_a_record_of_the_contract_comes_back_equal(path: Path) -> None:
    record = reader.read(path)
    assert record.samples
    header, again = decode(encode(record, HEADER), record.origin)
    assert header == HEADER
    assert again == record


def test_both_sides_of_a_comparison_come_back_equal() -> None:
    record = two_sided()
    failed = Failure(benchmark="Slow", what="it crashed", round=3)
    record = msgspec.structs.replace(record, failures=(failed,))
    assert decode(encode(record, HEADER), "")[1] == record


def test_a_sample_without_values_is_kept() -> None:
    samples = (
        Sample(benchmark="a/1", values={}),
        Sample(benchmark="a/1", values={"real_time": ()}),
        Sample(benchmark="b", values={"real_time": (1.0,), "bytes": (3.0,)}, launch=1),
    )
    record = Record(context={}, facts={}, samples=samples)
    assert decode(encode(record, HEADER), "")[1] == record


def test_the_revision_of_each_side_is_in_its_rows() -> None:
    header = msgspec.structs.replace(HEADER, revisions={"base": "aaa", "candidate": "bbb"})
    table = pq.read_table(io.BytesIO(encode(two_sided(), header)))
    sides = zip(table.column("side").to_pylist(), table.column("revision").to_pylist(), strict=True)
    assert set(sides) == {("base", "aaa"), ("candidate", "bbb")}


def test_a_summary_reads_the_same_values() -> None:
    record = two_sided()
    rows = decode_rows(encode(record, HEADER), "")
    values = [v for s in record.samples for of in s.values.values() for v in of]
    assert len(values) > 100
    assert rows.value.tolist() == values
    assert len(rows.ends) == len(rows.benchmark) == sum(len(s.values) for s in record.samples)
    assert rows.ends[0] == len(next(iter(record.samples[0].values.values())))


def test_a_sample_takes_at_most_nine_bytes_with_all_columns() -> None:
    assert len(encode(_measured(launches=10_000 // 14), HEADER)) <= 9 * 10_000


def _measured(launches: int) -> Record:
    """As Google Benchmark gives them: seven repetitions a launch, two times each, full doubles."""
    chance = random.Random(3)
    samples = [
        Sample(
            benchmark=f"BM_{number % 20}/64",
            values={
                metric: tuple(437.0 * chance.lognormvariate(0, 0.02) for _ in range(7))
                for metric in ("real_time", "cpu_time")
            },
            iterations=1000 + number % 20,
            round=number // 20,
            launch=number // 20,
            started_s=chance.uniform(0, 100),
            steal=0.0,
            load=round(chance.uniform(0, 2), 2),
            cpu=1,
        )
        for number in range(launches)
    ]
    return Record(context={}, facts={}, samples=tuple(samples))


@pytest.mark.parametrize("kept", [0, 3, 100, 0.5, 0.99])
def test_a_file_cut_short_says_so(kept: float) -> None:
    data = encode(two_sided(), HEADER)
    cut = data[: int(kept if kept >= 1 else kept * len(data))]
    with pytest.raises(InputError, match=r"x\.parquet: is not a whole Parquet file"):
        decode(cut, "x.parquet")


def test_a_file_of_a_newer_version_says_so() -> None:
    data = encode(two_sided(), msgspec.structs.replace(HEADER, version=9))
    with pytest.raises(InputError, match="is of version 9, this Assay reads up to 1"):
        decode(data, "x.parquet")


def test_a_file_of_somebody_else_says_so() -> None:
    table = pq.read_table(io.BytesIO(encode(two_sided(), HEADER))).replace_schema_metadata({})
    file = io.BytesIO()
    pq.write_table(table, file)
    with pytest.raises(InputError, match="was not written by Assay"):
        decode(file.getvalue(), "x.parquet")


@pytest.mark.parametrize(
    ("name", "parameters"), [("BM_x/64/threads:2", "64/threads:2"), ("BM_x", ""), ("a<b>/1", "1")]
)
def test_parameters_are_what_follows_the_name(name: str, parameters: str) -> None:
    assert parameters_of(name) == parameters


@pytest.mark.parametrize(
    ("rows", "letters", "says"), [(1_000_001, 1, "values"), (300, 10**6, "unp")]
)
def test_what_unpacks_to_too_much_is_not_unpacked(rows: int, letters: int, says: str) -> None:
    """A megabyte of Parquet took 6 GB."""
    file = io.BytesIO()
    texts = pa.array(["x" * letters] * rows) if letters > 1 else pa.nulls(rows)
    table = pa.table({"value": pa.array(np.zeros(rows)), "label": texts})
    pq.write_table(table, file, use_dictionary=False, compression="zstd")
    assert len(file.getvalue()) < 300_000
    for read in (decode, decode_rows):
        with pytest.raises(InputError, match=says):
            read(file.getvalue(), "x.parquet")


def test_what_could_not_be_read_again_is_not_kept() -> None:
    values = {"real_time": (1.5,) * 1_000_001}
    with pytest.raises(InputError, match="1,000,001 values"):
        encode(
            Record(context={}, facts={}, samples=(Sample(benchmark="BM_a", values=values),)), HEADER
        )


ODD = "x.parquet: {}; restore it from a backup, or move it out of the store"


def altered(**columns: object) -> bytes:
    """A run's file of which some columns are others; None: a column is left out."""
    table = pq.read_table(io.BytesIO(encode(two_sided(), HEADER)))
    for name, column in columns.items():
        place = table.schema.get_field_index(name)
        if column is None:
            table = table.remove_column(place)
        else:
            table = table.set_column(place, name, pa.array([column] * table.num_rows))
    return written(table, table.schema.metadata)


def written(table: pa.Table, metadata: dict[bytes, bytes]) -> bytes:
    file = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), file)
    return file.getvalue()


def refusal(data: bytes) -> str:
    """What is said of it, alike whether samples are made or not."""
    said = set()
    for read in (decode, decode_rows):
        with pytest.raises(InputError) as refused:
            read(data, "x.parquet")
        said.add(str(refused.value))
    assert len(said) == 1
    return said.pop()


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"metric": None}, "has no column 'metric' of ours"),
        ({"launch": "1"}, "has no column 'launch' of ours"),
        ({"side": "neither"}, "has a value in column 'side' that Assay does not write"),
        ({"time_unit": "h"}, "has a value in column 'time_unit' that Assay does not write"),
    ],
)
def test_columns_that_assay_does_not_write_are_named(columns: dict[str, object], said: str) -> None:
    assert refusal(altered(**columns)) == ODD.format(said)


@pytest.mark.parametrize("name", ["benchmark", "launch", "value", "side", "round"])
def test_only_some_columns_may_lack_a_value(name: str) -> None:
    table = pq.read_table(io.BytesIO(encode(two_sided(), HEADER)))
    place = table.schema.get_field_index(name)
    nulls = pa.nulls(table.num_rows, table.schema.field(place).type)
    data = written(table.set_column(place, name, nulls), table.schema.metadata)
    if name in ("value", "side", "round"):
        assert decode(data, "x.parquet")
    else:
        said = f"has a value in column {name!r} that Assay does not write"
        assert refusal(data) == ODD.format(said)


def test_whole_sentences_on_files_that_are_refused() -> None:
    table = pq.read_table(io.BytesIO(encode(two_sided(), HEADER)))
    assert refusal(written(table, {})) == ODD.format("was not written by Assay")
    newer = b'{"header": {"version": 2}}'
    assert refusal(written(table, {b"assay_run": newer})) == (
        "x.parquet: is of version 2, this Assay reads up to 1; read it with a newer Assay"
    )
    assert refusal(written(table, {b"assay_run": b"{}"})) == ODD.format(
        "is not a run as Assay stores it (in its metadata): Object missing required field `header`"
    )
    assert refusal(b"") == ODD.format("is not a whole Parquet file (Parquet file size is 0 bytes)")


def test_the_most_values_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_file.MOST_VALUES == 1_000_000
    monkeypatch.setattr(run_file, "MOST_VALUES", 3)
    three = Sample(benchmark="a", values={"real_time": (1.0, 2.0), "none": ()})
    data = encode(Record(context={}, facts={}, samples=(three,)), HEADER)
    assert decode(data, "x.parquet")[1].samples == (three,)
    four = Sample(benchmark="a", values={"real_time": (1.0, 2.0, 3.0), "none": ()})
    with pytest.raises(InputError) as refused:
        encode(Record(context={}, facts={}, samples=(four,), origin="f"), HEADER)
    assert str(refused.value) == (
        "f: has 4 values; a store keeps up to 3 of a run; keep the file, or measure less at once"
    )
    monkeypatch.setattr(run_file, "MOST_VALUES", 2)
    assert refusal(data) == (
        "x.parquet: holds 3 values; up to 2 are read; move it out of the store"
    )


def test_the_most_bytes_that_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode(two_sided(), HEADER)
    metadata = pq.ParquetFile(io.BytesIO(data)).metadata
    size = sum(metadata.row_group(n).total_byte_size for n in range(metadata.num_row_groups))
    assert run_file._LARGEST_BYTES == 256_000_000
    monkeypatch.setattr(run_file, "_LARGEST_BYTES", size)
    assert decode(data, "x.parquet")
    monkeypatch.setattr(run_file, "_LARGEST_BYTES", size - 1)
    assert refusal(data) == (
        f"x.parquet: unpacks to more than {size - 1:,} bytes; move it out of the store"
    )


def test_the_run_that_a_file_says_it_is() -> None:
    assert run_in(encode(two_sided(), HEADER), "x.parquet") == HEADER.run
    with pytest.raises(
        InputError, match=r"x\.parquet: is no Parquet file \(Parquet file size is 0"
    ):
        run_in(b"", "x.parquet")
    table = pq.read_table(io.BytesIO(encode(two_sided(), HEADER)))
    with pytest.raises(InputError, match=r"x\.parquet: is not a run: "):
        run_in(written(table, {}), "x.parquet")


def test_values_that_are_not_finite_are_left_out_of_summaries() -> None:
    values = {"real_time": (1.0, float("nan"), 2.0), "x": (float("inf"),), "bytes": (3.0,)}
    samples = tuple(
        Sample(benchmark="a", values=values, launch=number, steal=0.1, load=2.0)
        for number in range(2)
    )
    failures = (Failure(benchmark="a", what="x"),)
    record = Record(context={}, facts={}, samples=samples, failures=failures)
    rows = decode_rows(encode(record, HEADER), "x.parquet")
    assert rows.value.tolist() == [1.0, 2.0, 3.0] * 2
    assert (rows.ends, rows.metric) == ([2, 3, 5, 6], ["real_time", "bytes"] * 2)
    assert (rows.unit, rows.failures) == (["ns", "B"] * 2, 1)
    assert (rows.steal, rows.load) == ([0.1] * 4, [2.0] * 4)
    none = decode_rows(encode(Record(context={}, facts={}, samples=()), HEADER), "x.parquet")
    assert (none.ends, none.value.tolist(), none.benchmark) == ([], [], [])


def test_a_row_has_the_columns_that_other_programs_ask_for() -> None:
    one = Sample(benchmark="BM/8", values={"real_time": (1.0,), "bytes": (2.0,)}, time_unit="us")
    header = msgspec.structs.replace(HEADER, revision="abc")
    record = Record(context={}, facts={}, samples=(one, one))
    rows = pq.read_table(io.BytesIO(encode(record, header))).to_pylist()
    assert [(row["sample"], row["metric"], row["unit"], row["value"]) for row in rows] == [
        (0, "real_time", "us", 1.0),
        (0, "bytes", "B", 2.0),
        (1, "real_time", "us", 1.0),
        (1, "bytes", "B", 2.0),
    ]
    first = rows[0]
    assert (first["run"], first["host"], first["revision"]) == (HEADER.run, "a CPU", "abc")
    assert first["time"].timestamp() == HEADER.time_s
    assert (first["benchmark"], first["parameters"], first["side"]) == ("BM/8", "8", None)
    assert (first["time_unit"], first["threads"], first["iterations"]) == ("us", 1, 0)
