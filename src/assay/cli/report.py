"""assay report RECORD... -o FILE: a page or a picture of what was measured."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from assay.cli import options as opt
from assay.errors import UsageError
from assay.model import Settings

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
_Theme = Annotated[str, typer.Option("--theme", help="Of a picture: light or dark.")]
_SUFFIXES = (".html", ".svg", ".png", ".md", ".xml")


def report(
    records: _Records,
    output: _File,
    filter: opt.Filter = "",
    margin: Annotated[str, typer.Option("--margin", metavar="PERCENT")] = "2%",
    alpha: Annotated[float, typer.Option("--alpha")] = 0.05,
    metric: Annotated[list[str] | None, typer.Option("--metric", metavar="M")] = None,
    chart: _Chart = "forest",
    benchmark: _Benchmark = "",
    theme: _Theme = "light",
) -> int:
    """Draw what was measured: one self-contained page, or one chart of it.

    RECORD is a record of a comparison or of a run, or two files, base and
    candidate. What is drawn follows from the suffix of FILE.
    """
    suffix = output.suffix.lower()
    if suffix not in _SUFFIXES:
        hint = f"end it in one of {', '.join(_SUFFIXES)}"
        raise UsageError(
            "cannot be told from its suffix what to draw", where=str(output), hint=hint
        )
    settings = Settings(
        margin=opt.fraction(margin, "--margin"), alpha=opt.probability(alpha, "--alpha")
    )
    opt.writable(output, "-o")
    from assay.files import write_whole
    from assay.show.drawing import Picture, draw
    from assay.workflows.contents.run import with_choices
    from assay.workflows.report import of_files

    picture = Picture(chart, benchmark, theme)
    with uncollected():
        content = of_files(records, settings, pattern=filter, metrics=tuple(metric or ()))
        if chart == "decision":
            content = with_choices(content)
        write_whole(draw(content, suffix, picture), output)
    print(f"report: {output}")
    return 0


@contextmanager
def uncollected() -> Iterator[None]:
    """Everything read stays until the end: collecting garbage took a quarter of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
