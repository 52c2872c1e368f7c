"""What lies where in a store, and every sentence on what does not belong there."""

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import InputError, UsageError
from assay.record.store import folder as module
from assay.record.store.folder import Folder, is_label, run_named_in
from assay.record.store.mark import PACKED, UNPACKED, check_mark
from assay.record.store.pack_file import packed_member

MAY, JUNE, JULY = (f"20260{month}01-120000.000000-a1b2" for month in (5, 6, 7))
LATER = "20260701-120000.000001-a1b2"


@pytest.fixture
def store(tmp_path: Path) -> Folder:
    return Folder.opened_or_made(tmp_path / ".assay")


def refusal(asked: Callable[[], object]) -> str:
    with pytest.raises(InputError) as refused:
        asked()
    return str(refused.value)


def pack(store: Folder, *runs: str) -> Path:
    with store.packs.locked():
        return store.packs.put([packed_member(run, run.encode()) for run in runs])


def test_a_new_store_has_its_mark_and_is_no_source(store: Folder) -> None:
    assert sorted(path.name for path in store.root.iterdir()) == [".gitignore", "store.json"]
    assert (store.root / ".gitignore").read_bytes() == b"*\n"
    assert (store.root / "store.json").read_bytes() == b'{"assay_store": 1}\n'
    assert Folder.opened_or_made(store.root).root == store.root
    assert (
        list(store.sentences_on_left_out())
        == store.foreign_entries()
        == store.runs()
        == store.journals()
        == []
    )
    assert store.newest() == ""


def test_where_no_store_can_be_opened_or_made(tmp_path: Path) -> None:
    assert refusal(lambda: Folder.opened(tmp_path)) == (
        f"{tmp_path}: is no store of runs; measure with --store, or name the folder that "
        "`store.json` is in"
    )
    (tmp_path / "file").touch()
    assert refusal(lambda: Folder.opened_or_made(tmp_path / "file" / "x")) == (
        f"{tmp_path}/file/x: cannot be made: Not a directory; choose another place with --store"
    )
    for name in (".gitignore", "store.json"):
        root = tmp_path / f"with {name}"
        root.mkdir()
        (root / name).symlink_to(tmp_path / "nothing")
        assert refusal(lambda root=root: Folder.opened_or_made(root)).startswith(
            f"{root}/{name}: is a symbolic link, and nothing in a store may lead out of it"
        )
        assert not (tmp_path / "nothing").exists()


def test_runs_alone_and_in_packs_are_in_the_order_of_time(store: Folder) -> None:
    for run in (JULY, MAY, LATER):
        assert store.write(run, run.encode()) == store.file_of(run)
    assert store.runs() == store.runs_alone() == [MAY, JULY, LATER]
    pack(store, JUNE, MAY)
    assert store.runs() == [MAY, JUNE, JULY, LATER]
    assert store.runs_alone() == [MAY, JULY, LATER]
    assert [store.read(run) for run in (MAY, JUNE, JULY)] == [
        one.encode() for one in (MAY, JUNE, JULY)
    ]
    assert [store.has(run) for run in (MAY, JUNE, f"{JUNE[:-1]}f")] == [True, True, False]


def test_the_newest_run_may_be_alone_or_in_a_pack(store: Folder) -> None:
    store.write(MAY, b"")
    assert store.newest() == store.find("LAST") == MAY
    (store.root / "runs/2026-07").mkdir()
    assert store.newest() == MAY  # the newest month has no run
    store.write(JULY, b"")
    store.write(LATER, b"")
    pack(store, JUNE)
    assert store.newest() == LATER
    pack(store, "20260801-120000.000000-a1b2")
    assert store.newest() == "20260801-120000.000000-a1b2"


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("LAST", LATER),
        ("v1", MAY),
        (MAY, MAY),
        ("202605", MAY),
        (LATER[:-5], LATER),
    ],
)
def test_what_a_user_writes_for_a_run(store: Folder, written: str, found: str) -> None:
    for run in (MAY, JULY, LATER):
        store.write(run, b"")
    store.label(MAY, "v1")
    assert store.find(written) == found


def test_what_stands_for_no_run_or_for_several(store: Folder) -> None:
    unknown = f"run:{{}}: no such run or label; `assay runs` lists those of {store.root}"
    assert refusal(lambda: store.find("LAST")) == unknown.format("LAST")
    for run in (MAY, JULY, LATER):
        store.write(run, b"")
    for written in ("", "2025", "v1"):
        assert refusal(lambda written=written: store.find(written)) == unknown.format(written)
    for written, number in (("2026", 3), ("202607", 2)):
        assert refusal(lambda written=written: store.find(written)) == (
            f"run:{written}: is the beginning of {number} runs; write more of its name"
        )
    assert refusal(lambda: store.file_of("../x")) == "'../x': is not the name of a run"
    assert refusal(lambda: store.read(JUNE)) == (
        f"{store.root}/runs/2026-06/{JUNE}.parquet: no such file; `assay runs` lists what is there"
    )


def test_a_run_is_deleted_with_its_labels_only(store: Folder) -> None:
    for run in (MAY, JULY, LATER):
        store.write(run, b"")
    pack(store, JUNE)
    lost = "20260801-120000.000000-a1b2"
    for run, name in ((MAY, "a"), (MAY, "b/c"), (JUNE, "d"), (LATER, "e"), (lost, "f")):
        store.label(run, name)
    store.delete(MAY, JUNE)
    assert store.runs() == [JULY, LATER]
    assert store.labels() == {"e": LATER, "f": lost}
    assert refusal(lambda: store.delete(JULY, JUNE)) == (
        f"run:{JUNE}: cannot be deleted: No such file or directory"
    )
    assert store.runs() == [LATER]
    path = store.file_of(LATER)
    path.unlink()
    path.mkdir()
    assert refusal(lambda: store.delete(LATER)) == f"run:{LATER}: cannot be deleted: Is a directory"


def test_a_run_in_a_file_and_in_a_pack_goes_from_both(store: Folder) -> None:
    store.write(MAY, b"")
    pack(store, MAY)
    store.delete(MAY)
    assert store.runs() == []


def test_a_store_is_marked_as_packed_once(store: Folder) -> None:
    path = store.root / "store.json"
    assert check_mark(path.read_bytes(), "f") == UNPACKED
    store.mark_as_packed()
    assert check_mark(path.read_bytes(), "f") == PACKED
    before = path.stat().st_ino
    store.mark_as_packed()
    assert path.stat().st_ino == before


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("v1", True),
        ("release/1.2_x+y-z", True),
        ("a" * 100, True),
        ("a" * 101, False),
        ("", False),
        ("-x", False),
        ("a b", False),
        ("LAST", False),
        (MAY, False),
        ("v1\n", False),
    ],
)
def test_names_of_labels(store: Folder, name: str, *, is_one: bool) -> None:
    assert is_label(name) is is_one
    store.write(MAY, b"")
    if is_one:
        store.label(MAY, name)
        assert store.labels() == {name: MAY}
        assert (store.root / "labels" / name.replace("/", "%2F")).read_text() == f"{MAY}\n"
        return
    with pytest.raises(UsageError) as refused:
        store.label(MAY, name)
    assert str(refused.value) == (
        f"{name!r}: cannot be a label; letters, digits and . _ + - /, at most 100, beginning with "
        "a letter or digit"
    )


def test_a_label_of_another_content_is_left_out(store: Folder) -> None:
    labels = store.root / "labels"
    labels.mkdir()
    for name, text in (
        ("good", f" {MAY}\n"),
        ("none", "x"),
        ("long", f"{MAY}{' ' * 200}"),
        (".assay-part", MAY),
        ("-bad", MAY),
    ):
        (labels / name).write_text(text)
    assert store.labels() == {"good": MAY}
    assert run_named_in(labels / "good") == MAY
    assert run_named_in(labels / "long") == run_named_in(labels / "missing") == ""
    strangers = [path.name for path in store.foreign_entries()]
    assert strangers == ["-bad", "long", "none"]


def test_a_path_to_write_to_leads_nowhere_else(store: Folder) -> None:
    root = store.root
    (root / "link").symlink_to(root)
    os.mkfifo(root / "pipe")
    (root / "file").touch()
    assert store.path_inside("file") == root / "file"
    assert store.path_inside("a", "b") == root / "a/b"
    yours = "remove it, if it is not yours"
    link = "is a symbolic link, and nothing in a store may lead out of it"
    assert refusal(lambda: store.path_inside("link", "x")) == f"{root}/link: {link}; {yours}"
    odd = "is neither a file nor a folder: a store holds nothing else"
    assert refusal(lambda: store.path_inside("pipe")) == f"{root}/pipe: {odd}; {yours}"
    assert store.path_with_folder("new", "x") == root / "new/x"
    assert (root / "new").is_dir()
    assert not (root / "new/x").exists()


def test_regular_files_are_listed_by_name_and_ending(store: Folder) -> None:
    folder = store.root / "journals"
    folder.mkdir()
    for name in ("b.journal", "a.journal", "c.json"):
        (folder / name).touch()
    (folder / "d.journal").mkdir()
    (folder / "e.journal").symlink_to("a.journal")
    assert store.journals() == [folder / "a.journal", folder / "b.journal"]
    assert [path.name for path in store.files_in("journals")] == [
        "a.journal",
        "b.journal",
        "c.json",
    ]
    (store.root / "answers").touch()
    assert store.files_in("answers") == store.files_in("nothing") == []


def test_room_for_a_folder_or_a_file(store: Folder) -> None:
    root = store.root
    (root / "file").touch()
    (root / "folder").mkdir()
    assert store.usable_folder("folder") == root / "folder"
    assert store.usable_folder("nothing") == root / "nothing"
    assert store.usable_folder("file") is None
    for names in (("nothing", "x"), ("folder", "x"), ("file",), ("folder", "a", "b")):
        assert store.reason_not_writable(*names) == ""
    for names in (("file", "x"), ("file", "x", "y")):
        assert store.reason_not_writable(*names) == (
            f"{root}/file is no folder of a store, and nothing can be put into it"
        )
    assert store.reason_not_writable("folder") == f"{root}/folder is no file of a store, and stays"


STRANGE: dict[str, Callable[[Path], None]] = {
    "catalogue.sqlite": Path.mkdir,
    "histories.sqlite-wal": Path.mkdir,
    ".gitignore": lambda path: (path.unlink(), path.mkdir())[1],
    "runs": Path.touch,
    "runs/x": Path.mkdir,
    "runs/2026-7": Path.mkdir,
    "runs/2026-08": Path.touch,
    "runs/2026-09/x": Path.mkdir,
    "packs/x.zip": Path.touch,
    "packs/lock": Path.mkdir,
    "packs/.assay-x": Path.mkdir,
    f"packs/{MAY}_{MAY}_{'0' * 16}.zip": Path.mkdir,
    "labels/v1": Path.touch,
    "journals/x": Path.mkdir,
    "confirmations/x": Path.mkdir,
    "triage/x": Path.mkdir,
    "answers/x": Path.mkdir,
    "imports/x": Path.mkdir,
    "bisects/x": Path.mkdir,
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_stranger_is_named(store: Folder, name: str) -> None:
    path = store.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    STRANGE[name](path)
    assert store.foreign_entries() == [path]
    assert next(store.sentences_on_left_out()) == (
        f"{path} is no part of a store and is left out; remove it, if it is not yours"
    )


@pytest.mark.parametrize(
    "name",
    [
        "catalogue.sqlite",
        "catalogue.sqlite-journal",
        "histories.sqlite-shm",
        "runs/2026-09/anything",
        "packs/lock",
        "packs/.assay-part",
        "labels/.assay-part",
        "journals/x",
        "confirmations/x",
        "triage/x",
        "answers/x",
        "imports/x",
        "bisects/x",
        "unknown",
    ],
)
def test_what_is_no_stranger(store: Folder, name: str) -> None:
    path = store.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    assert store.foreign_entries() == []


def test_what_cannot_be_read_is_left_out_and_told(
    store: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a pack that is damaged, and folders that may not be listed."""
    store.write(MAY, b"")
    store.write(JULY, b"")
    path = pack(store, JUNE)
    path.write_bytes(b"")
    (store.root / "journals").mkdir()
    listed = module.names_in

    def names_in(folder: Path) -> list[str]:
        if folder.name in ("journals", "2026-07"):
            raise PermissionError(13, "Permission denied")
        return listed(folder)

    monkeypatch.setattr(module, "names_in", names_in)
    assert list(store.sentences_on_left_out()) == [
        f"{store.root}/journals: what is in it is left out: Permission denied",
        f"{store.root}/runs/2026-07: what is in it is left out: Permission denied",
        f"{path}: is not a whole pack of runs; restore it from a backup, or remove it; its runs "
        "are left out",
    ]
    assert store.runs() == [MAY]
    assert store.journals() == []


def test_names_that_are_no_runs_are_no_runs(store: Folder) -> None:
    store.write(MAY, b"")
    for name in (f"{MAY}.txt", "x.parquet", f"{JULY}.parquet.x"):
        (store.root / "runs/2026-05" / name).touch()
    (store.root / "runs/2026-5").mkdir()
    (store.root / "runs/2026-5" / f"{JULY}.parquet").touch()
    assert store.runs() == [MAY]


def test_half_written_files_are_removed_after_an_hour(store: Folder) -> None:
    month = store.write(MAY, b"").parent
    for name, age_s in ((".assay-old", 3_700.0), (".assay-new", 3_500.0), ("other", 9_999.0)):
        (month / name).touch()
        when = time.time() - age_s
        os.utime(month / name, (when, when))
    store.write(MAY, b"")
    names = {path.name for path in month.iterdir()}
    assert names == {".assay-new", "other", f"{MAY}.parquet"}


def test_limits_of_files() -> None:
    assert module.LARGEST_RUN == 256 * 2**20
    assert module.LARGEST_NAME == 200
    assert module.LARGEST_SAID == 64 * 2**10
    assert module.SQLITE_ENDS == ("", "-journal", "-wal", "-shm")


def test_a_store_may_be_made_with_the_folders_above_it(tmp_path: Path) -> None:
    made = Folder.opened_or_made(tmp_path / "a" / "b")
    assert stat.S_ISDIR(made.root.stat().st_mode)


def test_a_mark_that_is_too_large_is_no_mark(store: Folder) -> None:
    (store.root / "store.json").write_bytes(b'{"assay_store": 1}' + b" " * 4_096)
    assert "store.json" in refusal(lambda: Folder.opened(store.root))
    (store.root / "store.json").write_bytes(b'{"assay_store": 1}'.ljust(4_000))
    assert Folder.opened(store.root)
