"""The multiview page in Debian's Chromium: numbers, colours, sorting, searching, everybody."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from records import HOSTILE

from assay.show.multiview_sheet import ERROR, MEASURED, Sheet, SheetColumn, colour, percentage_text
from assay.show.page.multiview import multiview_page
from assay.show.words import format

Open = Callable[..., Page]
RATIOS = (1.0, 1.05, 1.5, 3.05, 9.0, 0.5, 0.1)


def sheet(names: list[str], ratios: tuple[float, ...] = RATIOS, *, ends: bool = False) -> Sheet:
    """Each row ten times as slow as the one before; each column at its ratio of the first."""
    base = 1000.0 * 10.0 ** (np.arange(len(names)) % 7)
    values = base[:, None] * np.array(ratios)[None, :]
    none = np.full(values.shape, np.nan)
    known = values / values[:, :1]
    return Sheet(
        columns=[SheetColumn(label=f"file{i}", origin=f"f{i}.out") for i in range(len(ratios))],
        names=names,
        values=values,
        states=np.full(values.shape, MEASURED, dtype=np.uint8),
        ratios=known,
        low=known * 0.99 if ends else none,
        high=known * 1.01 if ends else none,
        errors=[],
        facts=[("kernel", {"6.1": list(range(len(ratios)))}), ("host", {"a": [0], "b": [1]})],
    )


@pytest.fixture
def open_sheet(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a page; fails the test when it complained or asked a network."""
    complaints: list[str] = []
    tabs: list[Page] = []

    def opened(shown: Sheet, width: int = 1500, theme: str = "light") -> Page:
        path = tmp_path / f"mv{len(tabs)}.html"
        path.write_bytes(multiview_page(shown))
        tab = browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme=theme,  # type: ignore[arg-type]
        )
        tabs.append(tab)
        tab.on("console", lambda message: complaints.append(f"console: {message.text}"))
        tab.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        tab.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        tab.on(
            "request",
            lambda asked: None if asked.url.startswith("file:") else complaints.append(asked.url),
        )
        tab.goto(path.as_uri())
        tab.wait_for_selector("html[data-ready]")
        return tab

    yield opened
    for tab in tabs:
        tab.close()
    assert complaints == []


def names_of(tab: Page) -> list[str]:
    return tab.locator("#sheet tbody th").all_inner_texts()


def heads_of(tab: Page) -> list[str]:
    return [text.strip() for text in tab.locator("#sheet thead th").all_inner_texts()]


def rows_become(tab: Page, expected: list[str]) -> None:
    """Wait until the rows in view are these; fail with what they are."""
    for _ in range(100):
        if names_of(tab) == expected:
            return
        tab.wait_for_timeout(50)
    assert names_of(tab) == expected


def test_numbers_and_colours_are_those_of_the_sheet(open_sheet: Open) -> None:
    tab = open_sheet(sheet(["exec", "fork"]))
    assert tab.locator("h1").inner_text() == "2 benchmarks, 6 columns beside the reference"
    assert heads_of(tab) == ["benchmark", "file0 (reference)", *(f"file{i}" for i in range(1, 7))]
    cells = tab.locator("#sheet tbody tr").first.locator("td")
    assert cells.nth(0).inner_text().strip() == "1 us"
    for place, ratio in enumerate(RATIOS[1:], 1):
        assert percentage_text(ratio) in cells.nth(place).inner_text()
        rgb = tuple(int(colour(ratio)[i : i + 2], 16) for i in (1, 3, 5))
        script = "cell => getComputedStyle(cell).backgroundColor"
        assert cells.nth(place).evaluate(script) == f"rgb{rgb}"


def test_holes_and_errors_are_words(open_sheet: Open) -> None:
    shown = sheet(["exec", "fork"])
    shown.values[0, 1] = shown.values[1, 2] = shown.ratios[0, 1] = np.nan
    shown.states[0, 1], shown.states[1, 2] = 0, ERROR
    shown.errors.append((1, 2, "ERROR no memory"))
    tab = open_sheet(shown)
    assert tab.locator("td.gone").all_inner_texts() == ["missing"]
    assert tab.locator("td.wrong").get_attribute("title") == "ERROR no memory"
    assert tab.locator("td.wrong").inner_text() == "ERROR"
    tab.select_option("#kind", "holes")
    rows_become(tab, ["exec", "fork"])


def test_intervals_stand_below_the_smaller_percentage_first(open_sheet: Open) -> None:
    tab = open_sheet(sheet(["exec"], (1.0, 1.5), ends=True))
    assert tab.locator("td small").last.inner_text() == "-51.5 .. -48.5 %"
    assert "95 % confidence" in tab.locator("#legend").inner_text()


def test_sorting_by_name_extremes_and_column(open_sheet: Open) -> None:
    shown = sheet(["b", "c", "a"], (1.0, 1.0, 1.0))
    shown.values[:, 1] *= np.array([1.2, 3.0, 0.5])
    tab = open_sheet(shown)
    orders = {"file": "bca", "name": "abc", "worst": "cba", "best": "abc"}
    for kind, order in orders.items():
        tab.select_option("#sort", kind)
        rows_become(tab, list(order))
    tab.locator("thead button", has_text="file1").click()
    assert "".join(names_of(tab)) == "cba"
    assert tab.locator("th[aria-sort=descending]").inner_text().startswith("file1")
    tab.locator("thead button", has_text="file1").click()
    assert "".join(names_of(tab)) == "abc"


def test_searching_rows_and_columns(open_sheet: Open) -> None:
    tab = open_sheet(sheet(["exec", "fork", "vfork"]))
    tab.fill("#search", "FORK")
    tab.fill("#search-columns", "file6")
    rows_become(tab, ["fork", "vfork"])
    tab.locator("#shown", has_text="2 of 7 columns").wait_for()
    assert heads_of(tab) == ["benchmark", "file0 (reference)", "file6"]
    assert "2 of 3 rows, 2 of 7 columns" in tab.locator("#shown").inner_text()
    tab.fill("#search", "nothing like it")
    rows_become(tab, [])


def test_many_cells_are_drawn_as_they_come_into_view(open_sheet: Open) -> None:
    names = [f"case{i}" for i in range(300)]
    chance = np.random.default_rng(1)
    tab = open_sheet(sheet(names, (1.0, *chance.lognormal(0, 0.3, 999).tolist())))
    assert tab.locator("#sheet td").count() < 500
    tab.evaluate("() => { const s = document.getElementById('sheet'); s.scrollTo(1e9, 1e9); }")
    tab.locator("#sheet thead th", has_text="file999").wait_for()
    tab.locator("#sheet tbody th", has_text="case299").wait_for()
    assert names_of(tab)[-1] == "case299"
    assert heads_of(tab)[-1] == "file999"
    assert heads_of(tab)[1] == "file0 (reference)"
    tab.locator("#sheet").focus()
    tab.keyboard.press("Home")
    tab.locator("#sheet tbody th").first.filter(has_text="case0").wait_for()
    assert names_of(tab)[0] == "case0"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(open_sheet: Open, theme: str) -> None:
    tab = open_sheet(sheet(["exec", "fork"], ends=True), theme=theme)
    found = Axe().run(tab).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_sticks_out(open_sheet: Open, width: int) -> None:
    tab = open_sheet(sheet(HOSTILE), width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_names_are_text(open_sheet: Open) -> None:
    tab = open_sheet(sheet(HOSTILE))
    assert names_of(tab) == [format.name(name).strip() for name in HOSTILE]
    assert tab.locator("img").count() == 0


def test_without_scripts_the_numbers_can_be_read(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "plain.html"
    path.write_bytes(multiview_page(sheet(["exec"])))
    tab = browser.new_page(java_script_enabled=False)
    tab.goto(path.as_uri())
    text = tab.locator("body").inner_text()
    red = tab.locator("td[bgcolor='#ff0000']").count()
    tab.close()
    assert "[-50.0 %]" in text
    assert red == 1


def test_the_same_sheet_gives_the_same_bytes_and_names_no_address() -> None:
    html = multiview_page(sheet(["exec"]))
    assert html == multiview_page(sheet(["exec"]))
    assert b"http://" not in html.replace(b"http://www.w3.org/2000/svg", b"")
    assert b"unsafe" not in html
