"""assay why BASE CANDIDATE: which function does more than before?"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.exit_codes import DONE
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.findings import Findings
    from assay.workflows.common.plan import ComparePlan
    from assay.workflows.compare.result import CompareResult
    from assay.workflows.compare.why_hint import WhyRequest
    from assay.workflows.why.plan import WhyPlan, WhyResult

_NOT_TWO = "told of two executables or revisions, compared under the same names"
_Base = Annotated[
    str,
    typer.Argument(help="As it was: an executable, git:REV, run:NAME or cmd:COMMAND."),
]
_Candidate = Annotated[
    str, typer.Argument(help="The one that may be slower; left out: BASE is a comparison.")
]
_Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write all of it for programs.")
]
_All = Annotated[bool, typer.Option("--all", help="Name every function, not only the first five.")]

_Stages = Annotated[
    str,
    typer.Option(
        metavar="NAMES",
        help="Ask these only, as work,time. Default: all.",
    ),
]
_Html = Annotated[
    Path | None,
    typer.Option(
        "--html", metavar="FILE", help="Write it as a page, with flame graphs and source."
    ),
]


@dataclass(frozen=True, kw_only=True)
class WhyOptions(opt.RevisionOptions):
    """The arguments of `assay why`."""

    base: _Base
    candidate: _Candidate = ""
    filter: opt.Filter = ""
    json: _Json = None
    html: _Html = None
    all: _All = False
    stages: _Stages = ""
    store: opt.Store = None
    timeout: opt.Timeout = opt.TIMEOUT
    when_busy: opt.WhenBusy = opt.WAIT
    quiet: opt.Quiet = False

    def plan(self) -> "WhyPlan":
        """What to explain, and by which stages. Raises `UsageError`."""
        from assay.cli.common.store import store_to_use
        from assay.workflows.why.plan import WhyPlan, stages_of

        return WhyPlan(
            self.base,
            self.candidate,
            self.filter,
            opt.parse_seconds(self.timeout, "--timeout"),
            stages_of(self.stages),
            self.revisions(),
            store_to_use(self.store).folder,
        )


@command(WhyOptions)
def why(options: WhyOptions) -> int:
    """Say which function's own change explains that CANDIDATE is slower than BASE.

    Instructions are counted under valgrind, time is sampled by perf in rounds, allocations and
    system calls are counted inside the loop: up to a minute for each benchmark. --stages asks less.
    What explains runs of a store is kept there, for `assay serve`.
    """
    json_file = opt.writable_path(options.json, "--json")
    html_file = opt.writable_path(options.html, "--html")
    plan = options.plan()
    from assay.cli.common.outcome import exit_code, show_then_keep
    from assay.cli.common.runtime import open_runtime
    from assay.workflows.why.workflow import why as explain

    with open_runtime(options.quiet, waits=opt.must_wait_for_others(options.when_busy)) as runtime:
        result = explain(plan, runtime)
    show_then_keep(
        lambda: _print_result(result, everything=options.all),
        lambda: _write_json(plan, result, json_file),
        lambda: _write_page(plan, result, html_file),
        lambda: _keep_beside_runs(plan, result),
    )
    return exit_code(result.interrupted_by, failed=bool(result.failures))


def explain_below_comparison(
    plan: "ComparePlan",
    result: "CompareResult",
    into_files: "Callable[[tuple[Findings, ...]], None]",
    *,
    quiet: bool,
    waits: bool,
) -> int:
    """Explain what a comparison called slower, and print it below the comparison.

    Returns 0 even if nothing can be explained, or the exit code of an interrupt.
    """
    from assay.cli.common.outcome import exit_code, show_then_keep
    from assay.cli.common.runtime import open_runtime
    from assay.show.terminal.why import print_missing
    from assay.workflows.compare.why_hint import changed_names, why_request_of
    from assay.workflows.why.plan import WhyPlan
    from assay.workflows.why.workflow import why as explain

    if not changed_names(result.judgement.comparisons):
        return DONE
    asked = why_request_of(plan, result.judgement.comparisons)
    if asked is None:
        show_then_keep(lambda: print_missing(_NOT_TWO))
        return DONE
    timeout_s = plan.measuring.timeout_s
    found = WhyPlan(asked.base, asked.candidate, asked.filter, timeout_s, revisions=plan.revisions)
    try:
        with open_runtime(quiet, waits=waits) as runtime:
            explained = explain(found, runtime)
    except AssayError as error:
        message = error.message
        show_then_keep(lambda: print_missing(message))
        return DONE
    show_then_keep(
        lambda: _print_result(explained),
        lambda: into_files(explained.findings()),
        lambda: _keep_beside_comparison(plan, result.kept_in, asked, explained),
    )
    return exit_code(explained.interrupted_by, failed=False)


def _keep_beside_runs(plan: "WhyPlan", result: "WhyResult") -> None:
    from assay.workflows.why.keep import keep

    if count := keep(plan, result, time.time()):
        _print_number_of_kept_answers(count)


def _keep_beside_comparison(
    plan: "ComparePlan", kept_in: str, asked: "WhyRequest", explained: "WhyResult"
) -> None:
    """Keep the explanations in the store beside the comparison, if that was stored."""
    from assay.workflows.common.output import run_in

    run = run_in(kept_in)
    if not run or plan.keep.store is None:
        return
    from assay.workflows.why.keep import keep_for_comparison

    targets = asked.base, asked.candidate
    if count := keep_for_comparison(plan.keep.store, run, targets, explained, time.time()):
        _print_number_of_kept_answers(count)


def _print_number_of_kept_answers(number: int) -> None:
    from assay.plurals import count

    answers = f"{count(number, 'answer')} {'is' if number == 1 else 'are'}"
    print(f"assay: {answers} kept in the store: `assay serve` shows why", file=sys.stderr)


def _print_result(result: "WhyResult", *, everything: bool = False) -> None:
    from assay.show.terminal.why import print_why

    print_why(
        result.findings(everything=everything),
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
        unavailable=result.unavailable,
        interrupted=result.interrupted_by is not None,
    )


def _write_json(plan: "WhyPlan", result: "WhyResult", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.export.results_json import encode
    from assay.show.export.why_json import document

    found = document(
        result.findings(),
        targets=(plan.base, plan.candidate or plan.base),
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
        unavailable=result.unavailable,
    )
    write_whole(encode(found), path)


def _write_page(plan: "WhyPlan", result: "WhyResult", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.page.why import why_page

    found = why_page(
        result.findings(),
        targets=(plan.base, plan.candidate or plan.base),
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
        unavailable=result.unavailable,
        interrupted=result.interrupted_by is not None,
    )
    write_whole(found, path)
