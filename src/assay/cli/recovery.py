"""Before any verb: undo what a killed run left behind. Costs one look at a folder."""

import sys

from assay.places import undo_folder


def settle() -> None:
    """Put back what a run that was killed had changed, and say so on standard error."""
    folder = undo_folder()
    if not folder.is_dir():
        return
    from assay.measure.conditions.undo_journal import settle_abandoned

    for line in settle_abandoned(folder):
        print(f"assay: {line}", file=sys.stderr)
