"""Which metrics a comparison is about, when nobody said."""

from collections.abc import Sequence

from assay.errors import UsageError
from assay.model import Sample
from assay.units import metric

TIMES = ("real_time", "cpu_time")
# Google Benchmark writes these beside the times; they say the same thing again,
# and every statistical comparison more costs all the others some certainty.
_ECHOES = ("items_per_second", "bytes_per_second")


def chosen(
    asked: Sequence[str], base: Sequence[Sample], candidate: Sequence[Sample]
) -> tuple[str, ...]:
    """Metrics asked for, checked; else times, peak memory, latencies and counters.

    Raises `UsageError` for one that no benchmark has on both sides.
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
    others = sorted(name for name in shared if _worth_it(name))
    return (*(name for name in TIMES if name in shared), *others)


def _names(samples: Sequence[Sample]) -> set[str]:
    return {name for sample in samples for name in sample.values}


def _worth_it(name: str) -> bool:
    if name in TIMES or name in _ECHOES or name in ("user_time", "system_time"):
        return False
    return metric(name).counted or metric(name).unit in ("B", "ns")
