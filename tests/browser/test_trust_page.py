"""The page of assay trust in Debian's Chromium: it opens, fits, and can be read by everybody."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from tried_out import trusted

from assay.show.page.trust import trust_page


@pytest.mark.parametrize(("width", "theme"), [(1400, "light"), (390, "dark")])
def test_it_opens_without_complaint_and_is_accessible(
    browser: Browser, tmp_path: Path, width: int, theme: str
) -> None:
    complaints: list[str] = []
    path = tmp_path / "trust.html"
    path.write_bytes(trust_page(trusted()))
    tab = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme=theme,  # type: ignore[arg-type]
    )
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on(
        "request",
        lambda asked: None if asked.url.startswith("file:") else complaints.append(asked.url),
    )
    tab.goto(path.as_uri())
    tab.wait_for_selector("html[data-ready]")
    assert tab.locator("h1").inner_text().startswith("None of 2 verdicts")
    tab.locator("details summary").first.click()
    assert tab.locator("details[open] tbody tr").count() == 2
    tab.click("#theme")
    assert tab.locator("html").get_attribute("data-theme") in ("light", "dark")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert Axe().run(tab).violations_count == 0
    tab.close()
    assert complaints == []
