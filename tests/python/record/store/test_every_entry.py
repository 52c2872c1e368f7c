"""Every entry of a store's folder, as every kind of thing that it should not be, by every verb.

What is odd is left out, named and kept, and each verb does what it does where the entry is absent.
A verb that has to put something into it says so. A pipe that is opened is waited for without end.
"""

import os
import shutil
import socket
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

import pytest
from records import one_sided, two_sided

from assay.cli import invoke
from assay.cli.bisect import BisectOptions
from assay.history import Confirmation
from assay.places import state_folder
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import SQLITE_ENDS
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0
NONE = "20260801-131320.250000-a1b2"  # a run that is not there
FOLDERS = (
    "runs",
    "labels",
    "journals",
    "confirmations",
    "triage",
    "imports",
    "bisects",
    "answers",
    "packs",
)
FILES = (
    f"runs/2026-09/{NONE}.parquet",
    "labels/odd",
    "journals/odd.journal",
    f"confirmations/{'0' * 32}.json",
    f"triage/{'0' * 32}.json",
    f"imports/{'0' * 64}",
    "bisects/odd.jsonl",
    f"packs/{NONE}_{NONE}_{'0' * 16}.zip",
    "packs/lock",
    f"answers/{NONE}_{NONE}_{'0' * 16}-{'0' * 16}.jsonl",
    ".gitignore",
    *(f"{name}.sqlite{end}" for name in ("catalogue", "histories") for end in SQLITE_ENDS),
)
# Verbs that have to put something there, and what they end with then.
REFUSED = {
    ("runs", "import"): 2,
    ("runs", "measure"): 2,
    ("runs", "pull"): 2,
    ("labels", "label"): 2,
    ("labels", "pull"): 2,
    ("confirmations", "pull"): 2,
}


def _link(place: Path, outside: Path) -> None:
    place.symlink_to(outside / "file" if place.suffix else outside / "folder")


def _dangling(place: Path, outside: Path) -> None:
    place.symlink_to(outside / "absent")


def _pipe(place: Path, _: Path) -> None:
    os.mkfifo(place)


def _socket(place: Path, _: Path) -> None:
    with chdir(place.parent), socket.socket(socket.AF_UNIX) as made:  # a path may be 107 long
        made.bind(place.name)


def _device(place: Path, _: Path) -> None:
    try:
        os.mknod(place, 0o600 | 0o020000, os.makedev(1, 5))  # as /dev/zero, which never ends
    except PermissionError:
        pytest.skip("only root may make a device")


def _folder(place: Path, _: Path) -> None:
    place.mkdir()
    (place / "mine").write_text("x")


def _file(place: Path, _: Path) -> None:
    place.write_text("x")


Make = Callable[[Path, Path], None]
USUAL: tuple[Make, ...] = (_link, _dangling, _pipe, _socket, _device)
ODD: list[tuple[str, Make]] = [
    *((name, make) for name in (*FOLDERS, "runs/2026-08") for make in (*USUAL, _file)),
    *((name, make) for name in FILES for make in (*USUAL, _folder)),
]
IDS = [f"{name} as {make.__name__[1:]}" for name, make in ODD]


class Here(NamedTuple):
    """A copy of a store, and what verbs need beside it."""

    store: Path
    outside: Path
    beside: Path  # another store, a file of results, and where verbs write

    def verbs(self) -> dict[str, list[str]]:
        """Each verb that reads a store, or writes to one; by a short name."""
        base, candidate, compared = sorted(
            path.stem for path in self.beside.glob("template/**/*.parquet")
        )
        written = {
            "list": ["runs"],
            "show": ["runs", "show", base],
            "shown by label": ["runs", "show", "good"],
            "history": ["history"],
            "compare": ["compare", f"run:{base}", f"run:{candidate}"],
            "report": ["report", f"run:{compared}", "-o", f"{self.beside}/report.md"],
            "multiview": [
                "multiview",
                f"run:{base}",
                f"run:{candidate}",
                "-o",
                f"{self.beside}/all.html",
            ],
            "benchmarks": ["list", f"run:{base}"],
            "why": ["why", f"run:{base}", f"run:{candidate}"],
            "pages": ["serve", "--export", f"{self.beside}/site"],
            "label": ["runs", "label", "LAST", "new"],
            "delete": ["runs", "delete", "LAST"],
            "push": ["runs", "push", f"{self.beside}/pushed"],
            "pull": ["runs", "pull", f"{self.beside}/theirs"],
            "export": ["runs", "export", base, "-o", f"{self.beside}/out.json"],
            "import": ["runs", "import", f"{self.beside}/results.json"],
            "measure": ["run", "cmd:true", "--rounds", "2", "-q"],
        }
        return {name: [*words, "--store", str(self.store)] for name, words in written.items()}


def _filled(root: Path, label: str) -> Store:
    store = Store.opened_or_made(root)
    for kind, record in (("run", one_sided()), ("run", one_sided()), ("compare", two_sided())):
        run = store.add(record, kind=kind, now_s=NOW_S)
    store.folder.label(run, label)
    Confirmations(store.folder).keep(
        Confirmation(
            benchmark="A",
            metric="real_time",
            host="",
            before="a",
            after="b",
            state="confirmed",
            change=1,
        )
    )
    return store


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("beside")
    _filled(folder / "template", "good")
    store = _filled(folder / "theirs", "theirs")
    invoke(
        [
            "runs",
            "export",
            "LAST",
            "-o",
            f"{folder}/results.json",
            "--store",
            str(store.folder.root),
        ]
    )
    return folder


@pytest.fixture
def here(beside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.chdir(tmp_path)
    outside = tmp_path / "outside"
    (outside / "folder").mkdir(parents=True)
    (outside / "file").write_text("of somebody else")
    (tmp_path / "pushed").mkdir()
    for one in beside.iterdir():
        (tmp_path / one.name).symlink_to(one)
    for name in FOLDERS:
        (beside / "template" / name).mkdir(exist_ok=True)
    shutil.copytree(beside / "template", tmp_path / "store")
    return Here(tmp_path / "store", outside, tmp_path)


@pytest.mark.parametrize("make", [*USUAL, _file], ids=lambda make: make.__name__[1:])
@pytest.mark.parametrize("name", ["runs", "labels", "confirmations"])
def test_what_is_shared_goes_past_an_odd_folder(
    here: Here, name: str, make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    here.store.joinpath("labels", "odd").write_text("no run")
    pushed = Store.opened_or_made(here.beside / "pushed").folder
    make(pushed.root / name, here.outside)
    for place, verb in ((pushed.root, "push"), (here.store, "pull")):
        words = here.verbs()[verb]
        if verb == "pull":
            _without(place / name)
            make(place / name, here.outside)
        assert invoke(words) == 2
        told = capsys.readouterr().err
        assert told.count(f"{place / name} is no folder of a store") == 1
        kept = {one for one in ("runs", "labels", "confirmations") if list((place / one).glob("*"))}
        assert kept - {name} == {"runs", "labels", "confirmations"} - {name}
    assert sorted(path.name for path in here.outside.rglob("*")) == ["file", "folder"]


def _without(place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True) if place.is_dir() else place.unlink(missing_ok=True)


def _codes(here: Here) -> dict[str, int]:
    return {name: invoke(words) for name, words in here.verbs().items()}


@pytest.fixture(scope="module")
def ordinary() -> dict[str, dict[str, int]]:
    """What each verb ends with where an entry is absent: found once."""
    return {}


@pytest.mark.parametrize(("name", "make"), ODD, ids=IDS)
def test_what_is_odd_is_left_out_named_and_kept(
    here: Here,
    name: str,
    make: Make,
    ordinary: dict[str, dict[str, int]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = here.store / name
    _without(place)
    key = name if name in FOLDERS else "any file"
    if key not in ordinary:
        whole = here._replace(store=here.beside / "whole")
        shutil.copytree(here.store, whole.store)
        ordinary[key] = _codes(whole)
    make(place, here.outside)
    before, status = sorted(here.outside.rglob("*")), os.lstat(place)
    capsys.readouterr()
    assert invoke(["runs", "--store", str(here.store)]) == 0
    assert str(place) in capsys.readouterr().err
    codes = _codes(here)
    expected = {verb: REFUSED.get((name, verb), code) for verb, code in ordinary[key].items()}
    assert codes == expected, capsys.readouterr().err
    assert sorted(here.outside.rglob("*")) == before
    assert (here.outside / "file").read_text() == "of somebody else"
    after = os.lstat(place)
    assert (after.st_mode, after.st_ino) == (status.st_mode, status.st_ino)


@pytest.mark.parametrize("make", [*USUAL, _folder], ids=lambda make: make.__name__[1:])
def test_a_store_without_the_file_it_is_known_by_is_none(
    here: Here, make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    place = here.store / "store.json"
    place.unlink()
    make(place, here.outside)
    for name, words in here.verbs().items():
        assert invoke(words) == 2, name
        assert str(place) in capsys.readouterr().err, name
    assert sorted(path.name for path in here.outside.iterdir()) == ["file", "folder"]
    assert (here.outside / "file").read_text() == "of somebody else"


@pytest.mark.parametrize("make", [*USUAL, _file], ids=lambda make: make.__name__[1:])
def test_steps_of_a_search_are_kept_elsewhere_where_their_folder_is_odd(
    here: Here, make: Make
) -> None:
    options = BisectOptions(good="a", bad="b", store=here.store)
    assert options.plan().folder == here.store / "bisects"
    (here.store / "bisects").rmdir()
    make(here.store / "bisects", here.outside)
    assert options.plan().folder == state_folder() / "bisects"
