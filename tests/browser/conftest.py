"""One Chromium for all tests; every page is watched for errors and for network use."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import opened
from open_report import Report
from playwright.sync_api import Browser

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


def _foreign(url: str) -> list[str]:
    """Only the file itself, and what the page makes itself, may be asked for."""
    return [] if url.startswith(("file:", "blob:")) else [f"request: {url[:200]}"]
