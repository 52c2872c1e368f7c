"""A store may have come with a repository a stranger wrote: nothing in it leads out of it."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from records import two_sided

from assay.cli import invoke
from assay.errors import InputError
from assay.record.store.folder import Folder
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0
RUN = "20260921-131320.250000-a1b2"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """What nobody may touch, named as a run would be, wherever a path may lead."""
    folder = tmp_path / "outside"
    for name in (f"{RUN}.parquet", f"2026-09/{RUN}.parquet", "x.parquet", "a.journal", "b.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b'{"assay_journal":1,"context":{},"facts":{}}\n')
    base = sqlite3.connect(folder / "others.sqlite")
    base.execute("CREATE TABLE runs (mine TEXT)")
    base.close()
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / ".assay"
    Store.opened_or_made(root).add(two_sided(), kind="compare", now_s=NOW_S)
    for name in ("labels", "journals"):
        (root / name).mkdir(exist_ok=True)
    return root


def _label(text: str, name: str = "evil") -> Callable[[Path, Path], None]:
    return lambda root, _: _written(root / "labels" / name, text)


def _written(path: Path, text: str) -> None:
    path.write_text(text)


def _link(name: str, to: str = "") -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        place = root / name
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
        elif place.exists():
            place.rename(place.with_name(f"{place.name}-before"))
        place.parent.mkdir(exist_ok=True)
        place.symlink_to(outside / to)

    return make


HOSTILE: dict[str, Callable[[Path, Path], None]] = {
    "a label that climbs": _label("../../outside/x"),
    "a label of an absolute path": lambda root, out: _written(root / "labels/evil", f"{out}/x"),
    "a label of a month and more": _label(f"{RUN[:8]}/../../../outside/x"),
    "a label with a newline": _label(f"{RUN}\n../../outside/x"),
    "a label that is 1 GB": lambda root, _: os.truncate(
        os.open(root / "labels" / "evil", os.O_CREAT | os.O_RDWR), 10**9
    ),
    "a label that is no UTF-8": lambda root, _: _written(root / "labels/evil", "\xff\xfe"),
    "a label that is a pipe": lambda root, _: os.mkfifo(root / "labels" / "evil"),
    "a label that is a folder": lambda root, _: (root / "labels" / "evil").mkdir(),
    "a label that is a link": _link("labels/evil", "x.parquet"),
    "a label whose name climbs": _label(RUN, "%2F..%2Fevil"),
    "labels that are a link": _link("labels"),
    "a month that is a link": _link("runs/2026-08", "2026-09"),
    "a month that is no month": _link("runs/..2026"),
    "a run that is a link": _link(f"runs/2026-09/{RUN}.parquet", "x.parquet"),
    "a run that is a pipe": lambda root, _: os.mkfifo(root / f"runs/2026-09/{RUN}.parquet"),
    "runs that are a link": _link("runs"),
    "journals that are a link": _link("journals"),
    "a journal that is a link": _link("journals/b.journal", "a.journal"),
    "a journal that is a pipe": lambda root, _: os.mkfifo(root / "journals" / "b.journal"),
    "confirmations that are a link": _link("confirmations"),
    "a catalogue that is a link": _link("catalogue.sqlite", "others.sqlite"),
}
VERBS = (
    ("runs",),
    ("runs", "delete", "evil"),
    ("runs", "delete", RUN),
    ("runs", "label", "LAST", "evil"),
    ("runs", "show", "evil"),
    ("compare", "run:evil"),
    ("history",),
)


def _content(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("made", HOSTILE.values(), ids=HOSTILE)
def test_nothing_in_a_store_leads_out_of_it(
    store: Path, outside: Path, made: Callable[[Path, Path], None]
) -> None:
    made(store, outside)
    before = _content(outside)
    codes = [invoke([*verb, "--store", str(store)]) for verb in VERBS]
    assert before
    assert _content(outside) == before
    assert set(codes) <= {0, 2}


@pytest.mark.parametrize("made", HOSTILE.values(), ids=HOSTILE)
def test_what_is_left_out_is_named(
    store: Path,
    outside: Path,
    made: Callable[[Path, Path], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    made(store, outside)
    invoke(["runs", "--store", str(store)])
    told = capsys.readouterr().err
    assert "is no part of a store" in told or "is a symbolic link" in told


def test_the_rest_of_the_store_works(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _label("../../outside/x")(store, store)
    assert invoke(["runs", "label", "LAST", "good", "--store", str(store)]) == 0
    assert invoke(["runs", "show", "good", "--store", str(store)]) == 0
    assert invoke(["runs", "delete", "good", "--store", str(store)]) == 0
    assert "evil is no part of a store" in capsys.readouterr().err


@pytest.mark.parametrize("written", ["../x", "/etc/passwd", "", f"{RUN}/../x", f"{RUN}\n"])
def test_only_the_name_of_a_run_becomes_a_path(store: Path, written: str) -> None:
    folder = Folder.opened(store)
    with pytest.raises(InputError, match="is not the name of a run"):
        folder.file_of(written)


def test_an_ordinary_store_has_no_strangers(store: Path) -> None:
    assert invoke(["runs", "label", "LAST", "release/1.2", "--store", str(store)]) == 0
    assert invoke(["runs", "--store", str(store)]) == 0
    assert Folder.opened(store).foreign_entries() == []
