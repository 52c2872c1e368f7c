"""Compares recorded results; nothing is measured here."""

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from assay.errors import InputError, UsageError
from assay.model import Failure, Record, Sample, Side
from assay.remarks import OtherLinking, Remark
from assay.workflows.common.counting import note_on_valgrind_versions
from assay.workflows.common.matching import Filters, Match, match
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.targets import RecordedTarget
from assay.workflows.compare.patience import given_up
from assay.workflows.compare.result import CompareResult, hosts_of, judge_sides, samples_of_side


def compare_records(plan: ComparePlan, base: Record, candidate: Record | None) -> CompareResult:
    """Judge records that are in memory. Without a candidate, `base` is a record of both sides."""
    if candidate is None:
        return judge_two_sided_record(plan, RecordedTarget(base, plan.base))
    return judge_separate_records(
        plan, RecordedTarget(base, plan.base), RecordedTarget(candidate, str(plan.candidate))
    )


def is_two_sided(record: Record) -> bool:
    """Whether `record` holds both sides of a comparison."""
    return bool(record.samples) and record.samples[0].side is not None


def judge_two_sided_record(plan: ComparePlan, base: object) -> CompareResult:
    """Judge a record that has both sides, measured in interleaved rounds, again."""
    if not isinstance(base, RecordedTarget) or not is_two_sided(base.record):
        raise UsageError(
            "one target is given and it does not hold two sides",
            where=plan.base,
            hint="name BASE and CANDIDATE",
        )
    record = base.record
    base_samples, candidate_samples = (
        samples_of_side(record, Side.BASE),
        samples_of_side(record, Side.CANDIDATE),
    )
    ours, theirs, found = _matched_samples(base_samples, candidate_samples, plan.filters)
    result = judge_sides(plan, ours, theirs, record)
    return replace(
        result,
        only_base=found.only_base,
        only_candidate=found.only_candidate,
        failures=tuple(f for f in given_up(record) if re.search(plan.filters.both, f.benchmark)),
        targets=dict(record.facts.targets),
    )


def judge_separate_records(
    plan: ComparePlan, base: RecordedTarget, candidate: RecordedTarget
) -> CompareResult:
    """Judge two files, or a file and what was just measured. Raises `InputError`."""
    for side in (base, candidate):
        if is_two_sided(side.record):
            raise InputError(
                "this record holds both sides of a comparison",
                where=side.label,
                hint=f"judge it alone: assay compare {side.label}",
            )
    ours, theirs, found = _matched_samples(
        base.record.samples, candidate.record.samples, plan.filters
    )
    notes = (
        *note_on_valgrind_versions((base.record, candidate.record)),
        *_note_on_linking(base.record, candidate.record),
    )
    result = judge_sides(plan, ours, theirs, _record_of_common_sweep(base, candidate), notes)
    return replace(
        result,
        record=None,
        hosts=hosts_of(base.record, candidate.record),
        records=(base.record, candidate.record),
        only_base=found.only_base,
        only_candidate=found.only_candidate,
        failures=(
            *_failures_of_side(base.record, Side.BASE),
            *_failures_of_side(candidate.record, Side.CANDIDATE),
        ),
    )


def _note_on_linking(base: Record, candidate: Record) -> tuple[Remark, ...]:
    """A note if only one side was measured with the programs of the OS lab that a wheel has."""
    static = [
        side
        for side, record in ((Side.BASE, base), (Side.CANDIDATE, candidate))
        if record.facts.linking == "static"
    ]
    return (OtherLinking(static[0].value),) if len(static) == 1 else ()


def _record_of_common_sweep(base: RecordedTarget, candidate: RecordedTarget) -> Record | None:
    """The record, if both sides are plug-ins of one sweep: they ran in turns, so their rounds can
    be paired. None for other records.
    """
    is_one = base.label == candidate.label
    return base.record if is_one and base.record.facts.design == "interleaved" else None


def _matched_samples(
    base: Sequence[Sample], candidate: Sequence[Sample], filters: Filters
) -> tuple[tuple[Sample, ...], tuple[Sample, ...], Match]:
    found = match(_names(base), _names(candidate), filters)
    return _renamed(base, found.base), _renamed(candidate, found.candidate), found


def _names(samples: Sequence[Sample]) -> list[str]:
    return list(dict.fromkeys(sample.benchmark for sample in samples))


def _renamed(samples: Sequence[Sample], names: dict[str, str]) -> tuple[Sample, ...]:
    """The samples, renamed as the comparison names their benchmarks.

    A benchmark that is in several pairs has its samples under each pair's name.
    """
    if all(old == new for new, old in names.items()):
        return tuple(sample for sample in samples if sample.benchmark in names)
    common: dict[str, list[str]] = {}
    for new, old in names.items():
        common.setdefault(old, []).append(new)
    return tuple(
        msgspec.structs.replace(sample, benchmark=new)
        for sample in samples
        for new in common.get(sample.benchmark, ())
    )


def _failures_of_side(record: Record, side: Side) -> tuple[Failure, ...]:
    return tuple(msgspec.structs.replace(f, side=side) for f in record.failures)
