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
    """Percentiles of one histogram: shares 1-p of all values, and the value
    that each share exceeds.
    """

    benchmark: str
    name: str
    side: str
    above: tuple[float, ...]
    values: tuple[float, ...]
    count: int
    unit: str = "ns"


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """All that a report shows of a comparison (`judgement`) or of a run by itself (`levels`).

    `estimates` and `changes` hold for each metric one number for each of `samples`: the judge's
    estimate of that launch, and its change against the base launch of its round; NaN without one.
    """

    document: Mapping[str, Any]  # the JSON document that --json writes
    samples: tuple[Sample, ...]
    judgement: Judgement | None = None
    levels: tuple[Level, ...] = ()
    estimates: Mapping[str, Floats] = {}
    changes: Mapping[str, Floats] = {}
    curves: tuple[Curve, ...] = ()
    sides: Mapping[str, Mapping[str, Any]] = {}  # facts for base and candidate: host, build, date
    only_base: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    choices: tuple[Choice, ...] = ()  # of a suite: which of its members to take for each operation
    sweep: tuple[SweepPoint, ...] = ()
    unavailable: tuple[str, ...] = ()
    interrupted: bool = False
    gated: bool = False  # True: the exit code depends on the result
    # Explanations by `assay why` of benchmarks that got slower.
    explained: tuple[Findings, ...] = ()
    # The costs of conditions, in an experiment under several conditions of the host.
    overheads: Overheads | None = None

    @property
    def two_sided(self) -> bool:
        return self.judgement is not None
