"""Runs one launch of a benchmark under callgrind and keeps which instructions were executed.

    trace = trace_benchmark(Valgrind.installed(executor), target, "BM_find", iterations=5000)
    trace.inside[100]["build/bench"][0x1380]        1: how often, in the loop of 100 iterations
    trace.before["build/bench"]                     addresses that were executed outside of loops
    trace.opened                                    paths of the files that it opened
    trace.calls                                     who called whom until the first loop began

Caches and branches are not simulated and source lines are not recorded, so it costs half of what a
launch of `assay why` costs: the start of valgrind, and about 40 times the launch itself.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from assay.errors import InputError, LaunchError
from assay.measure.executor import FinishedProcess, Launch
from assay.measure.placed_executor import folder_of
from assay.measure.profile.exact.callgrind_file import CallgrindPart, CallLine, parse
from assay.measure.profile.exact.loop_files import BEGIN, END, pairs_of_files
from assay.measure.profile.exact.pinned import Valgrind, pinned_variables
from assay.measure.profile.exact.under_valgrind import failure_message
from assay.measure.profile.identity.bare_copy import bare_copy
from assay.measure.profile.identity.stubs import Stubs
from assay.measure.targets.engine_log import (
    first_iteration_s,
    is_threaded,
    iterations_of_loops,
    last_real_s,
)
from assay.measure.targets.gbench import GBenchTarget, escape
from assay.scratch import scratch_folder

Ran = dict[str, dict[int, int]]  # by object and address: how often the instruction ran
# For each loop: callgrind's file of what ran before it, and of what ran in it.
Files = list[tuple[Path, Path]]
_MIN_TIME_S = 0.05  # seconds of a loop under callgrind: about a millisecond without it
_SLOWER = 40  # how many times slower a program runs under callgrind
_MOST_S = 2.0  # seconds under callgrind that a loop may take
_SPARE = 1.1  # asks for 10 % more time than needed, so that a second run suffices
_LARGEST_PART = 100_000_000  # bytes of one of callgrind's files, at most
_WHOLE_TAIL = 4000  # characters of the engine's log; of a longer one the beginning may be lost
_LOG_TAIL = 10_000  # bytes of valgrind's log that a message may quote
_LARGEST_LOG = 200_000_000  # bytes of valgrind's log, at most
# A line of valgrind's log on open or openat: folder, path.
_OPENED = re.compile(rb"sys_open(?:at)? \( (?:(\d+), )?0x[^(]*\((.*)\), \d+ \)")
_MOVES = re.compile(rb"sys_f?chdir ")  # a line on a change of the working directory
_HERE = (b"4294967196", b"18446744073709551516")  # AT_FDCWD: relative to the working directory


class Trace(msgspec.Struct, frozen=True):
    """Which instructions one process executed until its last loop ended, and how often."""

    before: Ran  # executed outside of the loops
    inside: dict[int, Ran]  # by the iterations of a loop: what the last such loop executed
    iterations: int  # iterations of all loops together
    opened: tuple[str, ...]  # paths of the files that it opened
    calls: tuple[CallLine, ...] = ()  # who called whom until the first loop began
    # Object and address of each function called after the benchmark's first loop began.
    called_later: frozenset[tuple[str, int]] = frozenset()


class _UnreadableError(LaunchError):
    """Valgrind stopped at debug information that it does not understand."""


class _Traced(msgspec.Struct, frozen=True):
    """What is traced. If it is a copy, `copied` has the paths of the copy and of the program."""

    valgrind: Valgrind
    target: GBenchTarget
    benchmark: str
    copied: tuple[str, str] = ("", "")


def trace_benchmark(
    valgrind: Valgrind, target: GBenchTarget, benchmark: str, iterations: int, loop_s: float = 0.0
) -> Trace:
    """Trace a benchmark for at least `iterations`, if two seconds are enough for them. Raises
    `LaunchError`.

    `loop_s`: seconds the iterations take without valgrind, so that one run suffices; 0: not known.
    """
    if is_threaded(benchmark):
        raise LaunchError("several threads run its loop, which callgrind cannot tell apart")
    try:
        return _trace(_Traced(valgrind, target, benchmark), iterations, loop_s)
    except _UnreadableError as error:
        with _without_debug_information(target, error) as (bare, copied):
            return _trace(_Traced(valgrind, bare, benchmark, copied), iterations, loop_s)


def _trace(traced: "_Traced", iterations: int, loop_s: float) -> Trace:
    target = traced.target
    first_s = max(_MIN_TIME_S, min(_MOST_S, _SLOWER * loop_s))
    found, slowest = _trace_once(traced, _min_time_argument(target, iterations, first_s))
    if found.iterations < iterations and not target.counts_iterations:
        wanted = min(_MOST_S, _SPARE * slowest * iterations)
        if wanted > first_s:
            found, _ = _trace_once(traced, f"{wanted:g}")
    return found


@contextmanager
def _without_debug_information(
    target: GBenchTarget, error: LaunchError
) -> Iterator[tuple[GBenchTarget, tuple[str, str]]]:
    """A target that runs a copy of the program without it, and the paths of copy and program.
    Raises `error` where no copy can be made."""
    program = (folder_of(target.executor) / target.argv[0]).resolve()
    with ExitStack() as stack:
        try:
            copy = stack.enter_context(bare_copy(program))
        except (OSError, InputError):
            raise error from None
        bare = msgspec.structs.replace(target, argv=(str(copy), *target.argv[1:]))
        yield bare.named_as_long_as(len(target.argv[0])), (str(copy), str(program))


def _min_time_argument(target: GBenchTarget, iterations: int, min_time_s: float) -> str:
    """The value of `--benchmark_min_time`: a number of iterations where the engine takes one."""
    return f"{max(1, iterations)}x" if target.counts_iterations else f"{min_time_s:g}"


def _trace_once(traced: "_Traced", amount: str) -> tuple[Trace, float]:
    """The trace of one run, and the seconds that an iteration of its last loop took."""
    with scratch_folder() as folder:
        done = _run(traced, amount, folder)
        counts = list(iterations_of_loops(done.stderr_tail))
        files = _loops(list(pairs_of_files(folder)), counts, done)
        opened = _opened_paths(folder, folder_of(traced.target.executor))
        copy, program = traced.copied
        if copy and any(Path(copy).name in path for path in opened):
            raise LaunchError("it opens a file named like itself, which a copy of it cannot find")
        return _read(files, counts, opened, (copy, program)), _iteration_s(done, counts)


def _run(traced: "_Traced", amount: str, folder: Path) -> FinishedProcess:
    target = traced.target
    argv = (
        *traced.valgrind.words,
        "--tool=callgrind",
        "--quiet",
        "--dump-instr=yes",
        "--dump-line=no",
        "--trace-syscalls=yes",
        f"--log-file={folder / 'log'}",
        f"--dump-before={BEGIN}",
        f"--dump-after={END}",
        f"--callgrind-out-file={folder / 'part'}",
        *target.argv,
        f"--benchmark_filter=^{escape(traced.benchmark)}$",
        f"--benchmark_min_time={amount}",
        "--benchmark_repetitions=1",
        "--v=2",
    )
    program = argv[argv.index(target.argv[0]) :]
    env = pinned_variables(program, os.environ)
    done = target.executor.run(Launch(argv, target.timeout_s, env=env))
    if not done.ok:
        if "debuginfo reader:" in _end_of_log(folder):
            raise _UnreadableError(
                "valgrind cannot read its debug information: build it with -gdwarf-4"
            )
        raise LaunchError(failure_message(done, _end_of_log(folder)))
    return done


def _end_of_log(folder: Path) -> str:
    """The end of valgrind's log, for a message."""
    ends = (log.read_bytes()[-_LOG_TAIL:] for log in folder.glob("log*"))
    return "".join(end.decode(errors="replace") for end in ends)


def _loops(files: Files, counts: list[int], done: FinishedProcess) -> Files:
    """The pair of files of each loop, those with a logged number of iterations first. Raises
    `LaunchError`.

    With a memory manager, as `ASSAY_MAIN()` has one, the engine runs one more loop at the end.
    """
    if not files:
        raise LaunchError(
            f"it never called {BEGIN}: it is stripped, links the engine's code together with "
            "its own (LTO), or ended before its loop"
        )
    if not counts:
        raise LaunchError("its engine does not say how many iterations it runs (--v=2)")
    is_whole = len(done.stderr_tail) < _WHOLE_TAIL
    if len(counts) > len(files) or (len(counts) < len(files) and not is_whole):
        raise LaunchError("its loops and their numbers of iterations do not match")
    return files


def _iteration_s(done: FinishedProcess, counts: list[int]) -> float:
    """Seconds of one iteration, by the engine's log of its last loop, or else of its first."""
    last_s = last_real_s(done.stderr_tail)
    if last_s is None or not counts or counts[-1] == 0:
        return first_iteration_s(done.stderr_tail, max)
    return last_s / counts[-1]


def _read(
    files: Files, counts: list[int], opened: tuple[str, ...], copied: tuple[str, str] = ("", "")
) -> Trace:
    """The trace that callgrind's files hold. Code of a copy (`copied[0]`) is told as that of the
    program."""
    before: Ran = defaultdict(dict)
    inside: dict[int, Ran] = {}
    calls: list[CallLine] = []
    later: list[CallLine] = []
    stubs = Stubs()
    for number, (outside, loop) in enumerate(files):
        part, looped = (stubs.placed(_part(one, copied)) for one in (outside, loop))
        _add(before, part)
        later += [*(part.calls if number else ()), *looped.calls]
        calls = calls if number else part.calls
        ran: Ran = defaultdict(dict)
        _add(ran if number < len(counts) else before, looped)
        if number < len(counts):
            # Of several loops with as many iterations the last one counts, and comes last.
            inside.pop(counts[number], None)
            inside[counts[number]] = dict(ran)
    return Trace(dict(before), inside, sum(counts), opened, tuple(calls), _called(later))


def _called(calls: list[CallLine]) -> frozenset[tuple[str, int]]:
    """The functions that were called: object and address of each."""
    return frozenset((one.callee.object, one.to) for one in calls if one.times)


def _add(ran: Ran, part: CallgrindPart) -> None:
    """Add how often each instruction ran."""
    for spent in part.lines:
        if spent.cost:
            some = ran[spent.symbol.object]
            some[spent.address] = some.get(spent.address, 0) + spent.cost


def _part(path: Path, copied: tuple[str, str]) -> CallgrindPart:
    """A file of callgrind, parsed. Raises `LaunchError` where it is too large or cut short."""
    if path.stat().st_size > _LARGEST_PART:
        raise LaunchError("callgrind wrote more than 100 MB for one loop")
    try:
        text = path.read_bytes().decode(errors="replace")
        return parse(text.replace(*copied) if copied[0] else text)
    except InputError as error:
        raise LaunchError(error.message) from None


def _opened_paths(folder: Path, place: Path) -> tuple[str, ...]:
    """Paths of files that the program opened, each once, in order; relative ones begin in
    `place`."""
    paths: dict[str, None] = {}
    for log in folder.glob("log*"):
        if log.stat().st_size > _LARGEST_LOG:
            raise LaunchError("it made too many system calls to look at")
        paths.update(dict.fromkeys(_opened(log, place)))
    return tuple(paths)


def _opened(log: Path, place: Path) -> Iterator[str]:
    """Paths in a log of valgrind. Raises `LaunchError` for a relative path after a change of
    folder."""
    moved = False
    with log.open("rb") as lines:
        for line in lines:
            moved = moved or bool(_MOVES.search(line))
            if found := _OPENED.search(line):
                path = Path(os.fsdecode(found[2]))
                if not path.is_absolute() and (moved or (found[1] or _HERE[0]) not in _HERE):
                    raise LaunchError(f"it opens {path} from a folder that it went to by itself")
                yield str(place / path)
