"""What every way of judging returns: effects of many pairs, as columns."""

import math
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.model import Finding, Pair

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


class Effects(NamedTuple):
    """One row a pair. Changes are relative to base (0.05 is 5 % more)."""

    base: Floats
    candidate: Floats
    change: Floats
    p_value: Floats  # against "no change at all"; NaN: cannot be had
    rounds: int
    method: str


class Needed(NamedTuple):
    """About how many more rounds each verdict takes; infinite where none are enough."""

    above: float = math.inf
    below: float = math.inf
    inside: float = math.inf


class Beside(NamedTuple):
    """What is found of one pair beside the change of its centre."""

    findings: tuple[Finding, ...] = ()
    scatter: Finding | None = None  # what a change for the better is instead; None: it is one
    calm: bool = True  # nothing speaks against calling it the same
    rounds_to_calm: float = 0.0


class Group(Protocol):
    """Pairs of equal shape, judged together."""

    pairs: list[Pair]
    effects: Effects

    def interval(self, rows: Rows, alpha: float) -> tuple[Floats, Floats]:
        """Relative ends at level `alpha` each; NaN where there is too little."""

    def notes(self, row: int) -> tuple[str, ...]:
        """What a reader must know of this pair, in words."""

    def beside(self, margin: float, level: float) -> list[Beside]:
        """Of each pair: changes that its centre does not show."""

    def needed(self, margin: float, level: float) -> list[tuple[Needed, ...]]:
        """Of each pair: how many more rounds would settle it, for each plausible effect."""

    def noise(self) -> list[float]:
        """Of each pair: how much one round scatters, as a log ratio; NaN: there are no rounds."""

    def placement_sd(self, row: int) -> float | None:
        """What one pair of links adds to the effect of a pair; None: there was one of each."""

    def fewest(self, level: float) -> int | None:
        """Rounds that an interval at `level` takes; None: more rounds would not make one."""
