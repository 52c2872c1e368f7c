"""One program linked several times in different orders; each round takes another of the links.

    target = LinkedTarget((first, second, third))
    target.of_round(placement=2).launch("BM_copy", effort, cpu)

Their object files are the same; only the places where the linker put them differ. Questions about
the program itself (its benchmarks, a trial launch) go to the first link.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.measure.effort import Effort
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.target import LaunchResult, Target
from assay.model import Side


class LinkedTarget(msgspec.Struct, frozen=True):
    """One program linked at least twice, so that its functions lie elsewhere in each link."""

    links: tuple[Target, ...]

    @property
    def label(self) -> str:
        return self.links[0].label

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        return self.links[0].benchmarks(filter_regex)

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        return self.links[0].launch(benchmark, effort, cpu)

    def of_round(self, placement: int) -> Target:
        """The link with this number. `Schedule.placement` says which one a round takes."""
        return self.links[placement]


def targets_of_links(target: GBenchTarget, programs: Sequence[Path]) -> tuple[GBenchTarget, ...]:
    """A target for each of these links of one program, by paths of equal length."""
    length = max(len(target.argv[0]), *(len(str(one)) for one in programs))
    every = [replace(target, argv=(str(one), *target.argv[1:])) for one in programs]
    return tuple(one.named_as_long_as(length) for one in every)


def number_of_links(sides: Mapping[Side | None, Target]) -> int:
    """How many links each side has; 1 if a side is a single program."""
    linked = [len(one.links) for one in sides.values() if isinstance(one, LinkedTarget)]
    return min(linked) if len(linked) == len(sides) else 1
