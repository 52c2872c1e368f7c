"""What `assay bisect` was asked to do, and what it found."""

from dataclasses import dataclass, field
from pathlib import Path

from assay.judge.bisection.search import Answer
from assay.revisions.repository import Commit
from assay.workflows.common.plan import Measuring, RevisionChoice


@dataclass(frozen=True)
class BisectPlan:
    """Everything a search needs to know."""

    good: str
    bad: str
    pattern: str = ""  # one benchmark
    metric: str = "real_time"
    margin: float = 0.02  # about the smallest slowdown worth a search
    measuring: Measuring = field(default_factory=Measuring)
    revisions: RevisionChoice = field(default_factory=RevisionChoice)
    folder: Path = Path()  # where the steps of searches are kept
    is_anew: bool = False  # forget steps made before


@dataclass(frozen=True)
class Measured:
    """What a search knows of one commit."""

    commit: Commit
    rounds: int
    change: float | None  # median over its rounds: 0.05 is 5 % worse than GOOD
    why_not: str = ""  # it could not be measured


@dataclass(frozen=True)
class BisectResult:
    """The answer, and what it rests on."""

    answer: Answer
    benchmark: str
    commits: dict[str, Commit]
    measured: tuple[Measured, ...]
    resumed: int = 0  # steps that an earlier call had made
    interrupted_by: int | None = None
