"""Judges the samples of two sides, and adds everything needed to show and keep the result."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from assay.facts import Facts
from assay.judge.failed_launches import failed_launches
from assay.judge.family.family import FamilyScope
from assay.judge.family.strength import with_missing_time
from assay.judge.pairing import Pairing, pair_sides
from assay.judge.placement import with_placement_verdicts
from assay.judge.share import REPEATABLE
from assay.judge.verdict import judge
from assay.model import Comparison, Design, FailedLaunches, Failure, Judgement, Record, Sample, Side
from assay.remarks import NeverTogether, NotBegun, Remark, SessionNote
from assay.workflows.common import placement
from assay.workflows.common.counting import different_numbers, is_counted, same_iterations
from assay.workflows.common.plan import INSTRUCTIONS, ComparePlan
from assay.workflows.compare.identity import same_by_identity
from assay.workflows.compare.known_floor import known_floor, warning
from assay.workflows.compare.links import link_by_round
from assay.workflows.compare.metrics import chosen_metrics, deciding_metrics
from assay.workflows.compare.patience import failures_of_measured


class CompareResult(msgspec.Struct, frozen=True):
    """What a comparison found (verdicts, samples, failures), with all that is
    needed to show and keep it.
    """

    judgement: Judgement
    record: Record | None  # both sides as measured now; None if nothing was measured
    hosts: dict[str, Any]
    targets: dict[str, str]
    only_base: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    kept_in: str = ""
    is_identical: bool = False  # both sides are the same program
    # Number of the signal that ended measuring early; None: none did.
    interrupted_by: int | None = None
    samples: tuple[tuple[Sample, ...], tuple[Sample, ...]] = ((), ())
    # One record of both sides, or one for each side; pages show the facts in them.
    records: tuple[Record, ...] = ()


def judge_sides(
    plan: ComparePlan,
    base: tuple[Sample, ...],
    candidate: tuple[Sample, ...],
    record: Record | None,
    notes: tuple[Remark, ...] = (),
) -> CompareResult:
    """Judge the samples of base and candidate.

    `record` says how they were measured; None: first one side, then the other.
    """
    facts = record.facts if record else Facts()
    design = Design(facts.design or Design.SEQUENTIAL)
    counted = is_counted(base) and is_counted(candidate)
    if counted:
        plan = replace(plan, settings=plan.counts_settings)
        base, candidate = same_iterations(base, candidate)
        notes = (*notes, *different_numbers(base, candidate))
    paired = _paired_samples(plan, base, candidate, design, facts)
    metrics = deciding_metrics(plan.metrics, [one.metric for one in paired.pairs])
    asked_of = [one for one in paired.pairs if one.metric in metrics]
    floor = known_floor(asked_of, plan.settings, design)
    asked = FamilyScope(metrics, facts.family, (INSTRUCTIONS,) if counted else ())
    judgement = judge(paired.pairs, plan.settings, floor=floor, asked=asked)
    notes = (
        *notes,
        *judgement.notes,
        *warning(floor, plan.settings),
        *_session_notes(record),
        *_note_on_not_begun(record),
        *placement.notes(facts),
        *_note_on_unmatched(paired),
    )
    comparisons = _with_costs(judgement.comparisons, facts.round_s)
    judgement = msgspec.structs.replace(
        judgement,
        notes=notes,
        comparisons=comparisons,
        strength=judgement.strength and with_missing_time(judgement.strength, comparisons),
        failed_launches=_failed_launches(plan, base, candidate, record, counted=counted),
    )
    judgement = with_placement_verdicts(judgement, facts.code, is_counted=plan.count_placement)
    if facts.identical:
        judgement = same_by_identity(judgement)
    return CompareResult(
        judgement=judgement,
        record=record,
        hosts=hosts_of(record, record) if record else {},
        targets={"base": plan.base, "candidate": str(plan.candidate)},
        samples=(base, candidate),
        records=(record,) if record else (),
        is_identical=facts.identical,
    )


def _paired_samples(
    plan: ComparePlan,
    base: tuple[Sample, ...],
    candidate: tuple[Sample, ...],
    design: Design,
    facts: Facts,
) -> Pairing:
    return pair_sides(
        base,
        candidate,
        design=design,
        metrics=chosen_metrics(plan.metrics, base, candidate) if base and candidate else (),
        settings=plan.settings,
        autocorrelations=facts.autocorrelations,
        placement=link_by_round(facts.seed or 0, facts.placements),
    )


def _with_costs(
    comparisons: tuple[Comparison, ...], round_s: Mapping[str, float]
) -> tuple[Comparison, ...]:
    """The comparisons, each with the seconds of one round of its benchmark where that is known."""
    if not round_s:
        return comparisons
    return tuple(
        msgspec.structs.replace(one, round_s=round_s.get(one.benchmark)) for one in comparisons
    )


def _failed_launches(
    plan: ComparePlan,
    base: tuple[Sample, ...],
    candidate: tuple[Sample, ...],
    record: Record | None,
    *,
    counted: bool,
) -> tuple[FailedLaunches, ...]:
    """How many launches failed of each compared benchmark that was not given up."""
    if record is None or not record.failures:
        return ()
    measured = {sample.benchmark for sample in (*base, *candidate)}
    failures = [one for one in failures_of_measured(record) if one.benchmark in measured]
    by_rounds = 1.0 - REPEATABLE if counted else 1.0
    return failed_launches(base, candidate, failures, alpha=by_rounds * plan.settings.alpha)


def _session_notes(record: Record | None) -> tuple[Remark, ...]:
    """Notes of the session itself, such as how alike the CPUs of a duet are."""
    return tuple(SessionNote(one) for one in record.facts.notes) if record else ()


def _note_on_not_begun(record: Record | None) -> tuple[Remark, ...]:
    """A note on how many benchmarks of the session were never measured, for want of time."""
    if record is None or record.facts.planned is None:
        return ()
    begun = {one.benchmark for one in record.samples}
    begun |= {one.benchmark for one in record.failures}
    missing = record.facts.planned - len(begun)
    return (NotBegun(missing, record.facts.planned),) if missing > 0 else ()


def _note_on_unmatched(paired: Pairing) -> tuple[Remark, ...]:
    """A note on benchmarks that both sides have but that could not be compared."""
    return (NeverTogether(tuple(paired.unmatched)),) if paired.unmatched else ()


def samples_of_side(record: Record, side: Side) -> tuple[Sample, ...]:
    """The samples of one side of a record."""
    return tuple(sample for sample in record.samples if sample.side is side)


def hosts_of(base: Record | None, candidate: Record | None) -> dict[str, Any]:
    """Facts about the host on which each side was measured, from the records."""
    return {
        side: {**_context_host(record), **record.facts.written_object("host")}
        for side, record in (("base", base), ("candidate", candidate))
        if record is not None
    }


def _context_host(record: Record) -> dict[str, Any]:
    keys = ("host_name", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "library_build_type")
    return {key: record.context[key] for key in keys if key in record.context}
