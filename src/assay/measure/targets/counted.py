"""A target whose every launch is followed by one that counts allocations.

The first launch is measured as usual, and the second is not timed: counting the peak costs 20 ns
for each pair of malloc and free, which would spoil the times.
"""

import msgspec
from msgspec.structs import asdict

from assay.errors import LaunchError
from assay.measure.effort import Effort
from assay.measure.targets.preload import AllocationTally, PreloadingExecutor
from assay.measure.targets.target import LaunchResult, Target


class CountedTarget(msgspec.Struct, frozen=True):
    """A target whose allocations are counted: launches `target` for the times, then `counting`.

    `counting` is the same target, run by `executor`, which preloads the counting library.

    A command is one iteration, so its counts are plain `allocs`. A Google Benchmark executable
    chooses its iterations itself and sets up besides, so its counts are of the whole process, and
    are called `launch_allocs`: `prefix` goes before the name of each metric.
    """

    target: Target
    counting: Target
    executor: PreloadingExecutor
    prefix: str = ""

    @property
    def label(self) -> str:
        return self.target.label

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        return self.target.benchmarks(filter_regex)

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        launched = self.target.launch(benchmark, effort, cpu)
        if effort.trial:
            return launched
        self.counting.launch(benchmark, effort, cpu)
        tally = self.executor.tally
        if tally is None:
            raise LaunchError(f"its allocations cannot be counted: {self.executor.reason}")
        values = {**launched.sample.values, **_metric_values(tally, self.prefix)}
        sample = msgspec.structs.replace(launched.sample, values=values)
        return LaunchResult(sample, launched.record, launched.process)


def _metric_values(tally: AllocationTally, prefix: str) -> dict[str, tuple[float, ...]]:
    return {f"{prefix}{name}": (float(count),) for name, count in asdict(tally).items()}
