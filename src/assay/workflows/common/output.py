"""Where results are kept while they arrive, and where the record ends up.

    keep = Destination(output=Path("run.json"), store=Path(".assay"), kind="run")
    with Journal(keep.journal(), {}, facts) as journal: ...
    kept_in = keep.finish(record, journal.path)
    keep.confirm(record, kept_in)      # after the results were shown

The journal lies beside the record's file, else in the store, else in the user's state folder. It is
removed once the record is on disk.
"""

import os
import time
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.model import Record
from assay.places import state_folder
from assay.record.journal import journal_holds_record, note_kept_run
from assay.record.store.folder import Folder
from assay.record.writer import write

_RUN = "run:"  # how the name of a run in the store begins, such as "run:LAST"; no file's path does
_BETWEEN = ", "  # separates the file and the run in the text that says where a record was kept


def journal_of(output: Path) -> Path:
    """The path of a record's journal, beside the record."""
    return output.with_name(f"{output.name}.journal")


def run_in(kept_in: str) -> str:
    """The id of the stored run in the text that `finish` returned; empty if nothing was stored."""
    last = kept_in.rpartition(_BETWEEN)[2]  # `finish` names the run after the file
    return last.removeprefix(_RUN) if last.startswith(_RUN) else ""


class Destination(msgspec.Struct, frozen=True):
    """Where the record of a measurement is to be kept: in a file, in a store, or in both.

    By default in neither, and only the journal written while measuring remains.
    """

    output: Path | None = None  # write it to this file
    store: Path | None = None  # add it to this store; `run:` targets are read from it too
    # What was measured, such as "run", "compare" or "suite"; the store keeps it with the record.
    kind: str = "run"
    is_left_out: bool = False  # True: do not add the record to the store
    host: str = ""  # a name for this host's class, if `assay.toml` gives one

    def journal(self) -> Path:
        """The path of the journal, which holds results while they arrive."""
        if self.output is not None:
            return journal_of(self.output)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        in_store = (
            Folder(self._store_to_write).usable_folder("journals") if self._store_to_write else None
        )
        return (in_store or state_folder()) / f"{stamp}-{os.getpid()}.journal"

    def finish(self, record: Record, journal: Path) -> str:
        """Write the record to where it was asked for, and return where the results are now.

        If the record cannot be written, that is the journal: `confirm` raises the error later, when
        the results were shown.
        """
        try:
            places = self.write(record)
        except InputError:
            return str(journal)
        if not places:
            return str(journal)
        if places[-1].startswith(_RUN):
            note_kept_run(journal, places[-1].removeprefix(_RUN))
        journal.unlink(missing_ok=True)
        return _BETWEEN.join(places)

    def confirm(self, record: Record | None, kept_in: str) -> None:
        """Raise `InputError` if the results are not kept where it was asked for.

        `kept_in` is what `finish` returned; it is empty if nothing was measured.
        """
        if record is None or not kept_in.endswith(".journal"):
            return
        is_safe = journal_holds_record(Path(kept_in), record)
        if not self.is_asked:
            if not is_safe:
                hint = "free some space there, or choose another place with -o"
                raise InputError("not all results could be written", where=kept_in, hint=hint)
            return
        try:
            self.write(record)  # the second attempt to write the record; now its error is raised
        except InputError as error:
            hint = f"the results are kept in {kept_in}" if is_safe else error.hint
            raise InputError(error.what, where=error.where, hint=hint) from None

    def write(self, record: Record) -> list[str]:
        """Write the record to each place asked for, and return the places. Raises `InputError`."""
        places = []
        if self.output is not None:
            write(record, self.output)
            places.append(str(self.output))
        if self._store_to_write is not None:
            places.append(f"{_RUN}{self._stored(record, self._store_to_write)}")
        return places

    @property
    def is_asked(self) -> bool:
        """Whether the user wants the record in a file or a store."""
        return self.output is not None or self._store_to_write is not None

    @property
    def _store_to_write(self) -> Path | None:
        """The store that the record goes to; None if it is left out."""
        return None if self.is_left_out else self.store

    def _stored(self, record: Record, root: Path) -> str:
        # imported late, as it loads Parquet, which takes 0.2 s
        from assay.record.store.store import Store

        store = Store.opened_or_made(root, self.host)
        return store.add(record, kind=self.kind, now_s=time.time())
