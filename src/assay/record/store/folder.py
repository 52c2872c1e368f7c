"""The folder of a store: what lies where, and which version wrote it.

    .assay/store.json                                  {"assay_store": 1}
    .assay/runs/2026-11/20261123-145203.123456-1a2b.parquet
    .assay/packs/RUN_RUN_HASH.zip                      many runs in one file, see `packs`
    .assay/labels/release-1.2                          holds the name of a run
    .assay/imports/HASH                                names the run that an imported file became
    .assay/journals/*.journal                          of sessions that run now, or were killed
    .assay/catalogue.sqlite                            made of the runs; may be deleted any time
    .assay/histories.sqlite                            all histories judged, for pages; the same
    .assay/triage/*.json                               what users decided about changes
    .assay/answers/RUN_RUN_HASH-HASH.jsonl             what `assay why` found of two runs

Every file appears whole or not at all (`assay.files`), and no run file ever changes, so any
number of processes may store at once without a lock.

A store may have come with a repository that a stranger wrote. So a name that is read from it must
match the same pattern as one that is written, and no symbolic link in it is followed: a label that
held "../../x" once made `runs delete` delete x. Paths to write to are made by `path_inside`, those
of runs by `file_of`; both refuse what is no part of a store. Files to read are listed by
`files_in`, which leaves such things out, for one odd folder is no reason to stop a command;
`sentences_on_left_out` names them (docs/decisions/0036-store.md).
"""

import errno
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.files import write_whole
from assay.plurals import count
from assay.record.store.kinds import is_folder, is_odd, is_plain, names_in
from assay.record.store.mark import MARK, PACKED, check_mark, encoded_mark
from assay.record.store.packs import LOCK, Packs, pack_named
from assay.record.store.run_id import PATTERN, month_of
from assay.small_files import KB, read_small, read_small_if_there

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+/-]{0,99}")
_MONTH = re.compile(r"\d{4}-\d{2}")
LARGEST_RUN = 256 * 2**20  # bytes of a run's file, at most
LARGEST_NAME = 200  # bytes of a file that holds the name of a run, at most; a name takes 27
LARGEST_SAID = 64 * 2**10  # bytes of a confirmation or a triage, at most
_LARGEST_MARK = 4 * KB  # bytes of `store.json`, at most
# Endings of the files that SQLite opens for one database.
SQLITE_ENDS = ("", "-journal", "-wal", "-shm")
_STALE_S = 3600.0  # seconds: a half-written file that is older was left by a killed process
LAST = "LAST"  # a user writes this for the run that was stored last


class Folder:
    """The paths and names in one store. It holds no state, so any number of threads may use it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.packs = Packs(root / "packs")

    @classmethod
    def opened(cls, root: Path) -> "Folder":
        """The store at `root`. Raises `InputError` where there is none, or it is of a newer
        version."""
        path = root / MARK
        if not os.path.lexists(path):
            hint = "measure with --store, or name the folder that `store.json` is in"
            raise InputError("is no store of runs", where=str(root), hint=hint)
        cls(root).path_inside(MARK)  # refused if it is a link: this file makes it a store
        check_mark(read_small(path, _LARGEST_MARK), str(path))
        return cls(root)

    @classmethod
    def opened_or_made(cls, root: Path) -> "Folder":
        """The store at `root`, made where there is none. Raises `InputError` where it cannot be."""
        if not os.path.lexists(root / MARK):
            _make_store(root)
        return cls.opened(root)

    def runs(self) -> list[str]:
        """The names of all runs, the oldest first. 10,000 take about 10 ms."""
        alone = self.runs_alone()  # first: a run that is packed meanwhile is seen in its pack
        return sorted(self.packs.sizes().keys() | set(alone)) if self.packs.is_there else alone

    def runs_alone(self) -> list[str]:
        """The runs that have a file of their own, the oldest first."""
        return sorted(run for month in self._month_folders() for run in _runs_in(month))

    def newest(self) -> str:
        """The name of the run stored last; empty: there is none."""
        newest = self._newest_alone()
        return max(newest, self.packs.newest())

    def has(self, run: str) -> bool:
        """Whether a run is there. Raises `InputError` for a name that is no run's."""
        return not is_odd(self.file_of(run), is_there=True) or self.packs.has(run)

    def _newest_alone(self) -> str:
        for month in reversed(self._month_folders()):
            if runs := _runs_in(month):
                return max(runs)
        return ""

    def path_inside(self, *names: str) -> Path:
        """A path below the store, to write to. Raises `InputError` for a symbolic link on the way,
        which may lead elsewhere, and for a pipe or a device, which may block whoever opens it."""
        path = self.root
        for name in names:
            path = path / name
            if not is_plain(path):
                what = "is neither a file nor a folder: a store holds nothing else"
                if path.is_symlink():
                    what = "is a symbolic link, and nothing in a store may lead out of it"
                raise InputError(what, where=str(path), hint="remove it, if it is not yours")
        return path

    def files_in(self, name: str, ending: str = "") -> list[Path]:
        """The regular files in a folder of the store, by name; none where it is no folder."""
        folder = self.root / name
        try:
            names = names_in(folder) if is_folder(folder) else []
        except OSError:
            return []
        paths = (folder / one for one in sorted(names) if one.endswith(ending))
        return [path for path in paths if not is_odd(path, is_there=True)]

    def path_with_folder(self, *names: str) -> Path:
        """A path below the store, to write to, whose folder is made. Raises `InputError` where
        `inside` does, and where the folder cannot be made."""
        path = self.path_inside(*names)
        _make_folder(path.parent)
        return path

    def file_of(self, run: str) -> Path:
        """The path of a run's file, which may not be there yet. Raises `InputError` for a name that
        is no run's, and as `inside`."""
        if not PATTERN.fullmatch(run):
            raise InputError("is not the name of a run", where=repr(run))
        return self.path_inside("runs", month_of(run), f"{run}.parquet")

    def foreign_entries(self) -> list[Path]:
        """Files and folders in the store that are no part of it."""
        found = [self.root / name for name in _FILES if is_odd(self.root / name)]
        for name, is_ours in _IS_OURS.items():
            folder = self.root / name
            if is_folder(folder):
                found += [path for path in _entries(folder) if not is_ours(path)]
            elif os.path.lexists(folder):
                found.append(folder)
        for month in self._month_folders():
            found += [path for path in _entries(month) if is_odd(path)]
        return found

    def write(self, run: str, data: bytes) -> Path:
        """Store a run's file; return its path. Raises `InputError` where it cannot: then nothing is
        stored."""
        path = self.file_of(run)
        _make_folder(path.parent)
        self._remove_half_written(path.parent)
        write_whole(data, path)
        return path

    def delete(self, *runs: str) -> None:
        """Remove runs and their labels. Raises `InputError` where one is not there or stays."""
        found: set[str] = set()
        try:
            found.update(run for run in runs if self._is_removed(run))
            found |= self.packs.drop_runs(set(runs))  # last: a run packed meanwhile is seen there
            for run in runs:
                if run not in found:
                    what = f"cannot be deleted: {os.strerror(errno.ENOENT)}"
                    raise InputError(what, where=f"run:{run}")
        finally:
            for label, of in self.labels().items():
                if of in found and not self.has(of):
                    self._label_file(label).unlink(missing_ok=True)

    def _is_removed(self, run: str) -> bool:
        """Remove the file of a run, if it has one of its own; returns whether it had."""
        try:
            self.file_of(run).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise InputError(f"cannot be deleted: {error.strerror}", where=f"run:{run}") from None
        return True

    def mark_as_packed(self) -> None:
        """Write into `store.json` that an older Assay must not use this store. Raises `InputError`
        where that cannot be written."""
        path = self.path_inside(MARK)
        if check_mark(read_small(path, _LARGEST_MARK), str(path)) != PACKED:
            write_whole(encoded_mark(PACKED), path)

    def label(self, run: str, name: str) -> None:
        """Give a run a label; another run that had it loses it.

        Raises `UsageError` for a name that cannot be a label, `InputError` where it cannot be
        written.
        """
        if not is_label(name):
            hint = "letters, digits and . _ + - /, at most 100, beginning with a letter or digit"
            raise UsageError("cannot be a label", where=repr(name), hint=hint)
        path = self._label_file(name)
        _make_folder(path.parent)
        write_whole(f"{run}\n".encode(), path)

    def labels(self) -> dict[str, str]:
        """By label, the run that has it; files that are no labels, or name no run, are left out."""
        named = ((path, _run_of_label(path)) for path in self.files_in("labels"))
        return {_label_of(path): run for path, run in named if run}

    def usable_folder(self, name: str) -> Path | None:
        """The path of a folder of the store, whether it exists or not; None: something else has its
        name."""
        folder = self.root / name
        return folder if is_folder(folder) or not os.path.lexists(folder) else None

    def reason_not_writable(self, *names: str) -> str:
        """Why no file can be written at this path below the store; empty: one can."""
        path = self.root
        for name in names[:-1]:
            path = path / name
            if os.path.lexists(path) and not is_folder(path):
                return f"{path} is no folder of a store, and nothing can be put into it"
        place = path / names[-1]
        return f"{place} is no file of a store, and stays" if is_odd(place) else ""

    def sentences_on_left_out(self) -> Iterator[str]:
        """A sentence for each thing in the store that is left out, and for unreadable folders."""
        for path in self.foreign_entries():
            yield f"{path} is no part of a store and is left out; remove it, if it is not yours"
        for folder in [*(self.root / name for name in _IS_OURS), *self._month_folders()]:
            try:
                if is_folder(folder):
                    names_in(folder)
            except OSError as error:
                yield f"{folder}: what is in it is left out: {error.strerror}"
        yield from filter(None, map(self.packs.reason_left_out, self.packs.all()))

    def read(self, run: str) -> bytes:
        """The bytes of a run's file. Raises `InputError` where it is missing or too large."""
        hint, path = "`assay runs` lists what is there", self.file_of(run)
        data = read_small_if_there(path, LARGEST_RUN, hint=hint)
        if data is None:  # then looked for in packs, as another process may just have packed it
            data = self.packs.read(run)
        if data is None:
            raise InputError("no such file", where=str(path), hint=hint)
        return data

    def journals(self) -> list[Path]:
        """The journals of sessions that run now or were killed, whose runs are not stored yet."""
        return self.files_in("journals", ".journal")

    def find(self, written: str) -> str:
        """The run that LAST, a label, a name or the beginning of a name stands for.

        Raises `InputError` where there is none, or several begin so.
        """
        if written == LAST:
            return self.newest() or self._refuse_unknown(written)
        labels = self.labels()
        if written in labels:
            return labels[written]
        matching = [run for run in self.runs() if run.startswith(written)] if written else []
        if len(matching) > 1:
            what = f"is the beginning of {count(len(matching), 'run')}"
            raise InputError(what, where=f"run:{written}", hint="write more of its name")
        return matching[0] if matching else self._refuse_unknown(written)

    def _refuse_unknown(self, written: str) -> str:
        hint = f"`assay runs` lists those of {self.root}"
        raise InputError("no such run or label", where=f"run:{written}", hint=hint)

    def _month_folders(self) -> list[Path]:
        folder = self.root / "runs"
        return sorted(filter(_is_month, _entries(folder))) if is_folder(folder) else []

    def _label_file(self, name: str) -> Path:
        return self.path_inside("labels", name.replace("/", "%2F"))

    def _remove_half_written(self, month: Path) -> None:
        """Remove half-written files that killed processes left; this lists the folder once."""
        for path in _parts_in(month):
            with suppress(OSError):  # another process may have removed it first
                if time.time() - path.stat().st_mtime > _STALE_S:
                    path.unlink()


def _runs_in(month: Path) -> list[str]:
    """The runs in a month's folder; none where it cannot be read, see `sentences_on_left_out`."""
    try:
        names = names_in(month)
    except OSError:
        return []
    runs = (name.removesuffix(".parquet") for name in names if name.endswith(".parquet"))
    return [run for run in runs if PATTERN.fullmatch(run)]


def is_label(name: str) -> bool:
    """Whether a run can be given this name as a label."""
    return bool(_LABEL.fullmatch(name)) and name != LAST and not PATTERN.fullmatch(name)


def _is_month(path: Path) -> bool:
    return bool(_MONTH.fullmatch(path.name)) and is_folder(path)


def _is_part(path: Path) -> bool:
    """Whether a file is half-written: by another process now, or by one that was killed."""
    return path.name.startswith(".assay-")


def _is_in_packs(path: Path) -> bool:
    is_named = path.name == LOCK or bool(pack_named(path.parent, path.name))
    return not is_odd(path) and (is_named or _is_part(path))


def _label_of(path: Path) -> str:
    return path.name.replace("%2F", "/")


def _run_of_label(path: Path) -> str:
    """The run that a label's file names; empty: it is no label, or names no run."""
    if _is_part(path) or is_odd(path) or not is_label(_label_of(path)):
        return ""
    return run_named_in(path)


def run_named_in(path: Path) -> str:
    """The run that a small file names; empty: it names none, or cannot be read."""
    try:
        run = (read_small_if_there(path, LARGEST_NAME) or b"").decode(errors="replace").strip()
    except InputError:
        return ""
    return run if PATTERN.fullmatch(run) else ""


def _parts_in(folder: Path) -> Iterator[Path]:
    return (folder / name for name in names_in(folder) if name.startswith(".assay-"))


def _entries(folder: Path) -> list[Path]:
    """The paths in a folder; none where it cannot be read (see `Folder.sentences_on_left_out`)."""
    try:
        return [folder / name for name in sorted(names_in(folder))]
    except OSError:
        return []


_FILES = (  # files directly in a store that Assay writes and that may be there
    ".gitignore",
    *(f"{name}.sqlite{end}" for name in ("catalogue", "histories") for end in SQLITE_ENDS),
)
# For each folder of a store, a test whether Assay could have written a file in it.
_IS_OURS: dict[str, Callable[[Path], bool]] = {
    "runs": _is_month,
    "packs": _is_in_packs,
    "labels": lambda path: _is_part(path) or bool(_run_of_label(path)),
    "journals": lambda path: not is_odd(path),
    "confirmations": lambda path: not is_odd(path),
    "triage": lambda path: not is_odd(path),
    "answers": lambda path: not is_odd(path),
    "imports": lambda path: not is_odd(path),
    "bisects": lambda path: not is_odd(path),
}


def _make_store(root: Path) -> None:
    _make_folder(root)
    for name in (".gitignore", MARK):
        Folder(root).path_inside(name)  # a symbolic link would lead these files elsewhere
    write_whole(b"*\n", root / ".gitignore")  # a store is no source; edit this to have it in git
    write_whole(encoded_mark(), root / MARK)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot be made: {error.strerror}"
        raise InputError(
            what, where=str(folder), hint="choose another place with --store"
        ) from None
