"""The stage of time: samples of where both sides are, taken in rounds.

    stage = TimeStage(sides)
    stage.explain(Explained("BM_append"), ("BM_append", "BM_append")).time.told[0].function

A round is one launch of each side, right after each other, in random order and on the same CPU, as
in `compare`. Samples are resolved to functions after the last round, because looking up addresses
costs the same for one round as for all.
"""

import os
import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from assay.errors import LaunchError
from assay.explained import Explained
from assay.interrupts import Interrupted
from assay.judge.attribution.folded import fold_libraries_into_callers
from assay.judge.attribution.shares import time_by_function
from assay.lacks import Lack, lacking
from assay.measure.effort import Effort, iteration_s
from assay.measure.profile.sampled.perf import Perf, PerfRecording
from assay.measure.profile.sampled.perf_text import RawStack
from assay.measure.profile.sampled.spots import Resolver
from assay.measure.schedule import Schedule
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Sample, Side
from assay.stacks import Stack
from assay.timed import Instructions, Round, Sampled, SampleSpot
from assay.units import TIME_UNITS_NS
from assay.work import Work
from assay.workflows.why.stage import CutShort, Explainable, StageError, WhySides

MOST_ROUNDS = 40
# Rounds made even if they take longer than the budget; intervals for ten functions need 13.
LEAST_ROUNDS = 16
BUDGET_S = 40.0  # seconds of sampling for one benchmark
_LOOP_S = 0.3  # seconds that the timed loop of a launch runs, which gives about 900 samples
_TRIAL = Effort(min_time_s=0.01, repetitions=1, trial=True)


class TimeStage:
    """The stage that samples by perf where time is spent.

    Raises `MeasurementError` if perf cannot.
    """

    name = "time"

    def __init__(self, sides: WhySides) -> None:
        self._perf = Perf(sides.executor)
        self._sides = sides
        self._schedule = Schedule(secrets.randbits(32))

    def explain(self, found: Explained, names: tuple[str, str]) -> Explained:
        """Add the share of time of each function, from samples, to `found` (see `Stage`)."""
        rounds = _Rounds(self._perf, self._sides, names)
        interrupted: Interrupted | None = None
        try:
            rounds.prepare()
            self._measure(rounds)
        except Interrupted as signal:
            if not rounds.taken:
                raise
            interrupted = signal
        seen = rounds.resolved_rounds()
        notes = rounds.notes()
        if interrupted:
            notes = (f"interrupted in round {len(seen) + 1}", *notes)
        work = _instructions(found)
        found = replace(
            found, time=time_by_function(seen, self._perf.event, work=work, notes=notes)
        )
        if interrupted:
            raise CutShort(found, interrupted.signal_number)
        return found

    def _measure(self, rounds: "_Rounds") -> None:
        clock = self._sides.runtime.clock
        begun_s = clock.now_s()
        for number in range(MOST_ROUNDS):
            if number >= LEAST_ROUNDS and clock.now_s() - begun_s > BUDGET_S:
                return
            rounds.measure(base_first=self._schedule.base_first(rounds.name, number))


class _Rounds:
    """The rounds in which perf samples one benchmark on both sides."""

    def __init__(self, perf: Perf, sides: WhySides, names: tuple[str, str]) -> None:
        self.perf, self.sides, self.names = perf, sides, names
        self.taken: list[dict[Side, tuple[PerfRecording, Sample]]] = []
        self.cpu: int | None = None
        self.effort = _TRIAL

    @property
    def name(self) -> str:
        return self.names[1]

    def prepare(self) -> None:
        """Make a trial launch of each side, to choose effort and CPU, and to see its threads."""
        slowest_s, threads = 0.0, 1
        for side, target in self._sides_with_targets():
            launched = self._launch(side, target)
            slowest_s = max(slowest_s, iteration_s(launched))
            threads = max(threads, self._threads)
        self.cpu = max(os.sched_getaffinity(0)) if threads == 1 else None
        iterations = max(1, round(_LOOP_S / slowest_s)) if slowest_s > 0 else 0
        self.effort = Effort(_LOOP_S, 1, iterations)

    def measure(self, *, base_first: bool) -> None:
        both = list(self._sides_with_targets())
        if not base_first:
            both.reverse()
        found = {}
        for side, target in both:
            self.sides.runtime.watcher.launching(self.name, side)
            found[side] = self._sample_launch(side, target)
        self.taken.append(found)

    def resolved_rounds(self) -> list[Round]:
        """The rounds, with the addresses in their samples resolved to functions."""
        self._resolver = Resolver(self.sides.executor)
        every = [taken for one in self.taken for taken, _ in one.values()]
        self._resolver.resolve({sample.stack for taken in every for sample in taken.samples})
        return [
            Round(self._sampled_side(one[Side.BASE]), self._sampled_side(one[Side.CANDIDATE]))
            for one in self.taken
        ]

    def notes(self) -> tuple[str, ...]:
        """What is missing in the samples, and why."""
        found = [
            note
            for side, target in self._sides_with_targets()
            for note in self._notes_on_what_is_missing(side, target)
        ]
        if not self.perf.sees_kernel:
            found.append("perf may not see time in the kernel here: it counts for no function")
        return tuple(found)

    def _sides_with_targets(self) -> Iterator[tuple[Side, Explainable]]:
        return iter(self.sides.both())

    def _launch(self, side: Side, target: Explainable) -> Sample:
        """Launch one side without perf."""
        name = self.names[side is Side.CANDIDATE]
        try:
            launched = target.launch(name, self.effort, self.cpu)
        except LaunchError as error:
            raise StageError(error.message, side) from None
        self._threads = max(launched.process.max_threads, launched.sample.threads)
        return launched.sample

    def _sample_launch(self, side: Side, target: Explainable) -> tuple[PerfRecording, Sample]:
        """Launch one side under perf.

        A command's time is taken from another launch, because perf's own start would be in it.
        """
        name = self.names[side is Side.CANDIDATE]
        try:
            taken = self.perf.record(target, name, self.effort, self.cpu)
        except LaunchError as error:
            raise StageError(f"under perf {error.message}", side) from None
        if not taken.samples:
            raise StageError("perf saw nothing of its loop: it is too short", side)
        if isinstance(target, CommandTarget):
            return taken, self._launch(side, target)
        return taken, taken.launched.sample

    def _sampled_side(self, measured: tuple[PerfRecording, Sample]) -> Sampled:
        taken, sample = measured
        spots: dict[SampleSpot, int] = defaultdict(int)
        stacks: dict[Stack, int] = defaultdict(int)
        for stack, (weight, count) in _counts_of_stacks(taken).items():
            spots[self._resolver.spot(stack)] += weight
            stacks[self._resolver.names(stack)] += count
        whole_s, cpu_s = iteration_s(sample) * (1.0 - taken.delayed), _cpu_s(sample)
        whole_s = max(whole_s, cpu_s)
        return Sampled(whole_s, cpu_s, dict(spots), dict(stacks), len(taken.samples))

    def _notes_on_what_is_missing(self, side: Side, target: Explainable) -> Iterator[str]:
        taken = [one[side][0] for one in self.taken]
        if isinstance(target, GBenchTarget) and not all(one.loop_only for one in taken):
            yield (
                f"the {side} does not say when its loop runs (is it linked statically?): "
                "what it sets up is among the samples"
            )
        stacks = {sample.stack for one in taken for sample in one.samples}
        binary = str(Path(target.argv[0]).resolve())
        if not any(self._resolver.has_names(stack) for stack in stacks):
            yield lacking(side, Lack.NAMES, "its functions have no names, link it without -s")
        elif isinstance(target, GBenchTarget) and not self._resolver.has_lines(binary):
            then = "build it with -g, for what is inlined counts for the function around it"
            yield lacking(side, Lack.LINES, then)


def _counts_of_stacks(taken: PerfRecording) -> Mapping[RawStack, tuple[int, int]]:
    """Weight and number of samples of each stack; most stacks occur several times."""
    found: dict[RawStack, tuple[int, int]] = {}
    for one in taken.samples:
        weight, count = found.get(one.stack, (0, 0))
        found[one.stack] = (weight + one.weight, count + 1)
    return found


def _cpu_s(sample: Sample) -> float:
    """CPU time of an iteration; with threads its real time, as their waiting is not known."""
    times = sample.values.get("cpu_time", ())
    if not times or sample.threads > 1:
        return iteration_s(sample)
    return min(times) * TIME_UNITS_NS[sample.time_unit] * 1e-9


def _instructions(found: Explained) -> dict[str, Instructions]:
    """Instructions of each function as the work stage counted them, libraries it calls included."""
    if found.work is None or found.work.sides is None:
        return {}
    base, candidate = (_instructions_by_function(profile.loop) for profile in found.work.sides)
    return {
        name: Instructions(base.get(name, 0), candidate.get(name, 0))
        for name in {**base, **candidate}
    }


def _instructions_by_function(work: Work) -> dict[str, int]:
    graph = fold_libraries_into_callers(work)
    found: dict[str, int] = defaultdict(int)
    for node in graph.nodes():
        if node.own:
            found[node.function] += graph.cost(node)
    return dict(found)
