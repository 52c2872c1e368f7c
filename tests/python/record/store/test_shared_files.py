"""Files of a store that are shared: their names, what may enter, and in which order."""

from pathlib import Path

import msgspec
import pytest
from records import two_sided

from assay.errors import InputError
from assay.files import PartlyWrittenError
from assay.history import Confirmation
from assay.record.store import shared_files
from assay.record.store.confirmations import Confirmations
from assay.record.store.shared_files import (
    MOST_BYTES,
    SharedFiles,
    is_shared,
    label_of,
    names_in_copy_order,
    problem_with,
    run_name,
    run_named_in_label,
    run_of,
    size_limit_of,
)
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0
RUN = "20260921-141320.000000-a1b2"
DAY_S = 86_400.0
CONFIRMATION = Confirmation(
    benchmark="B",
    metric="real_time",
    host="h",
    before="a",
    after="b",
    state="confirmed",
    change=0.1,
)
DECIDED = f"confirmations/{CONFIRMATION.key}.json"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.opened_or_made(tmp_path / ".assay")


@pytest.mark.parametrize(
    ("name", "run", "label", "shared"),
    [
        (f"runs/2026-09/{RUN}.parquet", RUN, "", True),
        (f"runs/2026-08/{RUN}.parquet", "", "", False),
        (f"{RUN}.parquet", "", "", False),
        (f"runs/2026-09/{RUN}", "", "", False),
        ("runs/2026-09/x.parquet", "", "", False),
        ("labels/v1", "", "v1", True),
        ("labels/a%2Fb", "", "a/b", True),
        ("labels/a/b", "", "", False),
        ("labels/-x", "", "", False),
        (f"labels/{RUN}", "", "", False),
        ("label/v1", "", "", False),
        (DECIDED, "", "", True),
        ("confirmations/x.json", "", "", False),
        (f"triage/{CONFIRMATION.key}.json", "", "", False),
        ("store.json", "", "", False),
    ],
)
def test_what_a_name_says(name: str, run: str, label: str, *, shared: bool) -> None:
    assert (run_of(name), label_of(name), is_shared(name)) == (run, label, shared)


def test_names_sizes_and_order() -> None:
    assert run_name(RUN) == f"runs/2026-09/{RUN}.parquet"
    assert MOST_BYTES == {"runs": 256 * 2**20, "labels": 200, "confirmations": 64 * 2**10}
    assert [size_limit_of(name) for name in ("labels/v1", DECIDED)] == [200, 65_536]
    with pytest.raises(KeyError):
        size_limit_of("store.json")
    names = {"labels/a", "runs/2026-09/b", "confirmations/c", "runs/2026-09/a"}
    assert names_in_copy_order(names) == [
        "runs/2026-09/a",
        "runs/2026-09/b",
        "confirmations/c",
        "labels/a",
    ]


@pytest.mark.parametrize(
    ("data", "run"),
    [
        (f"{RUN}\n".encode(), RUN),
        (RUN.encode(), RUN),
        (f"{RUN}\n\n".encode(), ""),
        (f" {RUN}".encode(), ""),
        (b"\xff", ""),
        (b"", ""),
    ],
)
def test_the_run_that_a_label_names(data: bytes, run: str) -> None:
    assert run_named_in_label(data) == run
    assert problem_with("labels/v1", data, "f", NOW_S) == (
        "" if run else "is a label that names no run"
    )


def test_a_confirmation_enters_under_its_own_name_only() -> None:
    data = msgspec.json.encode(CONFIRMATION)
    assert problem_with(DECIDED, data, "f", NOW_S) == ""
    other = f"confirmations/{'0' * 32}.json"
    assert problem_with(other, data, "f", NOW_S) == "is not of the change it is named by"
    assert problem_with(other, b"{}", "f", NOW_S).startswith("is not a confirmation")


def test_what_is_too_large_does_not_enter() -> None:
    assert problem_with("labels/v1", b"x" * 200, "f", NOW_S) == "is a label that names no run"
    assert problem_with("labels/v1", b"x" * 201, "f", NOW_S) == (
        "is larger than 200 bytes, the most that Assay reads"
    )


def test_a_run_enters_under_its_own_name_and_not_from_the_future(store: Store) -> None:
    run = store.add(two_sided(), kind="compare", now_s=NOW_S)
    data = store.folder.read(run)
    name = run_name(run)
    assert problem_with(name, data, "f", NOW_S) == ""
    assert problem_with(name, data, "f", NOW_S - DAY_S) == ""
    assert problem_with(name, data, "f", NOW_S - DAY_S - 1) == (
        "is of a later day than this clock says: set the clock of the machine that is wrong"
    )
    other = run_name(f"{run[:-4]}0000" if run[-4:] != "0000" else f"{run[:-4]}0001")
    assert problem_with(other, data, "f", NOW_S) == (
        f"holds run {run!r}, not the one it is named by"
    )
    assert problem_with(name, b"x", "f", NOW_S)


def test_what_is_listed_and_read(store: Store) -> None:
    run = store.add(two_sided(), kind="compare", now_s=NOW_S)
    store.folder.label(run, "a/b")
    confirmations = Confirmations(store.folder)
    undecided = msgspec.structs.replace(CONFIRMATION, host="other", state="undecided")
    for one in (CONFIRMATION, undecided):
        confirmations.keep(one)
    files = SharedFiles(store.folder)
    assert files.listed() == {
        run_name(run): len(store.folder.read(run)),
        "labels/a%2Fb": 28,
        DECIDED: len(files.read(DECIDED)),
    }
    assert files.read(run_name(run)) == store.folder.read(run)
    assert files.read("labels/a%2Fb") == f"{run}\n".encode()
    (store.folder.root / "labels/long").write_bytes(b"x" * 300)
    assert len(files.read("labels/long")) == 201
    for missing in ("labels/none", run_name(RUN)):
        with pytest.raises(InputError, match="cannot be read: No such file or directory"):
            files.read(missing)


def test_only_what_is_not_there_is_added(store: Store) -> None:
    files = SharedFiles(store.folder)
    some = [("labels/a", b"1"), ("labels/b", b"2"), (run_name(RUN), b"3")]
    assert set(files.add(some)) == {name for name, _ in some}
    assert list(files.add([("labels/a", b"other"), ("labels/c", b"4")])) == ["labels/c"]
    assert files.read("labels/a") == b"1"
    assert list(files.add([])) == []


def test_a_confirmation_makes_room_for_a_new_one(store: Store) -> None:
    files = SharedFiles(store.folder)
    assert list(files.add([(DECIDED, b"old")])) == list(files.add([(DECIDED, b"new")])) == [DECIDED]
    assert files.read(DECIDED) == b"new"


def test_where_nothing_can_be_added(store: Store) -> None:
    files = SharedFiles(store.folder)
    (store.folder.root / "labels").touch()
    assert files.reason_not_writable("runs/2026-09/x") == ""
    assert files.reason_not_writable("labels/v1") == (
        f"{store.folder.root}/labels is no folder of a store, and nothing can be put into it"
    )


@pytest.mark.parametrize(
    ("sizes", "batches"),
    [
        ([1] * 64, [64]),
        ([1] * 65, [64, 1]),
        ([16 * 2**20, 1, 1], [2, 1]),
        ([16 * 2**20 + 1, 1], [1, 1]),
    ],
)
def test_files_are_written_some_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, sizes: list[int], batches: list[int]
) -> None:
    written: list[int] = []

    def write(files: dict[Path, bytes]) -> list[Path]:
        written.append(len(files))
        return list(files)

    monkeypatch.setattr(shared_files, "write_all_new", write)
    files = [(f"labels/{number}", bytes(size)) for number, size in enumerate(sizes)]
    assert list(SharedFiles(store.folder).add(files)) == [name for name, _ in files]
    assert written == batches


def test_those_that_are_safe_are_told_before_a_full_disk_is(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(files: dict[Path, bytes]) -> list[Path]:
        raise PartlyWrittenError(InputError("cannot be written"), written=list(files)[:1])

    monkeypatch.setattr(shared_files, "write_all_new", write)
    adding = SharedFiles(store.folder).add([("labels/a", b""), ("labels/b", b"")])
    assert next(adding) == "labels/a"
    with pytest.raises(PartlyWrittenError):
        next(adding)
