"""Rounds of `assay overhead`: each launches every benchmark once under each condition.

    visits = ConditionRounds(under, workspace, undo_journal, settings, clock)
    visits.prepare(condition, benchmarks)
    for visited in visits.round(conditions, benchmarks, 3):
        visited.samples, visited.failures, visited.count

The order of the conditions, the undisturbed one among them, is drawn anew in each round, so that
any two of them come in random order. The judge needs that.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from assay.errors import MeasurementError
from assay.measure.clock import Clock
from assay.measure.conditions.condition import (
    Condition,
    ConditionInForce,
    Workspace,
    in_force,
    naming_condition,
)
from assay.measure.conditions.proof import EventCount
from assay.measure.conditions.undo_journal import UndoJournal
from assay.measure.effort import Effort, LaunchCosts, calibrated_effort, iteration_s
from assay.measure.executor import Executor, FinishedProcess, Launch
from assay.measure.launches import SessionLaunches
from assay.measure.schedule import Schedule
from assay.measure.session import LaunchSettings
from assay.measure.targets.target import Target
from assay.model import Failure, Record, Sample

# Makes the target whose launches run under a condition that is in force.
Under = Callable[[ConditionInForce], Target]


class SurroundedExecutor(msgspec.Struct, frozen=True):
    """Runs every process behind a condition's wrapper and with its environment."""

    executor: Executor
    surroundings: ConditionInForce

    def run(self, launch: Launch) -> FinishedProcess:
        here = self.surroundings
        environment = {**launch.env, **here.environment}
        return self.executor.run(replace(launch, argv=(*here.wrap, *launch.argv), env=environment))

    def abandon(self) -> None:
        self.executor.abandon()


class ConditionVisit(msgspec.Struct, frozen=True):
    """What one round measured under one condition; only failures if that was not in force."""

    condition: str
    samples: tuple[Sample, ...] = ()
    failures: tuple[Failure, ...] = ()
    count: EventCount | None = None  # events of the condition's proof


class _BenchmarkPlan(msgspec.Struct, frozen=True):
    """How a benchmark is launched in every round: its iterations and repetitions, and its CPU."""

    effort: Effort
    cpu: int | None


class ConditionRounds:
    """Measures the rounds of one run of `assay overhead`, one process at a time."""

    def __init__(
        self,
        under: Under,
        workspace: Workspace,
        undo_journal: UndoJournal,
        conditions: LaunchSettings,
        clock: Clock,
    ) -> None:
        self._under, self._workspace, self._undo_journal = under, workspace, undo_journal
        self._conditions = conditions
        self._schedule = Schedule(conditions.seed)
        self._plans: dict[str, _BenchmarkPlan] = {}
        self._launches = SessionLaunches(clock)
        self.wrote: Record | None = None  # the first record the target wrote

    def elapsed_s(self) -> float:
        """Seconds since this object was made."""
        return self._launches.elapsed_s()

    def prepare(self, condition: Condition, benchmarks: Sequence[str]) -> EventCount | None:
        """Try a condition once with every benchmark: put it into force, see its proof, and undo
        it.

        The trial of the first condition decides the effort for all. Raises `MeasurementError`.
        """
        with in_force(condition, self._workspace, self._undo_journal) as here:
            here.begin()
            for name in benchmarks:
                with naming_condition(condition.name):
                    self._trial_launch(here, name)
            counted = here.count()
        _require_events(condition, counted)
        if self.reason_to_stop:
            raise MeasurementError(self.reason_to_stop, where=f"condition {condition.name!r}")
        return counted

    @property
    def reason_to_stop(self) -> str:
        """Why measuring must stop, because a change could not be undone; empty when all is well."""
        left = self._undo_journal.failed
        return f"could not be undone: {left[0]}" if left else ""

    def round(
        self, wanted: Mapping[str, Condition], names: Sequence[str], number: int
    ) -> Iterator[ConditionVisit]:
        """Measure once under each of the `wanted` conditions, in this round's random order."""
        for position, condition in enumerate(self._schedule.shuffled(wanted, number)):
            yield self._measure_under_condition(wanted[condition], names, number, position)

    def _measure_under_condition(
        self, condition: Condition, names: Sequence[str], number: int, position: int
    ) -> ConditionVisit:
        """Put one condition into force, launch every benchmark once under it, and undo it."""
        samples: list[Sample] = []
        place = {"condition": condition.name, "round": number, "position": position}
        try:
            with in_force(condition, self._workspace, self._undo_journal) as here:
                here.begin()
                for name in self._schedule.shuffled(names, number):
                    plan = self._plans[name]
                    with naming_condition(condition.name):
                        sample = self._launches.launched_sample(
                            self._under(here), name, plan.effort, plan.cpu, **place
                        )
                    samples.append(sample)
                counted = here.count()
            _require_events(condition, counted)
        except MeasurementError as error:
            failure = Failure(benchmark="", what=error.message, round=number, target=condition.name)
            return ConditionVisit(condition.name, failures=(failure,))
        return ConditionVisit(condition.name, tuple(samples), count=counted)

    def _trial_launch(self, here: ConditionInForce, name: str) -> None:
        """Launch a benchmark once, to learn how many iterations a sample needs and whether it has
        threads."""
        effort = replace(self._conditions.effort, repetitions=1, trial=True)
        launched = self._under(here).launch(name, effort, None)
        self.wrote = self.wrote or launched.record
        if name not in self._plans:
            threaded = launched.process.max_threads > 1 or launched.sample.threads > 1
            pinned = self._conditions.pin_all or not threaded
            costs = launched.costs or LaunchCosts(iteration_s=iteration_s(launched.sample))
            effort = calibrated_effort(costs, self._conditions.effort)
            self._plans[name] = _BenchmarkPlan(effort, self._conditions.cpu if pinned else None)


def _require_events(condition: Condition, counted: EventCount | None) -> None:
    """Raise `MeasurementError` if the proof counted no event: the condition was not in force."""
    if counted is not None and counted.events <= 0:
        raise MeasurementError(
            "its proof counted no event: it was not in force, the measurement is rejected",
            where=f"condition {condition.name!r}",
            hint="run its commands by hand, and see what its `proof` should count",
        )
