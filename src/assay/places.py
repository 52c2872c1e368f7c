"""Where Assay keeps things of its own. Cheap to import: every start asks for one of them."""

import os
from pathlib import Path

from assay.errors import InputError


def state_folder() -> Path:
    """The user's state: journals of sessions, and what is still to be undone."""
    return _folder("XDG_STATE_HOME", ".local/state")


def cache_folder() -> Path:
    """What can be made again, at some cost: floors of this host, the charts' runtime."""
    return _folder("XDG_CACHE_HOME", ".cache")


def undo_folder() -> Path:
    """Exists only while something is to be undone: docs/decisions/0020-undo-journal.md."""
    return state_folder() / "undo"


def _folder(variable: str, below_home: str) -> Path:
    """Raises `InputError` where the user has no home, as in many containers."""
    if named := os.environ.get(variable):
        return Path(named) / "assay"
    try:
        return Path.home() / below_home / "assay"
    except RuntimeError:  # HOME is not set, and the user has no entry in the password file
        raise InputError(
            "this user has no home folder", where="HOME", hint=f"set HOME or {variable}"
        ) from None
