"""What an experiment of `assay overhead` found: values only, without words for how to show them.

found.against_undisturbed[0].comparison.change   # 0.055: the benchmark takes 5.5 % more
"""

import msgspec

from assay.model import Comparison


class Overhead(msgspec.Struct, frozen=True, kw_only=True):
    """One benchmark under `condition`, compared with itself under `reference`."""

    reference: str
    condition: str
    comparison: Comparison
    events: int | None = None  # events that the proof of `condition` counted; None: it counts none
    lost: int | None = None  # events that the proof lost


class Overheads(msgspec.Struct, frozen=True, kw_only=True):
    """All comparisons of two conditions of one experiment."""

    undisturbed: str  # the name of the condition in which nothing is done
    conditions: tuple[str, ...]  # those that were measured, in the order of the plan
    rows: tuple[Overhead, ...]
    rounds: int

    @property
    def against_undisturbed(self) -> list[Overhead]:
        """Each condition compared with the undisturbed one."""
        return [row for row in self.rows if row.reference == self.undisturbed]

    @property
    def against_each_other(self) -> list[Overhead]:
        """The other conditions compared with each other."""
        return [row for row in self.rows if row.reference != self.undisturbed]

    @property
    def benchmarks(self) -> list[str]:
        """Names of the benchmarks, each once, in the order in which they were measured."""
        return list(dict.fromkeys(row.comparison.benchmark for row in self.rows))
