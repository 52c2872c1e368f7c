"""The site of the documents: made without a warning, read without a server, asking nobody else.

Sphinx is told to fail on a link to nowhere and on a page that no table of contents has.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

import pytest
import site_of_documents as site
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page


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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(
    built: Path, browser: Browser, theme: Literal["light", "dark"]
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=theme)
    looked = 0
    for path in sorted(built.rglob("*.html")):
        page.goto(path.as_uri())
        assert serious(page) == [], path
        looked += 1
    page.close()
    assert looked > len(list((site.ROOT / "docs").rglob("*.md")))


def test_every_page_fits_a_phone(built: Path, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 900})
    for path in sorted(built.rglob("*.html")):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    page.close()


def serious(page: Page) -> list[tuple[str, str]]:
    """What axe finds serious or worse on the page: the rule, and the element's beginning."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def test_search_works_without_a_server(built: Path, tab: tuple[Page, list[str]]) -> None:
    page, complaints = tab
    page.goto((built / "search.html").as_uri() + "?q=glossary")
    page.locator("#search-results li a", has_text="Glossary").first.wait_for()
    assert complaints == []


def test_the_contents_have_every_document(built: Path) -> None:
    listed = {page for pages in site.contents().values() for page in pages}
    written = {f"docs/{path.relative_to(site.ROOT / 'docs')}" for path in site.documents()}
    assert written <= listed


def test_the_front_page_is_ten_lines_and_a_picture() -> None:
    """And each figure on it stands in the document that its line links to."""
    front = (site.ROOT / "tools" / "site" / "front.md").read_text()
    lines = [line for line in front.splitlines() if line.startswith("* ")]
    assert len(lines) == 10
    assert re.findall(r":class: (\S+)", front) == ["only-light", "only-dark"]
    told = 0
    for line in lines:
        linked = re.findall(r"\]\(([^)#]+)", line)
        texts = "".join((site.ROOT / name).read_text() for name in linked)
        for figure in re.findall(r"\d[\d,.]*\d", re.sub(r"\([^)]*\)", "", line)):
            told += 1
            assert re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d,]|\.\d)", texts), figure
    assert told >= 10


def lost_links(folder: Path) -> Iterator[str]:
    """Links of pages that lead to no file of the folder, or to no place of a page."""
    texts = {path.resolve(): path.read_text() for path in folder.rglob("*.html")}
    places = {path: set(re.findall(r' id="([^"]+)"', text)) for path, text in texts.items()}
    for path, text in texts.items():
        for link in re.findall(r' (?:href|src)="([^"]+)"', text):
            to, _, place = html.unescape(link).partition("#")
            if "://" in to or to.startswith(("mailto:", "data:")):
                continue
            file = (path.parent / unquote(to).partition("?")[0]).resolve() if to else path
            is_placed = not place or file not in places or unquote(place) in places[file]
            if not file.is_file() or not is_placed:
                yield f"{path.name}: {link}"


def test_every_link_has_something_at_its_end(built: Path) -> None:
    """Of the pages as they are, whoever wrote the link: files, and places in them."""
    assert list(lost_links(built)) == []


def test_lost_links_are_seen(tmp_path: Path) -> None:
    (tmp_path / "there.html").write_text('<h1 id="top">x</h1><a href="https://example.invalid">')
    links = ("there.html", "there.html#top", "#here", "gone.html", "there.html#gone", "#gone")
    text = "".join(f'<a href="{link}">' for link in links)
    (tmp_path / "index.html").write_text(f'<p id="here"></p>{text}<img src="no.png">')
    lost = ["gone.html", "there.html#gone", "#gone", "no.png"]
    assert list(lost_links(tmp_path)) == [f"index.html: {link}" for link in lost]


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
