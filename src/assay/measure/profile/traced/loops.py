"""Runs one benchmark with `libassay_loop.so` in it, and keeps what that wrote of its loops.

    done = LoopLibrary(executor).run(target, "BM_append", min_time_s=0.05)
    done.counts             (1, 10, 100, 1000, 8069): iterations of each loop
    done.loop(1000)         what that loop allocated, from where

Google Benchmark runs a benchmark's function several times, with more iterations each time. Two
launches of the same program do the same loops up to the last one, whose number of iterations is
taken from the clock: so a loop is compared that both have, after the same loops.

The engine also runs loops that it does not time and does not log: one for a memory manager, as
`ASSAY_MAIN()` has one, and one for a profiler. So the library writes how many iterations each loop
was to do, and the loops that were logged are found among them; else nothing is told.
"""

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from assay.errors import LaunchError
from assay.measure.executor import Executor, Finished, Launch, beside_launcher
from assay.measure.fixed_addresses import fixed_addresses
from assay.measure.profile.program.segments import Segments
from assay.measure.profile.traced.loop_file import Loop, LoopFile, parse
from assay.measure.targets.gbench import GBenchTarget, escape
from assay.measure.targets.target import said
from assay.scratch import scratch_file

LIBRARY = "libassay_loop.so"
_RUNNING = re.compile(r"^-- LOG\(2\): Running .* for (\d+)$", re.MULTILINE)
_RAN = re.compile(r"^-- LOG\(2\): Ran in ([^/\s]+)/(\S+)$", re.MULTILINE)
_THREADS = re.compile(r"/threads:(?!1(?:/|$))\d+")  # in a benchmark's name
LOG_BYTES = 1 << 24  # of what it says of its loops: all of it, but for a flood
_ENV = {"LD_BIND_NOW": "1"}  # else the first call of each library function looks for it
_WATCHED_NOT = {
    "unknown": "it has no benchmark::State::StartKeepRunning(): it is stripped and linked "
    "together with the engine, by LTO perhaps",
    "refused": "no breakpoint can be set in it: its code cannot be written to here",
}


@dataclass(frozen=True)
class LoopRun:
    """The loops of one launch."""

    counts: tuple[int, ...]
    file: LoopFile
    places: tuple[int, ...]  # of each of `counts`: which of the file's loops it is
    first_s: float  # its first loop, of one iteration unless the benchmark says more
    wall_s: float

    def place(self, iterations: int) -> int:
        """Which of the file's loops is the last one that was logged with so many."""
        matched = zip(self.places, self.counts, strict=True)
        return [place for place, count in matched if count == iterations][-1]

    def loop(self, iterations: int) -> Loop:
        """The last one with so many."""
        return self.file.loops[self.place(iterations)]


class LoopLibrary:
    """The library on this machine. Raises `MeasurementError`."""

    def __init__(self, executor: Executor) -> None:
        self.library = beside_launcher(LIBRARY, "x86-64 and glibc")
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
        """Once; `tracer` is an strace that starts it. Raises `LaunchError` saying what it did."""
        if _THREADS.search(benchmark):
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
                raise LaunchError(f"while its loop was watched it {done.describe()}{said(done)}")
            text = out.read_text(errors="replace") if out.exists() else ""
        # A tracer takes real time and not the program's own, by which the engine goes.
        return _run(done, parse(text), min if tracer else max)


def common(runs: Sequence[LoopRun]) -> int:
    """The most iterations that all did after the same loops; 0: none."""
    same = takewhile(lambda at: len(set(at)) == 1, zip(*(run.counts for run in runs), strict=False))
    return max((at[0] for at in same), default=0)


def _check(binary: str) -> None:
    interpreter = Segments.of(binary).interpreter
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


def _run(done: Finished, file: LoopFile, of_both: Callable[[Iterable[float]], float]) -> LoopRun:
    if not file.watched:
        raise LaunchError("no library can be loaded into it: it is set-uid, or not of glibc")
    if file.watched != "watched":
        raise LaunchError(_WATCHED_NOT.get(file.watched, file.watched))
    counts = tuple(int(one) for one in _RUNNING.findall(done.stderr_tail))
    if not file.loops:
        raise LaunchError("it ended before its loop")
    if not counts:
        raise LaunchError("its engine does not say how many iterations it runs (--v=2)")
    places = _places(file.loops, counts)
    return LoopRun(counts, file, places, _first_s(done, of_both), done.wall_ns * 1e-9)


def _places(loops: Sequence[Loop], counts: Sequence[int]) -> tuple[int, ...]:
    """Which loop is which of those that the engine logged, in the same order."""
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


def _first_s(done: Finished, of_both: Callable[[Iterable[float]], float]) -> float:
    """Of CPU time and real time of the first loop; 0: not said."""
    for times in _RAN.findall(done.stderr_tail)[:1]:
        with contextlib.suppress(ValueError):
            return of_both(map(float, times))
    return 0.0
