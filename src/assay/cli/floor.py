"""assay floor TARGET: how large a difference a target shows against itself on this host."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.options import MeasuringOptions
from assay.workflows.common.matching import Filters
from assay.workflows.common.plan import ComparePlan

if TYPE_CHECKING:
    from assay.workflows.floor import FloorResult


@dataclass(frozen=True, kw_only=True)
class FloorOptions(MeasuringOptions):
    """The arguments of `assay floor`."""

    target: opt.Target
    filter: opt.Filter = ""

    def plan(self, rounds: int) -> ComparePlan:
        """The target against itself, in `rounds` rounds unless --rounds says another number.

        Raises `UsageError`.
        """
        measuring = self.measuring()
        return ComparePlan(
            self.target,
            self.target,
            measuring=replace(measuring, rounds=measuring.rounds or rounds),
            filters=Filters(self.filter),
            floor=True,
        )


@command(FloorOptions)
def floor(options: FloorOptions) -> int:
    """Measure TARGET against itself: changes below what this shows are noise here.

    Kept per host and suite; `compare` warns when its margin lies below.
    """
    from assay.cli.common.outcome import exit_code, show_then_keep
    from assay.cli.common.runtime import open_runtime
    from assay.show.terminal.floor import print_floor
    from assay.workflows.compare.known_floor import FLOOR_ROUNDS
    from assay.workflows.floor import measure_floor

    plan = options.plan(FLOOR_ROUNDS)
    with open_runtime(options.quiet, waits=options.must_wait_for_others()) as runtime:
        found = measure_floor(plan, runtime)
    show_then_keep(
        lambda: print_floor(found.floor, found.result.judgement.comparisons),
        lambda: _keep_floor(found),
    )
    return exit_code(found.result.interrupted_by, failed=bool(found.result.failures))


def _keep_floor(found: "FloorResult") -> None:
    from assay.show.terminal.floor import print_kept

    if found.keep():
        print_kept()
