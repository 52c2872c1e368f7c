"""What `run` and `compare` were asked to do: parsed once, then never changed."""

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from assay.defaults import COUNTS_MARGIN
from assay.measure.effort import Effort
from assay.model import Settings
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination

TIME, INSTRUCTIONS = "time", "instructions"  # what a launch measures: its time, or its instructions
INSTRUMENTS = (TIME, INSTRUCTIONS)


@dataclass(frozen=True)
class Measuring:
    """How to measure, for any verb that measures."""

    effort: Effort = field(default_factory=Effort)
    rounds: int | None = None  # the most rounds of a benchmark; None: no limit
    budget_s: float | None = None
    timeout_s: float = 600.0
    # The CPU to pin launches to; None: the last one allowed, for single-threaded benchmarks only.
    pin: int | None = None
    seed: int = 0
    duet: bool = False  # run both sides at once, on two CPUs
    instrument: str = TIME


@dataclass(frozen=True)
class RevisionChoice:
    """How to build and run targets that are revisions."""

    suite: str | None = None  # None: the only suite in `assay.toml`
    own_recipe: bool = False  # build each revision by its own assay.toml
    placements: int = 0  # how many times to link each program, in random orders
    # files that the command writes; they do not count as uncommitted changes
    outputs: tuple[Path, ...] = ()


@dataclass(frozen=True)
class ComparePlan:
    """The request of one `assay compare`."""

    base: str
    candidate: str | None  # None: `base` is a record of both sides
    measuring: Measuring = field(default_factory=Measuring)
    settings: Settings = field(default_factory=Settings)
    filters: Filters = field(default_factory=Filters)
    metrics: tuple[str, ...] = ()
    keep: Destination = field(default_factory=Destination)
    revisions: RevisionChoice = RevisionChoice()
    floor: bool = False  # even if both sides are one program, measure how large the noise is
    why: bool = False  # also explain which function is the reason
    count_placement: bool = False  # judge times even if both sides execute the same machine code
    looks_at_code: bool = True  # False: do not check for the same machine code
    counts_margin: float = COUNTS_MARGIN  # the margin for counts of instructions

    @property
    def measures_identical(self) -> bool:
        """Whether to measure even if both sides are the same program."""
        return self.floor or self.keep.output is not None

    @property
    def counts_settings(self) -> Settings:
        """The settings for judging counts of instructions."""
        return msgspec.structs.replace(self.settings, margin=self.counts_margin)


@dataclass(frozen=True)
class RunPlan:
    """The request of one `assay run`."""

    targets: tuple[str, ...]
    measuring: Measuring = field(default_factory=Measuring)
    filter: str = ""
    keep: Destination = field(default_factory=Destination)
    allocations: bool = False  # launch everything twice, the second time counting allocations
    revisions: RevisionChoice = RevisionChoice()
