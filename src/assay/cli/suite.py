"""assay suite primitives|restore: run a ready suite, and say which member to take."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.options import FileOptions

if TYPE_CHECKING:
    from assay.workflows.suite import SuitePlan, SuiteResult


class SuiteName(StrEnum):
    """The suites that come with Assay."""

    PRIMITIVES = "primitives"
    RESTORE = "restore"


_Suite = Annotated[SuiteName, typer.Argument(help="Which suite to run.")]
_Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="GROUP", help="This group of it; may be given again."),
]
_Quick = Annotated[bool, typer.Option("--quick", help="Few sizes of each, within 90 seconds.")]
_Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="The choices, for programs.")
]


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(FileOptions):
    """The arguments of `assay suite`."""

    suite: _Suite
    only: _Only = None
    quick: _Quick = False
    filter: opt.Filter = ""
    seed: opt.Seed = None
    timeout: opt.Timeout = "2m"
    when_busy: opt.WhenBusy = opt.WAIT
    quiet: opt.Quiet = False
    json: _Json = None

    def plan(self) -> "SuitePlan":
        """What to run, and how. Raises `UsageError`."""
        from assay.workflows.suite import SuitePlan

        return SuitePlan(
            suite=str(self.suite),
            only=tuple(self.only or ()),
            filter=self.filter,
            quick=self.quick,
            seed=opt.seed_or_new(self.seed),
            timeout_s=opt.parse_seconds(self.timeout, "--timeout"),
            keep=self.destination("suite"),
        )


@command(SuiteOptions)
def suite(options: SuiteOptions) -> int:
    """Run a suite, and say which of its members to take: within ten minutes.

    For each operation: the fastest member, the sizes from which another one is,
    and what thread safety costs. Every member was checked before it is timed.
    """
    from assay.cli.common.outcome import exit_code, show_then_keep, write_page
    from assay.cli.common.runtime import open_runtime
    from assay.workflows.contents.run import of_suite
    from assay.workflows.suite import run_suite

    plan, html = options.plan(), options.page_file()
    json = opt.writable_path(options.json, "--json")
    with open_runtime(options.quiet, waits=opt.must_wait_for_others(options.when_busy)) as runtime:
        result = run_suite(plan, runtime)
    show_then_keep(
        lambda: _print_result(result),
        lambda: plan.keep.confirm(result.run.record, result.run.kept_in),
        lambda: _write_json(result, json),
        lambda: write_page(html, lambda: of_suite(result.run.record, result.choices)),
    )
    return exit_code(result.run.interrupted_by, failed=bool(result.run.record.failures))


def _print_result(result: "SuiteResult") -> None:
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
