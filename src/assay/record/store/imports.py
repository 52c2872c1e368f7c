"""Which files were imported, by their content: the same file twice is one run.

    imports = Imports(folder)
    imports.run_of(data)            # "" where it was not imported, or its run was deleted
    imports.keep(data, run)

There is a file for each, named by the hash of what was imported; it holds the name of the run.
"""

import hashlib
from contextlib import suppress
from pathlib import Path

from assay.errors import InputError
from assay.files import write_whole
from assay.record.store.folder import Folder, run_named_in


class Imports:
    """Which files of other tools were imported into a store, so that the same content is imported
    once."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def run_of(self, content: bytes) -> str:
        """The run that a file with this content became; empty: none, or the run was deleted."""
        try:
            run = run_named_in(self._path_of_import(content))
            return run if run and self._folder.has(run) else ""
        except InputError:
            return ""  # `imports` is no folder: the content can be imported again

    def keep(self, content: bytes, run: str) -> None:
        """Note that `run` holds this content. Where that cannot be written nothing is raised, and
        the content can be imported again."""
        with suppress(OSError, InputError):
            place = self._path_of_import(content)
            place.parent.mkdir(exist_ok=True)
            write_whole(f"{run}\n".encode(), place)

    def _path_of_import(self, content: bytes) -> Path:
        return self._folder.path_inside("imports", hashlib.sha256(content).hexdigest())
