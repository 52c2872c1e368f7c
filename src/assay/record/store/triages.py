"""What people said of changes: one small file each, in `triage/` of the store.

triages = Triages(folder)
triages.keep(Triage(benchmark=..., before=..., after=..., state=TriageState.EXPECTED))
triages.forget(one.key); triages.all()
"""

from pathlib import Path

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.record.store.folder import Folder
from assay.survey import Triage
from assay.typed_json import decoded


class Triages:
    """Those of one store."""

    def __init__(self, folder: Folder) -> None:
        self._store, self._folder = folder, folder.inside("triage")

    def keep(self, one: Triage) -> None:
        """What was said before of the same change is replaced. Raises `InputError`."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"cannot be made: {error.strerror}"
            raise InputError(what, where=str(self._folder)) from None
        write_whole(json_bytes(one), self._store.inside("triage", f"{one.key}.json"))

    def forget(self, key: str) -> None:
        """Raises `InputError`. It is no error when nothing was said."""
        try:
            self._store.inside("triage", f"{key}.json").unlink(missing_ok=True)
        except OSError as error:
            what = f"cannot be removed: {error.strerror}"
            raise InputError(what, where=str(self._folder)) from None

    def all(self) -> list[Triage]:
        """The newest first; a file that cannot be read says nothing."""
        paths = sorted(self._folder.glob("*.json")) if self._folder.is_dir() else []
        read = [_read(path) for path in paths if path.is_file() and not path.is_symlink()]
        return sorted([one for one in read if one], key=lambda one: -one.said_s)


def _read(path: Path) -> Triage | None:
    try:
        return decoded(path.read_bytes(), Triage, where=str(path), what="what was said of a change")
    except (OSError, InputError):
        return None  # it is said again
