"""Results of measuring two revisions side by side, to check a change in a history: a file each.

    confirmations = Confirmations(folder)
    confirmations.keep(Confirmation(benchmark=..., before=..., after=..., state="confirmed"))
    confirmations.all()

They lie in `confirmations/` of the store. Measuring a change again replaces its file.
"""

from pathlib import Path

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.history import Confirmation
from assay.record.store.folder import LARGEST_SAID, Folder
from assay.small_files import read_small
from assay.typed_json import decoded


class Confirmations:
    """The results stored in one store of checking changes by measuring both revisions side by
    side."""

    def __init__(self, folder: Folder) -> None:
        self._store = folder

    def keep(self, one: Confirmation) -> None:
        """Store a confirmation in place of an earlier one of the same change. Raises `InputError`
        where it cannot."""
        write_whole(
            json_bytes(one), self._store.path_with_folder("confirmations", f"{one.key}.json")
        )

    def all(self) -> list[Confirmation]:
        """All confirmations, in no particular order; files that cannot be read are left out."""
        paths = self._store.files_in("confirmations", ".json")
        return [one for path in paths if (one := _read(path))]


def _read(path: Path) -> Confirmation | None:
    try:
        data = read_small(path, LARGEST_SAID)
        return decoded(data, Confirmation, where=str(path), what="a confirmation")
    except InputError:
        return None  # the change counts as not confirmed and can be measured again
