"""The packs of a store: files in `packs/` that hold many runs each (`pack_file`).

    packs = Packs(Path(".assay/packs"))
    packs.read("20261123-145203.123456-1a2b")       # None: no pack has it
    packs.drop_runs({"20261123-145203.123456-1a2b"})   # which of them were there

A pack never changes. One that gains or loses a run is replaced: the new one is written first, so
that between the two a run lies in both, which is no harm, for a run is its name. Whoever reads and
finds a pack gone looks again. Two that replace packs at once would undo each other's work, so
they hold a lock: the kernel's, on `packs/lock`, that ends with its process (decision 51).
"""

import fcntl
import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.files import sync_folder, write_all_new
from assay.record.store.kinds import is_folder, is_odd, names_in
from assay.record.store.pack_file import (
    LARGEST_PACK,
    TAIL,
    Entry,
    Member,
    content_of_entry,
    first_and_last,
    index,
    newest_run,
    packed_bytes,
)
from assay.record.store.run_id import PATTERN
from assay.small_files import open_regular, read_small_if_there

LOCK = "lock"
_RUN = PATTERN.pattern
# Name of a pack: its oldest and its newest run, and a hash of its content.
_NAME = re.compile(rf"(?P<first>{_RUN})_(?P<last>{_RUN})_[0-9a-f]{{16}}\.zip")
_WAIT_S = 60.0  # seconds to wait for whoever changes packs
_POLL_S = 0.05


class Pack(msgspec.Struct, frozen=True):
    """A file with many runs, and the oldest and newest of them, which its name says."""

    path: Path
    first: str
    last: str


class Packs:
    """The packs of one store, in any number of threads. What one holds is read once a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def is_there(self) -> bool:
        """Whether the store was ever compacted."""
        return is_folder(self.folder)

    @property
    def _is_closed(self) -> bool:
        """Whether something else has the lock's name, so that nobody can change packs."""
        return is_odd(self.folder / LOCK)

    def all(self) -> list[Pack]:
        """The packs, in the order of their oldest runs; also those that are damaged, or were there
        a moment ago: whoever opens one of these learns to look again."""
        found = [pack for name in self._names() if (pack := pack_named(self.folder, name))]
        return [pack for pack in found if not is_odd(pack.path)]

    def _names(self) -> list[str]:
        """The names in the folder, read until two readings agree: of one that changes meanwhile
        neither an old pack nor the one in its place may be seen."""
        names: list[str] = []
        try:
            while self.is_there and (now := sorted(names_in(self.folder))) != names:
                names = now
        except OSError:
            return []
        return names

    def sizes(self) -> dict[str, int]:
        """The bytes of the file that each run in a pack was, by run."""
        while True:
            with suppress(FileNotFoundError):  # another process has just replaced a pack
                return {
                    run: entry.size
                    for pack in self.all()
                    for run, entry in self.entries(pack).items()
                }

    def newest(self) -> str:
        """The newest run in a pack; empty: there is none."""
        while True:
            with suppress(FileNotFoundError):
                some = sorted(self.all(), key=lambda pack: pack.last, reverse=True)
                return next((pack.last for pack in some if _is_newest_in(pack)), "")

    def has(self, run: str) -> bool:
        """Whether a run lies in a pack."""
        return self._pack_and_entry(run) is not None

    def read(self, run: str) -> bytes | None:
        """The bytes of the file that a run was; None: no pack has it.

        Raises `InputError` where they are damaged or cannot be read.
        """
        while (place := self._pack_and_entry(run)) is not None:
            pack, entry = place
            with suppress(FileNotFoundError):
                return content_of_entry(entry, self._bytes_of(pack, entry), str(pack.path))
        return None

    def members(self, pack: Pack) -> Iterator[Member]:
        """What a pack holds, as it lies there. Raises `InputError` where it cannot be read."""
        for entry in self.entries(pack).values():
            yield Member(entry.run, self._bytes_of(pack, entry), entry.size, entry.crc)

    def entries(self, pack: Pack) -> Mapping[str, Entry]:
        """By run, where it lies in a pack; none where the pack is damaged (see `reason_left_out`).

        Raises `FileNotFoundError` where it was replaced.
        """
        try:
            return _entries_of(pack, _file_state(pack.path))
        except InputError:
            return {}

    def reason_left_out(self, pack: Pack) -> str:
        """Why the runs of a pack are left out; empty: they are not."""
        try:
            _entries_of(pack, _file_state(pack.path))
        except FileNotFoundError:
            return ""
        except InputError as error:
            return f"{error}; its runs are left out"
        return ""

    def drop_runs(self, runs: Set[str]) -> set[str]:
        """Take runs out of the packs; returns those that were in one.

        Raises `InputError` where that cannot be done: the rest stays as it was.
        """
        if not self.is_there or (self._is_closed and not any(map(self.has, runs))):
            return set()
        dropped: set[str] = set()
        with self.locked():
            for pack in self.all():
                near = {run for run in runs if pack.first <= run <= pack.last}
                gone = near & self.entries(pack).keys() if near else set()
                if gone:
                    self.replace([pack], [m for m in self.members(pack) if m.run not in gone])
                dropped |= gone
        return dropped

    def replace(self, packs: Iterable[Pack], members: list[Member]) -> None:
        """Put runs into a new pack and remove others. Only for whoever holds the lock.

        Raises `InputError` where it cannot be written: nothing is removed then.
        """
        new = self.put(members) if members else None
        self.remove([pack for pack in packs if pack.path != new])

    def remove(self, packs: Iterable[Pack]) -> None:
        """Remove packs whose runs all lie elsewhere, or are deleted. Only for the lock's holder."""
        try:
            for pack in packs:
                pack.path.unlink(missing_ok=True)
            sync_folder(self.folder)
        except OSError as error:
            raise _error_of_folder(error, self.folder) from None

    def put(self, members: list[Member]) -> Path:
        """Write a pack of these runs, and return its path. Raises `InputError` where it cannot."""
        ordered = sorted(members)
        data = packed_bytes(ordered)
        begin = first_and_last([one.run for one in ordered])
        path = self.folder / f"{begin}_{hashlib.sha256(data).hexdigest()[:16]}.zip"
        index(lambda at, size: data[at : at + size], len(data), str(path))  # it can be read again
        if not write_all_new({path: data}) and not _file_holds(path, data):
            what = "is not the pack that its name says: it is damaged"
            raise InputError(what, where=str(path), hint="move it away, then compact again")
        return path

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of all who change packs. The folder is made where there is none.

        Raises `InputError` where another holds it for a minute, and where it cannot be had.
        """
        with suppress(FileExistsError):  # also what is no folder: it is refused below
            self._make_folder()
        if not self.is_there:
            what = "is no folder of a store"
            raise InputError(what, where=str(self.folder), hint="remove it, if it is not yours")
        if self._is_closed:
            what = "is no file of a store"
            raise InputError(what, where=str(self.folder / LOCK), hint="remove it")
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            lock = os.open(self.folder / LOCK, flags, 0o666)
        except OSError as error:
            raise _error_of_folder(error, self.folder) from None
        try:
            _wait_for(lock, self.folder)
            yield
        finally:
            os.close(lock)

    def _make_folder(self) -> None:
        """Make the folder. Raises `FileExistsError` where something has its name."""
        try:
            self.folder.mkdir()
        except FileExistsError:
            raise
        except OSError as error:
            raise _error_of_folder(error, self.folder) from None

    def _pack_and_entry(self, run: str) -> tuple[Pack, Entry] | None:
        while True:
            with suppress(FileNotFoundError):
                for pack in self.all():
                    if pack.first <= run <= pack.last and (entry := self.entries(pack).get(run)):
                        return pack, entry
                return None

    def _bytes_of(self, pack: Pack, entry: Entry) -> bytes:
        """The bytes of a run as they lie in a pack. Raises `FileNotFoundError` where the pack was
        replaced, and `InputError` where it cannot be read."""
        try:
            with open_regular(pack.path) as file:
                return os.pread(file.fileno(), entry.packed, entry.start)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=str(pack.path)) from None


def pack_named(folder: Path, name: str) -> Pack | None:
    """The pack of this name; None: no pack is named so."""
    found = _NAME.fullmatch(name)
    return Pack(folder / name, found["first"], found["last"]) if found else None


def checked_range(pack: Pack, entries: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """What a pack holds. Raises `InputError` where its name says otherwise."""
    if (min(entries), max(entries)) != (pack.first, pack.last):
        raise InputError("holds other runs than its name says", where=str(pack.path))
    return entries


def _file_holds(path: Path, data: bytes) -> bool:
    """Whether a regular file holds just this. Raises `InputError` where it cannot be read."""
    return not is_odd(path) and read_small_if_there(path, LARGEST_PACK) == data


def _is_newest_in(pack: Pack) -> bool:
    """Whether a pack ends with the run that its name says. Raises `FileNotFoundError`."""
    try:
        with open_regular(pack.path) as file:
            at = max(0, os.fstat(file.fileno()).st_size - TAIL)
            return newest_run(os.pread(file.fileno(), TAIL, at)) == pack.last
    except FileNotFoundError:
        raise
    except (OSError, InputError):
        return False


def _file_state(path: Path) -> tuple[int, int, int]:
    """What differs between two files that had the same path. Raises `FileNotFoundError`, and
    `InputError` where it cannot be looked at."""
    try:
        found = path.stat()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None
    return found.st_ino, found.st_size, found.st_mtime_ns


@lru_cache(maxsize=1024)
def _entries_of(pack: Pack, state: tuple[int, int, int]) -> Mapping[str, Entry]:
    """What a pack holds; `state` is of its file, so that one of the same name is read again."""
    try:
        with open_regular(pack.path) as file:
            found = index(
                lambda at, size: os.pread(file.fileno(), size, at), state[1], str(pack.path)
            )
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(pack.path)) from None
    return checked_range(pack, found)


def _wait_for(lock: int, folder: Path) -> None:
    until_s = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until_s:
                what = "is being changed by another Assay for a minute now"
                raise InputError(what, where=str(folder), hint="try again later") from None
            time.sleep(_POLL_S)
        except OSError as error:  # a file system without locks
            raise _error_of_folder(error, folder) from None
        else:
            return


def _error_of_folder(error: OSError, folder: Path) -> InputError:
    return InputError(f"cannot be changed: {error.strerror}", where=str(folder))
