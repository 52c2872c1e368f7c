"""What one command line asks of a comparison: the options of `compare` and `gate`, read once."""

from typing import TYPE_CHECKING

import msgspec

from assay.cli.common.gate import Gate
from assay.cli.common.options import Files
from assay.workflows.common.plan import ComparePlan

if TYPE_CHECKING:
    from assay.workflows.compare.gbench_table import GbenchTableOptions


class CompareRequest(msgspec.Struct, frozen=True, kw_only=True):
    """All that one command line asks of a comparison: what to measure, how
    to answer, where to write.
    """

    plan: ComparePlan
    files: Files
    gate: Gate | None = None  # None: the exit code does not depend on verdicts
    # How to print compare.py's table; None: print Assay's own table.
    like: "GbenchTableOptions | None" = None
    every: bool = False  # True: print all rows, also those that did not change
    quiet: bool = False
    waits: bool = True  # True: wait while another measurement runs on this machine; False: fail
