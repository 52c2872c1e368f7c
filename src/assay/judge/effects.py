"""What both ways of judging (rounds, and one side after the other) return: effects as columns."""

import math
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judging import Method
from assay.model import Finding, Pair
from assay.remarks import Remark

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


class Effects(msgspec.Struct, frozen=True):
    """Estimates for many pairs, as columns; changes are relative to base (0.05 is 5 % more)."""

    base: Floats  # in the pair's unit
    candidate: Floats
    change: Floats
    p_value: Floats  # against "no change at all"; NaN where there are too few rounds
    rounds: int
    method: Method  # how intervals are made


class RoundsNeeded(msgspec.Struct, frozen=True):
    """About how many more rounds each verdict takes; infinite where no number is enough."""

    above: float = math.inf  # rounds until the interval lies above the margin
    below: float = math.inf  # rounds until the interval lies below minus the margin
    inside: float = math.inf  # rounds until the interval lies inside the margin: verdict "same"


class FindingsBesideCentre(msgspec.Struct, frozen=True):
    """What the rounds of one benchmark show besides a change of their centre.

    For example, that some launches of the candidate are slow.
    """

    findings: tuple[Finding, ...] = ()
    # Reported instead of a change for the better that comes from more scatter of the samples alone.
    scatter: Finding | None = None
    calm: bool = True  # nothing besides the centre speaks against the verdict "same"
    rounds_to_calm: float = 0.0  # rounds that are still missing until `calm` holds


class PairGroup(Protocol):
    """Pairs (one metric of one benchmark, base and candidate) that are computed as one array.

    All were measured by one design, with the same numbers of launches of base and candidate.
    """

    pairs: list[Pair]
    effects: Effects

    def interval(self, rows: Rows, alpha: float) -> tuple[Floats, Floats]:
        """Both ends of the interval of each of `rows` at level `alpha`, relative to base; NaN where
        there is too little data."""

    def notes(self, row: int) -> tuple[Remark, ...]:
        """Remarks on how this pair was judged, for whoever reads its verdict."""

    def beside(self, margin: float, level: float) -> list[FindingsBesideCentre]:
        """For each pair, the changes that its centre does not show."""

    def needed(self, margin: float, level: float) -> list[tuple[RoundsNeeded, ...]]:
        """For each pair, how many more rounds would settle it, for each plausible effect."""

    def noise(self) -> list[float]:
        """For each pair, the standard deviation of a round's log ratio; NaN: it has no rounds."""

    def placement_sd(self, row: int) -> float | None:
        """The standard deviation of what a random link order of both sides adds to the effect.

        As a log ratio; None: each side was linked once.
        """

    def fewest(self, level: float) -> int | None:
        """The fewest rounds for an interval at `level`; None: more rounds would not make one."""
