"""The floor of a suite on this host: the target against itself, kept for later.

    result = measure_floor(plan, runtime)
    result.floor.effect      # below this, A/A differences lie
    keep_floor(result)

Afterwards `known_floor` finds it for every comparison of the same benchmarks here.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from assay.errors import MeasurementError
from assay.judge.floor import from_pairs
from assay.judge.pairing import pair
from assay.measure.host.facts import read_facts
from assay.model import Design, Floor, Settings
from assay.record import floor_cache
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare.result import CompareResult
from assay.workflows.compare.workflow import compare

ROUNDS = 24


@dataclass(frozen=True)
class FloorResult:
    """The floor, and the A/A comparison it was taken from."""

    floor: Floor
    result: CompareResult


def measure_floor(plan: ComparePlan, runtime: Runtime) -> FloorResult:
    """Measure `plan.base` against itself. Raises `MeasurementError` with too little data."""
    # Margin 0 settles nothing as "same", so that every benchmark gets all its rounds.
    result = compare(replace(plan, settings=Settings(margin=0.0)), runtime)
    floor = _floor_of(result)
    if floor is None:
        raise MeasurementError("too few rounds for a floor", where=plan.base, hint="--rounds 20")
    return FloorResult(floor, result)


def keep_floor(found: FloorResult) -> Path:
    """Keep it for this host and these benchmarks; returns where. Raises `InputError`."""
    names = {sample.benchmark for sample in found.result.samples[0]}
    return floor_cache.save(found.floor, floor_cache.key(read_facts(), names))


def _floor_of(result: CompareResult) -> Floor | None:
    base, candidate = result.samples
    settings = Settings()
    paired = pair(
        base, candidate, design=Design.INTERLEAVED, metrics=("real_time",), settings=settings
    )
    date = datetime.now(UTC).date().isoformat()
    return from_pairs(paired.pairs, settings, source=f"A against A on {date}")
