"""One Chromium for all tests; every page is watched for errors and for network use."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from chromium import opened
from explanations import answer
from open_report import Report
from playwright.sync_api import Browser, Page
from records import HOSTILE, two_sided
from searches import narrowed
from serving import Serving, served
from store_pages import BENCHMARKS, RUNS, Open, Serve, changed
from stores import DAY_S, START_S, Step, filled

from assay.answers import WhyQuestion
from assay.record.store.answers import Answers
from assay.record.store.searches import keep_search
from assay.show.content import Content
from assay.show.page.report import page as html_of


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with opened() as running:
        yield running


@pytest.fixture
def report(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Report]]:
    """Opens the report on a content; fails the test when a page complained or asked a network."""
    made: list[Report] = []

    def open_report(content: Content, width: int = 1280, theme: str = "light") -> Report:
        path = tmp_path / f"report{len(made)}.html"
        path.write_bytes(html_of(content))
        tab = browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme=theme,  # type: ignore[arg-type]
            accept_downloads=True,
        )
        here = Report(tab, path)
        made.append(here)
        tab.on("console", lambda message: here.complaints.append(f"console: {message.text}"))
        tab.on("pageerror", lambda error: here.complaints.append(f"error: {error}"))
        tab.on("dialog", lambda dialog: here.complaints.append(f"dialog: {dialog.message}"))
        tab.on("request", lambda request: here.complaints.extend(_foreign(request.url)))
        tab.goto(path.as_uri())
        tab.wait_for_selector("html[data-ready]")
        return here

    yield open_report
    for one in made:
        one.tab.close()
        assert one.complaints == []


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("pages") / ".assay"
    store = filled(place, BENCHMARKS, runs=RUNS)
    store.add(two_sided(), kind="compare", now_s=START_S + 200 * DAY_S)
    store.folder.label(store.folder.runs()[10], "release/1.2")
    Answers(store.folder).keep(answer(changed(place, "BM_copy/8")))
    keep_search(
        narrowed("BM_copy/8"), store.folder.path_with_folder("bisects", f"{'ab' * 16}.jsonl")
    )
    return place


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hostile") / ".assay"
    store = filled(place, {name: Step(1.3, 30) for name in HOSTILE}, runs=60, suite=HOSTILE[0])
    runs = store.folder.runs()
    for number, name in enumerate(HOSTILE):
        steps = store.folder.path_with_folder("bisects", f"{number:032x}.jsonl")
        keep_search(narrowed(name, name), steps)
        Answers(store.folder).keep(answer(WhyQuestion(name, runs[29], runs[30]), function=name))
    return place


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Serving]:
    with served(root) as running:
        yield running


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves the pages of a store until the test has ended."""
    with ExitStack() as running:
        yield lambda root: running.enter_context(served(root))


@pytest.fixture
def tab(browser: Browser, serve: Serve) -> Iterator[Open]:
    """Opens an address; fails the test when a page complained or asked anybody else.

    The pages are closed before what `serve` started: one that still loads a chart would complain.
    """
    made: list[tuple[Page, list[str]]] = []

    def open_page(address: str, width: int = 1280, theme: str = "light") -> Page:
        page = browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme=theme,  # type: ignore[arg-type]
        )
        complaints: list[str] = []
        made.append((page, complaints))
        here = address.partition("://")[2].partition("/")[0]
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: complaints.extend(_foreign(request.url, here)))
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for page, complaints in made:
        page.close()
        assert complaints == []


def _foreign(url: str, here: str = "") -> list[str]:
    """Only the file or the server itself, and what the page makes itself, may be asked for."""
    own = (f"http://{here}/",) if here else ("file:",)
    return [] if url.startswith((*own, "blob:")) else [f"request: {url[:200]}"]
