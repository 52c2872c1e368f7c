"""Compares two targets: measures what is live, pairs the samples, and judges.

    result = compare(ComparePlan("old/bench", "new/bench"), runtime)
    result.judgement.comparisons

Two live targets are measured in interleaved rounds until every verdict is settled, the budget is
spent, or the rounds are used up. If a side is already recorded, they are judged as measured one
after the other.
"""

from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.errors import InputError, NoBenchmarksError, UsageError
from assay.interrupts import stoppable_measuring
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.linked import LinkedTarget, targets_of_links
from assay.measure.targets.renamed import RenamedTarget
from assay.measure.targets.target import Target
from assay.model import Judgement, Record, Side
from assay.remarks import ToSeeWhy
from assay.workflows.common.counting import counting_targets, is_counted
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.matching import Filters, Match, match
from assay.workflows.common.plan import INSTRUCTIONS, TIME, ComparePlan
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.same_code import PlacementCheck
from assay.workflows.common.targets import RecordedTarget, TargetContext, resolve
from assay.workflows.compare.counted import CountedComparison
from assay.workflows.compare.identity import plan_of_identical, same_unmeasured
from assay.workflows.compare.known_floor import floor_of, keep_floor
from assay.workflows.compare.live import LiveComparison
from assay.workflows.compare.patience import given_up
from assay.workflows.compare.recorded import judge_separate_records, judge_two_sided_record
from assay.workflows.compare.result import CompareResult, judge_sides, samples_of_side
from assay.workflows.compare.why_hint import why_request_of
from assay.workflows.run import measure_alone


def compare(plan: ComparePlan, runtime: Runtime) -> CompareResult:
    """Compare as `plan` says. Raises `AssayError`; an interrupt ends only the measuring."""
    revisions = Revisions(plan.revisions, runtime.watcher.announce)
    context = TargetContext(runtime.executor, plan.measuring.timeout_s, revisions, plan.keep.store)
    base = resolve(plan.base, context)
    if plan.candidate is None:
        _refuse_a_record(plan)
        return judge_two_sided_record(plan, base)
    candidate = resolve(plan.candidate, context)
    if isinstance(base, RecordedTarget) and isinstance(candidate, RecordedTarget):
        _refuse_a_record(plan)
        return judge_separate_records(plan, base, candidate)
    if isinstance(base, RecordedTarget) or isinstance(candidate, RecordedTarget):
        return _compare_with_recorded(plan, base, candidate, runtime, revisions)
    return compare_live(
        _with_defaults_of_suite(plan, revisions), (base, candidate), runtime, revisions
    )


def _refuse_a_record(plan: ComparePlan) -> None:
    """Raises `UsageError` if a record is asked for although both sides are already recorded."""
    if plan.keep.output is not None:
        what = "keeps what is measured, and here nothing is: both sides are recorded"
        hint = "--json FILE keeps the comparison, --html FILE a page of it"
        raise UsageError(what, where=f"-o {plan.keep.output}", hint=hint)


def _with_defaults_of_suite(plan: ComparePlan, revisions: Revisions) -> ComparePlan:
    """The plan with the suite's filter and metrics, where the user asked for none."""
    for program in revisions.programs.values():
        if plan.filters == Filters():
            plan = replace(plan, filters=Filters(program.suite.filter))
        if not plan.metrics:
            plan = replace(plan, metrics=program.suite.metrics)
    return plan


def _builds(plan: ComparePlan, revisions: Revisions, runtime: Runtime) -> dict[str, object]:
    """Facts for the record on sides that are revisions.

    It is announced if both are the same program.
    """
    sides = {str(Side.BASE): plan.base, str(Side.CANDIDATE): str(plan.candidate)}
    identical = revisions.identical(plan.base, str(plan.candidate))
    if identical:
        runtime.watcher.announce(f"{plan.base} and {plan.candidate} are the same program")
    builds = revisions.builds(sides)
    return {**builds, "identical": identical} if builds else {}


def compare_live(
    plan: ComparePlan, targets: tuple[Target, Target], runtime: Runtime, revisions: Revisions
) -> CompareResult:
    """Compare two resolved targets. Raises `AssayError`; an interrupt ends only the measuring."""
    builds = _builds(plan, revisions, runtime)
    base, candidate = targets
    found = _match_live(plan, base, candidate)
    if builds.get("identical") and not plan.measures_identical:
        return _result_of_identical(plan, found)
    placement = PlacementCheck(base, candidate, found, runtime.executor)
    (base, candidate), how_measured = _prepared_for_instrument(plan, base, candidate, runtime)
    builds = {**builds, **how_measured}
    sides = _sides(plan, (base, candidate), found, revisions)
    is_identical, is_timed = bool(builds.get("identical")), plan.measuring.instrument == TIME
    with stoppable_measuring() as stop, runtime.measuring():
        how = plan_of_identical(plan) if is_identical and is_timed else plan
        live: LiveComparison | CountedComparison
        if is_timed:
            check = placement if plan.looks_at_code and not is_identical else None
            live = LiveComparison(how, sides, runtime, builds, check)
        else:
            live = CountedComparison(how, sides, runtime, builds)
        record = live.measure(found.names)
    if not record.samples:
        _raise_if_nothing_measured(record, live.journal_path.name, stop.interrupted_by)
    kept = plan.keep.finish(record, live.journal_path)
    result = judge_sides(
        plan, samples_of_side(record, Side.BASE), samples_of_side(record, Side.CANDIDATE), record
    )
    if is_identical and is_timed and (floor := floor_of(result.samples)):
        # The noise floor is only a by-product, so it does not matter if it cannot be kept.
        with suppress(InputError):
            keep_floor(floor, result.samples)
    return replace(
        result,
        judgement=_with_hint(plan, result.judgement),
        record=record,
        only_base=found.only_base,
        only_candidate=found.only_candidate,
        failures=given_up(record),
        kept_in=kept,
        interrupted_by=stop.interrupted_by,
    )


def _result_of_identical(plan: ComparePlan, found: Match) -> CompareResult:
    """The result if both sides are the same program, and so nothing was measured."""
    return CompareResult(
        judgement=same_unmeasured(plan, found.names),
        record=None,
        hosts={},
        targets={"base": plan.base, "candidate": str(plan.candidate)},
        only_base=found.only_base,
        only_candidate=found.only_candidate,
        is_identical=True,
    )


def _sides(
    plan: ComparePlan, targets: tuple[Target, Target], found: Match, revisions: Revisions
) -> dict[Side | None, Target]:
    """The target to measure on each side, with the benchmarks renamed so that both sides
    use the same names. If programs were linked several times in random orders, a side
    consists of all its links.
    """
    names = found.base, found.candidate
    written = plan.base, str(plan.candidate)
    programs = [revisions.programs.get(one) for one in written]
    links = [one.placements if one and plan.revisions.placements else () for one in programs]
    number = min(map(len, links))
    sides = [
        _renamed(
            LinkedTarget(targets_of_links(target, some[:number]))
            if number > 1 and isinstance(target, GBenchTarget)
            else target,
            known,
        )
        for target, known, some in zip(targets, names, links, strict=True)
    ]
    return {Side.BASE: sides[0], Side.CANDIDATE: sides[1]}


def _renamed(target: Target, known: dict[str, str]) -> Target:
    """The target with its benchmarks renamed as the comparison names them; if it was linked several
    times, every link is renamed.
    """
    if isinstance(target, LinkedTarget):
        return LinkedTarget(tuple(RenamedTarget(one, known) for one in target.links))
    return RenamedTarget(target, known)


def _with_hint(plan: ComparePlan, judgement: Judgement) -> Judgement:
    """Add a note with the command that explains a slowdown, unless `--why` explains it anyway."""
    asked = why_request_of(plan, judgement.comparisons)
    if asked is None or plan.why:
        return judgement
    notes = (*judgement.notes, ToSeeWhy(asked.command))
    return msgspec.structs.replace(judgement, notes=notes)


def _prepared_for_instrument(
    plan: ComparePlan, base: Target, candidate: Target, runtime: Runtime
) -> tuple[tuple[Target, ...], dict[str, object]]:
    """Both targets prepared to measure time or to count instructions, and the facts on the
    counting for the record.
    """
    if plan.measuring.instrument == TIME:
        return _with_equal_path_lengths(base, candidate), {}
    return counting_targets((base, candidate), runtime)


def _with_equal_path_lengths(base: Target, candidate: Target) -> tuple[Target, Target]:
    """Both executables by paths of equal length, because a longer path shifts memory."""
    if not (isinstance(base, GBenchTarget) and isinstance(candidate, GBenchTarget)):
        return base, candidate
    length = max(len(base.argv[0]), len(candidate.argv[0]))
    return base.named_as_long_as(length), candidate.named_as_long_as(length)


def _match_live(plan: ComparePlan, base: Target, candidate: Target) -> Match:
    """Match the names of two live targets. Two single commands match whatever their names are."""
    ours, theirs = base.benchmarks(""), candidate.benchmarks("")
    if len(ours) == len(theirs) == 1 and not plan.filters.renaming and ours != theirs:
        return Match({"command": ours[0]}, {"command": theirs[0]}, (), ())
    return match(ours, theirs, plan.filters)


def _raise_if_nothing_measured(record: Record, journal: str, interrupted_by: int | None) -> None:
    """Raise an error if a session measured nothing, unless a user interrupted it."""
    if interrupted_by is None and not record.failures:
        raise NoBenchmarksError("nothing was measured", where=journal)


def _compare_with_recorded(
    plan: ComparePlan,
    base: Target | RecordedTarget,
    candidate: Target | RecordedTarget,
    runtime: Runtime,
    revisions: Revisions,
) -> CompareResult:
    """Compare a target whose results are recorded with one that is measured now."""
    _check_instrument(plan, base, candidate)
    with stoppable_measuring() as stop, runtime.measuring():
        ours = _record_of(plan, base, runtime, revisions)
        theirs = _record_of(plan, candidate, runtime, revisions)
    result = judge_separate_records(
        plan, RecordedTarget(ours, plan.base), RecordedTarget(theirs, str(plan.candidate))
    )
    fresh = theirs if isinstance(base, RecordedTarget) else ours
    kept = plan.keep.finish(fresh, Path(fresh.origin))
    return replace(result, record=fresh, interrupted_by=stop.interrupted_by, kept_in=kept)


def _check_instrument(
    plan: ComparePlan, base: Target | RecordedTarget, candidate: Target | RecordedTarget
) -> None:
    """Raises `UsageError` if a recorded side holds times and counts are asked for, or reversed."""
    asked = plan.measuring.instrument
    for side in (base, candidate):
        if isinstance(side, RecordedTarget) and is_counted(side.record.samples) == (asked == TIME):
            holds = "counts of instructions" if asked == TIME else "no counts of instructions"
            hint = f"add --instrument {INSTRUCTIONS}" if asked == TIME else "leave --instrument out"
            raise UsageError(f"holds {holds}", where=side.label, hint=hint)


def _record_of(
    plan: ComparePlan, target: Target | RecordedTarget, runtime: Runtime, revisions: Revisions
) -> Record:
    if isinstance(target, RecordedTarget):
        return target.record
    builds = revisions.builds({target.label: target.label})
    pattern = plan.filters.both
    return measure_alone([target], pattern, plan.measuring, plan.keep, runtime, builds)
