"""Keeps finished builds by their keys, until there is no more room for them.

cache = BuildCache(cache_folder() / "revisions")
lease = cache.lease_build(key, make=build_it, waiting=tell)    # build_it runs if it is not there
lease.place.source, lease.was_there
lease.release()

`builds/KEY` holds one build, and `locks/KEY` its lock: exclusive while the build is made or
removed, shared by its users. A build without `finished.json` was cut short, and is made anew.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.revisions.commands import end_marked_processes
from assay.revisions.placements import RelinkResult
from assay.small_files import MB, read_small_if_there
from assay.typed_json import decoded

_LARGEST = 16 * MB  # bytes of `finished.json`, at most
_AGAIN_S = 0.02  # seconds to wait before the lock is tried again
_GONE = ".gone-"  # beginning of the names of builds that are being removed


class BuildPlace(msgspec.Struct, frozen=True):
    """Where one build lies: its log, and its folder with the checkout and the record of the
    build."""

    folder: Path
    log: Path

    @property
    def source(self) -> Path:
        return self.folder / "source"

    @property
    def drivers(self) -> Path:
        """Folder of the compiler scripts that add flags, which are used during the build."""
        return self.folder / "drivers"

    @property
    def links(self) -> Path:
        """Folder with the records of how programs were linked, used during the build."""
        return self.folder / "links"

    @property
    def facts(self) -> Path:
        """File with facts about the build; it is written last, so a build that has it is
        complete."""
        return self.folder / "finished.json"


class FinishedBuild(msgspec.Struct, frozen=True):
    """The content of `finished.json`, which is written when a build has succeeded."""

    commit: str
    commands: tuple[str, ...]
    seconds: float  # seconds that the build took
    bytes: int = 0  # bytes that the build takes on disk
    relinked: RelinkResult | None = None


class Lease(msgspec.Struct, frozen=True):
    """A build in use: nobody removes it before `release`, or before this process ends."""

    place: BuildPlace
    finished: FinishedBuild
    was_there: bool  # whether the build was in the cache already
    lock: int  # descriptor of the build's lock, held shared

    def release(self) -> None:
        """Allow other processes to remove the build. Call it once."""
        os.close(self.lock)


class BuildCache:
    """The folder in which builds are kept. Several processes may use it at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, key: str) -> BuildPlace:
        """Where the build of a key lies. All keys have the same length, so all builds have paths of
        equal length."""
        return BuildPlace(self.folder / "builds" / key, self.folder / "logs" / f"{key}.log")

    def lease_build(
        self, key: str, make: Callable[[BuildPlace], FinishedBuild], waiting: Callable[[], None]
    ) -> Lease:
        """The build of a key, made by `make` if it is not there, and kept from removal until it is
        released.

        `waiting` is called while another process makes it.
        """
        place = self.place(key)
        for folder in (place.folder.parent, place.log.parent, self._lock(key).parent):
            folder.mkdir(parents=True, exist_ok=True)
        lock, made = os.open(self._lock(key), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), False
        try:
            while True:
                if _take_lock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    if not place.facts.exists():
                        self._make_build(place, make)
                        made = True
                    _take_lock(lock, fcntl.LOCK_SH)
                elif not _take_lock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB):
                    waiting()
                    _take_lock(lock, fcntl.LOCK_SH)  # waits until the other has finished or failed
                if finished := _facts_marked_used(place):
                    return Lease(place, finished, not made, lock)
                fcntl.flock(lock, fcntl.LOCK_UN)
                time.sleep(_AGAIN_S)
        except BaseException:
            os.close(lock)
            raise

    def remove_until_small(self, most_bytes: float) -> None:
        """Remove builds, those not used for longest first, until the others take `most_bytes`;
        builds in use stay."""
        for left in self._builds().glob(f"{_GONE}*"):
            _remove(left)
        kept = sorted(self._sizes())
        total = sum(size for _, size, _ in kept)
        for _, size, key in kept:
            if total <= most_bytes:
                return
            if self._remove_unused(key):
                total -= size

    def _make_build(self, place: BuildPlace, make: Callable[[BuildPlace], FinishedBuild]) -> None:
        """Make a build from scratch. What a killed Assay may have left of it is removed first."""
        if place.folder.exists():
            end_marked_processes(place.folder.name)
            _remove(place.folder)
        finished = make(place)
        whole = msgspec.structs.replace(finished, bytes=_size(place.folder))
        write_whole(json_bytes(whole), place.facts)

    def _sizes(self) -> Iterator[tuple[float, int, str]]:
        """Last use, size and key of each build; one that was cut short counts as long unused."""
        for folder in self._builds().glob("[!.]*"):
            place = self.place(folder.name)
            if (finished := _read(place)) is not None:
                yield place.facts.stat().st_mtime, finished.bytes, folder.name
            else:
                yield 0.0, _size(folder), folder.name

    def _remove_unused(self, key: str) -> bool:
        """Remove a build unless somebody uses it; return whether it is gone."""
        lock = os.open(self._lock(key), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            if not _take_lock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB):
                return False
            end_marked_processes(key)
            gone = self._builds() / f"{_GONE}{os.urandom(8).hex()}"
            # Renamed first, so that nobody sees a build of which a part is gone.
            self.place(key).folder.rename(gone)
            _remove(gone)
            self.place(key).log.unlink(missing_ok=True)
        except FileNotFoundError:
            pass  # another process removed it first
        finally:
            os.close(lock)
        return True

    def _builds(self) -> Path:
        return self.folder / "builds"

    def _lock(self, key: str) -> Path:
        return self.folder / "locks" / key


def _take_lock(lock: int, how: int) -> bool:
    """Take a lock; return whether that succeeded. Without LOCK_NB this waits."""
    try:
        fcntl.flock(lock, how)
    except BlockingIOError:
        return False
    return True


def _facts_marked_used(place: BuildPlace) -> FinishedBuild | None:
    """The facts of a build, which is marked as used now; None: the build is not complete."""
    finished = _read(place)
    if finished:
        os.utime(place.facts)
    return finished


def _read(place: BuildPlace) -> FinishedBuild | None:
    try:
        data = read_small_if_there(place.facts, _LARGEST)
        if data is None:
            return None
        return decoded(data, FinishedBuild, where=str(place.facts), what="a build")
    except InputError as error:  # of another version, or not a regular file
        _remove_facts(place.facts, error)
        return None


def _remove_facts(facts: Path, why: InputError) -> None:
    """Remove a build's facts, so that it is made anew. Raises `InputError` if they stay."""
    try:
        facts.unlink(missing_ok=True)
    except OSError:
        raise InputError(why.what, where=why.where, hint="delete it: it is only a cache") from None


def _size(folder: Path) -> int:
    """The bytes that a folder takes on disk."""
    total = 0
    for parent, _, files in os.walk(folder):
        for name in files:
            total += os.lstat(f"{parent}/{name}").st_blocks * 512
    return total


def _remove(folder: Path) -> None:
    """Remove a folder, even if a build made folders in it that are not writable."""

    def allow(function: Callable[[str], Any], path: str, _: object) -> None:
        parent = Path(path).parent
        try:
            parent.chmod(0o700)
            if function is not os.rmdir and Path(path).is_dir():
                Path(path).chmod(0o700)
            function(path)
        except FileNotFoundError:
            return  # another process removed it

    shutil.rmtree(folder, onerror=allow)
