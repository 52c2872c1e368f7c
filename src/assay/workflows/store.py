"""The runs of a store: list, show, label, delete, export, import and compact them.

list_runs(Path(".assay")).runs[-1].run      # the newest
label_run(Path(".assay"), "LAST", "release/1.2")

Code that reads records is imported where it is needed, because listing runs takes half as long
without it.
"""

import fcntl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from assay.errors import InputError, NoBenchmarksError
from assay.history import Lab, RunRow
from assay.os_lab import WHOLE_CATALOGUE
from assay.record.store.catalogue import Catalogue
from assay.record.store.folder import Folder
from assay.record.store.run_id import is_clock_behind, stored_at
from assay.show.words.format import duration
from assay.small_files import MB, open_regular, read_open, read_results

if TYPE_CHECKING:
    from assay.model import Level, Record
    from assay.record.store.compaction import Compaction
    from assay.record.store.store import Store


_LARGEST_JOURNAL = 256 * MB  # bytes; a store takes a million values of a run at most
_MOST_FLOOR = 1e3  # larger noise floors, as a fraction of the time, do not come from a measurement
# A function that shows progress. Its arguments: new runs read so far, and all new runs to read.
Tell = Callable[[int, int], None]


def no_progress(done: int, of: int) -> None:
    """Does nothing, for callers that show no progress."""


@contextmanager
def catalogue_of(folder: Folder, tell: Tell = no_progress) -> Iterator[Catalogue]:
    """The store's catalogue, brought up to date. Raises `InputError`."""
    with Catalogue(folder, _summary, _floor) as catalogue:
        catalogue.refresh(tell)
        yield catalogue


def open_catalogue(folder: Folder) -> Catalogue:
    """The catalogue as it was after the last run was stored or surveyed."""
    catalogue = Catalogue(folder, _summary, _floor)
    if catalogue.is_in_memory:  # the catalogue could not be kept on disk, so it must be built now
        catalogue.refresh()
    return catalogue


def _summary(launches: Sequence[Sequence[float]], metric: str) -> tuple[float, float, float, int]:
    from assay.judge.labs.run_point import run_point  # imported late: it needs numpy

    return run_point(launches, metric)


def _floor(data: bytes, origin: str) -> float | None:
    """The noise floor of a stored comparison, estimated from its rounds;
    None if they are too few.
    """
    from assay.judge.floor import from_session
    from assay.judge.pairing import pair_sides
    from assay.model import Design, Settings, Side
    from assay.record.store.run_file import decode

    settings, record = Settings(), decode(data, origin)[1]
    base, candidate = (tuple(s for s in record.samples if s.side is side) for side in Side)
    paired = pair_sides(
        base, candidate, design=Design.INTERLEAVED, metrics=("real_time",), settings=settings
    )
    floor = from_session(paired.pairs, settings)
    return floor.effect if floor and floor.effect < _MOST_FLOOR else None


class RunListing(msgspec.Struct, frozen=True):
    """All runs, the oldest first, and the run that each label names."""

    runs: Sequence[RunRow]
    labels: dict[str, str]


def list_runs(root: Path, tell: Tell = no_progress) -> RunListing:
    """List a store's runs. Raises `InputError` if there is no store."""
    folder = Folder.opened(root)
    with catalogue_of(folder, tell) as catalogue:
        return RunListing(catalogue.runs(), folder.labels())


def record_and_levels(root: Path, written: str) -> "tuple[Record, tuple[Level, ...]]":
    """A run's record, and the levels of its benchmarks. Raises `InputError`."""
    from assay.judge.labs.levels import levels
    from assay.record.store.store import Store

    record = Store.opened(root).load(written)
    return record, levels(record.samples)


def label_run(root: Path, written: str, label: str) -> str:
    """Label a run, and return the run. Raises `InputError`, `UsageError`."""
    folder = Folder.opened(root)
    run = folder.find(written)
    folder.label(run, label)
    return run


def delete_runs(root: Path, written: Sequence[str]) -> list[str]:
    """Delete these runs and return them; if one is not found, none. Raises `InputError`."""
    from assay.record.store.answers import Answers

    folder = Folder.opened(root)
    runs = list(dict.fromkeys([folder.find(one) for one in written]))
    folder.delete(*runs)
    for run in runs:
        Answers(folder).forget(run)
    return runs


def compact_runs(root: Path, tell: Tell = no_progress) -> "Compaction":
    """Merge the files of a store's runs into few large ones. Raises `InputError`."""
    from assay.record.store.compaction import compact_store

    return compact_store(Folder.opened(root), tell)


def export_run(root: Path, written: str, output: Path) -> None:
    """Write a run to a file, in the format that its suffix names. Raises `InputError`."""
    from assay.record.store.store import Store
    from assay.record.writer import write

    write(Store.opened(root).load(written), output)


_LAB_PROGRAMS = {"assay-index": Lab.INDEX, "assay-crash": Lab.CRASH, "assay-os": Lab.OS}


class ImportResult(msgspec.Struct, frozen=True):
    """What `assay runs import` did with one file."""

    run: str
    was_known: bool = False  # the same file was imported before
    dated_s: float | None = None  # the file's modification time, if its content has no date


def import_file(root: Path, path: Path, now_s: float) -> ImportResult:
    """Add a file of results under the time at which it says it was measured.

    Raises `InputError`.
    """
    from assay.record import reader
    from assay.record.store.imports import Imports
    from assay.record.store.store import Store, measured_at

    store = Store.opened_or_made(root)
    known, content = Imports(store.folder), read_results(path) if path.is_file() else None
    if content is not None and (run := known.run_of(content)):
        return ImportResult(run, was_known=True)
    record = reader.read(path)
    if not record.samples:
        raise NoBenchmarksError("holds no results", where=str(path))
    facts = record.facts.updated(targets=record.facts.targets or {"target": path.name})
    record = msgspec.structs.replace(record, facts=facts)
    is_undated = measured_at(record) is None and content is not None
    dated_s = path.stat().st_mtime if is_undated else None
    lab = _lab_of(record)

    def keep(run: str) -> None:
        # Before the run: killed between the two, it is imported again, and not stored twice.
        if content is not None:
            known.keep(content, run)

    run = store.add(record, kind=lab or "import", now_s=now_s, measured_s=dated_s, before=keep)
    return ImportResult(run, dated_s=dated_s)


def _lab_of(record: "Record") -> Lab | None:
    """The lab of Assay that measured a record; None if it was measured otherwise."""
    if any(one.condition for one in record.samples):
        return Lab.OVERHEAD
    if WHOLE_CATALOGUE in record.facts.targets.values():
        return Lab.OS
    program = str(record.context.get("executable")).partition(" ")[0]
    return _LAB_PROGRAMS.get(Path(program).name)


def recover_journals(root: Path, now_s: float) -> Iterator[str]:
    """Store what killed sessions left in journals. Yields what was done, and clock problems.

    Running sessions hold a lock on their journals. Journals that cannot be read stay.
    """
    folder = Folder.opened_or_made(root)
    if line := _note_on_clock(folder.newest(), now_s):
        yield line
    yield from (f"in the store: {line}" for line in folder.sentences_on_left_out())
    journals = folder.journals()
    if not journals:
        return
    from assay.record.store.store import Store

    store = Store(folder)
    for path in journals:
        try:
            if line := _recover_journal(store, path, now_s):
                yield line
        except FileNotFoundError:
            continue  # another process stored this journal first
        except InputError as error:
            yield f"{error}; it is left out"
        except OSError as error:
            yield f"{path}: is left out: {error.strerror}"


def _recover_journal(store: "Store", path: Path, now_s: float) -> str:
    with open_regular(path) as journal:
        return _store_journal(store, journal, path, now_s)


def _note_on_clock(newest: str, now_s: float) -> str:
    if not is_clock_behind(now_s, newest):
        return ""
    behind = duration(stored_at(newest).timestamp() - now_s)
    return (
        f"the clock is {behind} behind the newest run: runs stay in the order they were stored in"
    )


def _store_journal(store: "Store", journal: IO[bytes], path: Path, now_s: float) -> str:
    try:
        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return ""  # the session still runs, as its journal is locked
    if not path.exists():
        return ""  # another process stored this journal first
    from assay.record.journal import parse_journal

    try:
        record = parse_journal(read_open(journal, _LARGEST_JOURNAL, str(path)), str(path))
        if not record.samples:
            path.unlink()
            return ""
        run = store.add(_marked_as_interrupted(record), kind=_kind(record), now_s=now_s)
    except InputError as error:
        return f"a journal of a killed session cannot be used, and stays: {error}"
    path.unlink()
    return f"a session was killed: what it had measured is now run:{run}"


def _marked_as_interrupted(record: "Record") -> "Record":
    return msgspec.structs.replace(record, facts=record.facts.updated(interrupted=True))


def _kind(record: "Record") -> str:
    return "compare" if record.facts.design else "run"
