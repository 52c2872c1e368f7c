"""Where Assay keeps things of its own. Cheap to import: every start asks for one of them."""

import os
from pathlib import Path


def state_folder() -> Path:
    """The user's state: journals of sessions, and what is still to be undone."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "assay"


def cache_folder() -> Path:
    """What can be made again, at some cost: floors of this host, the charts' runtime."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "assay"


def undo_folder() -> Path:
    """Exists only while something is to be undone: docs/decisions/0020-undo-journal.md."""
    return state_folder() / "undo"
