"""assay overhead PLAN.toml: what a tracer, or anything else around a program, costs it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli import options as opt
from assay.cli.exit_codes import DONE, NOT_MEASURED

if TYPE_CHECKING:
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


def overhead(
    plan: _Plan,
    target: _Target = None,
    filter: _Filter = None,
    condition: _Condition = None,
    rounds: _Rounds = None,
    budget: opt.Budget = None,
    seed: _Seed = None,
    output: _Output = None,
    html: opt.Html = None,
    quiet: opt.Quiet = False,
) -> int:
    """Measure a benchmark undisturbed and under each condition of PLAN.toml.

    In rounds, in random order, until every interval is as narrow as the plan
    asks for or its budget is spent. What a condition changes on this host is
    put back, also after Ctrl-C, a crash or a kill: then by the next `assay`.
    """
    from assay.cli.outcome import finish
    from assay.cli.runtime import open_runtime
    from assay.workflows.common.output import confirm_kept
    from assay.workflows.overhead.plan import PlanOverrides, read_plan
    from assay.workflows.overhead.workflow import overhead as measure_overhead

    asked = read_plan(
        plan,
        PlanOverrides(
            target=target,
            filter=filter,
            conditions=tuple(condition or ()),
            rounds=opt.at_least_one(rounds, "--rounds"),
            budget_s=None if budget is None else opt.seconds(budget, "--budget"),
            seed=seed,
            fresh_seed=opt.fresh(seed),
            output=opt.writable(output, "-o"),
        ),
    )
    opt.writable(html, "--html")
    with open_runtime(quiet) as runtime:
        result = measure_overhead(asked, runtime)
    finish(
        lambda: _print(result),
        lambda: confirm_kept(result.record, asked.output, result.kept_in),
        lambda: _write_page(result, html),
    )
    if result.exit_code is not None:
        return result.exit_code
    return NOT_MEASURED if result.record.failures else DONE


def _write_page(result: "OverheadResult", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.page.report import page
    from assay.workflows.contents.conditions import of_conditions

    write_whole(page(of_conditions(result.record, result.plan.settings)), path)


def _print(result: "OverheadResult") -> None:
    from assay.show.terminal.compare import output_console
    from assay.show.terminal.overhead import Row, Table, print_overhead
    from assay.show.words import format
    from assay.workflows.overhead.result import rounds_of

    shown = {one.condition: one for one in result.shown}
    rows = [
        Row(
            one.reference,
            one.condition,
            one.comparison,
            shown[one.condition].events,
            shown[one.condition].lost,
        )
        for one in result.judged.contrasts
    ]
    console = output_console()
    undisturbed = result.plan.conditions[0].name
    rounds = rounds_of(result.record.samples)
    judgement, failures = result.judged.judgement, result.record.failures
    print_overhead(console, Table(undisturbed, rows, judgement, failures, rounds))
    seed = result.record.facts.get("seed")
    console.print(format.kept(result.kept_in, seed), style="dim", markup=False)
    if result.exit_code:
        console.print("interrupted: this is what was measured until then", style="yellow")
