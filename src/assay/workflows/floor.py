"""Measures the floor of a suite on this host: the target against itself.

    result = measure_floor(plan, runtime)
    result.floor.effect      # differences smaller than this are noise
    result.keep()

Afterwards `known_floor` finds it for every comparison of the same benchmarks here.
"""

from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.errors import MeasurementError
from assay.model import Floor, Settings
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare.known_floor import floor_of, keep_floor
from assay.workflows.compare.result import CompareResult
from assay.workflows.compare.workflow import compare


class FloorResult(msgspec.Struct, frozen=True):
    """A measured floor (noise between a program and itself), and the comparison it comes from."""

    floor: Floor | None  # None: the measuring was interrupted before there were enough rounds
    result: CompareResult

    def keep(self) -> Path | None:
        """Keep the floor for this host and these benchmarks; returns its path. `InputError`.

        An interrupted floor is not kept, because it may have too few rounds.
        """
        if self.floor is None or self.result.interrupted_by is not None:
            return None
        return keep_floor(self.floor, self.result.samples)


def measure_floor(plan: ComparePlan, runtime: Runtime) -> FloorResult:
    """Measure `plan.base` against itself. Raises `MeasurementError` if there is too little data."""
    # With a margin of 0 no verdict can become "same", so that every benchmark gets all its rounds.
    result = compare(replace(plan, settings=Settings(margin=0.0)), runtime)
    floor = floor_of(result.samples)
    if floor is None and result.interrupted_by is None:
        raise MeasurementError("too few rounds for a floor", where=plan.base, hint="--rounds 20")
    return FloorResult(floor, result)
