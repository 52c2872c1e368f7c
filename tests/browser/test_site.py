"""The site of the documents: made without a warning, read without a server, asking nobody else.

Sphinx is told to fail on a link to nowhere and on a page that no table of contents has.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import site_of_documents as site
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

SHOWN = ("index.html", "README.html", "docs/guides/why.html", "docs/reference/commands.html")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert site.build(folder / "sources", folder / "site") == 0
    return folder / "site"


@pytest.fixture
def tab(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on(
        "request",
        lambda one: None if one.url.startswith(("file:", "data:")) else complaints.append(one.url),
    )
    yield page, complaints
    page.close()


def test_every_page_opens_without_a_complaint_or_a_foreign_request(
    built: Path, tab: tuple[Page, list[str]]
) -> None:
    page, complaints = tab
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > len(list((site.ROOT / "docs").rglob("*.md")))
    for path in pages:
        page.goto(path.as_uri())
        assert complaints == [], path


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_fits_a_phone_and_axe_finds_nothing_serious(
    built: Path, browser: Browser, name: str
) -> None:
    for width, theme in ((390, "light"), (1280, "dark")):
        page = browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme=theme,  # type: ignore[arg-type]
        )
        page.goto((built / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = Axe().run(page).response["violations"]
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in serious] == []
        page.close()


def test_search_works_without_a_server(built: Path, tab: tuple[Page, list[str]]) -> None:
    page, complaints = tab
    page.goto((built / "search.html").as_uri() + "?q=glossary")
    page.locator("#search-results li a", has_text="Glossary").first.wait_for()
    assert complaints == []


def test_the_contents_have_every_document(built: Path) -> None:
    listed = {page for pages in site.contents().values() for page in pages}
    written = {f"docs/{path.relative_to(site.ROOT / 'docs')}" for path in site.documents()}
    assert written <= listed


def test_a_link_to_nowhere_ends_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lay(folder: Path) -> None:
        (folder / "docs").mkdir(parents=True)
        (folder / "index.md").write_text("# Front\n\n[lost](docs/lost.md)\n")

    monkeypatch.setattr(site, "lay_sources", lay)
    assert site.build(tmp_path / "sources", tmp_path / "site") != 0


def test_links_to_what_is_no_page_stay_as_text() -> None:
    text = "[a page](docs/field.md#x), [a folder](examples), [a file](LICENSE), [no page](x/y.md#z)"
    shown = site.without_links_to_no_page(text, site.ROOT / "x.md", {"docs/field.md"})
    assert shown == "[a page](docs/field.md#x), a folder, [a file](LICENSE), no page"
