"""Options of every verb that compares two sides: `assay compare` and `assay gate`.

found = options.comparison_of("git:main", ".", "strict")      # a CompareRequest

What only one of the two has is declared beside its verb.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from assay.cli.common import options as opt
from assay.cli.common.compare_asked import CompareRequest
from assay.cli.common.gate import parse_gate
from assay.cli.common.options import FileOptions, Files, MeasuringOptions, RevisionOptions
from assay.cli.common.project_defaults import (
    measuring_with_project_defaults,
    placements_with_project_defaults,
    settings_with_project_defaults,
)
from assay.defaults import ALPHA, COUNTS_MARGIN
from assay.workflows.common.matching import Filters
from assay.workflows.common.plan import INSTRUCTIONS, TIME, ComparePlan

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
_Why = Annotated[
    bool, typer.Option("--why", help="Say below why what is slower is so, as `assay why` does.")
]
_All = Annotated[
    bool,
    typer.Option("--all", help="Print every row: of 50 or more also those that did not change."),
]
_Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Results for programs.")]
_Markdown = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Results for a pull request.")
]
_Junit = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Results for CI.")]


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions(FileOptions, MeasuringOptions, RevisionOptions):
    """The options that `assay compare` and `assay gate` share."""

    filter: opt.Filter = ""
    margin: _Margin = None
    alpha: _Alpha = None
    metric: _Metric = None
    instrument: opt.Instrument = TIME
    gate_strength: _GateStrength = None
    allow_missing: _AllowMissing = False
    count_placement: _CountPlacement = False
    placements: opt.Placements = None
    why: _Why = False
    all: _All = False
    json: _Json = None
    markdown: _Markdown = None
    junit: _Junit = None

    def comparison_of(self, base: str, candidate: str | None, gate: str | None) -> CompareRequest:
        """What these options ask of two targets; `gate` is its kind. Raises `UsageError`."""
        plan, files = self._plan(base, candidate), self._files()
        return CompareRequest(
            plan=plan,
            files=files,
            gate=parse_gate(gate, self.gate_strength, allow_missing=self.allow_missing),
            every=self.all,
            quiet=self.quiet,
            waits=self.must_wait_for_others(),
        )

    def only_times(self) -> dict[str, bool]:
        """Options that are only for measuring time, and whether each was given; with counted
        instructions they are refused.
        """
        return {"--metric": bool(self.metric), "--placements": self.placements is not None}

    def _plan(self, base: str, candidate: str | None) -> ComparePlan:
        measuring = measuring_with_project_defaults(self.measuring())
        is_timed = self.instrument == TIME
        placements = placements_with_project_defaults(self.placements) if is_timed else 0
        return ComparePlan(
            base=base,
            candidate=candidate,
            measuring=opt.with_instrument(measuring, self.instrument, self.only_times()),
            settings=settings_with_project_defaults(self.margin, self.alpha, self.suite),
            filters=Filters(self.filter),
            metrics=tuple(self.metric or ()) if is_timed else (INSTRUCTIONS,),
            keep=self.destination("compare"),
            revisions=replace(self.revisions(), placements=placements),
            why=self.why,
            count_placement=self.count_placement,
            counts_margin=opt.parse_fraction(self.margin, "--margin")
            if self.margin
            else COUNTS_MARGIN,
        )

    def _files(self) -> Files:
        """The files to which the comparison is written, besides what is printed."""
        return Files(
            json=opt.writable_path(self.json, "--json"),
            markdown=opt.writable_path(self.markdown, "--markdown"),
            html=self.page_file(),
            junit=opt.writable_path(self.junit, "--junit"),
        )
