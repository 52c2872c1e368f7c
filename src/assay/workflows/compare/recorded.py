"""Compares recorded results; nothing is measured here."""

import re
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from assay.errors import InputError, UsageError
from assay.model import Failure, Record, Sample, Side
from assay.workflows.common.counting import valgrinds
from assay.workflows.common.matching import Filters, Match, match
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.targets import Recorded
from assay.workflows.compare.patience import given_up
from assay.workflows.compare.result import CompareResult, hosts_of, judged, side_of


def compare_records(plan: ComparePlan, base: Record, candidate: Record | None) -> CompareResult:
    """Judge records that are in memory."""
    if candidate is None:
        return both_in_one(plan, Recorded(base, plan.base))
    return one_after_the_other(
        plan, Recorded(base, plan.base), Recorded(candidate, str(plan.candidate))
    )


def is_two_sided(record: Record) -> bool:
    """Whether `record` holds both sides of a comparison."""
    return bool(record.samples) and record.samples[0].side is not None


def both_in_one(plan: ComparePlan, base: object) -> CompareResult:
    """Judge a record of both sides again; its rounds are interleaved."""
    if not isinstance(base, Recorded) or not is_two_sided(base.record):
        raise UsageError(
            "one target is given and it does not hold two sides",
            where=plan.base,
            hint="name BASE and CANDIDATE",
        )
    record = base.record
    base_samples, candidate_samples = side_of(record, Side.BASE), side_of(record, Side.CANDIDATE)
    ours, theirs, found = _matched(base_samples, candidate_samples, plan.filters)
    result = judged(plan, ours, theirs, record)
    return replace(
        result,
        only_base=found.only_base,
        only_candidate=found.only_candidate,
        failures=tuple(f for f in given_up(record) if re.search(plan.filters.both, f.benchmark)),
        targets=dict(record.facts.targets),
    )


def one_after_the_other(plan: ComparePlan, base: Recorded, candidate: Recorded) -> CompareResult:
    """Judge two files, or a file and what was just measured. Raises `InputError`."""
    for side in (base, candidate):
        if is_two_sided(side.record):
            raise InputError(
                "this record holds both sides of a comparison",
                where=side.label,
                hint=f"judge it alone: assay compare {side.label}",
            )
    ours, theirs, found = _matched(base.record.samples, candidate.record.samples, plan.filters)
    notes = valgrinds((base.record, candidate.record))
    result = judged(plan, ours, theirs, _interleaved(base, candidate), notes)
    return replace(
        result,
        record=None,
        hosts=hosts_of(base.record, candidate.record),
        records=(base.record, candidate.record),
        only_base=found.only_base,
        only_candidate=found.only_candidate,
        failures=(*_of(base.record, Side.BASE), *_of(candidate.record, Side.CANDIDATE)),
    )


def _interleaved(base: Recorded, candidate: Recorded) -> Record | None:
    """The record if both sides are from one sweep: its plug-ins took turns, so rounds are pairs."""
    is_one = base.label == candidate.label
    return base.record if is_one and base.record.facts.design == "interleaved" else None


def _matched(
    base: Sequence[Sample], candidate: Sequence[Sample], filters: Filters
) -> tuple[tuple[Sample, ...], tuple[Sample, ...], Match]:
    found = match(_names(base), _names(candidate), filters)
    return _renamed(base, found.base), _renamed(candidate, found.candidate), found


def _names(samples: Sequence[Sample]) -> list[str]:
    return list(dict.fromkeys(sample.benchmark for sample in samples))


def _renamed(samples: Sequence[Sample], names: dict[str, str]) -> tuple[Sample, ...]:
    """The samples under the common names, once for each common name that a benchmark has."""
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


def _of(record: Record, side: Side) -> tuple[Failure, ...]:
    return tuple(msgspec.structs.replace(f, side=side) for f in record.failures)
