"""assay history RE: how benchmarks changed from run to run, and at which revision."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.exit_codes import DONE

if TYPE_CHECKING:
    from assay.history import HistoryReport

_Pattern = Annotated[str, typer.Argument(metavar="RE", help="Benchmarks whose name matches.")]
_Metric = Annotated[
    list[str] | None,
    typer.Option("--metric", metavar="M", help="This metric, not real_time (repeat)."),
]
_Host = Annotated[
    str, typer.Option("--host", metavar="RE", help="Classes of host whose name matches.")
]
_Confirm = Annotated[
    bool, typer.Option("--confirm", help="Measure both revisions of each candidate, in rounds.")
]
_Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="All, for programs.")]
_Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="A page: .html; a picture: .svg or .png."),
]


@dataclass(frozen=True, kw_only=True)
class HistoryOptions:
    """The arguments of `assay history`."""

    pattern: _Pattern = ""
    metric: _Metric = None
    host: _Host = ""
    confirm: _Confirm = False
    budget: opt.Budget = None
    store: opt.Store = None
    json: _Json = None
    output: _Output = None
    quiet: opt.Quiet = False


@command(HistoryOptions)
def history(options: HistoryOptions) -> int:
    """Show how benchmarks changed from revision to revision, from the runs that were kept.

    A change is a candidate until paired rounds of the revisions before and after
    it show it too: --confirm builds both and measures them.
    """
    from assay.cli.common.project_defaults import metrics_with_project_defaults
    from assay.cli.common.store import print_reading_progress, required_store
    from assay.show.terminal.history import print_history
    from assay.workflows.history.history import history as told_by
    from assay.workflows.history.trends import TrendQuery

    root = required_store(options.store)
    asked = TrendQuery(options.pattern, metrics_with_project_defaults(options.metric), options.host)
    told, code = told_by(root, asked, print_reading_progress), DONE
    if options.confirm:
        told, code = _confirm_candidates(told, options, root)
    print_history(told)
    _write_files(told, options)
    return code


def _confirm_candidates(
    told: "HistoryReport", options: HistoryOptions, root: Path
) -> tuple["HistoryReport", int]:
    """Measure both revisions of each candidate in rounds; returns the new history and exit code.

    An interrupt ends measuring, and the history has what is known by then.
    """
    from assay.cli.common.outcome import exit_code
    from assay.cli.common.runtime import open_runtime
    from assay.errors import MeasurementError
    from assay.workflows.common.plan import Measuring
    from assay.workflows.history.confirming import ConfirmPlan, confirm, level_of, to_confirm
    from assay.workflows.history.history import with_confirmations

    budget_s = opt.parse_seconds(options.budget, "--budget") if options.budget else None
    measuring = Measuring(seed=opt.seed_or_new(None), budget_s=budget_s)
    plan = ConfirmPlan(root, level_of(told), measuring)
    failed, by = [], None
    with open_runtime(options.quiet) as runtime:
        for alert in to_confirm(told):
            try:
                by = confirm(alert, plan, runtime)
            except MeasurementError as error:  # a revision that does not build stops no other
                failed.append(error.message)
            if by is not None:
                break
    for message in failed:
        print(f"not confirmed: {message}", file=sys.stderr)
    return with_confirmations(told, root), exit_code(by, failed=bool(failed))


def _write_files(told: "HistoryReport", options: HistoryOptions) -> None:
    from assay.files import write_whole
    from assay.workflows.history.history import document

    if options.json:
        write_whole(document(told), options.json)
    if options.output:
        write_whole(_page_or_picture(told, options.output.suffix.lower()), options.output)


def _page_or_picture(told: "HistoryReport", suffix: str) -> bytes:
    """The HTML page, or a picture, as the suffix of the file asks for."""
    if suffix == ".html":
        from assay.show.page.history import history_page

        return history_page(told)
    from assay.show.history_picture import picture

    return picture(told.trends, suffix)
