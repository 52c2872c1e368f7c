"""Checks whether two CPUs are alike enough for a duet, by running base against itself on both.

In a duet every disturbance hits both sides, but the two CPUs must be equally fast and must not slow
each other down differently. If base against itself shows a difference, the duet is refused.

    note = check(base, names, conditions, runtime)
"""

from collections.abc import Sequence

from assay.errors import MeasurementError
from assay.judge.pairing import pair_sides
from assay.judge.verdict import judge
from assay.measure.session import LaunchSettings
from assay.measure.targets.target import Target
from assay.model import Comparison, Design, Sample, Settings, Side, Verdict
from assay.workflows.common.runtime import Runtime

ROUNDS = 24  # rounds of the check; from 20 on, two benchmarks can show a difference
# How many of the benchmarks are run; two are enough, as the CPUs are checked and not they.
BENCHMARKS = 2
ALIKE = Settings(margin=0.03, alpha=0.05)


def check(base: Target, names: Sequence[str], conditions: LaunchSettings, runtime: Runtime) -> str:
    """How alike the two CPUs are, as a note. Raises `MeasurementError` if they are not alike."""
    samples = _measure(base, names[:BENCHMARKS], conditions, runtime)
    first, second = conditions.duet or (0, 0)
    compared = _compare(samples, first, second)
    where = f"CPUs {first} and {second}"
    if not compared:
        raise MeasurementError("the pair could not be checked", where=where, hint="no --duet")
    for one in compared:
        if one.verdict in (Verdict.SLOWER, Verdict.FASTER):
            raise MeasurementError(
                f"A against A differs by {abs(one.change):.1%} between them",
                where=where,
                hint="measure without --duet",
            )
    largest = max(abs(one.change) for one in compared)
    return f"duet on {where}: A against A differs by {largest:.1%} after {ROUNDS} rounds"


def _measure(
    base: Target, names: Sequence[str], conditions: LaunchSettings, runtime: Runtime
) -> list[Sample]:
    session = runtime.session({Side.BASE: base, Side.CANDIDATE: base}, conditions)
    samples: list[Sample] = []
    for name in names:
        if session.prepare(name) is None:
            for number in range(ROUNDS):
                samples += session.round(name, number).samples
    return samples


def _compare(samples: Sequence[Sample], first: int, second: int) -> tuple[Comparison, ...]:
    """Compare the two CPUs: samples are divided by where they ran, not by their side."""
    here = [sample for sample in samples if sample.cpu == first]
    there = [sample for sample in samples if sample.cpu == second]
    paired = pair_sides(here, there, design=Design.DUET, metrics=("real_time",), settings=ALIKE)
    return judge(paired.pairs, ALIKE).comparisons
