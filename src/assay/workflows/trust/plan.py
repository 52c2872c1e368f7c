"""What `assay trust` was asked to do: parsed once, then never changed."""

import msgspec

from assay.model import Settings
from assay.workflows.common.plan import Measuring, RevisionChoice

SLOWDOWNS = (0.02, 0.05, 0.10)
BUDGET_S = 300.0


class TrustPlan(msgspec.Struct, frozen=True):
    """The request of one `assay trust`."""

    target: str
    filter: str = ""
    budget_s: float = BUDGET_S
    measuring: Measuring = msgspec.field(default_factory=Measuring)
    settings: Settings = msgspec.field(default_factory=Settings)
    revisions: RevisionChoice = msgspec.field(default_factory=RevisionChoice)
    slowdowns: tuple[float, ...] = SLOWDOWNS
