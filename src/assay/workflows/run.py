"""Measures targets by themselves, in rounds over all their benchmarks.

result = run(RunPlan(("build/bench",)), runtime)
result.record.samples
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from assay.errors import NoBenchmarksError, UsageError
from assay.facts import Facts
from assay.interrupts import Interrupted, Stop, stoppable_measuring
from assay.judge.family.repeatable_counts import launches_wanted
from assay.judge.labs.levels import levels
from assay.judge.share import REPEATABLE
from assay.measure.profile.exact.counting_session import CountingSession
from assay.measure.schedule import Schedule
from assay.measure.session import Session
from assay.measure.targets.target import Target
from assay.model import Failure, Level, Record, Sample, Settings, Side
from assay.planned import Planned
from assay.progress import RunProgress
from assay.record.journal import Journal
from assay.workflows.common.counting import counting_targets as under_callgrind
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.matching import compiled
from assay.workflows.common.output import Destination
from assay.workflows.common.pinning import launch_settings
from assay.workflows.common.plan import INSTRUCTIONS, Measuring, RunPlan
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.session_facts import session_facts
from assay.workflows.common.targets import (
    RecordedTarget,
    TargetContext,
    resolve,
    with_allocation_counts,
)

ROUNDS = 5  # each benchmark gets so many launches when times are measured, unless --rounds is given


class RunResult(msgspec.Struct, frozen=True):
    """The record of a run, its benchmarks' levels, and where the record is kept."""

    record: Record
    levels: tuple[Level, ...]
    kept_in: str
    # Number of the signal that ended measuring early; None: none did.
    interrupted_by: int | None = None


def run(plan: RunPlan, runtime: Runtime) -> RunResult:
    """Do what `plan` says. Raises `AssayError`; an interrupt ends measuring only."""
    revisions = Revisions(plan.revisions, runtime.watcher.announce)
    context = TargetContext(runtime.executor, plan.measuring.timeout_s, revisions, plan.keep.store)
    targets = [_live_target(written, context, plan) for written in plan.targets]
    builds = revisions.builds({written: written for written in plan.targets})
    with stoppable_measuring() as stop, runtime.measuring():
        record = measure_alone(targets, plan.filter, plan.measuring, plan.keep, runtime, builds)
    return write_result(record, plan.keep, stop)


def write_result(record: Record, keep: Destination, stop: Stop) -> RunResult:
    """Write the record to where it is to be kept, and return it with that place."""
    kept = keep.finish(record, Path(record.origin))
    return RunResult(record, levels(record.samples), kept, stop.interrupted_by)


def measure_alone(
    targets: Sequence[Target],
    pattern: str,
    measuring: Measuring,
    keep: Destination,
    runtime: Runtime,
    more: Mapping[str, object] = {},
) -> Record:
    """Measure one side in rounds; the record's origin is its journal. `more`: further facts."""
    path = keep.journal()
    labels = " ".join(target.label for target in targets)
    if measuring.instrument == INSTRUCTIONS:
        targets, how = under_callgrind(targets, runtime)
        more = {**more, **how}
    facts = session_facts({"target": labels}, seed=measuring.seed, **more)
    sessions = _TargetSessions(targets, pattern, measuring, runtime)
    with Journal(path, {}, facts) as journal:
        journal.plan(sessions.planned())
        try:
            for item in sessions.items():
                journal.append(item)
        except Interrupted:
            facts = facts.updated(interrupted=True)
    return sessions.record(facts, str(path))


class _TargetSessions:
    """Measures several targets; each round launches every benchmark of all of them once."""

    def __init__(
        self,
        targets: Sequence[Target],
        pattern: str,
        measuring: Measuring,
        runtime: Runtime,
    ) -> None:
        self._watcher, self._measuring = runtime.watcher, measuring
        self._schedule = Schedule(measuring.seed)
        self._sessions = [_session(target, measuring, runtime) for target in targets]
        self._work = _target_of_each(targets, pattern)
        self._all = list(self._work)
        self._rounds = measuring.rounds or _rounds(measuring, len(self._all))
        self._samples: list[Sample] = []
        self._failures: list[Failure] = []
        self._visits = 0  # launches made so far, summed over all benchmarks

    def items(self) -> Iterator[Sample | Failure]:
        """Measure in rounds; yields each sample or failure as it arrives."""
        yield from self._prepare()
        for number in range(self._rounds):
            for name in self._schedule.shuffled(list(self._work), number):
                if self._is_budget_spent():
                    return
                yield from self._round(name, number)

    def planned(self) -> Planned:
        """The plan for the journal, for pages that follow the session."""
        limit_s = self._measuring.budget_s
        return Planned(benchmarks=tuple(self._all), rounds=self._rounds, limit_s=limit_s)

    def record(self, facts: Facts, origin: str) -> Record:
        """Everything measured, ordered by benchmark."""
        order = {name: place for place, name in enumerate(self._all)}
        samples = sorted(self._samples, key=lambda s: (order[s.benchmark], s.launch))
        records = [session.records[None] for session in self._sessions if session.records]
        wrote = records[0] if records else Record(context={}, facts=Facts(), samples=())
        noted = {**facts.written, "notes": self._oddities()}
        return Record(
            context=wrote.context,
            facts=wrote.facts.without_failures().merged_with(noted),
            samples=tuple(samples),
            failures=tuple(self._failures),
            origin=origin,
        )

    def _oddities(self) -> list[str]:
        timed = (one for one in self._sessions if isinstance(one, Session))
        return [line for session in timed for line in session.sentences_on_side_effects()]

    def _prepare(self) -> Iterator[Failure]:
        for done, name in enumerate(self._all):
            self._watcher.preparing(name, done, len(self._all))
            failure = self._sessions[self._work[name]].prepare(name)
            if failure:
                yield self._give_up(failure)

    def _round(self, name: str, number: int) -> Iterator[Sample | Failure]:
        outcome = self._sessions[self._work[name]].round(name, number)
        for sample in outcome.samples:
            self._samples.append(sample)
            yield sample
        for failure in outcome.failures:
            yield self._give_up(failure)
        self._visits += 1
        self._watcher.round_done(self._state(), ())

    def _give_up(self, failure: Failure) -> Failure:
        self._failures.append(failure)
        self._work.pop(failure.benchmark, None)
        self._watcher.failed(failure)
        return failure

    def _elapsed_s(self) -> float:
        return self._sessions[0].elapsed_s()

    def _is_budget_spent(self) -> bool:
        budget_s = self._measuring.budget_s
        return budget_s is not None and self._elapsed_s() >= budget_s

    def _state(self) -> RunProgress:
        share = min(1.0, self._visits / (self._rounds * len(self._all)))
        return RunProgress(
            benchmarks=len(self._all),
            settled=0,
            failed=len(self._failures),
            rounds=self._visits,
            elapsed_s=self._elapsed_s(),
            left_s=self._elapsed_s() * (1 - share) / share,
        )


def _session(target: Target, measuring: Measuring, runtime: Runtime) -> Session | CountingSession:
    sides: dict[Side | None, Target] = {None: target}
    if measuring.instrument == INSTRUCTIONS:
        return CountingSession(sides, runtime.clock, runtime.watcher.launching)
    return runtime.session(sides, launch_settings(measuring))


def _rounds(measuring: Measuring, benchmarks: int) -> int:
    """The number of rounds unless one is asked for.

    For counts of instructions it is large enough to notice that counts vary.
    """
    if measuring.instrument == INSTRUCTIONS:
        return launches_wanted(REPEATABLE * Settings().alpha / benchmarks)
    return ROUNDS


def _live_target(written: str, context: TargetContext, plan: RunPlan) -> Target:
    target = resolve(written, context)
    if isinstance(target, RecordedTarget):
        raise UsageError("is already measured", where=written, hint="see it with `assay report`")
    return with_allocation_counts(target) if plan.allocations else target


def _target_of_each(targets: Sequence[Target], pattern: str) -> dict[str, int]:
    """For each benchmark the index of its target. Raises `NoBenchmarksError`."""
    regex = compiled(pattern, "--filter")
    work: dict[str, int] = {}
    for place, target in enumerate(targets):
        for name in target.benchmarks(""):
            if not regex.search(name):
                continue
            if name in work:
                raise UsageError(
                    f"two targets have a benchmark {name!r}",
                    where=target.label,
                    hint="run them one at a time, or compare them",
                )
            work[name] = place
    if not work:
        where = f"--filter {pattern}" if pattern else targets[0].label
        raise NoBenchmarksError("nothing to measure", where=where, hint="see `assay list`")
    return work
