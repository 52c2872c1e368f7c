"""What tests of the pages of a store share: what is in it, addresses, tables, who can read them."""

import re
from collections.abc import Callable
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from serving import Serving
from stores import Step

from assay.answers import WhyQuestion
from assay.workflows.pages.survey import survey_of_store

RUNS = 90
BENCHMARKS = {
    **{f"BM_copy/{n}": Step(1.12, 40) for n in (8, 64, 512, 4096)},
    **{f"BM_parse/{n}": Step() for n in (1, 2, 3)},
    "BM_sort/100": Step(0.9, 60),
    "BM_hash": Step(1.05, 20),
}
Open = Callable[..., Page]
Serve = Callable[[Path], Serving]


def changed(place: Path, benchmark: str) -> WhyQuestion:
    """What explains its change."""
    (found,) = [
        one for one in survey_of_store(place).found if one.watched.key.benchmark == benchmark
    ]
    return found.why_question


def address_of(server: Serving, page: str) -> str:
    if page == "compare":
        return f"{server.url}compare.html?base=release/1.2&candidate=0059"
    if page == "benchmark":
        (found,) = re.findall(r'<a href="(benchmark/[0-9a-f]+.html)">BM_copy/8<', _listed(server))
        return server.url + str(found)
    return server.url + page


def _listed(server: Serving) -> str:
    return server.ask("/benchmarks.html").body


def names(page: Page) -> list[str]:
    return page.locator("#grid td.name").all_inner_texts()


def column(page: Page, title: str) -> list[str]:
    heads = [one.strip() for one in page.locator("#grid thead th").all_inner_texts()]
    cells = page.locator(f"#grid tbody td:nth-child({heads.index(title) + 1})")
    return [text.strip() for text in cells.all_inner_texts()]


def fits(page: Page) -> None:
    """Nothing sticks out, and axe finds nothing."""
    over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(over) == 0
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
