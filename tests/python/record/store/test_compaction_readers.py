"""Whoever reads a store sees every run, wherever in the reading another process packs or deletes.

A reader is called again and again, and each time the other's work falls before another of its
system calls: so all places are tried, not those that a race happens to hit.
"""

import shutil
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType

import pytest
from records import one_sided

from assay.errors import InputError
from assay.judge.labs.run_point import run_point
from assay.record.store.catalogue import Catalogue
from assay.record.store.compaction import compact_store
from assay.record.store.folder import Folder
from assay.record.store.remotes.folder_remote import FolderRemote
from assay.record.store.shared_files import SharedFiles, run_name, run_of
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0
SYSTEM = ("posix", "io", "_io")  # modules whose functions are system calls
KEPT = 3  # runs that stay


def tell(*_: int) -> None:
    """Nobody looks."""


def made(root: Path, runs: int) -> None:
    store = Store.opened_or_made(root)
    for number in range(runs):
        store.add(one_sided(launches=1), kind="run", now_s=NOW_S + 1e6 * number)


@pytest.fixture(scope="module")
def loose(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs with a file each. The last one is deleted in some tests."""
    root = tmp_path_factory.mktemp("loose") / "store"
    made(root, KEPT + 1)
    return root


@pytest.fixture(scope="module")
def half(loose: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same runs in two packs, which can be merged."""
    root = tmp_path_factory.mktemp("half") / "store"
    shutil.copytree(loose, root)
    folder = Folder.opened(root)
    compact_store(folder, tell)
    (pack,) = folder.packs.all()
    members = list(folder.packs.members(pack))
    with folder.packs.locked():
        for some in (members[:2], members[2:]):
            folder.packs.put(some)
        folder.packs.remove([pack])
    assert len(folder.packs.all()) == 2
    return root


def in_catalogue(root: Path) -> set[str]:
    with Catalogue(Folder.opened(root), run_point) as catalogue:
        catalogue.refresh()
        return {row.run for row in catalogue.runs() if not row.problem}


def readable(runs: Iterable[str], read: Callable[[str], bytes]) -> set[str]:
    """The runs whose files can be read, one by one."""
    found = set()
    for run in runs:
        with suppress(InputError):  # of the one that is deleted: of the others it is a failure
            found |= {run} if read(run)[:4] == b"PAR1" else set()
    return found


def with_content(root: Path) -> set[str]:
    folder = Folder.opened(root)
    return readable(filter(folder.has, folder.runs()), folder.read)


def shared(root: Path) -> set[str]:
    return set(filter(None, map(run_of, SharedFiles(Folder.opened(root)).listed())))


def read_as_shared(root: Path) -> set[str]:
    folder = Folder.opened(root)
    return readable(folder.runs(), lambda run: SharedFiles(folder).read(run_name(run)))


def fetched(root: Path) -> set[str]:
    remote = FolderRemote(root)
    runs = filter(None, map(run_of, remote.listed().files))
    return readable(runs, lambda run: dict(remote.fetched([run_name(run)]))[run_name(run)])


READERS = {
    "names": lambda root: set(Folder.opened(root).runs()),
    "contents": with_content,
    "catalogue": in_catalogue,
    "shared files": shared,
    "contents of shared files": read_as_shared,
    "a remote": fetched,
}


def pack(root: Path, _: str) -> None:
    compact_store(Folder.opened(root), tell)


def delete(root: Path, run: str) -> None:
    Folder.opened(root).delete(run)


class Interrupted:
    """Calls `other` before the system call of this number that `reader` makes."""

    def __init__(self, reader: Callable[[], set[str]], other: Callable[[], None], at: int) -> None:
        self._reader, self._other, self._at = reader, other, at
        self.calls = 0

    def read(self) -> set[str]:
        sys.setprofile(self._before)
        try:
            return self._reader()
        finally:
            sys.setprofile(None)

    def _before(self, _: FrameType, event: str, function: object) -> None:
        if event != "c_call" or getattr(function, "__module__", "") not in SYSTEM:
            return
        if self.calls == self._at:
            sys.setprofile(None)
            self._other()
            sys.setprofile(self._before)
        self.calls += 1


@pytest.mark.parametrize("start", ["loose", "half"])
@pytest.mark.parametrize("other", [pack, delete])
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_every_run_is_seen_wherever_another_process_packs_or_deletes(
    reader: Callable[[Path], set[str]],
    other: Callable[[Path, str], None],
    start: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    """Deleting removes one run, and replaces the pack that others are in."""
    whole: Path = request.getfixturevalue(start)
    *kept, last = Folder.opened(whole).runs()
    assert len(kept) == KEPT
    at = 0
    while True:
        root = tmp_path / f"{at}"
        shutil.copytree(whole, root)

        one = Interrupted(partial(reader, root), partial(other, root, last), at)
        assert one.read() - {last} == set(kept), f"before system call {at}"
        if one.calls <= at:
            break
        at += 1
    assert at > 5
