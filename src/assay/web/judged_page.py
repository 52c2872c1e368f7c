"""Pages that take seconds to make, and so are made only when somebody asks for them.

data = judged_page(root, comparison(ChosenRuns(base, candidate)), served=True)
data = judged_page(root, lab_run(run, Lab.SUITE), served=True)
data = judged_page(root, side_by_side(runs), served=True)
version_of_pages()              # changes when Assay does; then kept pages are made anew
"""

import hashlib
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from assay.answers import WhyQuestion
from assay.history import Lab
from assay.model import Settings
from assay.show.page.frame import PageNavigation
from assay.show.page.multiview import multiview_page
from assay.show.page.report import page
from assay.show.page.store.frame import LABS, ROOMS, SERVED_ROOMS
from assay.show.page.store.why import href
from assay.show.page.vega import runtime
from assay.workflows.multiview import multiview
from assay.workflows.pages.comparison import ChosenRuns, content_of_two_runs
from assay.workflows.pages.labs import content_of_lab_run


class PageKind(StrEnum):
    """What a page shows. The value is the word by which a worker process is told what to make."""

    COMPARISON = "compare"
    LAB_RUN = "lab"
    SIDE_BY_SIDE = "beside"


class WantedPage(msgspec.Struct, frozen=True):
    """A page that somebody asked for: its kind, and the runs (and other
    words) that it depends on.
    """

    kind: PageKind
    words: tuple[str, ...]


def comparison(chosen: ChosenRuns) -> WantedPage:
    """The comparison of two runs; if both are the same run, as it was measured."""
    return WantedPage(PageKind.COMPARISON, tuple(chosen))


def lab_run(run: str, lab: Lab) -> WantedPage:
    """The page of a run that a lab measured."""
    return WantedPage(PageKind.LAB_RUN, (run, lab.value))


def side_by_side(runs: Sequence[str]) -> WantedPage:
    """The page of some runs side by side; the first is the reference."""
    return WantedPage(PageKind.SIDE_BY_SIDE, tuple(runs))


def judged_page(
    root: Path,
    wanted: WantedPage,
    linked: Callable[[WhyQuestion], object] = lambda asked: None,
    *,
    served: bool,
) -> bytes:
    """Make the HTML of a page; `linked` is called for each link to an answer of `assay why`.

    Raises `InputError`.
    """
    rooms, words = SERVED_ROOMS if served else ROOMS, wanted.words
    charts = runtime_file() if served else ""
    if wanted.kind is PageKind.SIDE_BY_SIDE:
        sheet = multiview([f"run:{one}" for one in words], store=root)
        return multiview_page(sheet, PageNavigation(rooms, LABS, root=""))
    if wanted.kind is PageKind.LAB_RUN:
        content = content_of_lab_run(root, words[0], Lab(words[1]))
        return page(content, PageNavigation(rooms, LABS, runtime=charts))
    chosen = ChosenRuns(*words)

    def link_to_why(benchmark: str) -> str:
        asked = WhyQuestion(benchmark, *chosen)
        linked(asked)
        return href(asked, "../")

    around = PageNavigation(rooms, "runs.html", runtime=charts)
    return page(content_of_two_runs(root, chosen, Settings()), around, link_to_why)


def runtime_file() -> str:
    """The file name of the charts' runtime: 0.4 MB, which a browser fetches once."""
    digest = hashlib.sha256(runtime().packed.encode()).hexdigest()
    return f"charts-{digest[:16]}.txt"


@cache
def version_of_pages() -> str:
    """A hash of everything that judges and draws pages: code, templates, styles and scripts.

    The version of Assay alone was not enough: pages kept by a version under development linked to
    main pages that no longer existed, and not to new ones.
    """
    digest = hashlib.sha256()
    for one in sorted(_sources(files("assay")), key=str):
        digest.update(one.name.encode() + b"\0" + one.read_bytes())
    digest.update(runtime_file().encode())
    return digest.hexdigest()[:32]


def _sources(folder: Traversable) -> list[Traversable]:
    found = []
    for one in folder.iterdir():
        if one.is_dir():
            found += _sources(one)
        elif one.name.endswith((".py", ".html", ".css", ".js")):
            found.append(one)
    return found
