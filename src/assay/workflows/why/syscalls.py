"""The stage of system calls: which ones the loop makes, how often, and who makes them.

stage = SyscallStage(sides)
stage.explain(Explained("BM_append"), ("BM_append", "BM_append")).syscalls.calls.told[0]

It also tells what the kernel and the processor counted for the whole loop.
"""

import errno
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from assay.explained import Explained
from assay.judge.attribution.exact_deltas import changes_by_function, compare_quantity, is_steady
from assay.measure.profile.traced.loop_file import LoopFile
from assay.measure.profile.traced.loops import LoopLibrary, LoopRun
from assay.measure.profile.traced.strace import Strace, TracedRun, by_function
from assay.measure.profile.traced.strace_file import SystemCall
from assay.measure.targets.gbench import GBenchTarget
from assay.resources import Counts, Gauge, Syscalls, time_gauge
from assay.workflows.why.compared import ComparedLoops
from assay.workflows.why.loop_rounds import FEW, MANY, LoopRounds, gauges
from assay.workflows.why.stage import WhySides

_GAUGES = (
    *("waits", "preemptions", "cpu_migrations"),
    *("cycles", "instructions", "cache_misses", "branch_misses"),
)
_TOOL = "strace"
# The `id()` of a launch's `LoopRun` -> the system calls that were traced in that launch.
_Traced = dict[int, TracedRun]
_FORBIDDEN = (errno.EACCES, errno.EPERM)


class SyscallStage:
    """The stage that traces system calls.

    Raises `MeasurementError` if nothing can trace them here.
    """

    name = "syscalls"

    def __init__(self, sides: WhySides) -> None:
        self._sides = sides
        self._library = LoopLibrary(sides.executor)
        self._strace = Strace(sides.executor)
        self._rounds = LoopRounds(sides, self._library)
        self._has_said = False

    def explain(self, found: Explained, names: tuple[str, str]) -> Explained:
        """Add system calls by function, and counters of the loop, to `found` (see `Stage`)."""
        traced, both = self._trace_in_turns(names, FEW)
        base, candidate = self._counts_of_both_sides(traced, both)
        if not is_steady(base, candidate):
            traced, both = self._trace_in_turns(names, MANY)
            base, candidate = self._counts_of_both_sides(traced, both)
        plain = self._rounds.plain(names)
        # Under strace, calls take 55 to 340 times as long as sampling says, so strace's times are
        # shown only where there are no samples.
        times = () if found.time else _times(traced, both)
        measured = (*times, *gauges(plain, _GAUGES))
        calls = changes_by_function(base, candidate, both.iterations)
        notes = tuple(self._notes(plain.base[0].file))
        return replace(found, syscalls=Syscalls(calls, _TOOL, measured, notes))

    def _trace_in_turns(self, names: tuple[str, str], rounds: int) -> tuple[_Traced, ComparedLoops]:
        traced: _Traced = {}

        def run(target: GBenchTarget, benchmark: str, min_time_s: float) -> LoopRun:
            done = self._strace.run(self._library, target, benchmark, min_time_s)
            traced[id(done.run)] = done
            return done.run

        return traced, self._rounds.same_loop(names, rounds, run)

    def _counts_of_both_sides(
        self, traced: _Traced, both: ComparedLoops
    ) -> tuple[list[Counts], list[Counts]]:
        executor = self._sides.executor
        base, candidate = (
            by_function([traced[id(run)].calls(both.iterations) for run in runs], executor)
            for runs in (both.base, both.candidate)
        )
        return base, candidate

    def _notes(self, file: LoopFile) -> Iterator[str]:
        """Notes on what this machine cannot count; told once, not for every benchmark."""
        if self._has_said:
            return
        self._has_said = True
        if not self._strace.has_stacks:
            yield "this strace records no stacks: system calls are told without their functions"
        missing = file.loops[-1].uncounted
        names = ", ".join(name.replace("_", " ") for name in missing)
        if any(code in _FORBIDDEN for code in missing.values()):
            yield f"may not be counted here: {names} (kernel.perf_event_paranoid)"
        elif missing:
            yield f"this machine has no counters of {names}"


def _times(traced: _Traced, both: ComparedLoops) -> Iterator[Gauge]:
    """Nanoseconds for an iteration in each system call; only a hint, as tracing slows them."""
    sides = [
        [_time_by_name(traced[id(run)].calls(both.iterations)) for run in runs]
        for runs in (both.base, both.candidate)
    ]
    for name in sorted({name for side in sides for times in side for name in times}):
        base, candidate = (
            [times.get(name, 0) / both.iterations for times in side] for side in sides
        )
        yield replace(compare_quantity(time_gauge(name), base, candidate), is_changed=False)


def _time_by_name(calls: Iterable[SystemCall]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in calls:
        found[one.name] = found.get(one.name, 0) + one.ns
    return found
