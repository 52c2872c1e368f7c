"""Writes all pages of a store as files: for a CI artefact, or a folder on a web server.

done = export_pages(root, Path("site"), tell)
done.pages, done.impossible      # the number of files, and those that only say why

A run in which nothing can be compared, because a side crashed, once ended the export halfway. Now
its own page says so, and `impossible` names it.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from assay.errors import AssayError, InputError
from assay.files import write_whole
from assay.show.page.store.impossible import impossible_page
from assay.show.page.store.labs import OS_SHEET
from assay.web.judged_page import comparison, judged_page, lab_run, side_by_side
from assay.web.pages import Pages
from assay.workflows.pages.comparison import ChosenRuns
from assay.workflows.pages.labs import os_runs


class ExportResult(msgspec.Struct):
    """How many pages were written, and which of them only say why they could not be made."""

    pages: int = 0
    # File of a page -> why it could not be made.
    impossible: dict[str, str] = msgspec.field(default_factory=dict)


# File of a page, what the page shows, and a function that makes its bytes.
Page = tuple[str, str, Callable[[], bytes]]


def export_pages(root: Path, folder: Path, tell: Callable[[int, int], None]) -> ExportResult:
    """Write all pages, replacing those of an earlier export. Raises `InputError`."""
    pages = Pages(root, served=False, tell=tell)
    for inside in ("", "benchmark", "compare", "lab", "why"):
        _make_folder(folder / inside)
    done = ExportResult()
    for name, what, make in _all_pages(pages, root):
        write_whole(_page(name, what, make, done), folder / name)
        done.pages += 1
    return done


def _all_pages(pages: Pages, root: Path) -> Iterator[Page]:
    lists = {
        "index": pages.changed,
        "benchmarks": pages.benchmarks,
        "runs": pages.runs,
        "why": pages.answers,
        "hosts": pages.hosts,
        "bisects": pages.bisects,
        "labs": pages.labs,
    }
    for name, make in lists.items():
        yield f"{name}.html", "", make
    for one, benchmark in sorted({(one.page, one.key.benchmark) for one in pages.survey.watched}):
        yield f"benchmark/{one}.html", benchmark, partial(_benchmark, pages, one)
    asked = {one.question for one in pages.survey.answers}
    asked |= {one.why_question for one in pages.survey.found if one.is_worse}
    for row in pages.survey.runs:
        if row.kind == "compare" and not row.problem:
            wanted = comparison(ChosenRuns(row.run, row.run))
            make = partial(judged_page, root, wanted, asked.add, served=False)
            yield f"compare/{row.run}.html", f"run:{row.run}", make
    yield from _pages_of_labs(pages, root)
    for each in sorted(asked):  # also those asked for while the comparisons above were made
        yield f"why/{each.page}.html", each.benchmark, partial(_why, pages, each.page)


def _pages_of_labs(pages: Pages, root: Path) -> Iterator[Page]:
    for row in pages.survey.runs:
        if row.lab and not row.problem:
            make = partial(judged_page, root, lab_run(row.run, row.lab), served=False)
            yield f"lab/{row.run}.html", f"run:{row.run}", make
    if runs := os_runs(pages.survey):
        wanted = side_by_side(runs)
        yield OS_SHEET, "", partial(judged_page, root, wanted, served=False)


def _benchmark(pages: Pages, page: str) -> bytes:
    if made := pages.benchmark(page):
        return made
    raise InputError("has no run any more: its runs were deleted just now")


def _why(pages: Pages, page: str) -> bytes:
    if made := pages.why(page):
        return made
    raise InputError("cannot be explained: its runs were deleted, or have no history")


def _page(name: str, what: str, make: Callable[[], bytes], done: ExportResult) -> bytes:
    """The page, or a page with the reason why it cannot be made."""
    try:
        return make()
    except AssayError as error:
        done.impossible[name] = str(error)
        return impossible_page(what, str(error), served=False, root="../" if "/" in name else "")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", where=str(folder)) from None
