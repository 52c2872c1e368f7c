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
from dataclasses import dataclass, field, replace

from assay.errors import LaunchError
from assay.measure.clock import Clock
from assay.measure.effort import Effort, LaunchCosts, calibrated, costs_of_two_trials, iteration_s
from assay.measure.launches import SessionLaunches
from assay.measure.schedule import Schedule
from assay.measure.targets.linked import LinkedTarget
from assay.measure.targets.target import LaunchResult, Target
from assay.model import Failure, Record, Sample, Side

Watcher = Callable[[str, Side | None], None]


@dataclass(frozen=True)
class LaunchSettings:
    """What holds for every launch of a session."""

    seed: int
    effort: Effort = field(default_factory=Effort)
    cpu: int | None = None  # the CPU that single-threaded benchmarks are pinned to
    pin_all: bool = False  # pin benchmarks with threads as well; only if the user says so
    duet: tuple[int, int] | None = None  # run both sides at once, one on each of these CPUs


@dataclass(frozen=True)
class Outcome:
    """The result of one round. A side that failed is in `failures`, and has no sample."""

    samples: tuple[Sample, ...] = ()
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True)
class _Trial:
    launched: LaunchResult
    costs: LaunchCosts
    took_s: float  # duration of the trial, our own work around the launch included


@dataclass(frozen=True)
class _PreparedBenchmark:
    effort: Effort
    cpu: int | None
    costs: LaunchCosts
    round_s: float  # the time that a round is expected to take


class Session:
    """Measures for one workflow, in one thread (a duet: two) and one benchmark at a time."""

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
        self.records: dict[Side | None, Record] = {}  # the first record that each side wrote

    def prepare(self, benchmark: str) -> Failure | None:
        """A trial launch of every side: warms caches, learns costs, decides the common effort.

        It is not pinned, so that threads started by the benchmark itself are seen.
        """
        trials: list[_Trial] = []
        for side in self._sides:
            try:
                trials.append(self._trial(benchmark, side, trials))
            except LaunchError as error:
                return self._failure(benchmark, side, None, error)
        self._prepared[benchmark] = self._plan(trials)
        return None

    def effort(self, benchmark: str) -> Effort:
        """What each launch of a prepared benchmark is asked to do."""
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
        """One launch of each side, adjacent in time or at once, in random order."""
        if self._conditions.duet:
            return self._launch_sides_at_once(benchmark, number, self._conditions.duet)
        samples: list[Sample] = []
        failures: list[Failure] = []
        for position, side in enumerate(self._order(benchmark, number)):
            try:
                samples.append(self._measured(benchmark, side, number, position))
            except LaunchError as error:  # the other side is launched all the same
                failures.append(self._failure(benchmark, side, number, error))
        return Outcome(tuple(samples), tuple(failures))

    def _launch_sides_at_once(self, benchmark: str, number: int, cpus: tuple[int, int]) -> Outcome:
        """Both sides at once, so that whatever disturbs the host disturbs both."""
        order = self._order(benchmark, number)
        with ThreadPoolExecutor(len(order)) as pool:
            running = [
                pool.submit(self._measured, benchmark, side, number, place, cpu)
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

    def oddities(self) -> list[str]:
        """Side effects of the targets, such as processes left behind, in words."""
        return self._launches.oddities.told()

    def _order(self, benchmark: str, number: int) -> list[Side | None]:
        order = list(self._sides)
        if len(order) > 1 and not self._schedule.base_first(benchmark, number):
            order.reverse()
        return order

    def _trial(self, benchmark: str, side: Side | None, before: list[_Trial]) -> _Trial:
        self._watch(benchmark, side)
        effort = replace(self._conditions.effort, repetitions=1, trial=True)
        # one iteration suffices, as the expensive set-up is known
        if before and before[0].costs.dear:
            effort = replace(effort, min_time_s=1e-9, iterations=1)
        started_s = self.elapsed_s()
        launched = self._sides[side].launch(benchmark, effort, None)
        self._launches.oddities.note(self._sides[side].label, launched.process)
        self.records.setdefault(side, launched.record)
        costs = launched.costs or LaunchCosts(iteration_s=iteration_s(launched.sample))
        return _Trial(launched, costs, self.elapsed_s() - started_s)

    def _plan(self, trials: list[_Trial]) -> _PreparedBenchmark:
        costs = trials[0].costs
        for other in trials[1:]:
            costs = costs_of_two_trials(costs, other.costs)
        effort = calibrated(costs, self._conditions.effort)
        threads = (max(t.launched.process.max_threads, t.launched.sample.threads) for t in trials)
        pinned = self._conditions.pin_all or max(threads) <= 1
        cpu = self._conditions.cpu if pinned else None
        return _PreparedBenchmark(effort, cpu, costs, self._round_s(trials, costs, effort))

    def _round_s(self, trials: list[_Trial], costs: LaunchCosts, effort: Effort) -> float:
        """The expected time of a round: its launches, and our own work around each."""
        launches_s = [t.took_s for t in trials]
        if trials[0].launched.costs:
            ours_s = min(t.took_s - t.launched.process.wall_ns * 1e-9 for t in trials)
            launches_s = [max(0.0, ours_s) + costs.launch_s(effort)] * len(trials)
        return max(launches_s) if self._conditions.duet else sum(launches_s)

    def _measured(
        self, benchmark: str, side: Side | None, number: int, position: int, cpu: int | None = None
    ) -> Sample:
        plan = self._prepared[benchmark]
        cpu = plan.cpu if cpu is None else cpu
        self._watch(benchmark, side)
        place = {"side": side, "round": number, "position": position}
        target = self._target_of_round(self._sides[side], benchmark, number)
        return self._launches.launched(target, benchmark, plan.effort, cpu, **place)

    def _target_of_round(self, target: Target, benchmark: str, number: int) -> Target:
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
