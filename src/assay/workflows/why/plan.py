"""What to explain, and what came of it."""

from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import UsageError
from assay.explained import Explained, Unanswered
from assay.model import Failure
from assay.workflows.common.plan import RevisionChoice

STAGES = ("work", "time", "memory", "syscalls", "code")


def stages_of(written: str) -> tuple[str, ...]:
    """Of "work,time"; all, where nothing is written. Raises `UsageError`."""
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


@dataclass(frozen=True)
class WhyPlan:
    """What to explain."""

    base: str
    candidate: str  # empty: the base is a comparison that is kept, and has both sides
    filter: str = ""
    timeout_s: float = 600.0
    stages: tuple[str, ...] = STAGES
    revisions: RevisionChoice = field(default_factory=RevisionChoice)
    store: Path | None = None  # where run: targets are


@dataclass(frozen=True)
class WhyResult:
    """What was found, in the benchmarks' order."""

    explained: tuple[Explained, ...]
    failures: tuple[Failure, ...]  # benchmarks of which no stage found anything
    only_base: tuple[str, ...]
    only_candidate: tuple[str, ...]
    unavailable: tuple[Unanswered, ...] = ()  # stages that cannot run here at all
    interrupted_by: int | None = None
