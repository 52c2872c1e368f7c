"""assay why BASE CANDIDATE: which function does more than before?"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command

if TYPE_CHECKING:
    from assay.workflows.why.plan import WhyPlan, WhyResult

_Base = Annotated[str, typer.Argument(help="The Google Benchmark executable as it was.")]
_Candidate = Annotated[str, typer.Argument(help="The one that may be slower.")]
_Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write all of it for programs.")
]
_Html = Annotated[
    Path | None,
    typer.Option(
        "--html", metavar="FILE", help="Write it as a page, with flame graphs and source."
    ),
]


@dataclass(frozen=True, kw_only=True)
class WhyOptions:
    """What `assay why` was given."""

    base: _Base
    candidate: _Candidate
    filter: opt.Filter = ""
    json: _Json = None
    html: _Html = None
    timeout: opt.Timeout = opt.TIMEOUT
    quiet: opt.Quiet = False

    def plan(self) -> "WhyPlan":
        """Raises `UsageError`."""
        from assay.workflows.why.plan import WhyPlan

        timeout_s = opt.seconds(self.timeout, "--timeout")
        return WhyPlan(self.base, self.candidate, self.filter, timeout_s)


@command(WhyOptions)
def why(options: WhyOptions) -> int:
    """Say which function's own change explains that CANDIDATE does more than BASE.

    Instructions are counted, not timed: both run under valgrind's callgrind.
    """
    json_file = opt.writable(options.json, "--json")
    html_file = opt.writable(options.html, "--html")
    plan = options.plan()
    from assay.cli.common.outcome import exit_code, finish
    from assay.cli.common.runtime import open_runtime
    from assay.workflows.why.workflow import why as explain

    with open_runtime(options.quiet) as runtime:
        result = explain(plan, runtime)
    finish(
        lambda: _show(result),
        lambda: _keep(plan, result, json_file),
        lambda: _draw(plan, result, html_file),
    )
    return exit_code(result.interrupted_by, failed=bool(result.failures))


def _show(result: "WhyResult") -> None:
    from assay.show.terminal.why import print_why

    print_why(
        result.explained,
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
        unavailable=result.unavailable,
        interrupted=result.interrupted_by is not None,
    )


def _keep(plan: "WhyPlan", result: "WhyResult", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.export.results_json import encode
    from assay.show.export.why_json import document

    found = document(
        result.explained,
        targets=(plan.base, plan.candidate),
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
        unavailable=result.unavailable,
    )
    write_whole(encode(found), path)


def _draw(plan: "WhyPlan", result: "WhyResult", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.page.why import why_page

    found = why_page(
        result.explained,
        targets=(plan.base, plan.candidate),
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
        unavailable=result.unavailable,
        interrupted=result.interrupted_by is not None,
    )
    write_whole(found, path)
