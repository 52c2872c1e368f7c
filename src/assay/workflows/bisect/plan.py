"""What `assay bisect` was asked to do."""

from pathlib import Path

import msgspec

from assay.defaults import MARGIN
from assay.places import state_folder
from assay.record.store.folder import Folder
from assay.workflows.common.plan import Measuring, RevisionChoice


class BisectPlan(msgspec.Struct, frozen=True):
    """The request of one `assay bisect`."""

    good: str
    bad: str
    pattern: str = ""  # a regular expression for benchmarks, which must match exactly one
    metric: str = "real_time"
    margin: float = MARGIN  # the smallest slowdown worth searching for, as a fraction (0.02 is 2 %)
    measuring: Measuring = msgspec.field(default_factory=Measuring)
    revisions: RevisionChoice = msgspec.field(default_factory=RevisionChoice)
    folder: Path = Path()  # the folder that keeps the steps of searches, to resume them
    # True: begin anew, and forget the steps of an earlier, interrupted search.
    is_anew: bool = False


def folder_of_steps(store: Path | None) -> Path:
    """The folder that keeps the steps of searches: in the store, else in
    the user's state folder.
    """
    in_store = Folder(store).usable_folder("bisects") if store else None
    return in_store or state_folder() / "bisects"
