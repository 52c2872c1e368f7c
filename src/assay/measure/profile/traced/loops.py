"""Runs one benchmark with `libassay_loop.so`, and keeps what the library recorded of its loops.

    done = LoopLibrary(executor).run(target, "BM_append", min_time_s=0.05)
    done.counts             (1, 10, 100, 1000, 8069): iterations of each loop
    done.loop(1000)         what that loop allocated, from where

Google Benchmark runs a benchmark's function several times, with more iterations each time. Two
launches of one program do the same loops except for the last, whose number of iterations depends on
the clock. So a loop is compared that both have, and that follows the same earlier loops.

The engine also runs loops that it neither times nor logs: one for a memory manager, as
`ASSAY_MAIN()` has one, and one for a profiler. So the library records how many iterations each loop
was to do, and the logged loops are looked for among them. If they do not match, nothing is told.
"""

import platform
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

import msgspec

from assay.errors import LaunchError, MeasurementError
from assay.measure.executor import Executor, FinishedProcess, Launch, library_beside_launcher
from assay.measure.fixed_addresses import fixed_addresses
from assay.measure.profile.program.segments import Segments
from assay.measure.profile.traced.loop_file import LoopFile, TracedLoop, parse
from assay.measure.targets.engine_log import first_iteration_s, is_threaded, iterations_of_loops
from assay.measure.targets.gbench import GBenchTarget, escape
from assay.measure.targets.target import last_error_line
from assay.scratch import scratch_file

LIBRARY = "libassay_loop.so"
LOG_BYTES = 1 << 24  # bytes of standard error that are kept: normally the whole log of the engine
# Without LD_BIND_NOW the loader looks each library function up at its first call, inside the loop.
_ENV = {"LD_BIND_NOW": "1"}
_WATCHED_NOT = {
    "unknown": "it has no benchmark::State::StartKeepRunning(): it is stripped and linked "
    "together with the engine, by LTO perhaps",
    "refused": "no breakpoint can be set in it: its code cannot be written to here",
}


class LoopRun(msgspec.Struct, frozen=True):
    """One launch with the library: those of its loops that the engine logged, and what was recorded
    of them."""

    counts: tuple[int, ...]  # numbers of iterations, in the order in which the loops ran
    file: LoopFile
    places: tuple[int, ...]  # for each of `counts` the index of its loop in the file
    # Seconds of the benchmark's first loop, which has one iteration unless more are asked for.
    first_s: float
    wall_s: float  # seconds of the whole process

    def index_of_loop(self, iterations: int) -> int:
        """The index in the file of the last logged loop with so many iterations."""
        matched = zip(self.places, self.counts, strict=True)
        return [place for place, count in matched if count == iterations][-1]

    def loop(self, iterations: int) -> TracedLoop:
        """The last logged loop with so many iterations."""
        return self.file.loops[self.index_of_loop(iterations)]


class LoopLibrary:
    """`libassay_loop.so`. Raises `MeasurementError` if it is not for this machine, or not there."""

    def __init__(self, executor: Executor) -> None:
        if (machine := platform.machine()) != "x86_64":
            what = "what a loop allocates and asks the kernel is recorded on x86-64 only"
            raise MeasurementError(f"{what}, and this machine is {machine}")
        self.library = library_beside_launcher(LIBRARY, "glibc")
        self._executor = executor
        self._prefix = fixed_addresses(executor)

    def run(
        self,
        target: GBenchTarget,
        benchmark: str,
        min_time_s: float,
        *,
        sites: bool = True,
        tracer: Sequence[str] = (),
    ) -> LoopRun:
        """Run a benchmark once, under strace if `tracer` is its command. Raises `LaunchError`."""
        if is_threaded(benchmark):
            raise LaunchError("several threads run its loop, which cannot be told apart")
        _check(target.argv[0])
        with scratch_file() as out:
            variables = {**_ENV, "LD_PRELOAD": str(self.library), "ASSAY_LOOP_FILE": str(out)}
            variables |= {} if sites else {"ASSAY_LOOP_SITES": "off"}
            handed = [word for name in variables for word in ("-E", f"{name}={variables[name]}")]
            started = (*self._prefix, *tracer, *(handed if tracer else ()))
            argv = (*started, *target.argv, *_flags(target, benchmark, min_time_s))
            env = {} if tracer else variables
            launch = Launch(argv, target.timeout_s, env=env, stderr_bytes=LOG_BYTES)
            done = self._executor.run(launch)
            if not done.ok:
                raise LaunchError(
                    f"while its loop was watched it {done.describe()}{last_error_line(done)}"
                )
            text = out.read_text(errors="replace") if out.exists() else ""
        # A tracer adds to real time but not to the program's CPU time, which the engine goes by.
        return _run(done, parse(text), min if tracer else max)


def largest_common_iterations(runs: Sequence[LoopRun]) -> int:
    """The largest number of iterations of a loop that all runs have, after the same loops; 0 if
    there is none."""
    same = takewhile(lambda at: len(set(at)) == 1, zip(*(run.counts for run in runs), strict=False))
    return max((at[0] for at in same), default=0)


def _check(binary: str) -> None:
    """Raise `LaunchError` where the library cannot be loaded into the program."""
    interpreter = Segments.of_file(binary).interpreter
    if not interpreter:
        raise LaunchError("it is linked statically, so that no library can be loaded into it")
    if "musl" in interpreter:
        raise LaunchError(f"it uses musl: {LIBRARY} is made for glibc")


def _flags(target: GBenchTarget, benchmark: str, min_time_s: float) -> tuple[str, ...]:
    unit = "s" if target.counts_iterations else ""
    return (
        f"--benchmark_filter=^{escape(benchmark)}$",
        f"--benchmark_min_time={min_time_s:g}{unit}",
        "--benchmark_repetitions=1",
        "--v=2",
    )


def _run(
    done: FinishedProcess, file: LoopFile, of_both: Callable[[Iterable[float]], float]
) -> LoopRun:
    """The loops of a finished launch. Raises `LaunchError` where they were not recorded."""
    if not file.watched:
        raise LaunchError("no library can be loaded into it: it is set-uid, or not of glibc")
    if file.watched != "watched":
        raise LaunchError(_WATCHED_NOT.get(file.watched, file.watched))
    counts = iterations_of_loops(done.stderr_tail)
    if not file.loops:
        raise LaunchError("it ended before its loop")
    if not counts:
        raise LaunchError("its engine does not say how many iterations it runs (--v=2)")
    places = _places(file.loops, counts)
    return LoopRun(
        counts, file, places, first_iteration_s(done.stderr_tail, of_both), done.wall_ns * 1e-9
    )


def _places(loops: Sequence[TracedLoop], counts: Sequence[int]) -> tuple[int, ...]:
    """For each logged loop, its index among the recorded loops; both are in the same order."""
    found: list[int] = []
    for count in counts:
        begin = found[-1] + 1 if found else 0
        same = (at for at in range(begin, len(loops)) if loops[at].iterations == count)
        place = next(same, None)
        if place is None:
            did = ", ".join(str(loop.iterations) for loop in loops)
            raise LaunchError(
                f"its engine says that it ran {', '.join(map(str, counts))} iterations, and its "
                f"loops were seen to run {did}: what was counted cannot be given to them"
            )
        found.append(place)
    return tuple(found)
