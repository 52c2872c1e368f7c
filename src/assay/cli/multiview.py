"""assay multiview REF FILE... -o FILE: many files beside one, as libMicro's multiview has it."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli import options as opt
from assay.errors import UsageError

_Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="REF FILE...",
        help="The reference, then others: libMicro's .out, Google Benchmark's JSON, records.",
    ),
]
_Page = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The page to write.")]


def multiview(files: _Files, output: _Page, filter: opt.Filter = "") -> int:
    """Put many files of results beside the first: one page, coloured by how much slower.

    Times in other units are converted. Nothing is judged: files are measured one
    after the other, so drift of the host is part of every difference.
    """
    if output.suffix.lower() not in (".html", ".htm"):
        raise UsageError("is no page", where=f"-o {output}", hint="end it in .html")
    opt.writable(output, "-o")
    from assay.cli.report import uncollected
    from assay.files import write_whole
    from assay.show.page.multiview import multiview_page
    from assay.workflows.multiview import multiview as many_beside_one

    with uncollected():
        write_whole(multiview_page(many_beside_one(files, filter)), output)
    print(f"page: {output}")
    return 0
