"""assay suite primitives|restore: run a ready suite, and say which member to take."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli import options as opt
from assay.cli.exit_codes import DONE, NOT_MEASURED

if TYPE_CHECKING:
    from assay.workflows.suite import SuiteResult


class Suite(StrEnum):
    """The suites there are."""

    PRIMITIVES = "primitives"
    RESTORE = "restore"


_Suite = Annotated[Suite, typer.Argument(help="Which suite to run.")]
_Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="GROUP", help="This group of it; may be given again."),
]
_Quick = Annotated[bool, typer.Option("--quick", help="Few sizes of each, within 90 seconds.")]
_Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="The choices, for programs.")
]


def suite(
    suite: _Suite,
    only: _Only = None,
    quick: _Quick = False,
    filter: opt.Filter = "",
    output: opt.Output = None,
    html: opt.Html = None,
    json: _Json = None,
    seed: opt.Seed = None,
    timeout: opt.Timeout = "2m",
    quiet: opt.Quiet = False,
) -> int:
    """Run a suite, and say which of its members to take: within ten minutes.

    For each operation: the fastest member, the sizes from which another one is,
    and what thread safety costs. Every member was checked before it is timed.
    """
    from assay.cli.outcome import finish
    from assay.cli.runtime import open_runtime
    from assay.workflows.common.output import confirm_kept
    from assay.workflows.suite import SuitePlan, run_suite

    plan = SuitePlan(
        suite=str(suite),
        only=tuple(only or ()),
        filter=filter,
        quick=quick,
        seed=opt.fresh(seed),
        timeout_s=opt.seconds(timeout, "--timeout"),
        output=opt.writable(output, "-o"),
    )
    opt.writable(html, "--html")
    opt.writable(json, "--json")
    with open_runtime(quiet) as runtime:
        result = run_suite(plan, runtime)
    finish(
        lambda: _show(result),
        lambda: confirm_kept(result.run.record, plan.output, result.run.kept_in),
        lambda: _write_json(result, json),
        lambda: _write_page(result, html),
    )
    if result.run.exit_code is not None:
        return result.run.exit_code
    return NOT_MEASURED if result.run.record.failures else DONE


def _show(result: "SuiteResult") -> None:
    from assay.show.terminal.suite import SuiteShown, print_suite

    run = result.run
    print_suite(SuiteShown(run.record, run.levels, result.choices, run.kept_in))


def _write_json(result: "SuiteResult", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.export.results_json import encode
    from assay.workflows.contents.run import of_suite

    write_whole(encode(of_suite(result.run.record, result.choices).document), path)


def _write_page(result: "SuiteResult", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.page.report import page
    from assay.workflows.contents.run import of_suite

    write_whole(page(of_suite(result.run.record, result.choices)), path)
