"""Compare two targets: measure what is live, pair, judge.

    result = compare(ComparePlan("old/bench", "new/bench"), stage)
    result.judgement.comparisons

Two live targets are measured in interleaved rounds until every verdict is
settled, the budget is spent or the rounds are used up. Whatever is recorded
already is judged as what it is: one side measured after the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from assay.errors import InputError, NoBenchmarksError, UsageError
from assay.judge.pairing import Pairing, pair
from assay.judge.verdict import judge
from assay.measure.renamed import RenamedTarget
from assay.measure.target import Target
from assay.model import Design, Failure, Judgement, Record, Sample, Side
from assay.workflows.floors_known import known_floor, warning
from assay.workflows.interrupts import stopping
from assay.workflows.keeping import keep
from assay.workflows.live import LiveComparison
from assay.workflows.matching import Filters, Match, match
from assay.workflows.metrics import chosen
from assay.workflows.plan import ComparePlan
from assay.workflows.run import measure_alone
from assay.workflows.stage import Stage
from assay.workflows.targets import Kit, Recorded, resolve


@dataclass(frozen=True)
class CompareResult:
    """A judgement and everything needed to show and to keep it."""

    judgement: Judgement
    record: Record | None  # what was measured now, both sides; None: nothing was
    hosts: dict[str, Any]
    targets: dict[str, str]
    only_base: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    kept_in: str = ""
    exit_code: int | None = None  # 130 or 143 when interrupted
    samples: tuple[tuple[Sample, ...], tuple[Sample, ...]] = ((), ())
    records: tuple[Record, ...] = ()  # one of both sides, or one a side: for the facts in them


def compare(plan: ComparePlan, stage: Stage) -> CompareResult:
    """Do what `plan` says. Raises `AssayError`; an interrupt ends measuring only."""
    kit = Kit(stage.executor, plan.measuring.timeout_s)
    base = resolve(plan.base, kit)
    if plan.candidate is None:
        return _both_in_one(plan, base)
    candidate = resolve(plan.candidate, kit)
    if isinstance(base, Recorded) and isinstance(candidate, Recorded):
        return _recorded(plan, base, candidate)
    if isinstance(base, Recorded) or isinstance(candidate, Recorded):
        return _half_live(plan, base, candidate, stage)
    return _live(plan, base, candidate, stage)


def compare_records(plan: ComparePlan, base: Record, candidate: Record | None) -> CompareResult:
    """Judge what is recorded, without anything to measure with."""
    if candidate is None:
        return _both_in_one(plan, Recorded(base, plan.base))
    return _recorded(plan, Recorded(base, plan.base), Recorded(candidate, str(plan.candidate)))


def is_two_sided(record: Record) -> bool:
    """Whether `record` holds both sides of a comparison."""
    return bool(record.samples) and record.samples[0].side is not None


def _live(plan: ComparePlan, base: Target, candidate: Target, stage: Stage) -> CompareResult:
    found = _match_live(plan, base, candidate)
    sides: dict[Side | None, Target] = {
        Side.BASE: RenamedTarget(base, found.base),
        Side.CANDIDATE: RenamedTarget(candidate, found.candidate),
    }
    with stopping() as stop:
        live = LiveComparison(plan, sides, stage)
        record = live.measure(found.names)
    if not record.samples:
        _nothing_measured(record, live.journal_path.name, stop.exit_code)
    kept = keep(record, plan.output, live.journal_path)
    result = _judged(plan, _side(record, Side.BASE), _side(record, Side.CANDIDATE), record)
    return replace(
        result,
        record=record,
        only_base=found.only_base,
        only_candidate=found.only_candidate,
        failures=record.failures,
        kept_in=str(kept),
        exit_code=stop.exit_code,
    )


def _match_live(plan: ComparePlan, base: Target, candidate: Target) -> Match:
    """Names in common. Two commands are compared whatever they are called."""
    ours, theirs = base.benchmarks(""), candidate.benchmarks("")
    if len(ours) == len(theirs) == 1 and not plan.filters.renaming and ours != theirs:
        return Match({"command": ours[0]}, {"command": theirs[0]}, (), ())
    return match(ours, theirs, plan.filters)


def _nothing_measured(record: Record, journal: str, exit_code: int | None) -> None:
    """Raise for a session that has nothing to judge, unless a user cut it short."""
    if exit_code is None and not record.failures:
        raise NoBenchmarksError("nothing was measured", where=journal)


def _half_live(
    plan: ComparePlan,
    base: Target | Recorded,
    candidate: Target | Recorded,
    stage: Stage,
) -> CompareResult:
    """A file against something to run: one side is measured after the other."""
    with stopping() as stop:
        ours = _record_of(plan, base, stage)
        theirs = _record_of(plan, candidate, stage)
    result = _recorded(plan, Recorded(ours, plan.base), Recorded(theirs, str(plan.candidate)))
    fresh = theirs if isinstance(base, Recorded) else ours
    return replace(result, record=fresh, exit_code=stop.exit_code, kept_in=fresh.origin)


def _record_of(plan: ComparePlan, target: Target | Recorded, stage: Stage) -> Record:
    if isinstance(target, Recorded):
        return target.record
    pattern = plan.filters.both
    return measure_alone([target], pattern, plan.measuring, plan.output, stage)


def _both_in_one(plan: ComparePlan, base: Target | Recorded) -> CompareResult:
    """One record of ours that holds both sides: judged again, as interleaved."""
    if not isinstance(base, Recorded) or not is_two_sided(base.record):
        raise UsageError(
            "one target is given and it does not hold two sides",
            where=plan.base,
            hint="name BASE and CANDIDATE",
        )
    record = base.record
    result = _judged(plan, _side(record, Side.BASE), _side(record, Side.CANDIDATE), record)
    targets = {k: str(v) for k, v in record.facts.get("targets", {}).items()}
    return replace(result, failures=record.failures, targets=targets)


def _recorded(plan: ComparePlan, base: Recorded, candidate: Recorded) -> CompareResult:
    for side in (base, candidate):
        if is_two_sided(side.record):
            raise InputError(
                "this record holds both sides of a comparison",
                where=side.label,
                hint=f"judge it alone: assay compare {side.label}",
            )
    ours, theirs, found = _matched(base.record, candidate.record, plan.filters)
    result = _judged(plan, ours, theirs, None)
    return replace(
        result,
        hosts=_hosts(base.record, candidate.record),
        records=(base.record, candidate.record),
        only_base=found.only_base,
        only_candidate=found.only_candidate,
        failures=(*_of(base.record, Side.BASE), *_of(candidate.record, Side.CANDIDATE)),
    )


def _matched(
    base: Record, candidate: Record, filters: Filters
) -> tuple[tuple[Sample, ...], tuple[Sample, ...], Match]:
    found = match(_names(base), _names(candidate), filters)
    ours = _renamed(base.samples, found.base)
    theirs = _renamed(candidate.samples, found.candidate)
    return ours, theirs, found


def _names(record: Record) -> list[str]:
    return list(dict.fromkeys(sample.benchmark for sample in record.samples))


def _renamed(samples: Sequence[Sample], names: dict[str, str]) -> tuple[Sample, ...]:
    own = {old: new for new, old in names.items()}
    if all(old == new for old, new in own.items()):
        return tuple(sample for sample in samples if sample.benchmark in own)
    return tuple(
        msgspec.structs.replace(sample, benchmark=own[sample.benchmark])
        for sample in samples
        if sample.benchmark in own
    )


def _judged(
    plan: ComparePlan,
    base: tuple[Sample, ...],
    candidate: tuple[Sample, ...],
    record: Record | None,
) -> CompareResult:
    design = Design(record.facts.get("design", Design.SEQUENTIAL)) if record else Design.SEQUENTIAL
    paired = _paired(plan, base, candidate, design)
    floor = known_floor(paired.pairs, plan.settings, design)
    judgement = judge(paired.pairs, plan.settings, floor=floor)
    notes = (*judgement.notes, *warning(floor, plan.settings), *_session_notes(record))
    judgement = msgspec.structs.replace(judgement, notes=notes)
    return CompareResult(
        judgement=judgement,
        record=record,
        hosts=_hosts(record, record) if record else {},
        targets={"base": plan.base, "candidate": str(plan.candidate)},
        samples=(base, candidate),
        records=(record,) if record else (),
    )


def _paired(
    plan: ComparePlan, base: tuple[Sample, ...], candidate: tuple[Sample, ...], design: Design
) -> Pairing:
    metrics = chosen(plan.metrics, base, candidate) if base and candidate else ()
    return pair(base, candidate, design=design, metrics=metrics, settings=plan.settings)


def _session_notes(record: Record | None) -> tuple[str, ...]:
    """What the session itself had to say, such as how alike the CPUs of a duet are."""
    return tuple(record.facts.get("notes", ())) if record else ()


def _side(record: Record, side: Side) -> tuple[Sample, ...]:
    return tuple(sample for sample in record.samples if sample.side is side)


def _of(record: Record, side: Side) -> tuple[Failure, ...]:
    return tuple(msgspec.structs.replace(f, side=side) for f in record.failures)


def _hosts(base: Record | None, candidate: Record | None) -> dict[str, Any]:
    """What is known of the host of each side."""
    return {
        side: {**_context_host(record), **record.facts.get("host", {})}
        for side, record in (("base", base), ("candidate", candidate))
        if record is not None
    }


def _context_host(record: Record) -> dict[str, Any]:
    keys = ("host_name", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "library_build_type")
    return {key: record.context[key] for key in keys if key in record.context}
