"""What `run` and `compare` were asked to do, parsed once and never changed."""

from dataclasses import dataclass, field

from assay.measure.effort import Effort
from assay.model import Settings
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination


@dataclass(frozen=True)
class Measuring:
    """How to measure, whatever is measured."""

    effort: Effort = field(default_factory=Effort)
    rounds: int | None = None  # at most
    budget_s: float | None = None
    timeout_s: float = 600.0
    pin: int | None = None  # None: the last CPU allowed, for single-threaded benchmarks
    seed: int = 0
    duet: bool = False  # both sides at once, on two CPUs


@dataclass(frozen=True)
class RevisionChoice:
    """What of an `assay.toml` is meant where targets are revisions."""

    suite: str | None = None  # None: the only one
    own_recipe: bool = False  # build each revision as its own assay.toml says


@dataclass(frozen=True)
class ComparePlan:
    """Everything `assay compare` needs to know."""

    base: str
    candidate: str | None  # None: base is a record of both sides
    measuring: Measuring = field(default_factory=Measuring)
    settings: Settings = field(default_factory=Settings)
    filters: Filters = field(default_factory=Filters)
    metrics: tuple[str, ...] = ()
    keep: Destination = field(default_factory=Destination)
    revisions: RevisionChoice = RevisionChoice()


@dataclass(frozen=True)
class RunPlan:
    """Everything `assay run` needs to know."""

    targets: tuple[str, ...]
    measuring: Measuring = field(default_factory=Measuring)
    filter: str = ""
    keep: Destination = field(default_factory=Destination)
    allocations: bool = False  # each launch once more, counting what it allocates
    revisions: RevisionChoice = RevisionChoice()
