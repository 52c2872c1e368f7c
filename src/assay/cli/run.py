"""assay run TARGET...: measure, and keep what was measured."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli import options as opt
from assay.cli.exit_codes import DONE, NOT_MEASURED
from assay.workflows.common.plan import RunPlan

if TYPE_CHECKING:
    from assay.model import Record

_Allocations = Annotated[
    bool,
    typer.Option("--allocations", help="Count allocations, in one more launch after each."),
]
_Targets = Annotated[list[str], typer.Argument(help="path/to/bench or cmd:COMMAND")]


def run(
    targets: _Targets,
    output: opt.Output = None,
    filter: opt.Filter = "",
    rounds: opt.Rounds = None,
    budget: opt.Budget = None,
    min_time: opt.MinTime = opt.MIN_TIME,
    timeout: opt.Timeout = opt.TIMEOUT,
    pin: opt.Pin = None,
    seed: opt.Seed = None,
    html: opt.Html = None,
    allocations: _Allocations = False,
    quiet: opt.Quiet = False,
) -> int:
    """Measure TARGET by itself: 5 launches of each benchmark, in rounds.

    Judges nothing. To compare two builds use `assay compare`, which measures
    them side by side; two runs made one after the other show drift as well.
    """
    from assay.cli.outcome import finish
    from assay.cli.runtime import open_runtime
    from assay.show.terminal.run import print_run
    from assay.workflows.common.output import confirm_kept
    from assay.workflows.run import run as run_targets

    plan = RunPlan(
        targets=tuple(targets),
        measuring=opt.measuring(
            rounds=rounds, min_time=min_time, timeout=timeout, pin=pin, seed=seed, budget=budget
        ),
        filter=filter,
        output=opt.writable(output, "-o"),
        allocations=allocations,
    )
    opt.writable(html, "--html")
    with open_runtime(quiet) as runtime:
        result = run_targets(plan, runtime)
    finish(
        lambda: print_run(result.record, result.levels, result.kept_in),
        lambda: confirm_kept(result.record, plan.output, result.kept_in),
        lambda: _write_page(result.record, html),
    )
    if result.exit_code is not None:
        return result.exit_code
    return NOT_MEASURED if result.record.failures else DONE


def _write_page(record: "Record", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.page.report import page
    from assay.workflows.contents.run import of_run

    write_whole(page(of_run(record)), path)
