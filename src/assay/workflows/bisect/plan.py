"""What `assay bisect` was asked to do."""

from dataclasses import dataclass, field
from pathlib import Path

from assay.defaults import MARGIN
from assay.places import state_folder
from assay.record.store.folder import Folder
from assay.workflows.common.plan import Measuring, RevisionChoice


@dataclass(frozen=True)
class BisectPlan:
    """The request of one `assay bisect`."""

    good: str
    bad: str
    pattern: str = ""  # must match exactly one benchmark
    metric: str = "real_time"
    margin: float = MARGIN  # searching for smaller slowdowns is hardly worth the time
    measuring: Measuring = field(default_factory=Measuring)
    revisions: RevisionChoice = field(default_factory=RevisionChoice)
    folder: Path = Path()  # folder for the steps of searches
    is_anew: bool = False  # forget the steps of an earlier search


def folder_of_steps(store: Path | None) -> Path:
    """Where steps of searches are kept: in the store, or else in the user's state folder."""
    in_store = Folder(store).room_in("bisects") if store else None
    return in_store or state_folder() / "bisects"
