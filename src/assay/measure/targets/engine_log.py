"""What Google Benchmark's engine logs of its loops, which is asked of it with `--v=2`.

    iterations_of_loops(done.stderr_tail)    # (1, 10, 100)
    first_iteration_s(done.stderr_tail, max)           # seconds of one iteration of the first loop
    is_threaded("BM_a/threads:4")            # True

The engine begins with a loop of one iteration. From it follows how long the next loop has to be:
`MORE_THAN_TENFOLD` times the first one's seconds as `--benchmark_min_time` make it take ten times
as many iterations. Where one iteration takes longer than `LONGEST_ITERATION_S`, the first loop has
to do.
"""

import contextlib
import re
from collections.abc import Callable, Iterable

LONGEST_ITERATION_S = 1.0  # seconds of one iteration above which only the first loop is used
# Google Benchmark runs ten times more iterations after a loop of less than a tenth of the time.
MORE_THAN_TENFOLD = 11.0

# Google Benchmark's log line where a loop begins: the number of its iterations.
_RUNNING = re.compile(r"^-- LOG\(2\): Running .* for (\d+)$", re.MULTILINE)
# Google Benchmark's log line where a loop has ended: its CPU time and real time in seconds.
_RAN = re.compile(r"^-- LOG\(2\): Ran in ([^/\s]+)/(\S+)$", re.MULTILINE)
# Part of a benchmark's name that says that more than one thread runs its loop.
_THREADS = re.compile(r"/threads:(?!1(?:/|$))\d+")


def iterations_of_loops(log: str) -> tuple[int, ...]:
    """The number of iterations of each loop in the log, in the order in which they ran."""
    return tuple(int(one) for one in _RUNNING.findall(log))


def first_iteration_s(log: str, of_both: Callable[[Iterable[float]], float]) -> float:
    """Seconds of the first loop in the log: `of_both` (such as `max`) of its CPU and real time; 0:
    unknown."""
    for times in _RAN.findall(log)[:1]:
        with contextlib.suppress(ValueError):
            return of_both(map(float, times))
    return 0.0


def last_real_s(log: str) -> float | None:
    """Seconds that the last loop took; None if the log does not say it."""
    for _cpu_s, real_s in _RAN.findall(log)[-1:]:
        with contextlib.suppress(ValueError):
            return float(real_s)
    return None


def is_threaded(benchmark: str) -> bool:
    """Whether the benchmark's name says that several threads run its loop."""
    return bool(_THREADS.search(benchmark))
