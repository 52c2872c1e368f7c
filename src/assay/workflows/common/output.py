"""Where results are kept while they arrive, and where the record ends up.

The journal lies beside the record to be written, or in the user's state
folder when none was asked for; it goes away once the record is on the disk.
"""

import os
import time
from pathlib import Path

from assay.errors import InputError
from assay.model import Record
from assay.places import state_folder
from assay.record.journal import holds
from assay.record.writer import write


def journal_path(output: Path | None) -> Path:
    """Where the journal of a session writing to `output` lies."""
    if output is not None:
        return output.with_name(f"{output.name}.journal")
    stamp = time.strftime("%Y%m%d-%H%M%S")
    return state_folder() / f"{stamp}-{os.getpid()}.journal"


def finish_record(record: Record, output: Path | None, journal: Path) -> Path:
    """Write the record if asked to; returns where the results now are.

    Where the record cannot be written that is still the journal: results are shown before
    `confirm_kept` says what went wrong.
    """
    if output is None:
        return journal
    try:
        write(record, output)
    except InputError:
        return journal
    journal.unlink(missing_ok=True)
    return output


def confirm_kept(record: Record | None, output: Path | None, kept_in: str) -> None:
    """Raise `InputError` when what was measured is not kept where it was asked for.

    `kept_in` is what `finish_record` returned; empty or no record: nothing was measured.
    """
    if record is None or not kept_in or kept_in == str(output):
        return
    journal = Path(kept_in)
    is_safe = holds(journal, record)
    if output is None:
        if not is_safe:
            hint = "free some space there, or choose another place with -o"
            raise InputError("not all results could be written", where=kept_in, hint=hint)
        return
    try:
        write(record, output)  # again: this time the error is told
    except InputError as error:
        hint = f"the results are kept in {journal}" if is_safe else error.hint
        raise InputError(error.what, where=error.where, hint=hint) from None
