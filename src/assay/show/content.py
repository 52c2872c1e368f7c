"""The content of a report, prepared by a workflow: only values, nothing left to conclude."""

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.findings import Findings
from assay.model import Choice, Failure, Judgement, Level, Sample, SweepPoint
from assay.overheads import Overheads

Floats = NDArray[np.float64]


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """Percentiles of one histogram: the share above each point (1-p), and the value there."""

    benchmark: str
    name: str
    side: str
    above: tuple[float, ...]
    values: tuple[float, ...]
    count: int
    unit: str = "ns"


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison (`judgement`) or a run by itself (`levels`), with everything around it.

    `estimates` and `changes` hold for each metric one number for each of `samples`: the judge's
    estimate of that launch, and its change against the base launch of its round; NaN without one.
    """

    document: Mapping[str, Any]  # what --json writes
    samples: tuple[Sample, ...]
    judgement: Judgement | None = None
    levels: tuple[Level, ...] = ()
    estimates: Mapping[str, Floats] = {}
    changes: Mapping[str, Floats] = {}
    curves: tuple[Curve, ...] = ()
    sides: Mapping[str, Mapping[str, Any]] = {}  # facts about each side: host, build, date
    only_base: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    choices: tuple[Choice, ...] = ()  # of a suite: which member of each group to take
    sweep: tuple[SweepPoint, ...] = ()
    unavailable: tuple[str, ...] = ()
    interrupted: bool = False
    gated: bool = False  # the result decides an exit code
    explained: tuple[Findings, ...] = ()  # why benchmarks are slower
    overheads: Overheads | None = None  # of an experiment under several conditions

    @property
    def two_sided(self) -> bool:
        return self.judgement is not None
