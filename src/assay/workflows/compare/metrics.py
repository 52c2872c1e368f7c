"""Which metrics are compared if the user asks for none."""

from collections.abc import Sequence

from assay.errors import UsageError
from assay.model import Sample
from assay.units import metric

TIMES = ("real_time", "cpu_time")
# Metrics that say the same as another metric, and so are left out where the other is there. Each
# further statistical comparison costs all the others some certainty, and each further row costs the
# reader's time.
_REPEATS = {
    "user_time": "cpu_time",
    "system_time": "cpu_time",
    "items_per_second": "real_time",
    "bytes_per_second": "real_time",
    # Counts of Google Benchmark's memory pass, set-up included: Assay's own counts are better.
    "allocs_per_iter": "allocs",
    "total_allocated_bytes": "bytes",
    "max_bytes_used": "peak_bytes",
    "net_heap_growth": "leaked_bytes",
    # Assay's own counts of allocations: a benchmark's own counters of its timed loop say the same.
    "allocs": "CallsToAlloc",
    "reallocs": "CallsToRealloc",
    "frees": "CallsToFree",
    "bytes": "MemoryAllocated",
    "freed_bytes": "MemoryFreed",
}


def chosen_metrics(
    asked: Sequence[str], base: Sequence[Sample], candidate: Sequence[Sample]
) -> tuple[str, ...]:
    """The metrics asked for; by default times, peak memory, latencies and counters.

    Raises `UsageError` for a metric that no benchmark has on both sides.
    """
    shared = _names(base) & _names(candidate)
    for name in asked:
        if name not in shared:
            known = ", ".join(sorted(shared)) or "none"
            raise UsageError(
                "no benchmark has this metric on both sides",
                where=f"--metric {name}",
                hint=f"there is: {known}",
            )
    if asked:
        return tuple(dict.fromkeys(asked))
    others = sorted(name for name in shared if _is_worth_comparing(name, shared))
    return (*(name for name in TIMES if name in shared), *others)


def deciding_metrics(asked: Sequence[str], compared: Sequence[str]) -> tuple[str, ...]:
    """Metrics for which a benchmark is measured until they are settled, and that a gate asks.

    These are all that were asked for, by default real time alone. CPU time says nearly the same,
    would make everybody wait for the noisier of the two, and would cost every comparison some of
    the certainty they share. Counts that do not vary are also asked: they cost next to nothing.
    """
    if asked:
        return tuple(asked)
    return ("real_time",) if "real_time" in compared else tuple(compared)


def _names(samples: Sequence[Sample]) -> set[str]:
    return {name for sample in samples for name in sample.values}


def _is_worth_comparing(name: str, shared: set[str]) -> bool:
    if name in TIMES or _REPEATS.get(name) in shared:
        return False
    return metric(name).is_compared
