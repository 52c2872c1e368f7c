"""assay report RECORD... -o FILE: a page or a picture of what was measured."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.defaults import ALPHA
from assay.errors import UsageError

_Records = Annotated[
    list[str],
    typer.Argument(metavar="RECORD...", help="A record of ours, or files of base and candidate."),
]
_File = Annotated[
    Path,
    typer.Option("-o", "--output", metavar="FILE", help=".html, .svg, .png, .md or .xml (JUnit)."),
]
_Chart = Annotated[
    str,
    typer.Option(
        "--chart",
        metavar="KIND",
        help="Of a picture: forest, distribution, launches, changes, host, percentiles, decision.",
    ),
]
_Benchmark = Annotated[
    str, typer.Option("--benchmark", metavar="NAME", help="Of a picture: the benchmark drawn.")
]
_Margin = Annotated[
    str, typer.Option("--margin", metavar="PERCENT", help="Smallest change worth attention.")
]
_Alpha = Annotated[float, typer.Option("--alpha")]
_Metric = Annotated[list[str] | None, typer.Option("--metric", metavar="M")]
_Theme = Annotated[str, typer.Option("--theme", help="Of a picture: light or dark.")]
_SUFFIXES = (".html", ".svg", ".png", ".md", ".xml")


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """The arguments of `assay report`."""

    records: _Records
    output: _File
    filter: opt.Filter = ""
    store: opt.Store = None
    margin: _Margin = opt.MARGIN
    alpha: _Alpha = ALPHA
    metric: _Metric = None
    chart: _Chart = "forest"
    benchmark: _Benchmark = ""
    theme: _Theme = "light"

    def suffix(self) -> str:
        """The suffix of the output file, which says what to draw. Raises `UsageError`."""
        suffix = self.output.suffix.lower()
        if suffix not in _SUFFIXES:
            raise UsageError(
                "cannot be told from its suffix what to draw",
                where=str(self.output),
                hint=f"end it in one of {', '.join(_SUFFIXES)}",
            )
        opt.writable_path(self.output, "-o")
        return suffix


@command(ReportOptions)
def report(options: ReportOptions) -> int:
    """Draw what was measured: one self-contained page, or one chart of it.

    RECORD is a record of a comparison or of a run, or two files, base and
    candidate. What is drawn follows from the suffix of FILE.
    """
    suffix, settings = options.suffix(), opt.judge_settings(options.margin, options.alpha)
    from assay.cli.common.store import store_to_use
    from assay.files import write_whole
    from assay.show.drawing import Picture, draw
    from assay.workflows.contents.run import with_choices
    from assay.workflows.report import of_files

    picture = Picture(options.chart, options.benchmark, options.theme)
    metrics = tuple(options.metric or ())
    with garbage_collection_off():
        content = of_files(
            options.records,
            settings,
            pattern=options.filter,
            metrics=metrics,
            store=store_to_use(options.store).folder,
        )
        if options.chart == "decision":
            content = with_choices(content)
        write_whole(draw(content, suffix, picture), options.output)
    print(f"report: {options.output}")
    return 0


@contextmanager
def garbage_collection_off() -> Iterator[None]:
    """A block without garbage collection, which took a quarter of its time and freed nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
