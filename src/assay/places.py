"""The folders in which Assay keeps its own files. Every command needs one of
them at its start, so this module imports little."""

import os
from pathlib import Path

from assay.errors import InputError


def state_folder() -> Path:
    """The folder of the user's state: journals of sessions, and changes of the host to be undone.

    Raises `InputError` where the user has no home folder.
    """
    return _folder("XDG_STATE_HOME", ".local/state")


def cache_folder() -> Path:
    """The folder of what can be made again at some cost: floors of hosts, the charts' runtime."""
    return _folder("XDG_CACHE_HOME", ".cache")


def undo_folder() -> Path:
    """The folder of the undo journal. It exists only while a change of the host is to be undone
    (docs/decisions/0020-undo-journal.md)."""
    return state_folder() / "undo"


def _folder(variable: str, below_home: str) -> Path:
    """The folder that an environment variable names, or one below the user's home.

    Many containers have no home folder.
    """
    if named := os.environ.get(variable):
        return Path(named) / "assay"
    try:
        return Path.home() / below_home / "assay"
    except RuntimeError:  # HOME is not set, and the user has no entry in the password file
        raise InputError(
            "this user has no home folder", where="HOME", hint=f"set HOME or {variable}"
        ) from None
