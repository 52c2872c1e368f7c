"""What paired rounds said of a change that a history showed: one small file each.

    confirmations = Confirmations(folder)
    confirmations.keep(Confirmation(benchmark=..., before=..., after=..., state="confirmed"))
    confirmations.all()

They lie in `confirmations/` of the store. A change measured again replaces what was said of it.
"""

from pathlib import Path

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.history import Confirmation
from assay.record.store.folder import Folder
from assay.typed_json import decoded


class Confirmations:
    """Those of one store."""

    def __init__(self, folder: Folder) -> None:
        self._store, self._folder = folder, folder.inside("confirmations")

    def keep(self, one: Confirmation) -> None:
        """Raises `InputError`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._store.inside("confirmations", f"{one.key}.json")
        write_whole(json_bytes(one), path)

    def all(self) -> list[Confirmation]:
        """In no order that means anything; a file that cannot be read says nothing."""
        paths = sorted(self._folder.glob("*.json")) if self._folder.is_dir() else []
        return [
            one
            for path in paths
            if path.is_file() and not path.is_symlink() and (one := _read(path))
        ]


def _read(path: Path) -> Confirmation | None:
    try:
        return decoded(path.read_bytes(), Confirmation, where=str(path), what="a confirmation")
    except (OSError, InputError):
        return None  # it is measured again
