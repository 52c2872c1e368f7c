"""assay multiview REF FILE... -o FILE: a page with many files of results beside a reference."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.errors import UsageError

_Files = Annotated[
    list[str],
    typer.Argument(
        metavar="REF FILE...",
        help="The reference, then others: libMicro's .out, Google Benchmark's JSON, records.",
    ),
]
_Page = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The page to write.")]


@dataclass(frozen=True, kw_only=True)
class MultiviewOptions:
    """The arguments of `assay multiview`."""

    files: _Files
    output: _Page
    filter: opt.Filter = ""
    store: opt.Store = None

    def check(self) -> None:
        """Raises `UsageError` if the output cannot be written, or is not to be an HTML page."""
        if self.output.suffix.lower() not in (".html", ".htm"):
            raise UsageError("is no page", where=f"-o {self.output}", hint="end it in .html")
        opt.writable_path(self.output, "-o")


@command(MultiviewOptions)
def multiview(options: MultiviewOptions) -> int:
    """Put many files of results beside the first: one page, coloured by how much slower.

    Times in other units are converted. Nothing is judged: files are measured one
    after the other, so drift of the host is part of every difference.
    """
    options.check()
    from assay.cli.common.store import store_to_use
    from assay.cli.report import garbage_collection_off
    from assay.files import write_whole
    from assay.show.page.multiview import multiview_page
    from assay.workflows.multiview import multiview as many_beside_one

    with garbage_collection_off():
        sheet = many_beside_one(options.files, options.filter, store_to_use(options.store).folder)
        write_whole(multiview_page(sheet), options.output)
    print(f"page: {options.output}")
    return 0
