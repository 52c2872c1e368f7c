"""assay compare BASE CANDIDATE: which is slower, by how much, how sure."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.exit_codes import DONE
from assay.cli.common.gate import Gate, exit_code, parsed
from assay.cli.common.options import FileOptions, Files, MeasuringOptions, RevisionOptions
from assay.cli.common.project_defaults import measuring_here, placements_here, settings_here
from assay.defaults import ALPHA, COUNTS_MARGIN
from assay.workflows.common.matching import Filters
from assay.workflows.common.plan import INSTRUCTIONS, TIME, ComparePlan

if TYPE_CHECKING:
    from assay.workflows.compare.gbench_table import GbenchTableOptions

_Candidate = Annotated[
    str | None,
    typer.Argument(help="The other target. Left out when BASE is a record of both sides."),
]
_Margin = Annotated[
    str | None,
    typer.Option(
        "--margin",
        metavar="PERCENT",
        help=f"Smallest change worth attention: {opt.MARGIN}.",
    ),
]
_Alpha = Annotated[
    float | None,
    typer.Option("--alpha", help=f"Chance of any false verdict in the suite: {ALPHA}."),
]
_Metric = Annotated[
    list[str] | None, typer.Option("--metric", metavar="M", help="Compare this metric (repeat).")
]
_Duet = Annotated[
    bool, typer.Option("--duet", help="Both sides at once, each on a CPU of its own.")
]
_Gate = Annotated[
    str | None,
    typer.Option(
        "--gate",
        metavar="[=strict]",
        help="Exit 1 when something is slower, 4 when not judged; =strict: 4 when undecided.",
    ),
]
_GateStrength = Annotated[
    str | None,
    typer.Option(
        "--gate-strength",
        metavar="PERCENT",
        help="The gate exits 4 when it could not catch so small a slowdown in every benchmark.",
    ),
]
_AllowMissing = Annotated[
    bool, typer.Option("--allow-missing", help="Benchmarks of one side only pass the gate.")
]
_CountPlacement = Annotated[
    bool,
    typer.Option(
        "--count-placement",
        help="Also judge times that differ where both sides execute the same machine code.",
    ),
]
_Floor = Annotated[
    bool,
    typer.Option(
        "--floor", help="Measure also where both sides are one program: how far noise reaches."
    ),
]
_All = Annotated[
    bool,
    typer.Option("--all", help="Print every row: of 50 or more also those that did not change."),
]
_Why = Annotated[
    bool, typer.Option("--why", help="Say below why what is slower is so, as `assay why` does.")
]
_Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Results for programs.")]
_Markdown = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Results for a pull request.")
]
_Junit = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Results for CI.")]
_Format = Annotated[
    str, typer.Option("--format", metavar="F", help="assay, or gbench: compare.py's table.")
]
_Aggregates = Annotated[
    bool, typer.Option("-a", "--aggregates-only", help="--format gbench: aggregates only.")
]
_NoUtest = Annotated[bool, typer.Option("--no-utest", help="--format gbench: no p-value rows.")]
_BaseFilter = Annotated[
    str, typer.Option("--base-filter", metavar="RE", help="Compare these of BASE ...")
]
_CandidateFilter = Annotated[
    str, typer.Option("--candidate-filter", metavar="RE", help="... with these of CANDIDATE.")
]


@dataclass(frozen=True, kw_only=True)
class CompareOptions(FileOptions, MeasuringOptions, RevisionOptions):
    """The arguments of `assay compare`."""

    base: opt.Target
    candidate: _Candidate = None
    filter: opt.Filter = ""
    base_filter: _BaseFilter = ""
    candidate_filter: _CandidateFilter = ""
    margin: _Margin = None
    alpha: _Alpha = None
    metric: _Metric = None
    duet: _Duet = False
    instrument: opt.Instrument = TIME
    gate: _Gate = None
    gate_strength: _GateStrength = None
    allow_missing: _AllowMissing = False
    count_placement: _CountPlacement = False
    placements: opt.Placements = None
    floor: _Floor = False
    why: _Why = False
    all: _All = False
    format: _Format = "assay"
    aggregates_only: _Aggregates = False
    no_utest: _NoUtest = False
    json: _Json = None
    markdown: _Markdown = None
    junit: _Junit = None

    def plan(self) -> ComparePlan:
        """What to compare, and how. Raises `UsageError`."""
        measuring = replace(measuring_here(self.measuring()), duet=self.duet)
        is_timed = self.instrument == TIME
        only_times = {
            "--duet": self.duet,
            "--metric": bool(self.metric),
            "--placements": self.placements is not None,
        }
        placements = placements_here(self.placements) if is_timed else 0
        return ComparePlan(
            base=self.base,
            candidate=self.candidate,
            measuring=opt.measured_by(measuring, self.instrument, only_times),
            settings=settings_here(self.margin, self.alpha, self.suite),
            filters=Filters(self.filter, self.base_filter, self.candidate_filter),
            metrics=tuple(self.metric or ()) if is_timed else (INSTRUCTIONS,),
            keep=self.destination("compare"),
            revisions=replace(self.revisions(), placements=placements),
            floor=self.floor or self.format == "gbench",
            why=self.why,
            count_placement=self.count_placement,
            counts_margin=opt.fraction(self.margin, "--margin") if self.margin else COUNTS_MARGIN,
        )

    def files(self) -> Files:
        """Where the results go, beside standard output. Raises `UsageError`."""
        return Files(
            json=opt.writable(self.json, "--json"),
            markdown=opt.writable(self.markdown, "--markdown"),
            html=self.page_file(),
            junit=opt.writable(self.junit, "--junit"),
        )

    def gate_asked(self) -> Gate | None:
        """The gate that is asked for; None: no gate. Raises `UsageError`."""
        return parsed(self.gate, self.gate_strength, allow_missing=self.allow_missing)

    def like_compare_py(self) -> "GbenchTableOptions | None":
        """The options of compare.py's table; None: Assay's own format. Raises `UsageError`."""
        if opt.one_of(self.format, ("assay", "gbench"), "--format") == "assay":
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
    plan, files, gate = options.plan(), options.files(), options.gate_asked()
    like = options.like_compare_py()
    waits = options.waits()
    return carry_out(
        plan, files, gate, quiet=options.quiet, like=like, every=options.all, waits=waits
    )


def carry_out(
    plan: ComparePlan,
    files: Files,
    gate: Gate | None,
    *,
    quiet: bool,
    like: "GbenchTableOptions | None" = None,
    every: bool = False,
    waits: bool = True,
) -> int:
    """Compare, print the result and write its files; returns the exit code.

    `like`: print compare.py's table with these options. `every`: print every row.
    """
    from assay.cli.common import compare_output
    from assay.cli.common.outcome import finish
    from assay.cli.common.runtime import open_runtime
    from assay.cli.why import why_below
    from assay.workflows.compare.workflow import compare as compare_targets

    nothing_else = not any(files) and gate is None and plan.keep.output is None
    if like and nothing_else and compare_output.print_files_like_compare_py(plan, like):
        return DONE
    with open_runtime(quiet, waits=waits) as runtime:
        result = compare_targets(plan, runtime)
    finish(
        lambda: compare_output.show(plan, result, gate, like, every=every),
        lambda: plan.keep.confirm(result.record, result.kept_in),
        *compare_output.writers(plan, result, files, gate),
    )
    code = exit_code(result, gate)
    if not plan.why or result.interrupted_by is not None:
        return code
    into_page = partial(compare_output.explain_in_page, result, files, gate)
    return why_below(plan, result, into_page, quiet=quiet, waits=waits) or code
