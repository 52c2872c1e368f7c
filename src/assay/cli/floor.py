"""assay floor TARGET: what A against A shows here."""

from typing import TYPE_CHECKING

from assay.cli import options as opt
from assay.cli.exit_codes import DONE, NOT_MEASURED
from assay.workflows.common.matching import Filters
from assay.workflows.common.plan import ComparePlan

if TYPE_CHECKING:
    from assay.workflows.floor import FloorResult


def floor(
    target: opt.Target,
    filter: opt.Filter = "",
    rounds: opt.Rounds = None,
    budget: opt.Budget = None,
    min_time: opt.MinTime = opt.MIN_TIME,
    timeout: opt.Timeout = opt.TIMEOUT,
    pin: opt.Pin = None,
    seed: opt.Seed = None,
    quiet: opt.Quiet = False,
) -> int:
    """Measure TARGET against itself: changes below what this shows are noise here.

    Kept per host and suite; `compare` warns when its margin lies below.
    """
    from assay.cli.outcome import finish
    from assay.cli.runtime import open_runtime
    from assay.show.terminal.floor import print_floor
    from assay.workflows.floor import ROUNDS, measure_floor

    measuring = opt.measuring(
        rounds=ROUNDS if rounds is None else rounds,
        min_time=min_time,
        timeout=timeout,
        pin=pin,
        seed=seed,
        budget=budget,
    )
    plan = ComparePlan(target, target, measuring=measuring, filters=Filters(filter))
    with open_runtime(quiet) as runtime:
        found = measure_floor(plan, runtime)
    finish(
        lambda: print_floor(found.floor, found.result.judgement.comparisons),
        lambda: _keep(found),
    )
    if found.result.exit_code is not None:
        return found.result.exit_code
    return NOT_MEASURED if found.result.failures else DONE


def _keep(found: "FloorResult") -> None:
    from assay.show.terminal.floor import print_kept
    from assay.workflows.floor import keep_floor

    if found.result.exit_code is None:  # of an interrupted one nobody knows what is missing
        keep_floor(found)
        print_kept()
