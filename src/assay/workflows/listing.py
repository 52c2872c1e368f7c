"""Lists the benchmarks of a target."""

from assay.workflows.common.matching import compiled
from assay.workflows.common.targets import RecordedTarget, TargetContext, resolve


def list_benchmarks(written: str, pattern: str, context: TargetContext) -> list[str]:
    """Names of a target's benchmarks, in its own order. Raises `AssayError`."""
    regex = compiled(pattern, "--filter")
    target = resolve(written, context)
    if isinstance(target, RecordedTarget):
        names = list(dict.fromkeys(sample.benchmark for sample in target.record.samples))
    else:
        names = list(target.benchmarks(""))
    return [name for name in names if regex.search(name)]
