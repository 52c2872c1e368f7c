"""Counting instructions (`--instrument instructions`), for targets and for records.

targets, facts = counting_targets(targets, runtime)             # counted instead of timed
base, candidate = same_iterations(base, candidate)     # counts of equally many iterations
"""

from collections.abc import Mapping, Sequence

from assay.measure.profile.exact.instructions import (
    counting_target,
    counts_by_iterations,
    with_iterations,
)
from assay.measure.profile.exact.pinned import Valgrind
from assay.measure.targets.target import Target
from assay.model import Record, Sample, by_benchmark
from assay.remarks import OtherIterations, OtherValgrinds, Remark
from assay.workflows.common.runtime import Runtime


def counting_targets(
    targets: Sequence[Target], runtime: Runtime
) -> tuple[tuple[Target, ...], dict[str, object]]:
    """The targets made to run under callgrind, and the facts on that for the record.

    Raises `MeasurementError` without valgrind, `UsageError` for a target it cannot count.
    """
    valgrind = Valgrind.installed(runtime.executor)
    facts: dict[str, object] = {"instrument": "instructions", "valgrind": valgrind.version}
    return tuple(counting_target(target, valgrind) for target in targets), facts


def is_counted(samples: Sequence[Sample]) -> bool:
    """Whether all samples are counts of instructions, made by Assay under callgrind."""
    return bool(samples) and all(counts_by_iterations(sample) for sample in samples)


def same_iterations(
    base: Sequence[Sample], candidate: Sequence[Sample]
) -> tuple[tuple[Sample, ...], tuple[Sample, ...]]:
    """The counts of each benchmark for the largest number of iterations that all launches ran.

    Otherwise work done once in many iterations (a table grows) would look like a change.
    """
    common = _common_iterations((*base, *candidate))
    return _with_common_iterations(base, common), _with_common_iterations(candidate, common)


def different_numbers(base: Sequence[Sample], candidate: Sequence[Sample]) -> tuple[Remark, ...]:
    """A note on benchmarks that run a fixed number of iterations, but a
    different one on each side.
    """
    ours = {sample.benchmark: sample.iterations for sample in base}
    other = dict.fromkeys(
        sample.benchmark
        for sample in candidate
        if ours.get(sample.benchmark, sample.iterations) != sample.iterations
    )
    return (OtherIterations(tuple(other)),) if other else ()


def note_on_valgrind_versions(records: Sequence[Record]) -> tuple[Remark, ...]:
    """A note if two records were counted by different versions of valgrind."""
    versions = {one.facts.valgrind for one in records if one.facts.valgrind}
    return (OtherValgrinds(tuple(sorted(versions))),) if len(versions) > 1 else ()


def _common_iterations(samples: Sequence[Sample]) -> dict[str, int]:
    """For each benchmark the largest number of iterations that all its samples have a count for.

    Benchmarks without a common number are left out.
    """
    found = {}
    for name, group in by_benchmark(samples).items():
        shared = set.intersection(*(set(counts_by_iterations(sample)) for sample in group))
        if shared:
            found[name] = max(shared)
    return found


def _with_common_iterations(
    samples: Sequence[Sample], common: Mapping[str, int]
) -> tuple[Sample, ...]:
    return tuple(
        with_iterations(sample, common[sample.benchmark]) if sample.benchmark in common else sample
        for sample in samples
    )
