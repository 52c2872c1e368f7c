"""Measures how much slower a benchmark is under each of several conditions.

result = overhead(read_plan(Path("exec.toml"), PlanOverrides()), runtime)
result.judged.contrasts    # every two conditions: the overhead, its interval, its verdict
"""

import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from assay.errors import MeasurementError, NoBenchmarksError, UsageError
from assay.facts import Facts
from assay.interrupts import Interrupted, stoppable_measuring
from assay.measure.conditions.condition import ConditionInForce, Workspace, missing_requirement
from assay.measure.conditions.rounds import ConditionRounds, ConditionVisit, SurroundedExecutor
from assay.measure.conditions.undo import RemoveFile
from assay.measure.conditions.undo_journal import UndoJournal
from assay.measure.targets.target import Target
from assay.model import Design, Failure, Record, Sample
from assay.places import undo_folder
from assay.progress import RunProgress
from assay.record.journal import Journal
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.matching import compiled
from assay.workflows.common.pinning import launch_settings as launch_conditions
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.session_facts import session_facts
from assay.workflows.common.targets import RecordedTarget, TargetContext, resolve, with_executor
from assay.workflows.overhead.plan import OverheadPlan
from assay.workflows.overhead.result import (
    ConditionProof,
    JudgedConditions,
    OverheadResult,
    comparison_facts,
    condition_facts,
    in_order,
    is_narrow,
    judge_conditions,
)


def overhead(plan: OverheadPlan, runtime: Runtime) -> OverheadResult:
    """Measure as `plan` says. Raises `AssayError`; an interrupt ends only the measuring."""
    _check_possible(plan)
    revisions = Revisions(announce=runtime.watcher.announce)
    context = TargetContext(runtime.executor, plan.measuring.timeout_s, revisions)
    target = resolve(plan.target, context)
    if isinstance(target, RecordedTarget):
        raise UsageError("is already measured", where=plan.target, hint="name what can be run")
    names = _names(target, plan)
    with stoppable_measuring() as stop, runtime.measuring():
        run = _Run(plan, target, runtime)
        record = run.measure(names)
    kept = plan.keep.finish(record, run.journal_path)
    return OverheadResult(plan, run.latest, run.shown, record, kept, stop.interrupted_by)


def _check_possible(plan: OverheadPlan) -> None:
    """Raises `MeasurementError` for a condition that cannot be set up here, before any change."""
    for condition in plan.conditions:
        reason = missing_requirement(condition)
        if reason:
            raise MeasurementError(
                reason,
                where=f"condition {condition.name!r}",
                hint="see to that, or choose others with --condition",
            )


def _names(target: Target, plan: OverheadPlan) -> list[str]:
    regex = compiled(plan.filter, "filter")
    names = [name for name in target.benchmarks("") if regex.search(name)]
    if not names:
        raise NoBenchmarksError(
            "nothing to measure", where=f"filter {plan.filter}", hint=f"`assay list {plan.target}`"
        )
    return names


class _Run:
    """Measures a target in rounds under each of several conditions of the host. Use it once."""

    def __init__(self, plan: OverheadPlan, target: Target, runtime: Runtime) -> None:
        self._plan, self._target, self._runtime = plan, target, runtime
        # Name -> condition, for those not given up.
        self._left = {one.name: one for one in plan.conditions}
        self._samples: list[Sample] = []
        self._failures: list[Failure] = []
        self._shown = {one.name: ConditionProof(one.name) for one in plan.conditions}
        self._rounds = 0
        self.latest: JudgedConditions = judge_conditions((), (), plan.settings)
        self.journal_path = plan.keep.journal()
        self._facts = session_facts(
            {"target": plan.target}, seed=plan.measuring.seed, design=str(Design.INTERLEAVED)
        )

    @property
    def shown(self) -> tuple[ConditionProof, ...]:
        return tuple(self._shown.values())

    def measure(self, names: Sequence[str]) -> Record:
        """Measure until every interval is narrow enough or the budget is spent."""
        conditions = launch_conditions(self._plan.measuring)
        with _workspace_with_journal(self._plan) as (workspace, undo_journal):
            visits = ConditionRounds(
                self._target_under_condition,
                workspace,
                undo_journal,
                conditions,
                self._runtime.clock,
            )
            with Journal(self.journal_path, {}, self._facts) as journal:
                try:
                    self._prepare(visits, names)
                    self._measure_rounds(visits, names, journal)
                except Interrupted:
                    self._facts = self._facts.updated(interrupted=True)
                except MeasurementError:
                    self.journal_path.unlink()  # it failed in a trial, so the journal is empty
                    raise
        self._failures += [_failure_to_undo(what) for what in undo_journal.failed]
        return self._record(names, visits.wrote)

    def _prepare(self, visits: ConditionRounds, names: Sequence[str]) -> None:
        """Try every condition first, so that one that cannot be set up shows at once."""
        for done, condition in enumerate(self._plan.conditions):
            self._runtime.watcher.preparing(condition.name, done, len(self._plan.conditions))
            visits.prepare(condition, names)

    def _measure_rounds(
        self, visits: ConditionRounds, names: Sequence[str], journal: Journal
    ) -> None:
        began_s = visits.elapsed_s()
        ends_s = began_s + (self._plan.measuring.budget_s or float("inf"))
        while self._wants_more(visits.elapsed_s(), began_s, ends_s):
            for visited in visits.round(self._left, names, self._rounds):
                self._keep_visit(visited, journal)
                if visits.reason_to_stop:
                    # The host cannot be put back, so that further rounds would not be undisturbed.
                    return
            self._rounds += 1
            self.latest = judge_conditions(self._samples, list(self._shown), self._plan.settings)
            state = self._state(visits.elapsed_s(), ends_s)
            self._runtime.watcher.round_done(state, self.latest.comparisons)

    def _wants_more(self, now_s: float, began_s: float, ends_s: float) -> bool:
        """Whether to begin another round; not if it would end too late."""
        limit = self._plan.measuring.rounds
        if len(self._left) < 2 or (limit is not None and self._rounds >= limit):
            return False
        if not self._rounds:
            return True
        round_s = (now_s - began_s) / self._rounds
        return now_s + round_s <= ends_s and self._number_of_wide_intervals() > 0

    def _number_of_wide_intervals(self) -> int:
        """How many intervals between conditions that are still measured are too wide."""
        return sum(
            not is_narrow(one.comparison, self._plan.precision)
            for one in self.latest.contrasts
            if one.reference in self._left and one.condition in self._left
        )

    def _keep_visit(self, visited: ConditionVisit, journal: Journal) -> None:
        for sample in visited.samples:
            journal.append(sample)
        self._samples += visited.samples
        for failure in visited.failures:
            journal.append(failure)
            self._left.pop(visited.condition, None)
            self._failures.append(failure)
            self._runtime.watcher.failed(failure)
        if visited.samples:
            name = visited.condition
            self._shown[name] = self._shown[name].plus(visited.count)

    def _state(self, now_s: float, ends_s: float) -> RunProgress:
        comparisons = len(self.latest.contrasts)
        return RunProgress(
            benchmarks=comparisons,
            settled=comparisons - self._number_of_wide_intervals(),
            failed=len(self._failures),
            rounds=self._rounds,
            elapsed_s=now_s,
            left_s=max(0.0, ends_s - now_s),
        )

    def _target_under_condition(self, here: ConditionInForce) -> Target:
        return with_executor(self._target, SurroundedExecutor(self._runtime.executor, here))

    def _record(self, names: Sequence[str], wrote: Record | None) -> Record:
        """Everything measured, ordered by name, and what was concluded from it."""
        found = {
            "conditions": condition_facts(self._plan.conditions, self.shown),
            "comparisons": comparison_facts(self.latest),
        }
        own = wrote.facts.without_failures() if wrote else Facts()
        return Record(
            context=wrote.context if wrote else {},
            facts=own.merged_with({**self._facts.written, **found}),
            samples=in_order(self._samples, names),
            failures=tuple(self._failures),
        )


@contextmanager
def _workspace_with_journal(plan: OverheadPlan) -> Iterator[tuple[Workspace, UndoJournal]]:
    """A workspace for the conditions; leaving it undoes every change and removes it."""
    run = f"assay_{secrets.token_hex(6)}"
    scratch = Path(tempfile.gettempdir()) / run
    with UndoJournal(undo_folder()) as undo_journal:
        undo_journal.register(RemoveFile(str(scratch)))
        scratch.mkdir(mode=0o700)
        yield Workspace(run, plan.folder, scratch), undo_journal


def _failure_to_undo(what: str) -> Failure:
    return Failure(benchmark="", what=f"could not be undone: {what}", target="undo")
