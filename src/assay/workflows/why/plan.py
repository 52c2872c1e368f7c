"""What `assay why` was asked to explain, and its result."""

from pathlib import Path

import msgspec

from assay.errors import UsageError
from assay.explained import Explained, Unanswered
from assay.findings import Findings
from assay.judge.attribution.findings import findings
from assay.model import Failure
from assay.workflows.common.plan import RevisionChoice

STAGES = ("work", "time", "memory", "syscalls", "code")


def stages_of(written: str) -> tuple[str, ...]:
    """Parse "work,time"; empty means all stages. Raises `UsageError`."""
    if not written:
        return STAGES
    asked = [one.strip() for one in written.split(",")]
    for one in asked:
        if one not in STAGES:
            raise UsageError(
                f"there is no stage {one!r}",
                where=f"--stages {written}",
                hint=f"the stages are {', '.join(STAGES)}",
            )
    return tuple(one for one in STAGES if one in asked)


class WhyPlan(msgspec.Struct, frozen=True):
    """The request of one `assay why`."""

    base: str
    candidate: str  # empty: `base` is a recorded comparison, and has both sides
    filter: str = ""
    timeout_s: float = 600.0
    stages: tuple[str, ...] = STAGES
    revisions: RevisionChoice = msgspec.field(default_factory=RevisionChoice)
    store: Path | None = None  # the store that run: targets are read from


class WhyResult(msgspec.Struct, frozen=True):
    """What `assay why` found for each benchmark, and what it could not explain."""

    explained: tuple[Explained, ...]
    # Why stages failed, for benchmarks for which no stage found anything.
    failures: tuple[Failure, ...]
    only_base: tuple[str, ...]
    only_candidate: tuple[str, ...]
    # Stages that cannot run on this machine, each with the reason.
    unavailable: tuple[Unanswered, ...] = ()
    interrupted_by: int | None = None
    # The benchmark that was being explained when the interrupt came; its answer may lack stages.
    cut_short: str | None = None

    def findings(self, *, everything: bool = True) -> tuple[Findings, ...]:
        """One `Findings` for each explained benchmark: its stages' answers, ranked for showing."""
        return tuple(findings(one, everything=everything) for one in self.explained)
