"""The pages *Why* in Debian's Chromium: from a number to the line of source, or to the command."""

import re
from pathlib import Path

import pytest
from explanations import answer
from records import HOSTILE
from serving import Serving
from store_pages import Open, Serve, address_of, changed, fits, names
from stores import Step, filled

from assay.record.store.answers import Answers
from assay.show.page.store.why import href
from assay.show.words import format


@pytest.mark.parametrize("benchmark", ["BM_copy/8", "BM_copy/64"])
def test_why_fits_every_reader(server: Serving, root: Path, tab: Open, benchmark: str) -> None:
    """With an answer and without."""
    for width, theme in ((390, "dark"), (1280, "light")):
        fits(tab(f"{server.url}{href(changed(root, benchmark))}", width, theme))


def test_two_clicks_from_a_change_to_its_source_line(server: Serving, tab: Open) -> None:
    """Where nobody asked yet, the command that asks."""
    page = tab(server.url)
    page.get_by_role("link", name="why BM_copy/8 is worse").click()
    page.wait_for_selector("html[data-ready]")
    assert page.locator("h1").inner_text() == "Why BM_copy/8 differs"
    line = page.locator("table.source tr.new").first
    assert "memmove(to, from, size);" in line.inner_text()
    shown = [
        page.locator(one).first.bounding_box() for one in ("table.source", ".answer", ".flame")
    ]
    tops = [box["y"] for box in shown if box]
    assert len(tops) == 3
    assert tops == sorted(tops)
    page.go_back()
    page.wait_for_selector("html[data-ready]")
    page.get_by_role("link", name="why BM_copy/64 is worse").click()
    page.wait_for_selector("html[data-ready]")
    command = page.locator("pre.command").inner_text()
    assert re.fullmatch(r"assay why run:\S+ run:\S+ --filter '\^BM_copy/64\$' --store \S+", command)


def test_from_a_slower_row_of_a_comparison_to_why(server: Serving, root: Path, tab: Open) -> None:
    run = max(path.stem for path in (root / "runs").rglob("*.parquet"))
    page = tab(f"{server.url}compare/{run}.html")
    page.locator("#benchmarks td.verdict a.slower").first.click()
    page.wait_for_selector("html[data-ready]")
    assert page.locator("pre.command").inner_text().startswith(f"assay why run:{run} --filter '^")
    page.get_by_role("link", name="The comparison").click()
    page.locator("#benchmarks tr.row").first.wait_for()


SLOWER = "#grid td.change.worse, table.changes td.worse, #benchmarks td.verdict :is(a, span).slower"
COPY = "tr:has(bdi:text-is('BM_copy/8'))"
CLICKS = {
    "index.html": (f"#grid {COPY} td.worse a",),
    "benchmark": ("table.changes a:text-is('why')",),
    "rounds": ("#benchmarks a.slower",),
    "benchmarks.html": (f"#grid {COPY} td.name a", "table.changes a:text-is('why')"),
    "runs.html": ("#grid td.name a[href^='compare/']", "#benchmarks a.slower"),
}


def slower_at(server: Serving, root: Path, page: str) -> str:
    """`rounds`: the comparison that was measured in rounds."""
    if page != "rounds":
        return address_of(server, page)
    return (
        f"{server.url}compare/{max(path.stem for path in (root / 'runs').rglob('*.parquet'))}.html"
    )


@pytest.mark.parametrize("where", ["index.html", "benchmark", "rounds"])
def test_every_slower_cell_leads_to_why(server: Serving, root: Path, tab: Open, where: str) -> None:
    """One click: the link is in the cell, or in the cell of its row that looks closer."""
    page = tab(slower_at(server, root, where))
    page.locator(SLOWER).first.wait_for()
    cells = page.locator(SLOWER)
    found = cells.evaluate_all("""all => all.map((cell) =>
        (cell.closest("tr").querySelector("td:is(.change, .verdict) a, a[href*='why/']"))?.href)""")
    assert len(found) >= {"index.html": 5, "benchmark": 1, "rounds": 1}[where]
    for link in found:
        assert server.ask(link.removeprefix(server.url.rstrip("/"))).status == 200


@pytest.mark.parametrize("where", CLICKS)
def test_two_clicks_to_the_function_and_three_to_the_line(
    server: Serving, root: Path, tab: Open, where: str
) -> None:
    """From every page that shows a benchmark that became slower; or to the command that asks."""
    page = tab(slower_at(server, root, where))
    assert len(CLICKS[where]) <= 2
    for click in CLICKS[where]:
        page.locator(click).first.click()
    page.locator("table.source tr.new, pre.command").first.wait_for()
    is_answered = page.locator("pre.command").count() == 0
    assert is_answered == (where not in ("rounds", "runs.html"))
    if is_answered:  # the function, the line and what it costs are on this page: no third click
        assert page.locator("h1").inner_text() == "Why BM_copy/8 differs"
        assert "Wal::append" in page.locator(".answer").first.inner_text()
        assert "memmove(to, from, size);" in page.locator("table.source tr.new").first.inner_text()


def test_from_a_history_to_why_and_back(server: Serving, tab: Open) -> None:
    page = tab(address_of(server, "benchmark"))
    page.locator("table.changes a", has_text="why").click()
    page.wait_for_selector("table.source")
    page.get_by_role("link", name="Its history").click()
    page.wait_for_selector(".history svg")


def test_a_new_answer_arrives(root: Path, tab: Open, serve: Serve, tmp_path: Path) -> None:
    store = filled(tmp_path / ".assay", {"BM_a": Step(1.3, 30)}, runs=60)
    server = serve(tmp_path / ".assay")
    assert tab(f"{server.url}why.html").locator("#grid tbody tr").count() == 0
    Answers(store.folder).keep(answer(changed(tmp_path / ".assay", "BM_a")))
    page = tab(f"{server.url}why.html")
    while not names(page):
        page.reload()
        page.wait_for_selector("html[data-ready]")
    page.locator("#grid td.name a").click()
    page.wait_for_selector("table.source")


def test_hostile_names_do_nothing(hostile: Path, tab: Open, serve: Serve) -> None:
    server = serve(hostile)
    explained = tab(f"{server.url}why.html")
    assert sorted(names(explained)) == sorted(format.name(one) for one in HOSTILE)
    links = explained.locator("#grid td.name a").evaluate_all("all => all.map((a) => a.href)")
    page = tab(f"{server.url}why.html", 390)
    for link in links:
        page.goto(link)
        page.wait_for_selector("html[data-ready]")
        assert page.locator("script").count() == 3
        assert page.locator("img").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
