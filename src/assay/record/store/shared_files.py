"""The files of a store that are shared with other machines: runs, labels, confirmations.

    files = SharedFiles(Folder.opened(Path(".assay")))
    files.listed()                  # {"runs/2026-11/20261123-145203.123456-1a2b.parquet": 18321}
    files.read(name)
    for name in files.add([(name, data)]): ...     # each that was not there yet

The names are the same in every store and on every remote. Each names a file that never changes,
so sharing is copying what is missing. A file from elsewhere is taken only where `problem_with`
finds nothing: its name is one of a store's, and its content is what the name says (decision 44).
"""

import errno
import os
import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

from assay.errors import InputError
from assay.files import PartlyWrittenError, write_all_new
from assay.history import AlertState, Confirmation
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import (
    LARGEST_NAME,
    LARGEST_RUN,
    LARGEST_SAID,
    Folder,
    is_label,
)
from assay.record.store.kinds import is_odd
from assay.record.store.run_id import PATTERN, month_of, stored_at
from assay.small_files import open_regular
from assay.typed_json import decoded

# The largest size in bytes of a shared file, by the folder of the store that it is in.
MOST_BYTES = {"runs": LARGEST_RUN, "labels": LARGEST_NAME, "confirmations": LARGEST_SAID}
_CONFIRMATION = re.compile(r"[0-9a-f]{32}\.json")  # name of a confirmation's file
_AT_ONCE, _BYTES_AT_ONCE = 64, 16 * 2**20  # files and bytes written in one batch
_AHEAD = timedelta(days=1)  # a run named later than this after now has a wrong clock's time


def run_name(run: str) -> str:
    """The name of a run's shared file: its path in a store."""
    return f"runs/{month_of(run)}/{run}.parquet"


def run_of(name: str) -> str:
    """The run whose shared file has this name; empty: it is no run's."""
    run = name.rpartition("/")[2].removesuffix(".parquet")
    return run if PATTERN.fullmatch(run) and name == run_name(run) else ""


def label_of(name: str) -> str:
    """The label whose shared file has this name; empty: it is no label's."""
    folder, _, rest = name.partition("/")
    label = rest.replace("%2F", "/")
    is_ours = folder == "labels" and "/" not in rest and is_label(label)
    return label if is_ours else ""


def is_shared(name: str) -> bool:
    """Whether a file of this name is shared; all others on a remote are left alone."""
    folder, _, rest = name.partition("/")
    is_confirmation = folder == "confirmations" and bool(_CONFIRMATION.fullmatch(rest))
    return is_confirmation or bool(run_of(name) or label_of(name))


def size_limit_of(name: str) -> int:
    """The most bytes that a shared file of this name may have. Raises `KeyError` for a name that is
    not shared."""
    return MOST_BYTES[name.partition("/")[0]]


def names_in_copy_order(names: set[str]) -> list[str]:
    """The names in the order in which they are copied: a label after the run that it names."""
    places = {"runs": 0, "confirmations": 1, "labels": 2}
    return sorted(names, key=lambda name: (places[name.partition("/")[0]], name))


def problem_with(name: str, data: bytes, origin: str, now_s: float) -> str:
    """Why a shared file may not enter a store; empty: it may. All of its content is checked.

    `origin` names it in messages, `now_s` is the time since 1970.
    """
    try:
        if len(data) > size_limit_of(name):
            return f"is larger than {size_limit_of(name)} bytes, the most that Assay reads"
        if run := run_of(name):
            return _problem_with_run(run, data, origin, now_s)
        if label_of(name):
            return "" if run_named_in_label(data) else "is a label that names no run"
        one = decoded(data, Confirmation, where="", what="a confirmation")
        return "" if name.endswith(f"/{one.key}.json") else "is not of the change it is named by"
    except InputError as error:
        return error.what


def run_named_in_label(label: bytes) -> str:
    """The run that the content of a label's file names; empty: it names none."""
    run = label.decode(errors="replace").removesuffix("\n")
    return run if PATTERN.fullmatch(run) else ""


def _problem_with_run(run: str, data: bytes, origin: str, now_s: float) -> str:
    from assay.record.store.run_file import decode_rows

    if stored_at(run).timestamp() > now_s + _AHEAD.total_seconds():
        return "is of a later day than this clock says: set the clock of the machine that is wrong"
    held = decode_rows(data, origin).header.run
    return "" if held == run else f"holds run {held!r}, not the one it is named by"


class SharedFiles:
    """Those files of one store that are shared with other machines: runs, labels, confirmations."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def listed(self) -> dict[str, int]:
        """The size in bytes of each shared file. Confirmations that decided nothing are left
        out."""
        alone = self._sizes(map(run_name, self._folder.runs_alone()))
        # After the files' sizes: a run whose file went meanwhile was packed, and is seen here.
        packed = {run_name(run): size for run, size in self._folder.packs.sizes().items()}
        names = [f"labels/{label.replace('/', '%2F')}" for label in self._folder.labels()]
        decided = (
            one for one in Confirmations(self._folder).all() if one.state != AlertState.UNDECIDED
        )
        names += [f"confirmations/{one.key}.json" for one in decided]
        return alone | packed | self._sizes(names)

    def _sizes(self, names: Iterable[str]) -> dict[str, int]:
        """The sizes of those files that are there."""
        return {name: size for name in names if (size := self._size(name)) is not None}

    def _size(self, name: str) -> int | None:
        try:
            path = self._folder.path_inside(*name.split("/"))
            return None if is_odd(path, is_there=True) else path.stat().st_size
        except (OSError, InputError):
            return None  # deleted just now, or a link, which `Folder.sentences_on_left_out` reports

    def read(self, name: str) -> bytes:
        """The content of a file, of which at most one byte more is read than is allowed.

        Raises `InputError` where it is missing or cannot be read.
        """
        path = self._folder.path_inside(*name.split("/"))
        try:
            with open_regular(path) as file:
                return file.read(size_limit_of(name) + 1)
        except FileNotFoundError:
            data = self._folder.packs.read(run_of(name)) if run_of(name) else None
            if data is None:
                what = f"cannot be read: {os.strerror(errno.ENOENT)}"
                raise InputError(what, where=str(path)) from None
            return data
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None

    def reason_not_writable(self, name: str) -> str:
        """Why no file of this name can be added; empty: it can."""
        return self._folder.reason_not_writable(*name.split("/"))

    def add(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Write files into the store; yields the names of those that were not there, once they are
        safe.

        A file that is there stays as it is. Raises `InputError` where one cannot be written, after
        the names of those that are safe.
        """
        for some in _batches((name, data) for name, data in files if not self._is_packed(name)):
            places = {self._room_for(name): name for name in some}
            try:
                new = write_all_new({path: some[name] for path, name in places.items()})
            except PartlyWrittenError as error:
                yield from (places[path] for path in error.written)
                raise
            yield from (places[path] for path in new)

    def _is_packed(self, name: str) -> bool:
        return bool(run_of(name)) and self._folder.packs.has(run_of(name))

    def _room_for(self, name: str) -> Path:
        """The path to write a file to. A confirmation that decided nothing makes room for a new
        one."""
        path = self._folder.path_with_folder(*name.split("/"))
        if name.startswith("confirmations/"):
            path.unlink(missing_ok=True)  # this confirmation had decided nothing
        return path


def _batches(files: Iterable[tuple[str, bytes]]) -> Iterator[dict[str, bytes]]:
    """The files in batches of up to 64 files and some megabytes."""
    some: dict[str, bytes] = {}
    for name, data in files:
        some[name] = data
        if len(some) == _AT_ONCE or sum(map(len, some.values())) > _BYTES_AT_ONCE:
            yield some
            some = {}
    if some:
        yield some
