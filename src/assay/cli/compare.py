"""assay compare BASE CANDIDATE: which is slower, by how much, how sure."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from assay.cli.common import options as opt
from assay.cli.common.command import After, command
from assay.cli.common.compare_asked import CompareRequest
from assay.cli.common.comparison_options import ComparisonOptions
from assay.cli.common.exit_codes import DONE
from assay.cli.common.gate import exit_code
from assay.workflows.common.matching import Filters

if TYPE_CHECKING:
    from assay.workflows.compare.gbench_table import GbenchTableOptions

_Candidate = Annotated[
    str | None,
    typer.Argument(help="The other target. Left out when BASE is a record of both sides."),
]
_BaseFilter = Annotated[
    str,
    typer.Option("--base-filter", metavar="RE", help="Compare these of BASE ..."),
    After("filter"),
]
_CandidateFilter = Annotated[
    str,
    typer.Option("--candidate-filter", metavar="RE", help="... with these of CANDIDATE."),
    After("base_filter"),
]
_Duet = Annotated[
    bool,
    typer.Option("--duet", help="Both sides at once, each on a CPU of its own."),
    After("metric"),
]
_Gate = Annotated[
    str | None,
    typer.Option(
        "--gate",
        metavar="[=strict]",
        help="Exit 1 when something is slower, 4 when not judged; =strict: 4 when undecided.",
    ),
    After("instrument"),
]
_Floor = Annotated[
    bool,
    typer.Option(
        "--floor", help="Measure also where both sides are one program: how far noise reaches."
    ),
    After("placements"),
]
_Format = Annotated[
    str,
    typer.Option("--format", metavar="F", help="assay, or gbench: compare.py's table."),
    After("all"),
]
_Aggregates = Annotated[
    bool,
    typer.Option("-a", "--aggregates-only", help="--format gbench: aggregates only."),
    After("format"),
]
_NoUtest = Annotated[
    bool,
    typer.Option("--no-utest", help="--format gbench: no p-value rows."),
    After("aggregates_only"),
]


@dataclass(frozen=True, kw_only=True)
class CompareOptions(ComparisonOptions):
    """The arguments of `assay compare`: those of every comparison, and others for exploring."""

    base: opt.Target
    candidate: _Candidate = None
    base_filter: _BaseFilter = ""
    candidate_filter: _CandidateFilter = ""
    duet: _Duet = False
    gate: _Gate = None
    floor: _Floor = False
    format: _Format = "assay"
    aggregates_only: _Aggregates = False
    no_utest: _NoUtest = False

    def request(self) -> CompareRequest:
        """The comparison that the arguments describe. Raises `UsageError`."""
        found = self.comparison_of(self.base, self.candidate, self.gate)
        like = self._like_compare_py()
        plan = replace(
            found.plan,
            measuring=replace(found.plan.measuring, duet=self.duet),
            filters=Filters(self.filter, self.base_filter, self.candidate_filter),
            floor=self.floor or like is not None,
        )
        return replace(found, plan=plan, like=like)

    def only_times(self) -> dict[str, bool]:
        """Options that are only for measuring time, and whether each was given: `--duet` and
        those of every comparison.
        """
        return {"--duet": self.duet, **super().only_times()}

    def _like_compare_py(self) -> "GbenchTableOptions | None":
        """How to print compare.py's table; None if Assay's own table is asked for.

        Raises `UsageError`.
        """
        if opt.checked_choice(self.format, ("assay", "gbench"), "--format") == "assay":
            return None
        from assay.workflows.compare.gbench_table import GbenchTableOptions

        return GbenchTableOptions(self.aggregates_only, not self.no_utest)


@command(CompareOptions)
def compare(options: CompareOptions) -> int:
    """Measure BASE and CANDIDATE side by side and say which is slower.

    Live targets run in interleaved rounds until every verdict is settled or
    the budget (5 s a benchmark) is spent. Files are judged as what they are:
    measured one after the other.
    """
    return carry_out(options.request())


def carry_out(asked: CompareRequest) -> int:
    """Compare, show, write; returns the exit code."""
    from assay.cli.common import compare_output
    from assay.cli.common.outcome import show_then_keep
    from assay.cli.common.runtime import open_runtime
    from assay.cli.why import explain_below_comparison
    from assay.workflows.compare.workflow import compare as compare_targets

    plan, files, gate, like = asked.plan, asked.files, asked.gate, asked.like
    nothing_else = not any(files) and gate is None and plan.keep.output is None
    if like and nothing_else and compare_output.print_files_like_compare_py(plan, like):
        return DONE
    with open_runtime(asked.quiet, waits=asked.waits) as runtime:
        result = compare_targets(plan, runtime)
    show_then_keep(
        lambda: compare_output.show_result(plan, result, gate, like, every=asked.every),
        lambda: plan.keep.confirm(result.record, result.kept_in),
        *compare_output.file_writers(plan, result, files, gate),
    )
    code = exit_code(result, gate)
    if not plan.why or result.interrupted_by is not None:
        return code
    into_files = partial(compare_output.explain_in_files, plan, result, files, gate)
    return (
        explain_below_comparison(plan, result, into_files, quiet=asked.quiet, waits=asked.waits)
        or code
    )
