"""Users' decisions about changes (expected, to do, fixed): a file each in `triage/` of a store.

triages = Triages(folder)
triages.keep(Triage(benchmark=..., before=..., after=..., state=TriageState.EXPECTED))
triages.forget(one.key); triages.all()
"""

from pathlib import Path

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.record.store.folder import LARGEST_SAID, Folder
from assay.small_files import read_small
from assay.survey import Triage
from assay.typed_json import decoded


class Triages:
    """Users' decisions about changes in one store: expected, to do, or fixed by a revision."""

    def __init__(self, folder: Folder) -> None:
        self._store = folder

    def keep(self, one: Triage) -> None:
        """Write a decision about a change, in place of an earlier one.

        Raises `InputError` where it cannot be written.
        """
        write_whole(json_bytes(one), self._store.path_with_folder("triage", f"{one.key}.json"))

    def forget(self, key: str) -> None:
        """Remove the decision about a change, if there is one. Raises `InputError` where it
        stays."""
        path = self._store.path_inside("triage", f"{key}.json")
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            what = f"cannot be removed: {error.strerror}"
            raise InputError(what, where=str(path)) from None

    def all(self) -> list[Triage]:
        """All decisions, the newest first; files that cannot be read are left out."""
        read = [_read(path) for path in self._store.files_in("triage", ".json")]
        return sorted([one for one in read if one], key=lambda one: -one.said_s)


def _read(path: Path) -> Triage | None:
    try:
        data = read_small(path, LARGEST_SAID)
        return decoded(data, Triage, where=str(path), what="what was said of a change")
    except InputError:
        return None  # the user can make the decision again
