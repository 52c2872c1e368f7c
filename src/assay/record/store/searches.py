"""Results of searches by `assay bisect`, each in a file beside that of its steps in `bisects/`.

    searches = Searches(folder).all()       # the newest first

A search that is continued replaces its earlier result.
"""

import re
from pathlib import Path

from msgspec import structs

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.record.store.folder import Folder
from assay.searched import KeptSearch
from assay.small_files import MB, read_small
from assay.typed_json import decoded

ENDING = ".found.json"  # end of the name of a file with a search's result
_LARGEST = 4 * MB  # bytes of a file with a search's result, at most
_KEY = re.compile(r"[0-9a-f]{32}")  # beginning of the name of a file with a search's result


def keep_search(found: KeptSearch, steps: Path) -> None:
    """Write a search's result beside the file of its steps. Raises `InputError` if it cannot."""
    write_whole(json_bytes(found), steps.with_name(f"{steps.stem}{ENDING}"))


class Searches:
    """The results of all searches by `assay bisect` that one store keeps."""

    def __init__(self, folder: Folder) -> None:
        self._store = folder

    def all(self) -> list[KeptSearch]:
        """The results of all searches, the newest first; files that cannot be read are left out."""
        read = [_read(path) for path in self._store.files_in("bisects", ENDING)]
        return sorted([one for one in read if one], key=lambda one: -one.ended_s)


def _read(path: Path) -> KeptSearch | None:
    key = path.name.removesuffix(ENDING)
    try:
        data = read_small(path, _LARGEST)
        found = decoded(data, KeptSearch, where=str(path), what="what a search found")
    except InputError:
        return None
    return structs.replace(found, key=key) if _KEY.fullmatch(key) else None
