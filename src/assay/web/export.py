"""All pages of a store as files, for an artefact of CI or a folder that is served: `--export`.

exported(root, Path("site"), tell)      # the number of files
"""

from collections.abc import Callable
from pathlib import Path

from assay.errors import InputError
from assay.files import write_whole
from assay.model import Settings
from assay.show.page.report import page as report_page
from assay.show.page.store.frame import ROOMS
from assay.web.pages import Pages
from assay.workflows.pages.comparison import Chosen, compared


def exported(root: Path, folder: Path, tell: Callable[[int, int], None]) -> int:
    """Raises `InputError`. Files of an earlier export with the same names are replaced."""
    pages = Pages(root, served=False, tell=tell)
    for inside in ("", "benchmark", "compare"):
        _made(folder / inside)
    lists = {"index": pages.changed, "benchmarks": pages.benchmarks, "runs": pages.runs}
    for name, make in lists.items():
        write_whole(make(), folder / f"{name}.html")
    names = sorted({one.page for one in pages.survey.watched})
    for name in names:
        if made := pages.benchmark(name):
            write_whole(made, folder / "benchmark" / f"{name}.html")
    runs = [row.run for row in pages.survey.runs if row.kind == "compare" and not row.problem]
    for run in runs:
        content = compared(root, Chosen(run, run), Settings())
        write_whole(report_page(content, ROOMS), folder / "compare" / f"{run}.html")
    return len(lists) + len(names) + len(runs)


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", where=str(folder)) from None
