"""assay run TARGET...: measure, and keep what was measured."""

from dataclasses import dataclass
from typing import Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.options import FileOptions, MeasuringOptions, RevisionOptions
from assay.workflows.common.plan import TIME, RunPlan

_Allocations = Annotated[
    bool,
    typer.Option("--allocations", help="Count allocations, in one more launch after each."),
]
_Targets = Annotated[list[str], typer.Argument(help="path/to/bench, cmd:COMMAND, git:REV, or .")]


@dataclass(frozen=True, kw_only=True)
class RunOptions(FileOptions, MeasuringOptions, RevisionOptions):
    """The arguments of `assay run`."""

    targets: _Targets
    filter: opt.Filter = ""
    allocations: _Allocations = False
    instrument: opt.Instrument = TIME

    def plan(self) -> RunPlan:
        """What to measure, and how. Raises `UsageError`."""
        return RunPlan(
            targets=tuple(self.targets),
            measuring=opt.with_instrument(
                self.measuring(), self.instrument, self._options_of_times()
            ),
            filter=self.filter,
            keep=self.destination("run"),
            revisions=self.revisions(),
            allocations=self.allocations,
        )

    def _options_of_times(self) -> dict[str, bool]:
        """The options that only go with times, and whether each was given."""
        return {"--allocations": self.allocations}


@command(RunOptions)
def run(options: RunOptions) -> int:
    """Measure TARGET by itself: 5 launches of each benchmark, in rounds.

    Judges nothing. To compare two builds use `assay compare`, which measures
    them side by side; two runs made one after the other show drift as well.
    """
    from assay.cli.common.outcome import exit_code, show_then_keep, write_page
    from assay.cli.common.runtime import open_runtime
    from assay.show.terminal.run import print_run
    from assay.workflows.contents.run import of_run
    from assay.workflows.run import run as run_targets

    plan, html, waits = options.plan(), options.page_file(), options.must_wait_for_others()
    with open_runtime(options.quiet, waits=waits) as runtime:
        result = run_targets(plan, runtime)
    show_then_keep(
        lambda: print_run(result.record, result.levels, result.kept_in),
        lambda: plan.keep.confirm(result.record, result.kept_in),
        lambda: write_page(html, lambda: of_run(result.record)),
    )
    return exit_code(result.interrupted_by, failed=bool(result.record.failures))
