"""What one command line asks of a comparison: the options of `compare` and `gate`, read once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.cli.common.gate import Gate
from assay.cli.common.options import Files
from assay.workflows.common.plan import ComparePlan

if TYPE_CHECKING:
    from assay.workflows.compare.gbench_table import GbenchTableOptions


@dataclass(frozen=True, kw_only=True)
class CompareAsked:
    """What to compare, what to ask of it, and where the results go."""

    plan: ComparePlan
    files: Files
    gate: Gate | None = None  # None: the exit code tells no verdict
    like: "GbenchTableOptions | None" = None  # None: the table is Assay's own, not compare.py's
    every: bool = False  # print rows that did not change, however many there are
    quiet: bool = False
    waits: bool = True  # for another measurement on this machine
