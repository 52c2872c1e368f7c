"""The folder of a store: what lies where, and which version wrote it.

    .assay/store.json                                  {"assay_store": 1}
    .assay/runs/2026-11/20261123-145203.123456-1a2b.parquet
    .assay/labels/release-1.2                          holds the name of a run
    .assay/imports/HASH                                of a file that was imported: names its run
    .assay/journals/*.journal                          of sessions that run now, or were killed
    .assay/catalogue.sqlite                            made of the runs; may be deleted any time
    .assay/histories.sqlite                            the same, of all histories: for pages
    .assay/triage/*.json                               what people said of changes

Every file appears whole or not at all (`assay.files`), and no run file ever changes, so any
number of processes may store at once. Nothing needs a lock.

A store may have come with a repository that a stranger wrote. So a name that is read from it
obeys the same pattern as one that is written, and no symbolic link in it is followed: a label
that held "../../x" once made `runs delete` delete x. All paths in a store are made by `inside`,
and those of runs by `file_of`. `strangers` names what is left out.
"""

import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from assay.errors import InputError, UsageError
from assay.files import write_whole
from assay.record.store.run_id import PATTERN, month_of
from assay.typed_json import decoded

VERSION = 1
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+/-]{0,99}")
_MONTH = re.compile(r"\d{4}-\d{2}")
_NAMED_WITHIN = 200  # bytes of a label's file that are read: a run's name is 27
_STALE_S = 3600.0  # a part of a file so old was left by a process that was killed
LAST = "LAST"


class Folder:
    """Paths and names in one store; holds no state, so it is safe in any number of threads."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def opened(cls, root: Path) -> "Folder":
        """One that is there. Raises `InputError` when it is not, or is of a newer version."""
        path = root / "store.json"
        if not path.is_file():
            hint = "measure with --store, or name the folder that `store.json` is in"
            raise InputError("is no store of runs", where=str(root), hint=hint)
        _check_version(path)
        return cls(root)

    @classmethod
    def opened_or_made(cls, root: Path) -> "Folder":
        """One to store in. Raises `InputError`."""
        if not (root / "store.json").exists():
            _make(root)
        return cls.opened(root)

    def runs(self) -> list[str]:
        """All runs, the oldest first. 10,000 take about 10 ms."""
        return sorted(run for month in self._months() for run in _runs_in(month))

    def newest(self) -> str:
        """The run stored last; empty: there is none."""
        for month in reversed(self._months()):
            if runs := _runs_in(month):
                return max(runs)
        return ""

    def inside(self, *names: str) -> Path:
        """The path below the store. Raises `InputError` where a symbolic link leads elsewhere.

        A pipe or a device is refused too: whoever opens one may wait for ever.
        """
        path = self.root
        for name in names:
            path = path / name
            if not _is_plain(path):
                what = "is neither a file nor a folder: a store holds nothing else"
                if path.is_symlink():
                    what = "is a symbolic link, and nothing in a store may lead out of it"
                raise InputError(what, where=str(path), hint="remove it, if it is not yours")
        return path

    def made_for(self, *names: str) -> Path:
        """The same path, with the folder it lies in made. Raises `InputError`."""
        path = self.inside(*names)
        _folder_made(path.parent)
        return path

    def file_of(self, run: str) -> Path:
        """Where the file of a run is, or is to be. Raises `InputError`."""
        if not PATTERN.fullmatch(run):
            raise InputError("is not the name of a run", where=repr(run))
        return self.inside("runs", month_of(run), f"{run}.parquet")

    def strangers(self) -> list[Path]:
        """What lies where runs, labels and journals do and is none: it is left out."""
        found = [place for name in _PLACES if (place := self.root / name).is_symlink()]
        for name, is_ours in _IS_OURS.items():
            folder = self.root / name
            if folder.is_dir() and not folder.is_symlink():
                found += [path for path in sorted(folder.iterdir()) if not is_ours(path)]
        for month in self._months():
            found += [path for path in sorted(month.iterdir()) if not _is_plain(path)]
        return found

    def write(self, run: str, data: bytes) -> Path:
        """Store a file. Raises `InputError`; nothing is stored then."""
        path = self.file_of(run)
        _folder_made(path.parent)
        self._sweep(path.parent)
        write_whole(data, path)
        return path

    def delete(self, run: str) -> None:
        """Remove a run and its labels. Raises `InputError`."""
        try:
            self.file_of(run).unlink()
        except OSError as error:
            raise InputError(f"cannot be deleted: {error.strerror}", where=f"run:{run}") from None
        for label, of in self.labels().items():
            if of == run:
                self._label_file(label).unlink(missing_ok=True)

    def label(self, run: str, name: str) -> None:
        """Give a run a name; a run that had it loses it. Raises `UsageError`, `InputError`."""
        if not is_label(name):
            hint = "letters, digits and . _ + - /, at most 100, beginning with a letter or digit"
            raise UsageError("cannot be a label", where=repr(name), hint=hint)
        path = self._label_file(name)
        _folder_made(path.parent)
        write_whole(f"{run}\n".encode(), path)

    def labels(self) -> dict[str, str]:
        """The run of each label. Files that are no labels, or name no run, are left out."""
        folder = self.inside("labels")
        found = {}
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if run := _named_by(path):
                found[_label_of(path)] = run
        return found

    def odd(self) -> Iterator[str]:
        """What is wrong in it, in words: files that are left out, and stay."""
        for path in self.strangers():
            yield f"{path} is no part of a store and is left out; remove it, if it is not yours"
        for month in self._months():
            try:
                _names_in(month)
            except OSError as error:
                yield f"{month}: its runs are left out: {error.strerror}"

    def read(self, run: str) -> bytes:
        """The bytes of a run. Raises `InputError`."""
        path = self.file_of(run)
        try:
            if path.exists() and not path.is_file():
                raise InputError("is no file", where=str(path), hint="move it out of the store")
            return path.read_bytes()
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            hint = "`assay runs` lists what is there"
            raise InputError(what, where=str(path), hint=hint) from None

    def journals(self) -> list[Path]:
        """Where sessions write what they measure until it is stored."""
        folder = self.inside("journals")
        found = sorted(folder.glob("*.journal")) if folder.is_dir() else []
        return [path for path in found if _is_file(path)]

    def find(self, written: str) -> str:
        """The run that LAST, a label, a name or the beginning of one means. Raises `InputError`."""
        if written == LAST:
            return self.newest() or self._none_such(written)
        labels = self.labels()
        if written in labels:
            return labels[written]
        matching = [run for run in self.runs() if run.startswith(written)] if written else []
        if len(matching) > 1:
            what = f"is the beginning of {len(matching)} runs"
            raise InputError(what, where=f"run:{written}", hint="write more of its name")
        return matching[0] if matching else self._none_such(written)

    def _none_such(self, written: str) -> str:
        hint = f"`assay runs` lists those of {self.root}"
        raise InputError("no such run or label", where=f"run:{written}", hint=hint)

    def _months(self) -> list[Path]:
        folder = self.inside("runs")
        return sorted(filter(_is_month, folder.iterdir())) if folder.is_dir() else []

    def _label_file(self, name: str) -> Path:
        return self.inside("labels", name.replace("/", "%2F"))

    def _sweep(self, month: Path) -> None:
        """Remove the parts of files that killed processes left. Costs one look at the folder."""
        for path in _parts_in(month):
            with suppress(OSError):  # another process may have been quicker
                if time.time() - path.stat().st_mtime > _STALE_S:
                    path.unlink()


def _runs_in(month: Path) -> list[str]:
    """Empty for a month that cannot be read: `Folder.odd` names it."""
    try:
        names = _names_in(month)
    except OSError:
        return []
    runs = (name.removesuffix(".parquet") for name in names if name.endswith(".parquet"))
    return [run for run in runs if PATTERN.fullmatch(run)]


def is_label(name: str) -> bool:
    """Whether a run can be given this name."""
    return bool(_LABEL.fullmatch(name)) and name != LAST and not PATTERN.fullmatch(name)


def _is_month(path: Path) -> bool:
    return bool(_MONTH.fullmatch(path.name)) and path.is_dir() and not path.is_symlink()


def _is_file(path: Path) -> bool:
    """A file and no link to one: a pipe would be waited for, a link leads elsewhere."""
    return stat.S_ISREG(path.lstat().st_mode)


def _is_plain(path: Path) -> bool:
    """A file or a folder, or not there yet."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _is_part(path: Path) -> bool:
    """Being written by another process, or left by one that was killed."""
    return path.name.startswith(".assay-")


def _label_of(path: Path) -> str:
    return path.name.replace("%2F", "/")


def _named_by(path: Path) -> str:
    """The run a label's file names; empty when it is no label, or names no run."""
    try:
        if _is_part(path) or not _is_file(path) or not is_label(_label_of(path)):
            return ""
        with path.open("rb") as file:
            run = file.read(_NAMED_WITHIN).decode(errors="replace").strip()
    except OSError:  # it cannot be read, or was removed just now
        return ""
    return run if PATTERN.fullmatch(run) else ""


def _parts_in(folder: Path) -> Iterator[Path]:
    return (folder / name for name in _names_in(folder) if name.startswith(".assay-"))


def _names_in(folder: Path) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 - ten times faster than `iterdir`


_PLACES = (
    *("runs", "labels", "journals", "confirmations", "imports", "triage"),
    *("catalogue.sqlite", "histories.sqlite"),
)
_IS_OURS: dict[str, Callable[[Path], bool]] = {
    "runs": _is_month,
    "labels": lambda path: _is_part(path) or bool(_named_by(path)),
    "journals": _is_file,
    "confirmations": _is_plain,
    "triage": _is_plain,
    "imports": _is_plain,
}


def _make(root: Path) -> None:
    _folder_made(root)
    Folder(root).inside(".gitignore")  # it would be written to where a link leads
    write_whole(b"*\n", root / ".gitignore")  # a store is no source; who wants it in git edits this
    write_whole(mark(), root / "store.json")


def _folder_made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot be made: {error.strerror}"
        raise InputError(
            what, where=str(folder), hint="choose another place with --store"
        ) from None


class _Mark(msgspec.Struct):
    assay_store: int


def mark() -> bytes:
    """What `store.json` of a store holds."""
    return json.dumps({"assay_store": VERSION}).encode() + b"\n"


def check_mark(data: bytes, where: str) -> None:
    """That a `store.json` is of a store that can be used. Raises `InputError`."""
    hint = f'write {{"assay_store": {VERSION}}} into it'
    found = decoded(data, _Mark, where=where, what="the mark of a store", hint=hint)
    version = found.assay_store
    if version > VERSION:
        what = f"is a store of version {version}, this Assay reads up to {VERSION}"
        raise InputError(what, where=where, hint="use a newer Assay")


def _check_version(path: Path) -> None:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None
    check_mark(data, str(path))
