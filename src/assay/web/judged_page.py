"""A page that takes seconds to make: it is judged when somebody asks for it.

data = judged_page(root, comparison(Chosen(base, candidate)), served=True)
data = judged_page(root, lab_run(run, Lab.SUITE), served=True)
data = judged_page(root, side_by_side(runs), served=True)
version_of_pages()              # another one: pages that were kept are made anew
"""

import hashlib
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from assay.answers import Asked
from assay.history import Lab
from assay.model import Settings
from assay.show.page.frame import Around
from assay.show.page.multiview import multiview_page
from assay.show.page.report import page
from assay.show.page.store.frame import LABS, ROOMS, SERVED_ROOMS
from assay.show.page.store.why import href
from assay.show.page.vega import runtime
from assay.workflows.multiview import multiview
from assay.workflows.pages.comparison import Chosen, compared
from assay.workflows.pages.labs import measured


class Kind(StrEnum):
    """What a page shows, and the word by which the process that makes it is told so."""

    COMPARISON = "compare"
    LAB_RUN = "lab"
    SIDE_BY_SIDE = "beside"


class Wanted(NamedTuple):
    """One page. `words`: the runs it is of, and what else decides how it is made."""

    kind: Kind
    words: tuple[str, ...]


def comparison(chosen: Chosen) -> Wanted:
    """Of two runs; of one with itself: as it was measured."""
    return Wanted(Kind.COMPARISON, tuple(chosen))


def lab_run(run: str, lab: Lab) -> Wanted:
    """Of what a lab measured."""
    return Wanted(Kind.LAB_RUN, (run, lab.value))


def side_by_side(runs: Sequence[str]) -> Wanted:
    """Of some runs, the reference first."""
    return Wanted(Kind.SIDE_BY_SIDE, tuple(runs))


def judged_page(
    root: Path,
    wanted: Wanted,
    linked: Callable[[Asked], object] = lambda asked: None,
    *,
    served: bool,
) -> bytes:
    """Raises `InputError`. What is slower leads to why it is: `linked` is called with each."""
    rooms, words = SERVED_ROOMS if served else ROOMS, wanted.words
    charts = runtime_file() if served else ""
    if wanted.kind is Kind.SIDE_BY_SIDE:
        sheet = multiview([f"run:{one}" for one in words], store=root)
        return multiview_page(sheet, Around(rooms, LABS, root=""))
    if wanted.kind is Kind.LAB_RUN:
        content = measured(root, words[0], Lab(words[1]))
        return page(content, Around(rooms, LABS, runtime=charts))
    chosen = Chosen(*words)

    def why(benchmark: str) -> str:
        asked = Asked(benchmark, *chosen)
        linked(asked)
        return href(asked, "../")

    around = Around(rooms, "runs.html", runtime=charts)
    return page(compared(root, chosen, Settings()), around, why)


def runtime_file() -> str:
    """What charts need, as a file of the server: 0.4 MB, which a browser asks for once."""
    digest = hashlib.sha256(runtime().packed.encode()).hexdigest()
    return f"charts-{digest[:16]}.txt"


@cache
def version_of_pages() -> str:
    """Of everything that judges and draws a page: its frame, its links, its scripts.

    The version of Assay alone was not enough: pages kept by a version in development led to rooms
    that were no longer there, and not to new ones.
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
