"""What an overhead experiment found, as the workflow hands it to what shows it.

    found.against_undisturbed[0].comparison.change   # 0.055: the benchmark takes 5.5 % more

Values only. A row says nothing of how it is called on a page or on a terminal.
"""

import msgspec

from assay.model import Comparison


class Overhead(msgspec.Struct, frozen=True, kw_only=True):
    """One benchmark under `condition`, compared with itself under `reference`."""

    reference: str
    condition: str
    comparison: Comparison
    events: int | None = None  # what the proof of `condition` counted; None: it counts nothing
    lost: int | None = None


class Overheads(msgspec.Struct, frozen=True, kw_only=True):
    """Every two conditions of one experiment."""

    undisturbed: str  # the name of the condition in which nothing is done
    conditions: tuple[str, ...]  # those that were measured, as in the plan
    rows: tuple[Overhead, ...]
    rounds: int

    @property
    def against_undisturbed(self) -> list[Overhead]:
        return [row for row in self.rows if row.reference == self.undisturbed]

    @property
    def against_each_other(self) -> list[Overhead]:
        return [row for row in self.rows if row.reference != self.undisturbed]

    @property
    def benchmarks(self) -> list[str]:
        """Each once, in the order in which they were measured."""
        return list(dict.fromkeys(row.comparison.benchmark for row in self.rows))
