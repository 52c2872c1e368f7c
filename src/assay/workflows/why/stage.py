"""One way to ask why: exact work, time, memory ... Each answers by itself, or says why it cannot.

    class ExactWorkStage:
        name = "work"
        def explain(self, found, names): return replace(found, work=...)

A stage is made once for both sides; what keeps it from running here at all (no valgrind) it says
when it is made, as a `MeasurementError`.
"""

from dataclasses import dataclass, field
from typing import Protocol

from assay.explained import Explained
from assay.interrupts import Interrupted
from assay.measure.executor import Executor
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Side
from assay.workflows.common.runtime import Runtime
from assay.workflows.why.compared import Compared

Explainable = GBenchTarget | CommandTarget


@dataclass(frozen=True)
class Sides:
    """The two targets, and what the stages run them with."""

    base: Explainable
    candidate: Explainable
    runtime: Runtime
    # Launches in which nothing but the loop was watched, by both names: for whichever stage asks.
    plain_loops: dict[tuple[str, str], Compared] = field(default_factory=dict, compare=False)

    @property
    def executor(self) -> Executor:
        return self.runtime.executor

    def both(self) -> tuple[tuple[Side, Explainable], tuple[Side, Explainable]]:
        return (Side.BASE, self.base), (Side.CANDIDATE, self.candidate)


class StageError(Exception):
    """A stage cannot answer of one benchmark; `what` is told as it stands."""

    def __init__(self, what: str, side: Side | None = None) -> None:
        self.side, self.what = side, what
        super().__init__(what)


class CutShort(Interrupted):
    """A stage was interrupted; `found` is with what it has until then."""

    def __init__(self, found: Explained, signal_number: int) -> None:
        self.found = found
        super().__init__(signal_number)


class Stage(Protocol):
    """Cheapest and most certain first: a later one sees what the earlier ones found."""

    name: str  # as `--stages` has it

    def explain(self, found: Explained, names: tuple[str, str]) -> Explained:
        """With what this stage finds. `names` are the benchmark's on either side.

        Raises `StageError`.
        """
