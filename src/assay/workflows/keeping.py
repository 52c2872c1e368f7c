"""Where results are kept while they arrive, and where the record ends up.

The journal lies beside the record to be written, or in the user's state
folder when none was asked for; it goes away once the record is whole.
"""

import os
import time
from pathlib import Path

from assay.model import Record
from assay.places import state_folder
from assay.record.writer import write


def journal_path(output: Path | None) -> Path:
    """Where the journal of a session writing to `output` lies."""
    if output is not None:
        return output.with_name(f"{output.name}.journal")
    stamp = time.strftime("%Y%m%d-%H%M%S")
    return state_folder() / f"{stamp}-{os.getpid()}.journal"


def keep(record: Record, output: Path | None, journal: Path) -> Path:
    """Write the record if asked to; returns where the results now are."""
    if output is None:
        return journal
    write(record, output)
    journal.unlink(missing_ok=True)
    return output
