"""What `assay bisect` was asked to do."""

from dataclasses import dataclass, field
from pathlib import Path

from assay.defaults import MARGIN
from assay.places import state_folder
from assay.record.store.folder import Folder
from assay.workflows.common.plan import Measuring, RevisionChoice


@dataclass(frozen=True)
class BisectPlan:
    """Everything a search needs to know."""

    good: str
    bad: str
    pattern: str = ""  # one benchmark
    metric: str = "real_time"
    margin: float = MARGIN  # about the smallest slowdown worth a search
    measuring: Measuring = field(default_factory=Measuring)
    revisions: RevisionChoice = field(default_factory=RevisionChoice)
    folder: Path = Path()  # where the steps of searches are kept
    is_anew: bool = False  # forget steps made before


def folder_of_steps(store: Path | None) -> Path:
    """In the store, unless there is none, or something else has the name of the folder."""
    in_store = Folder(store).room_in("bisects") if store else None
    return in_store or state_folder() / "bisects"
