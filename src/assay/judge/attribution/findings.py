"""What is worth saying of one benchmark, decided once for whoever shows it.

    findings(explained, everything=True).stages[0].head.claim       Claim.DIFFERS

Thresholds, order and shares are decided here and in the modules of each stage beside it.
"""

from collections.abc import Iterator

from assay.explained import Explained
from assay.findings import Findings, StageFindings
from assay.judge.attribution.resource_findings import of_memory, of_syscalls


def findings(found: Explained) -> Findings:
    """All that is to be said of it."""
    return Findings(found, tuple(_stages(found)))


def _stages(found: Explained) -> Iterator[StageFindings]:
    if found.memory is not None:
        yield of_memory(found.memory)
    if found.syscalls is not None:
        yield of_syscalls(found.syscalls)
