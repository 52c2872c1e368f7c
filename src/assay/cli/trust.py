"""assay trust [TARGET]: what verdicts are worth on this host and suite, found by trying."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.options import RevisionOptions
from assay.cli.common.project_defaults import (
    placements_with_project_defaults,
    settings_with_project_defaults,
)
from assay.defaults import ALPHA

if TYPE_CHECKING:
    from assay.trust import Trust
    from assay.workflows.trust.plan import TrustPlan

_Target = Annotated[
    str,
    typer.Argument(metavar="[TARGET]", help="path/to/bench, git:REV, or . as assay.toml has it."),
]
_Budget = Annotated[
    str, typer.Option("--budget", metavar="S", help="Time to spend in all: 90, 60s, 5m.")
]
_Margin = Annotated[
    str | None,
    typer.Option(
        "--margin", metavar="PERCENT", help=f"Smallest change worth attention: {opt.MARGIN}."
    ),
]
_Alpha = Annotated[
    float | None,
    typer.Option("--alpha", help=f"Chance of any false verdict in the suite: {ALPHA}."),
]
_Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="All of it, for programs.")
]
_Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="All of it as a page.")]
_HERE = "."
# A target that Assay builds is linked so many times in random orders, unless --placements is given.
_LINKS = 8


@dataclass(frozen=True, kw_only=True)
class TrustOptions(RevisionOptions):
    """The arguments of `assay trust`."""

    target: _Target = _HERE
    filter: opt.Filter = ""
    budget: _Budget = "5m"
    margin: _Margin = None
    alpha: _Alpha = None
    min_time: opt.MinTime = opt.MIN_TIME
    timeout: opt.Timeout = opt.TIMEOUT
    placements: opt.Placements = None
    pin: opt.Pin = None
    seed: opt.Seed = None
    json: _Json = None
    html: _Html = None
    when_busy: opt.WhenBusy = opt.WAIT
    quiet: opt.Quiet = False

    def plan(self) -> "TrustPlan":
        """What to try, and for how long. Raises `UsageError`."""
        from assay.measure.effort import Effort
        from assay.project.project import needed_project
        from assay.workflows.common.plan import Measuring
        from assay.workflows.trust.plan import TrustPlan

        if self.target == _HERE:
            needed_project(Path.cwd())
        return TrustPlan(
            self.target,
            self.filter,
            opt.parse_seconds(self.budget, "--budget"),
            Measuring(
                effort=Effort(min_time_s=opt.parse_seconds(self.min_time, "--min-time")),
                timeout_s=opt.parse_seconds(self.timeout, "--timeout"),
                pin=self.pin,
                seed=opt.seed_or_new(self.seed),
            ),
            settings_with_project_defaults(self.margin, self.alpha, self.suite),
            replace(
                self.revisions(),
                placements=placements_with_project_defaults(self.placements) or _LINKS,
            ),
        )


@command(TrustOptions)
def trust(options: TrustOptions) -> int:
    """What may you believe here? Compares TARGET with its copy, and with known slowdowns of it.

    How often is a copy called changed, how often is a slowdown of 2, 5, 10 % found: on this host
    and suite, with intervals, within --budget. Without TARGET: the suite of assay.toml here.
    """
    json, html = (
        opt.writable_path(options.json, "--json"),
        opt.writable_path(options.html, "--html"),
    )
    plan = options.plan()
    from assay.cli.common.outcome import exit_code, show_then_keep
    from assay.cli.common.runtime import open_runtime
    from assay.workflows.trust.workflow import trust as try_out

    with open_runtime(options.quiet, waits=opt.must_wait_for_others(options.when_busy)) as runtime:
        result = try_out(plan, runtime)
    show_then_keep(
        lambda: _print_result(result.trust),
        lambda: _write_json(result.trust, json),
        lambda: _write_page(result.trust, html),
    )
    return exit_code(result.interrupted_by, failed=bool(result.trust.failures))


def _print_result(found: "Trust") -> None:
    from assay.show.terminal.console import output_console
    from assay.show.terminal.trust import print_trust

    print_trust(output_console(), found)


def _write_json(found: "Trust", path: Path | None) -> None:
    if path is None:
        return
    import msgspec

    from assay.files import write_whole
    from assay.show.export.results_json import encode

    write_whole(encode(msgspec.to_builtins(found)), path)


def _write_page(found: "Trust", path: Path | None) -> None:
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.page.trust import trust_page

    write_whole(trust_page(found), path)
