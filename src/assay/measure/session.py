"""One session of measuring: trial launches, then rounds.

A round is one launch of each side next to each other in time, in random order, on the same CPU. In
a duet both run at once on two CPUs, which are swapped at random. The session knows nothing of
verdicts: its caller decides which benchmark comes next and when to stop.

    session = Session({Side.BASE: a, Side.CANDIDATE: b}, LaunchSettings(seed=7), clock)
    session.prepare("BM_copy")
    outcome = session.round("BM_copy", 0)
    outcome.samples, outcome.failures
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

import msgspec
from msgspec.structs import replace

from assay.errors import LaunchError
from assay.measure.clock import Clock
from assay.measure.effort import (
    Effort,
    LaunchCosts,
    calibrated_effort,
    costs_of_two_trials,
    iteration_s,
)
from assay.measure.launches import SessionLaunches
from assay.measure.schedule import Schedule
from assay.measure.targets.linked import LinkedTarget
from assay.measure.targets.target import LaunchResult, Target
from assay.model import Failure, Record, Sample, Side

Watcher = Callable[[str, Side | None], None]  # called with benchmark and side before each launch


class LaunchSettings(msgspec.Struct, frozen=True):
    """What holds for every launch of a session: seed, effort and CPUs."""

    seed: int
    effort: Effort = msgspec.field(default_factory=Effort)
    cpu: int | None = None  # the CPU that single-threaded benchmarks are pinned to
    pin_all: bool = False  # pin benchmarks with threads as well; only if the user says so
    duet: tuple[int, int] | None = None  # run both sides at once, one on each of these CPUs


class Outcome(msgspec.Struct, frozen=True):
    """The result of one round. A side that failed is in `failures`, and has no sample."""

    samples: tuple[Sample, ...] = ()
    failures: tuple[Failure, ...] = ()


class _Trial(msgspec.Struct, frozen=True):
    """The trial launch of one side: its result, and what a launch costs by it."""

    launched: LaunchResult
    costs: LaunchCosts
    took_s: float  # seconds of the trial, with our own work around the launch


class _PreparedBenchmark(msgspec.Struct, frozen=True):
    """How a benchmark is launched in every round, decided by its trial launches."""

    effort: Effort
    cpu: int | None  # the CPU it is pinned to; None: not pinned
    costs: LaunchCosts
    round_s: float  # seconds that a round is expected to take


class Session:
    """Measures the benchmarks of one or two targets, one benchmark at a time; in a duet with two
    threads."""

    def __init__(
        self,
        sides: Mapping[Side | None, Target],
        conditions: LaunchSettings,
        clock: Clock,
        watch: Watcher = lambda _benchmark, _side: None,
        abandon: Callable[[], None] = lambda: None,
    ) -> None:
        self._sides = dict(sides)
        self._conditions = conditions
        self._watch = watch
        self._abandon = abandon  # kills the running launches when a duet is interrupted
        self._schedule = Schedule(conditions.seed)
        self._prepared: dict[str, _PreparedBenchmark] = {}
        self._launches = SessionLaunches(clock)
        # By side: the first record that its executable wrote.
        self.records: dict[Side | None, Record] = {}

    def prepare(self, benchmark: str) -> Failure | None:
        """Launch every side once as a trial: that warms caches, and shows what a launch costs and
        how many repetitions to make.

        It is not pinned, so that threads started by the benchmark itself are seen.
        """
        trials: list[_Trial] = []
        for side in self._sides:
            try:
                trials.append(self._trial_launch(benchmark, side, trials))
            except LaunchError as error:
                return self._failure(benchmark, side, None, error)
        self._prepared[benchmark] = self._plan(trials)
        return None

    def effort(self, benchmark: str) -> Effort:
        """How many repetitions and iterations each launch of a prepared benchmark makes."""
        return self._prepared[benchmark].effort

    def costs(self, benchmark: str) -> LaunchCosts:
        """What a launch of the benchmark costs, as its trial launches showed."""
        return self._prepared[benchmark].costs

    def expected_round_s(self, benchmark: str) -> float:
        """Seconds that a round of the benchmark should take, judged by its trial launches."""
        return self._prepared[benchmark].round_s

    def set_repetitions(self, benchmark: str, repetitions: int) -> None:
        """Set how many repetitions each launch makes from now on, on both sides."""
        plan = self._prepared[benchmark]
        effort = replace(plan.effort, repetitions=repetitions)
        self._prepared[benchmark] = replace(plan, effort=effort)

    def round(self, benchmark: str, number: int) -> Outcome:
        """Launch each side once, in random order, one after the other or (duet) both at once."""
        if self._conditions.duet:
            return self._launch_sides_at_once(benchmark, number, self._conditions.duet)
        samples: list[Sample] = []
        failures: list[Failure] = []
        for position, side in enumerate(self._order_of_sides(benchmark, number)):
            try:
                samples.append(self._measured_sample(benchmark, side, number, position))
            except LaunchError as error:  # the other side is launched all the same
                failures.append(self._failure(benchmark, side, number, error))
        return Outcome(tuple(samples), tuple(failures))

    def _launch_sides_at_once(self, benchmark: str, number: int, cpus: tuple[int, int]) -> Outcome:
        """Launch both sides at once, so that whatever disturbs the host disturbs both."""
        order = self._order_of_sides(benchmark, number)
        with ThreadPoolExecutor(len(order)) as pool:
            running = [
                pool.submit(self._measured_sample, benchmark, side, number, place, cpu)
                for place, (side, cpu) in enumerate(zip(order, cpus, strict=True))
            ]
            try:
                return self._collected_outcome(
                    benchmark, number, dict(zip(order, running, strict=True))
                )
            except BaseException:
                self._abandon()
                raise

    def _collected_outcome(
        self, benchmark: str, number: int, running: Mapping[Side | None, Future[Sample]]
    ) -> Outcome:
        """The samples and failures of launches that run at once, when all have ended."""
        samples, failures = [], []
        for side, future in running.items():
            try:
                samples.append(future.result())
            except LaunchError as error:
                failures.append(self._failure(benchmark, side, number, error))
        return Outcome(tuple(samples), tuple(failures))

    def elapsed_s(self) -> float:
        """Seconds since the session began."""
        return self._launches.elapsed_s()

    def sentences_on_side_effects(self) -> list[str]:
        """Sentences on side effects of the targets, such as processes left behind."""
        return self._launches.oddities.sentences()

    def _order_of_sides(self, benchmark: str, number: int) -> list[Side | None]:
        """The sides in the random order of this round."""
        order = list(self._sides)
        if len(order) > 1 and not self._schedule.base_first(benchmark, number):
            order.reverse()
        return order

    def _trial_launch(self, benchmark: str, side: Side | None, before: list[_Trial]) -> _Trial:
        self._watch(benchmark, side)
        effort = replace(self._conditions.effort, repetitions=1, trial=True)
        # The first side's trial showed an expensive set-up: one iteration suffices for the second.
        if before and before[0].costs.has_expensive_setup:
            effort = replace(effort, min_time_s=1e-9, iterations=1)
        started_s = self.elapsed_s()
        launched = self._sides[side].launch(benchmark, effort, None)
        self._launches.oddities.note_launch(self._sides[side].label, launched.process)
        self.records.setdefault(side, launched.record)
        costs = launched.costs or LaunchCosts(iteration_s=iteration_s(launched.sample))
        return _Trial(launched, costs, self.elapsed_s() - started_s)

    def _plan(self, trials: list[_Trial]) -> _PreparedBenchmark:
        """How both sides are launched from now on, by what their trials cost."""
        costs = trials[0].costs
        for other in trials[1:]:
            costs = costs_of_two_trials(costs, other.costs)
        effort = calibrated_effort(costs, self._conditions.effort)
        threads = (max(t.launched.process.max_threads, t.launched.sample.threads) for t in trials)
        pinned = self._conditions.pin_all or max(threads) <= 1
        cpu = self._conditions.cpu if pinned else None
        return _PreparedBenchmark(effort, cpu, costs, self._round_s(trials, costs, effort))

    def _round_s(self, trials: list[_Trial], costs: LaunchCosts, effort: Effort) -> float:
        """Seconds that a round should take: its launches, and our own work around each."""
        launches_s = [t.took_s for t in trials]
        if trials[0].launched.costs:
            ours_s = min(t.took_s - t.launched.process.wall_ns * 1e-9 for t in trials)
            launches_s = [max(0.0, ours_s) + costs.launch_s(effort)] * len(trials)
        return max(launches_s) if self._conditions.duet else sum(launches_s)

    def _measured_sample(
        self, benchmark: str, side: Side | None, number: int, position: int, cpu: int | None = None
    ) -> Sample:
        plan = self._prepared[benchmark]
        cpu = plan.cpu if cpu is None else cpu
        self._watch(benchmark, side)
        place = {"side": side, "round": number, "position": position}
        target = self._target_of_round(self._sides[side], benchmark, number)
        return self._launches.launched_sample(target, benchmark, plan.effort, cpu, **place)

    def _target_of_round(self, target: Target, benchmark: str, number: int) -> Target:
        """The target to launch; of one that was linked several times, the link of this round."""
        if not isinstance(target, LinkedTarget):
            return target
        return target.of_round(self._schedule.placement(benchmark, number, len(target.links)))

    def _failure(
        self, benchmark: str, side: Side | None, number: int | None, error: LaunchError
    ) -> Failure:
        return Failure(
            benchmark=benchmark,
            what=error.message,
            side=side,
            round=number,
            target=self._sides[side].label,
        )
