"""What `run` and `compare` were asked to do: parsed once, then never changed."""

from pathlib import Path

import msgspec

from assay.defaults import COUNTS_MARGIN
from assay.measure.effort import Effort
from assay.model import Settings
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination

TIME, INSTRUCTIONS = "time", "instructions"  # what a launch measures: its time, or its instructions
INSTRUMENTS = (TIME, INSTRUCTIONS)


class Measuring(msgspec.Struct, frozen=True):
    """The options on how to measure, the same for all verbs: effort,
    limits, CPU, seed, instrument.
    """

    effort: Effort = msgspec.field(default_factory=Effort)
    rounds: int | None = None  # each benchmark gets at most so many rounds; None: no limit
    budget_s: float | None = None
    timeout_s: float = 600.0
    # The CPU to pin launches to; None: the last one allowed, for single-threaded benchmarks only.
    pin: int | None = None
    seed: int = 0
    duet: bool = False  # run base and candidate at the same time, on two CPUs
    instrument: str = TIME


class RevisionChoice(msgspec.Struct, frozen=True):
    """Options for targets that are revisions (`git:REV` or `.`): what to
    build, and by which recipe.
    """

    suite: str | None = None  # name of the suite to build; None: the only one in `assay.toml`
    # True: build each revision by the `assay.toml` in it, not by the present one.
    own_recipe: bool = False
    placements: int = 0  # link each program so many times, its functions in random orders
    # Files that this command writes, such as its record; they do not count as uncommitted changes.
    outputs: tuple[Path, ...] = ()


class ComparePlan(msgspec.Struct, frozen=True):
    """The request of one `assay compare`."""

    base: str
    candidate: str | None  # None: `base` is a record of both sides
    measuring: Measuring = msgspec.field(default_factory=Measuring)
    settings: Settings = msgspec.field(default_factory=Settings)
    filters: Filters = msgspec.field(default_factory=Filters)
    metrics: tuple[str, ...] = ()
    keep: Destination = msgspec.field(default_factory=Destination)
    revisions: RevisionChoice = RevisionChoice()
    # Measure even if both sides are one program, to find how large the noise is.
    floor: bool = False
    why: bool = False  # also explain, as `assay why` does, which function made it slower
    count_placement: bool = False  # judge times even if both sides execute the same machine code
    # False: do not check whether both sides execute the same machine code.
    looks_at_code: bool = True
    # The smallest change of a count of instructions that matters, as a fraction.
    counts_margin: float = COUNTS_MARGIN

    @property
    def measures_identical(self) -> bool:
        """Whether to measure even if both sides are the same program."""
        return self.floor or self.keep.output is not None

    @property
    def counts_settings(self) -> Settings:
        """The settings of the judge for counts of instructions, which
        have a margin of their own.
        """
        return msgspec.structs.replace(self.settings, margin=self.counts_margin)


class RunPlan(msgspec.Struct, frozen=True):
    """The request of one `assay run`."""

    targets: tuple[str, ...]
    measuring: Measuring = msgspec.field(default_factory=Measuring)
    filter: str = ""
    keep: Destination = msgspec.field(default_factory=Destination)
    allocations: bool = False  # launch everything twice, the second time counting allocations
    revisions: RevisionChoice = RevisionChoice()
