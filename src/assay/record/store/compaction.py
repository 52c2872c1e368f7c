"""Merges the many small files of a store into few large ones, without changing what a run is.

    done = compact_store(Folder.opened(Path(".assay")), tell)
    done.runs, done.packs           # how many were packed, and how many packs there are

A run keeps its name and every byte of its file; it only lies in a pack (`packs`). A pack is
written and synced, and the store marked, before a file is removed, so that a run is in one place
or in two at every moment, and whoever is killed leaves nothing to mend: the next compaction goes
on. A run that cannot be read, or whose file is large, keeps its file (decision 51).
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.files import remove_abandoned, sync_folder
from assay.record.store.folder import LARGEST_RUN, Folder
from assay.record.store.pack_file import LARGEST_MEMBER, Member, packed_member
from assay.record.store.packs import Pack
from assay.small_files import read_small_if_there

_FULL_BYTES, _FULL_RUNS = 16 * 2**20, 4096  # a pack gets no more than this; it is full from half on
# A function that shows progress. Its arguments: runs looked at so far, and all to look at.
Tell = Callable[[int, int], None]


class Compaction(msgspec.Struct):
    """What one compaction did, and what it found in the end."""

    changed: bool = False  # whether anything was merged
    runs: int = 0  # that were packed now
    in_packs: int = 0  # runs in packs, in the end
    packs: int = 0
    packed_bytes: int = 0  # of all packs
    problems: list[str] = msgspec.field(default_factory=list)  # why runs keep their files


def compact_store(folder: Folder, tell: Tell) -> Compaction:
    """Pack the runs of a store; do nothing where that would merge nothing.

    Raises `InputError` where a pack cannot be written: every run is then where it was.
    """
    done = Compaction()
    alone = _small_files(folder)
    if len(alone) + len(_small_packs(folder)) > 1 or _has_doubles(folder, alone):
        _Compactor(folder, alone, done, tell).compact()
    packs = folder.packs.all()
    done.packs, done.in_packs = len(packs), len(folder.packs.sizes())
    for pack in packs:
        with suppress(FileNotFoundError):
            done.packed_bytes += pack.path.stat().st_size
    return done


class _Compactor:
    """Packs the runs of `alone`, a pack at a time. Others can change packs between two."""

    def __init__(self, folder: Folder, alone: list[str], done: Compaction, tell: Tell) -> None:
        self._folder, self._packs, self._done, self._tell = folder, folder.packs, done, tell
        self._alone, self._of = alone[::-1], len(alone)  # the oldest is taken first, from the end

    def compact(self) -> None:
        while True:
            with self._packs.locked():
                self._remove_doubles()  # each time: whoever was killed since may have left some
                if not self._make_one_pack():
                    return

    def _remove_doubles(self) -> None:
        """Take runs out of packs, or remove their files, where a killed process left both.

        Raises `InputError` where the copy that would stay is damaged: nothing is removed then.
        """
        remove_abandoned(self._packs.folder)
        while self._one_pack_is_without_doubles():
            self._done.changed = True
        packed = self._packs.sizes().keys()
        for run in sorted(packed & set(self._alone)):
            self._remove_double(run)
        self._alone = [run for run in self._alone if run not in packed]

    def _one_pack_is_without_doubles(self) -> bool:
        """Take out of a pack the runs that an earlier one has; False: no pack has such a run.

        Only one, for then the packs must be listed anew: the one that is put in its place may be
        there already, written by a compaction that was killed, and would be taken for its double.
        """
        seen: set[str] = set()
        for pack in self._packs.all():
            runs = self._packs.entries(pack).keys()
            if doubles := seen & runs:
                for run in doubles:
                    self._packs.read(run)
                members = [one for one in self._packs.members(pack) if one.run not in doubles]
                self._packs.replace([pack], members)
                return True
            seen |= runs
        return False

    def _remove_double(self, run: str) -> None:
        """Remove the file of a run that is in a pack, if both hold the same."""
        path = self._folder.file_of(run)
        if self._is_in_pack(run, path):
            self._folder.mark_as_packed()
            _remove_files(self._folder, [run])
            self._done.changed = True
        else:
            what = "is not the same as in a pack of this store: one of the two is damaged"
            self._done.problems.append(f"{path} {what}; both stay as they are")

    def _is_in_pack(self, run: str, path: Path) -> bool:
        """Whether a pack holds the same bytes as a run's file, or that file is gone."""
        try:
            data = read_small_if_there(path, LARGEST_RUN)
            return data is None or data == self._packs.read(run)
        except InputError:
            return False  # one of the two cannot be read

    def _make_one_pack(self) -> bool:
        """Make a pack of up to two small ones and as many files as it takes; False: of nothing."""
        small = _small_packs(self._folder)[:2]
        members = [one for pack in small for one in self._packs.members(pack)]
        alone = list(self._members_to_pack(members))
        if len(small) + len(alone) < 2:
            return False
        self._packs.put([*members, *alone])
        self._folder.mark_as_packed()  # from here on an older Assay would not see all runs
        _remove_files(self._folder, [one.run for one in alone])
        self._packs.remove(small)
        self._done.runs += len(alone)
        self._done.changed = True
        return True

    def _members_to_pack(self, members: list[Member]) -> Iterator[Member]:
        """The next files, as members of a pack that has `members`, until it is full."""
        size, runs = sum(len(one.data) for one in members), len(members)
        while self._alone and size < _FULL_BYTES - LARGEST_MEMBER and runs < _FULL_RUNS:
            one = self._member(self._alone.pop())
            self._tell(self._of - len(self._alone), self._of)
            if one:
                size, runs = size + len(one.data), runs + 1
                yield one

    def _member(self, run: str) -> Member | None:
        """A run to be packed; None: it is not there any more, or it cannot be read."""
        from assay.record.store.run_file import run_in

        path = self._folder.file_of(run)
        try:
            data = read_small_if_there(path, LARGEST_MEMBER)
            named = run_in(data, str(path)) if data is not None else ""
        except InputError as error:
            self._done.problems.append(f"{error}; it keeps its file")
            return None
        if data is None:
            return None  # another process has deleted or packed it
        if named != run:
            self._done.problems.append(f"{path}: holds run {named!r}; it keeps its file")
            return None
        return packed_member(run, data)


def _small_files(folder: Folder) -> list[str]:
    """The runs that have a file of their own, of a size to be packed."""
    return [run for run in folder.runs_alone() if _is_small(folder, run)]


def _is_small(folder: Folder, run: str) -> bool:
    try:
        return folder.file_of(run).stat().st_size <= LARGEST_MEMBER
    except (OSError, InputError):
        return False  # deleted just now, or a link, which `Folder.sentences_on_left_out` reports


def _small_packs(folder: Folder) -> list[Pack]:
    """The packs that are less than half full, the oldest first."""
    found = []
    for pack in folder.packs.all():
        with suppress(FileNotFoundError):
            entries = folder.packs.entries(pack)
            size = sum(entry.packed for entry in entries.values())
            if entries and size < _FULL_BYTES // 2 and len(entries) < _FULL_RUNS // 2:
                found.append(pack)
    return found


def _has_doubles(folder: Folder, alone: list[str]) -> bool:
    """Whether a run lies in two packs, or in a pack and in a file."""
    seen = set(alone)
    for pack in folder.packs.all():
        with suppress(FileNotFoundError):
            runs = folder.packs.entries(pack).keys()
            if seen & runs:
                return True
            seen |= runs
    return False


def _remove_files(folder: Folder, runs: list[str]) -> None:
    """Remove the files of runs that are packed. Raises `InputError` where one stays."""
    paths = [folder.file_of(run) for run in runs]
    try:
        for path in paths:
            path.unlink(missing_ok=True)
        for month in {path.parent for path in paths}:
            sync_folder(month)
    except OSError as error:
        what = f"cannot be removed: {error.strerror}"
        raise InputError(what, where=str(folder.root / "runs")) from None
