"""Runs one benchmark under callgrind and keeps the work of each of its loops.

    with Callgrind(executor).runs(target, "BM_append", min_time_s=0.05) as runs:
        runs.counts             (1, 10, 100, 1000): iterations of each loop that was run
        runs.profile(1000)      the work of that loop, and of what was done around it

Google Benchmark runs a benchmark's function several times, with more iterations each time, and
calls `StartKeepRunning` where the loop begins and `FinishKeepRunning` where it ends. Callgrind is
told to write its counts at both, so each loop has a file of its own: starting the program, setting
up and the engine's own work are in other files. This needs nothing of the executable but these two
symbols. It does not ask for a number of iterations, because Google Benchmark 1.7 cannot be asked.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.errors import InputError, LaunchError
from assay.measure.executor import Executor, FinishedProcess, Launch
from assay.measure.profile.exact.callgrind_file import CallgrindPart, parse
from assay.measure.profile.exact.loop_files import BEGIN, END, SAYS_WHEN, LoopWork, loops_in_log
from assay.measure.profile.exact.pinned import Valgrind, pinned_variables
from assay.measure.profile.exact.under_valgrind import LOG_BYTES, failure_message
from assay.measure.profile.exact.work import (
    addresses,
    executions_by_address,
    work_and_simulated_events,
    work_of,
)
from assay.measure.profile.program.frames import frames
from assay.measure.targets.engine_log import first_iteration_s, is_threaded
from assay.measure.targets.gbench import GBenchTarget, escape
from assay.scratch import scratch_folder
from assay.work import Profile

# Bytes of a callgrind file, at most: reading one takes 10 times as much memory.
_LARGEST_PART = 400_000_000

# Simulating caches and branches takes half as long again. The sizes are fixed, because by default
# valgrind takes those of this machine, and counts would differ between machines.
_PROCESSOR = (
    "--cache-sim=yes",
    "--branch-sim=yes",
    "--I1=32768,8,64",
    "--D1=32768,8,64",
    "--LL=8388608,16,64",
)


class LoopRuns(msgspec.Struct, frozen=True):
    """The loops that one launch under callgrind ran, in order.

    Their files are deleted when the `with` block of `Callgrind.runs` ends.
    """

    loops: tuple[LoopWork, ...]
    slowest_s: float  # seconds of one iteration as the engine measured it, under callgrind
    executor: Executor

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of iterations of each loop, in the order in which they ran."""
        return tuple(loop.iterations for loop in self.loops)

    def profile(self, iterations: int) -> Profile:
        """The instructions of the last loop with so many iterations, and of what ran around it.
        Raises `LaunchError`."""
        loop = [one for one in self.loops if one.iterations == iterations][-1]
        before, inside = _read(loop.before), _read(loop.inside)
        wanted = addresses(inside)
        for binary, some in addresses(before).items():
            wanted.setdefault(binary, set()).update(some)
        known = {binary: frames(binary, some, self.executor) for binary, some in wanted.items()}
        work, simulated = work_and_simulated_events(inside, known, iterations)
        setup = work_of(before, known, iterations)
        return Profile(work, setup, simulated, executions_by_address(inside))


class Callgrind:
    """Runs benchmarks under callgrind. Raises `MeasurementError` without valgrind."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.valgrind = Valgrind.installed(executor)

    @contextlib.contextmanager
    def runs(self, target: GBenchTarget, benchmark: str, min_time_s: float) -> Iterator[LoopRuns]:
        """Run a benchmark once under callgrind. Raises `LaunchError` saying how the program
        failed."""
        if is_threaded(benchmark):
            raise LaunchError("several threads run its loop, which callgrind cannot tell apart")
        with scratch_folder() as folder:
            done = self._run(target, benchmark, min_time_s, folder)
            yield LoopRuns(
                loops_in_log(folder, done.stderr_tail),
                first_iteration_s(done.stderr_tail, max),
                self._executor,
            )

    def _run(
        self, target: GBenchTarget, benchmark: str, min_time_s: float, folder: Path
    ) -> FinishedProcess:
        unit = "s" if target.counts_iterations else ""
        argv = (
            *self.valgrind.words,
            "--tool=callgrind",
            *SAYS_WHEN,
            "--dump-instr=yes",
            "--dump-line=yes",
            *_PROCESSOR,
            f"--dump-before={BEGIN}",
            f"--dump-after={END}",
            f"--callgrind-out-file={folder / 'part'}",
            *target.argv,
            f"--benchmark_filter=^{escape(benchmark)}$",
            f"--benchmark_min_time={min_time_s:g}{unit}",
            "--benchmark_repetitions=1",
            "--v=2",
        )
        program = argv[argv.index(target.argv[0]) :]
        env = pinned_variables(program, os.environ)
        launch = Launch(argv, target.timeout_s, env=env, stderr_bytes=LOG_BYTES)
        done = self._executor.run(launch)
        if not done.ok:
            raise LaunchError(failure_message(done))
        return done


def _read(path: Path) -> CallgrindPart:
    """A file of callgrind, parsed. Raises `LaunchError` where it is too large or cut short."""
    if path.stat().st_size > _LARGEST_PART:
        raise LaunchError("callgrind wrote more than 400 MB for one loop")
    try:
        return parse(path.read_bytes().decode(errors="replace"))
    except InputError as error:
        raise LaunchError(error.message) from None
