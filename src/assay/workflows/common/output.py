"""Where results are kept while they arrive, and where the record ends up.

    keep = Destination(output=Path("run.json"), store=Path(".assay"), kind="run")
    with Journal(keep.journal(), {}, facts) as journal: ...
    kept_in = keep.finish(record, journal.path)
    keep.confirm(record, kept_in)      # after the results were shown

The journal lies beside the record to be written, or in the store, or in the user's state
folder when neither was asked for; it goes away once the record is on the disk.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.model import Record
from assay.places import state_folder
from assay.record.journal import holds, say_kept
from assay.record.store.folder import Folder
from assay.record.writer import write

_RUN = "run:"  # before the name of one, where a file could be


def journal_of(output: Path) -> Path:
    """Where the journal of a record lies until the record is written."""
    return output.with_name(f"{output.name}.journal")


@dataclass(frozen=True)
class Destination:
    """What is to become of a record. Nothing asked: its journal is all there is."""

    output: Path | None = None  # a file of its own
    store: Path | None = None  # the folder of a store; run: targets are read from it
    kind: str = "run"  # what it is filed as in a store
    is_left_out: bool = False  # not to be kept in the store
    host: str = ""  # the class of this host, where `assay.toml` gives one

    def journal(self) -> Path:
        """Where the journal of a session is to lie."""
        if self.output is not None:
            return journal_of(self.output)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        in_store = Folder(self._kept_in).room_in("journals") if self._kept_in else None
        return (in_store or state_folder()) / f"{stamp}-{os.getpid()}.journal"

    def finish(self, record: Record, journal: Path) -> str:
        """Write the record where it was asked for; returns where the results now are.

        Where the record cannot be written that is still the journal: results are shown before
        `confirm` says what went wrong.
        """
        try:
            places = self.write(record)
        except InputError:
            return str(journal)
        if not places:
            return str(journal)
        if places[-1].startswith(_RUN):
            say_kept(journal, places[-1].removeprefix(_RUN))
        journal.unlink(missing_ok=True)
        return ", ".join(places)

    def confirm(self, record: Record | None, kept_in: str) -> None:
        """Raise `InputError` when what was measured is not kept where it was asked for.

        `kept_in` is what `finish` returned; empty or no record: nothing was measured.
        """
        if record is None or not kept_in.endswith(".journal"):
            return
        is_safe = holds(Path(kept_in), record)
        if not self.is_asked:
            if not is_safe:
                hint = "free some space there, or choose another place with -o"
                raise InputError("not all results could be written", where=kept_in, hint=hint)
            return
        try:
            self.write(record)  # again: this time the error is told
        except InputError as error:
            hint = f"the results are kept in {kept_in}" if is_safe else error.hint
            raise InputError(error.what, where=error.where, hint=hint) from None

    def write(self, record: Record) -> list[str]:
        """Write it wherever it was asked for: these places. Raises `InputError`."""
        places = []
        if self.output is not None:
            write(record, self.output)
            places.append(str(self.output))
        if self._kept_in is not None:
            places.append(f"{_RUN}{self._stored(record, self._kept_in)}")
        return places

    @property
    def is_asked(self) -> bool:
        """Whether the record goes anywhere: into a file, or a store."""
        return self.output is not None or self._kept_in is not None

    @property
    def _kept_in(self) -> Path | None:
        """The store the record is to go into."""
        return None if self.is_left_out else self.store

    def _stored(self, record: Record, root: Path) -> str:
        from assay.record.store.store import Store  # imports what writes Parquet: 0.2 s

        store = Store.opened_or_made(root, self.host)
        return store.add(record, kind=self.kind, now_s=time.time())
