"""assay overhead PLAN.toml: what a tracer, or anything else around a program, costs it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.options import FileOptions

if TYPE_CHECKING:
    from assay.workflows.overhead.plan import PlanOverrides
    from assay.workflows.overhead.result import OverheadResult

_Plan = Annotated[Path, typer.Argument(metavar="PLAN.toml", help="See examples/overhead.")]
_Target = Annotated[
    str | None, typer.Option("--target", metavar="T", help="Measure this, not the plan's target.")
]
_Condition = Annotated[
    list[str] | None,
    typer.Option("--condition", metavar="NAME", help="Only this one of the plan (repeat)."),
]
_Filter = Annotated[
    str | None, typer.Option("--filter", metavar="RE", help="Benchmarks whose name matches.")
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", "--json", metavar="FILE", help="Keep the record, with what it says."
    ),
]
_Rounds = Annotated[
    int | None, typer.Option("--rounds", metavar="N", help="At most N launches in each condition.")
]
_Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Seed of the random order.")]


@dataclass(frozen=True, kw_only=True)
class OverheadOptions(FileOptions):
    """The arguments of `assay overhead`."""

    plan: _Plan
    target: _Target = None
    filter: _Filter = None
    condition: _Condition = None
    rounds: _Rounds = None
    budget: opt.Budget = None
    seed: _Seed = None
    when_busy: opt.WhenBusy = opt.WAIT
    quiet: opt.Quiet = False
    output: _Output = None

    def overrides(self) -> "PlanOverrides":
        """The settings of the plan that the command line replaces. Raises `UsageError`."""
        from assay.workflows.overhead.plan import PlanOverrides

        return PlanOverrides(
            target=self.target,
            filter=self.filter,
            conditions=tuple(self.condition or ()),
            rounds=opt.checked_count(self.rounds, "--rounds"),
            budget_s=None if self.budget is None else opt.parse_seconds(self.budget, "--budget"),
            seed=self.seed,
            fresh_seed=opt.seed_or_new(self.seed),
            keep=self.destination("overhead"),
        )


@command(OverheadOptions)
def overhead(options: OverheadOptions) -> int:
    """Measure a benchmark undisturbed and under each condition of PLAN.toml.

    In rounds, in random order, until every interval is as narrow as the plan
    asks for or its budget is spent. What a condition changes on this host is
    put back, also after Ctrl-C, a crash or a kill: then by the next `assay`.
    """
    from assay.cli.common.outcome import exit_code, show_then_keep, write_page
    from assay.cli.common.runtime import open_runtime
    from assay.workflows.contents.conditions import of_conditions
    from assay.workflows.overhead.plan import read_plan
    from assay.workflows.overhead.workflow import overhead as measure_overhead

    plan, html = read_plan(options.plan, options.overrides()), options.page_file()
    with open_runtime(options.quiet, waits=opt.must_wait_for_others(options.when_busy)) as runtime:
        result = measure_overhead(plan, runtime)
    show_then_keep(
        lambda: _print_result(result),
        lambda: plan.keep.confirm(result.record, result.kept_in),
        lambda: write_page(html, lambda: of_conditions(result.record, result.plan.settings)),
    )
    return exit_code(result.interrupted_by, failed=bool(result.record.failures))


def _print_result(result: "OverheadResult") -> None:
    from assay.show.terminal.console import output_console
    from assay.show.terminal.overhead import PrintedOverhead, print_overhead
    from assay.show.words import format
    from assay.workflows.contents.conditions import overheads

    console, record = output_console(), result.record
    found = overheads(result.judged.contrasts, record)
    print_overhead(console, PrintedOverhead(found, result.judged.judgement, record.failures))
    seed = record.facts.seed
    console.print(format.record_line(result.kept_in, seed), style="dim", markup=False)
    if result.interrupted_by:
        console.print("interrupted: this is what was measured until then", style="yellow")
