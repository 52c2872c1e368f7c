"""Which targets `assay why` can explain, and what it says of the others.

base, candidate = explainable("old/bench", context), explainable("git:HEAD", context)
"""

from pathlib import Path

from assay.errors import UsageError
from assay.measure.targets.gbench import GBenchTarget
from assay.workflows.common.targets import RUN, TargetContext, is_recorded, resolve


def explainable(written: str, context: TargetContext) -> GBenchTarget:
    """Raises `UsageError` for what cannot be run under callgrind."""
    if is_recorded(written) or written.startswith(RUN):
        raise UsageError(
            "holds results, and why they differ is not among them",
            where=written,
            hint="name the two executables",
        )
    if written.startswith("cmd:"):
        raise UsageError(
            "why reads the loop of a Google Benchmark executable, which a command has not",
            where=written,
            hint="name two such executables",
        )
    target = resolve(written, context)
    if not isinstance(target, GBenchTarget) or not _is_elf(target.argv[0]):
        raise UsageError(
            "is a script: callgrind counts the instructions of executables",
            where=written,
            hint="name the executable that it starts",
        )
    return target


def _is_elf(path: str) -> bool:
    with Path(path).open("rb") as file:
        return file.read(4) == b"\x7fELF"
