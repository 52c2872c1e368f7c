"""A stage: one way to ask why. Each answers by itself, or says why it cannot.

    class ExactWorkStage:
        name = "work"
        def explain(self, found, names): return replace(found, work=...)

A stage is made once for both sides. If it cannot run on this machine (no valgrind), its constructor
raises a `MeasurementError` that says so.
"""

from typing import Protocol

import msgspec

from assay.explained import Explained
from assay.interrupts import Interrupted
from assay.measure.executor import Executor
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Side
from assay.workflows.common.runtime import Runtime
from assay.workflows.why.compared import ComparedLoops

Explainable = GBenchTarget | CommandTarget


class WhySides(msgspec.Struct, frozen=True):
    """Base and candidate as `assay why` runs them, and launches that its stages share."""

    base: Explainable
    candidate: Explainable
    runtime: Runtime
    # The benchmark's names on both sides -> launches in which only the loop was watched. They are
    # made once, and used by several stages.
    plain_loops: dict[tuple[str, str], ComparedLoops] = msgspec.field(default_factory=dict)

    @property
    def executor(self) -> Executor:
        return self.runtime.executor

    def both(self) -> tuple[tuple[Side, Explainable], tuple[Side, Explainable]]:
        return (Side.BASE, self.base), (Side.CANDIDATE, self.candidate)


class StageError(Exception):
    """A stage cannot answer for one benchmark; `what` is shown to the user."""

    def __init__(self, what: str, side: Side | None = None) -> None:
        self.side, self.what = side, what
        super().__init__(what)


class CutShort(Interrupted):
    """A stage was interrupted; `found` includes what it has found until then."""

    def __init__(self, found: Explained, signal_number: int) -> None:
        self.found = found
        super().__init__(signal_number)


class Stage(Protocol):
    """One way to ask why a benchmark changed.

    Stages run in order, the cheapest and most certain first, and later ones see what earlier ones
    found.
    """

    name: str  # the stage's name in the option `--stages`

    def explain(self, found: Explained, names: tuple[str, str]) -> Explained:
        """Return `found` with this stage's findings; `names` are the benchmark's on both sides.

        Raises `StageError`.
        """
