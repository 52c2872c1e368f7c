"""A session as it runs, in Debian's Chromium: it arrives, narrows, ends, and leads to its run."""

import json
from pathlib import Path

from patience import PATIENCE_S
from playwright.sync_api import Locator, Page
from records import HOSTILE
from running import Written
from store_pages import Open, Serve, column, fits, names
from stores import Step, filled
from tiny_benchmarks import NAMES, Pair

from assay.cli import invoke
from assay.show.words import format


def arrived(what: Locator) -> None:
    """However long looks take on a machine that is busy."""
    what.first.wait_for(timeout=1000 * PATIENCE_S)


def test_a_comparison_arrives_as_it_is_measured(tmp_path: Path, tab: Open, serve: Serve) -> None:
    """Two executables, measured by `assay compare`; then its page has the stored figures."""
    root = tmp_path / ".assay"
    filled(root, {"BM_copy": Step()}, runs=2)
    pair = Pair(tmp_path, holds_after=12)
    server = serve(root)
    with pair.compared(root, "--rounds", "8") as session:
        page = tab(f"{server.url}live.html")
        while not page.locator("#grid td.name a").count():
            page.reload()
            page.wait_for_selector("html[data-ready]")
        page.locator("#grid td.name a").click()
        arrived(page.locator("#grid tbody tr"))
        assert names(page) == list(NAMES)
        assert page.locator("#ended").inner_text() == ""
        pair.go()
        arrived(page.locator("#ended a"))
        assert session.wait(PATIENCE_S) == 0
        _shows_what_is_stored(page, root, tmp_path)
        page.locator("#ended a").click()
        page.locator("#benchmarks tr.row").first.wait_for()


def _shows_what_is_stored(page: Page, root: Path, folder: Path) -> None:
    output = folder / "compare.json"
    assert invoke(["compare", "run:LAST", "--store", str(root), "--json", str(output), "-q"]) == 0
    told = json.loads(output.read_bytes())["comparisons"]
    times = [one for one in told if one["metric"] == "real_time"]
    assert column(page, "change") == [format.change(one["change"]) for one in times]
    assert column(page, "interval") == [format.interval(one["low"], one["high"]) for one in times]
    assert column(page, "rounds") == ["8", "8"]


def test_looks_change_what_is_shown_and_not_what_is_chosen(
    tmp_path: Path, tab: Open, serve: Serve
) -> None:
    root = tmp_path / ".assay"
    filled(root, {"BM_copy": Step()}, runs=2)
    server = serve(root)
    with Written(root, ["BM_copy", "BM_hash", "BM_late"]) as session:
        session.round("BM_copy", "BM_hash", times=30)
        page = tab(f"{server.url}live/{session.name}.html")
        arrived(page.locator("#grid tbody tr"))
        assert names(page) == ["BM_copy", "BM_hash", "BM_late"]
        assert "Not measured yet: BM_late" in page.locator("#open").inner_text()
        before = page.locator("td.narrowing svg").first.get_attribute("aria-label") or ""
        assert before.endswith("after 30 rounds")
        page.fill("#search", "copy")
        page.locator("#shown", has_text="1 of 3").wait_for()
        session.round(times=20)
        arrived(page.locator("#grid td", has_text="50"))
        assert names(page) == ["BM_copy"]
        assert page.locator("#search").input_value() == "copy"
        page.locator("#looks summary").click()
        arrived(page.locator("#look-rows tbody tr").nth(7))  # they are drawn when it has opened
        for width, theme in ((390, "dark"), (1280, "light")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            fits(page)
        fits(tab(f"{server.url}live.html", 390))


def test_hostile_names_do_nothing(tmp_path: Path, tab: Open, serve: Serve) -> None:
    root = tmp_path / ".assay"
    filled(root, {"BM_copy": Step()}, runs=2)
    targets = HOSTILE[0], HOSTILE[1]
    server = serve(root)
    with Written(root, list(HOSTILE), targets=targets) as session:
        session.round(*HOSTILE[:3], times=15)
        session.failed(HOSTILE[0], HOSTILE[1])
        page = tab(f"{server.url}live/{session.name}.html", 390)
        arrived(page.locator("#grid tbody tr"))
        assert names(page) == [format.name(one) for one in HOSTILE]
        assert page.locator("script").count() == 2
        assert page.locator("img").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert tab(f"{server.url}live.html").locator("script").count() == 2
