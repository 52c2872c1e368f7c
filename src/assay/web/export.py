"""All pages of a store as files, for an artefact of CI or a folder that is served: `--export`.

done = exported(root, Path("site"), tell)
done.pages, done.impossible      # the number of files; those of them that only say why

One run in which nothing can be compared, because a side crashed, once ended the export with half
of the pages. Its own page says so now, and so does who exports.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from assay.errors import AssayError, InputError
from assay.files import write_whole
from assay.model import Settings
from assay.show.page.report import page as report_page
from assay.show.page.store.frame import ROOMS
from assay.show.page.store.impossible import impossible_page
from assay.web.pages import Pages
from assay.workflows.pages.comparison import Chosen, compared


@dataclass
class Exported:
    """What was written."""

    pages: int = 0
    impossible: dict[str, str] = field(default_factory=dict)  # by name of the page: why


Page = tuple[str, str, Callable[[], bytes]]  # its file, what it is of, and what makes it


def exported(root: Path, folder: Path, tell: Callable[[int, int], None]) -> Exported:
    """Raises `InputError`. Files of an earlier export with the same names are replaced."""
    pages = Pages(root, served=False, tell=tell)
    for inside in ("", "benchmark", "compare"):
        _made(folder / inside)
    done = Exported()
    for name, what, make in _every(pages, root):
        write_whole(_page(name, what, make, done), folder / name)
        done.pages += 1
    return done


def _every(pages: Pages, root: Path) -> Iterator[Page]:
    lists = {"index": pages.changed, "benchmarks": pages.benchmarks, "runs": pages.runs}
    for name, make in lists.items():
        yield f"{name}.html", "", make
    for one, benchmark in sorted({(one.page, one.key.benchmark) for one in pages.survey.watched}):
        yield f"benchmark/{one}.html", benchmark, partial(_benchmark, pages, one)
    for row in pages.survey.runs:
        if row.kind == "compare" and not row.problem:
            yield f"compare/{row.run}.html", f"run:{row.run}", partial(_run, root, row.run)


def _benchmark(pages: Pages, page: str) -> bytes:
    if made := pages.benchmark(page):
        return made
    raise InputError("has no run any more: its runs were deleted just now")


def _run(root: Path, run: str) -> bytes:
    return report_page(compared(root, Chosen(run, run), Settings()), ROOMS)


def _page(name: str, what: str, make: Callable[[], bytes], done: Exported) -> bytes:
    """The page, or one that says why there is none."""
    try:
        return make()
    except AssayError as error:
        done.impossible[name] = str(error)
        return impossible_page(what, str(error), served=False, root="../" if "/" in name else "")


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", where=str(folder)) from None
