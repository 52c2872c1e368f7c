"""What `run` and `compare` were asked to do, parsed once and never changed."""

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from assay.defaults import COUNTS_MARGIN
from assay.measure.effort import Effort
from assay.model import Settings
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination

TIME, INSTRUCTIONS = "time", "instructions"  # what launches are measured by
INSTRUMENTS = (TIME, INSTRUCTIONS)


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
    instrument: str = TIME


@dataclass(frozen=True)
class RevisionChoice:
    """What of an `assay.toml` is meant where targets are revisions."""

    suite: str | None = None  # None: the only one
    own_recipe: bool = False  # build each revision as its own assay.toml says
    placements: int = 0  # link each program so many times, in random orders
    outputs: tuple[Path, ...] = ()  # files that the command writes: no part of uncommitted work


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
    floor: bool = False  # measure two sides that are one program: how far the noise reaches
    why: bool = False  # say below which function is the reason
    count_placement: bool = False  # also where both sides execute the same machine code
    looks_at_code: bool = True  # ask whether they do; else times alone decide
    counts_margin: float = COUNTS_MARGIN  # instead of that in `settings`, for instructions

    @property
    def measures_identical(self) -> bool:
        """Whether there is something to measure where both sides are one program."""
        return self.floor or self.keep.output is not None

    @property
    def counts_settings(self) -> Settings:
        """How counts of instructions are judged."""
        return msgspec.structs.replace(self.settings, margin=self.counts_margin)


@dataclass(frozen=True)
class RunPlan:
    """Everything `assay run` needs to know."""

    targets: tuple[str, ...]
    measuring: Measuring = field(default_factory=Measuring)
    filter: str = ""
    keep: Destination = field(default_factory=Destination)
    allocations: bool = False  # each launch once more, counting what it allocates
    revisions: RevisionChoice = RevisionChoice()
