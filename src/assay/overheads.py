"""What an experiment of `assay overhead` found: values only, without words for how to show them.

found.against_undisturbed_host[0].comparison.change   # 0.055: the benchmark takes 5.5 % more
"""

import msgspec

from assay.model import Comparison


class Overhead(msgspec.Struct, frozen=True, kw_only=True):
    """What a condition (a tracer, say) costs one benchmark: measured under `condition` and compared
    with the same benchmark under `reference`."""

    reference: str
    condition: str
    comparison: Comparison
    events: int | None = None  # events that the proof of `condition` counted; None: it counts none
    # Events that the proof of `condition` knows to have lost; None: not counted.
    lost: int | None = None


class Overheads(msgspec.Struct, frozen=True, kw_only=True):
    """All comparisons of an `assay overhead` experiment, each between two of its conditions."""

    undisturbed: str  # name of the condition in which nothing is switched on
    conditions: tuple[str, ...]  # names of the conditions measured, in the order of the plan
    rows: tuple[Overhead, ...]
    rounds: int

    @property
    def against_undisturbed_host(self) -> list[Overhead]:
        """The comparisons of each condition with the undisturbed one."""
        return [row for row in self.rows if row.reference == self.undisturbed]

    @property
    def against_each_other(self) -> list[Overhead]:
        """The comparisons of the other conditions with each other."""
        return [row for row in self.rows if row.reference != self.undisturbed]

    @property
    def benchmarks(self) -> list[str]:
        """Names of the benchmarks, each once, in the order in which they were measured."""
        return list(dict.fromkeys(row.comparison.benchmark for row in self.rows))
