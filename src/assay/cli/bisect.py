"""assay bisect GOOD BAD --filter RE: the commit that made a benchmark slower."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.exit_codes import DONE, SIGNALLED, UNDECIDED
from assay.cli.common.options import MeasuringOptions, RevisionOptions
from assay.encoding import json_bytes

if TYPE_CHECKING:
    from assay.bisection import BisectResult
    from assay.workflows.bisect.plan import BisectPlan

_Good = Annotated[str, typer.Argument(metavar="GOOD", help="A revision before the slowdown.")]
_Bad = Annotated[str, typer.Argument(metavar="BAD", help="A revision after it.")]
_Filter = Annotated[
    str,
    typer.Option("--filter", "--bench", metavar="RE", help="The benchmark: its name matches."),
]
_Metric = Annotated[str, typer.Option("--metric", metavar="M", help="What got worse.")]
_Margin = Annotated[
    str, typer.Option("--margin", metavar="PERCENT", help="About the smallest worth a search.")
]
_Rounds = Annotated[
    int | None,
    typer.Option("--rounds", metavar="N", help="At most N rounds, of all commits together."),
]
_Budget = Annotated[
    str | None,
    typer.Option("--budget", metavar="S", help="Time for rounds and builds: 90, 60s, 5m."),
]
_Restart = Annotated[bool, typer.Option("--restart", help="Forget the steps made before.")]
_Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Results for programs.")]


@dataclass(frozen=True, kw_only=True)
class BisectOptions(MeasuringOptions, RevisionOptions):
    """The arguments of `assay bisect`."""

    good: _Good
    bad: _Bad
    filter: _Filter = ""
    metric: _Metric = "real_time"
    margin: _Margin = opt.MARGIN
    restart: _Restart = False
    rounds: _Rounds = None
    budget: _Budget = None
    store: opt.Store = None
    json: _Json = None

    def plan(self) -> "BisectPlan":
        """The search that the arguments describe. Raises `UsageError`."""
        from assay.cli.common.store import store_to_use
        from assay.workflows.bisect.plan import BisectPlan, folder_of_steps

        store = store_to_use(self.store).folder
        return BisectPlan(
            good=self.good.removeprefix("git:"),
            bad=self.bad.removeprefix("git:"),
            pattern=self.filter,
            metric=self.metric,
            margin=opt.parse_fraction(self.margin, "--margin"),
            measuring=self.measuring(),
            revisions=self.revisions(),
            folder=folder_of_steps(store),
            is_anew=self.restart,
        )


@command(BisectOptions)
def bisect(options: BisectOptions) -> int:
    """Find the commit between GOOD and BAD that made a benchmark slower, and how sure that is.

    Builds commits as assay.toml says and measures them against GOOD in rounds,
    each time the commit that tells most. "None of them" is a possible answer.
    Each round is a launch of GOOD and one of a commit. Interrupted, the same command
    goes on; --rounds and --budget end it early. Exit code 4: no answer is sure enough.
    """
    from assay.cli.common.runtime import open_runtime
    from assay.show.terminal.bisect import print_bisect
    from assay.workflows.bisect.workflow import bisect as search

    plan = options.plan()
    with open_runtime(options.quiet, waits=options.must_wait_for_others()) as runtime:
        result = search(plan, runtime)
    print_bisect(result)
    _write_json(result, opt.writable_path(options.json, "--json"))
    if result.interrupted_by:
        return SIGNALLED + result.interrupted_by
    return DONE if result.answer.settled else UNDECIDED


def _write_json(result: "BisectResult", path: Path | None) -> None:
    if path is None:
        return
    import msgspec

    from assay.files import write_whole

    answer = {**msgspec.to_builtins(result.answer), "benchmark": result.benchmark}
    measured = [
        {"commit": one.commit.hash, "rounds": one.rounds, "change": one.change, "why": one.why_not}
        for one in result.measured
    ]
    content = json_bytes({**answer, "measured": measured})
    write_whole(msgspec.json.format(content, indent=2) + b"\n", path)
