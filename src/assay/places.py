"""The folders in which Assay keeps its own files. Every start uses one, so imports are few."""

import os
from pathlib import Path

from assay.errors import InputError


def state_folder() -> Path:
    """The folder of the user's state: journals of sessions, and what is still to be undone.

    Raises `InputError` where the user has no home folder, as do the others.
    """
    return _folder("XDG_STATE_HOME", ".local/state")


def cache_folder() -> Path:
    """The folder of what can be made again at some cost: floors of hosts, the charts' runtime."""
    return _folder("XDG_CACHE_HOME", ".cache")


def undo_folder() -> Path:
    """The folder that is there only while something is to be undone:
    docs/decisions/0020-undo-journal.md."""
    return state_folder() / "undo"


def _folder(variable: str, below_home: str) -> Path:
    """The folder by its variable, or below the user's home, which many containers lack."""
    if named := os.environ.get(variable):
        return Path(named) / "assay"
    try:
        return Path.home() / below_home / "assay"
    except RuntimeError:  # HOME is not set, and the user has no entry in the password file
        raise InputError(
            "this user has no home folder", where="HOME", hint=f"set HOME or {variable}"
        ) from None
