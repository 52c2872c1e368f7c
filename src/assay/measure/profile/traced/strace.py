"""Counts the system calls in a benchmark's loop with strace, and finds who made them.

tracer = Strace(executor)
traced = tracer.run(library, target, "BM_append", min_time_s=0.05)
traced.calls(1000)      those of the loop of 1000 iterations: each its name, time and stack
"""

import shutil
from collections import Counter
from collections.abc import Sequence

import msgspec

from assay.errors import LaunchError, MeasurementError
from assay.measure.executor import Executor, Launch
from assay.measure.profile.traced.call_stacks import Callers
from assay.measure.profile.traced.loops import LoopLibrary, LoopRun
from assay.measure.profile.traced.strace_file import SystemCall, loops
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.target import last_error_line
from assay.resources import Amount, Counts, ResourceSpot
from assay.scratch import scratch_file

# strace: follow threads, print durations, and print nothing but system calls.
_OPTIONS = ("-f", "-qq", "-T", "-e", "signal=none")
_TRIAL_S = 10.0  # seconds that trying strace may take


class TracedRun(msgspec.Struct, frozen=True):
    """One launch under strace: its loops, and the system calls that strace saw in each."""

    run: LoopRun
    # The system calls that strace saw in each loop, in the order of `run.file.loops`.
    traced: tuple[list[SystemCall], ...]

    def calls(self, iterations: int) -> list[SystemCall]:
        """The system calls of the last loop with so many iterations."""
        return self.traced[self.run.index_of_loop(iterations)]


class Strace:
    """strace on this machine. Raises `MeasurementError` if it is missing or may not trace."""

    def __init__(self, executor: Executor) -> None:
        program = shutil.which("strace")
        if program is None:
            raise MeasurementError(
                "strace is not installed: it counts system calls", hint="apt-get install strace"
            )
        self._executor = executor
        self._program = program
        tried = executor.run(Launch((program, "-qq", "-o", "/dev/null", "true"), _TRIAL_S))
        if not tried.ok:
            raise MeasurementError(f"strace may not trace processes here{last_error_line(tried)}")
        with_stacks = (program, "-k", "-qq", "-o", "/dev/null", "true")
        self.has_stacks = executor.run(Launch(with_stacks, _TRIAL_S)).ok

    def run(
        self, library: LoopLibrary, target: GBenchTarget, benchmark: str, min_time_s: float
    ) -> TracedRun:
        """Run a benchmark once under strace. Raises `LaunchError` saying how it failed."""
        with scratch_file() as out:
            stacks = ("-k",) if self.has_stacks else ()
            tracer = (self._program, *_OPTIONS, *stacks, "-o", str(out))
            run = library.run(target, benchmark, min_time_s, sites=False, tracer=tracer)
            traced = tuple(loops(out.read_text(errors="replace")))
        if len(traced) != len(run.file.loops):
            raise LaunchError("its loops are not among the system calls that strace saw")
        return TracedRun(run, traced)


def by_function(runs: Sequence[list[SystemCall]], executor: Executor) -> list[Counts]:
    """For each run of one executable, how often each function of the user made each system call."""
    callers = Callers({one.stack for run in runs for one in run}, executor)
    found: list[Counts] = []
    for run in runs:
        times = Counter((one.name, one.stack) for one in run)
        counts: dict[ResourceSpot, Amount] = {}
        for (name, stack), count in times.items():
            spot = callers.spot(name, stack)
            counts[spot] = counts.get(spot, Amount()).plus(Amount(count))
        found.append(counts)
    return found
