"""One file of a store that is wrong is left out, named, and kept; the rest works."""

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from mutations import RUN, record

from assay.errors import InputError
from assay.record.store.folder import Folder
from assay.record.store.store import Store
from assay.workflows.store import list_runs, recover_journals

NOW_S = 1.8e9


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store.opened_or_made(tmp_path / ".assay")
    made.add(record(), kind="run", now_s=NOW_S)
    return made


def told(store: Store) -> list[str]:
    """What is told of it; its one good run is there all the same."""
    lines = list(recover_journals(store.folder.root, NOW_S))
    assert [row.problem for row in list_runs(store.folder.root).runs].count("") == 1
    assert store.load("LAST").samples == record().samples or store.folder.newest() == RUN
    return lines


@pytest.mark.parametrize(
    "data",
    [
        b'{"assay_journal":1,"context":{},"facts":{"tool":"\xff"}}\n',
        b'{"assay_journal":1,"context":{},"facts":{"host":"mybox"}}\n',
        b'{"assay_journal":1,"context":[],"facts":{}}\n',
        b'{"assay_journal":99,"context":{},"facts":{}}\n',
        b'{"assay_journal":1,"context":{},"facts":{}}\n{"row":3}\n',
        b"\x00\x01\n",
    ],
)
def test_a_journal_that_cannot_be_read_is_named_and_stays(store: Store, data: bytes) -> None:
    path = store.folder.root / "journals" / "left.journal"
    path.parent.mkdir()
    path.write_bytes(data)
    (line,) = told(store)
    assert str(path) in line
    assert path.read_bytes() == data


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_named_and_waited_for_by_nobody(store: Store, make: object) -> None:
    for place in (
        store.folder.root / "journals" / "left.journal",
        store.folder.root / "labels" / "good",
    ):
        place.parent.mkdir(exist_ok=True)
        make(place)  # type: ignore[operator]
    lines = told(store)
    assert len(lines) == 2
    assert "left.journal" in lines[1]
    assert "good" in lines[0]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("good", b"../../../outside"),
        ("good", b"/etc/passwd\n"),
        ("good", b"\xff\xfe\x00"),
        ("good", b""),
        ("-rf", f"{RUN}\n".encode()),
        ("LAST", f"{RUN}\n".encode()),
    ],
)
def test_a_label_that_names_no_run_is_left_out_and_followed_nowhere(
    store: Store, name: str, content: bytes
) -> None:
    path = store.folder.root / "labels" / name
    path.parent.mkdir()
    path.write_bytes(content)
    (line,) = told(store)
    assert str(path) in line
    assert store.folder.labels() == {}
    if name != "LAST":
        with pytest.raises(InputError, match="no such run or label"):
            store.folder.find(name)
    assert path.exists()


def test_a_parquet_file_of_another_schema_is_a_run_that_cannot_be_read(store: Store) -> None:
    path = store.folder.file_of(RUN)
    path.parent.mkdir(exist_ok=True)
    whole = pq.read_table(store.folder.file_of(store.folder.newest()))
    metadata = pq.ParquetFile(store.folder.file_of(store.folder.newest())).metadata.metadata
    for table in (
        whole.drop_columns(["metric"]),
        whole.set_column(5, "benchmark", pa.array(range(whole.num_rows))),
        whole.set_column(5, "benchmark", pa.array([None] * whole.num_rows, pa.string())),
        whole.set_column(7, "side", pa.array(["middle"] * whole.num_rows)),
    ):
        with pq.ParquetWriter(path, table.schema, store_schema=False) as writer:
            writer.write_table(table)
            writer.add_key_value_metadata({b"assay_run": metadata[b"assay_run"]})
        (problem,) = [row.problem for row in list_runs(store.folder.root).runs if row.problem]
        assert "column" in problem
        assert RUN in problem
        with pytest.raises(InputError, match="column"):
            store.load(RUN)
        (store.folder.root / "catalogue.sqlite").unlink()


def test_a_run_called_by_a_day_that_does_not_exist_can_be_the_newest(store: Store) -> None:
    folder = Folder.opened(store.folder.root)
    odd = "20290230-235959.999999-abcd"
    folder.write(odd, b"nothing")
    run = store.add(record(), kind="run", now_s=NOW_S)
    assert run > odd
    month = folder.root / "runs" / "9999-13"
    month.mkdir()
    (month / "99991399-999999.999999-abcd.parquet").write_bytes(b"")
    assert folder.newest() == run
