"""What a launch costs beside the program itself: Assay's own work between two programs.

That is the wall time of a launch less what the launcher measured of the program.
"""

import statistics
import time

from assay.measure.effort import Effort
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.targets.gbench import GBenchTarget
from assay.record.reader import parse
from benchmarks.tools import NATIVE, promised

LAUNCHES = 400
WARM_UP = 20  # the first launch starts what the others share
EFFORT = Effort(iterations=100)


def main() -> bool:
    own_ms = _own_work_ms(LAUNCHES)
    mean, median = statistics.fmean(own_ms), statistics.median(own_ms)
    ninth = statistics.quantiles(own_ms, n=10)[-1]
    print(f"  {len(own_ms)} launches: median {median:.2f} ms, 9 in 10 at most {ninth:.2f} ms")
    return promised("own work a launch, mean", mean, 3, "ms")


def _own_work_ms(launches: int) -> list[float]:
    executable = str(NATIVE / "tests" / "plain_benchmark")
    target = GBenchTarget(
        (executable,), "plain", ProcessExecutor(find_launcher()), parse, 60
    ).with_probed_engine()
    benchmark = target.benchmarks("")[0]
    own = []
    for number in range(WARM_UP + launches):
        began_ns = time.perf_counter_ns()
        done = target.launch(benchmark, EFFORT, 0).process
        if number >= WARM_UP:
            own.append((time.perf_counter_ns() - began_ns - done.wall_ns) / 1e6)
    return own
