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
from assay.record.store.run_file import Header, decode, decode_rows, encode, parameters_of

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
