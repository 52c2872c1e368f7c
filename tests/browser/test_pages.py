"""The pages of `assay serve` in Debian's Chromium: they open, obey, remember, and agree."""

import json
import os
import re
import signal
from contextlib import closing
from pathlib import Path

import pytest
from open_report import Report
from playwright.sync_api import Browser, Route
from records import HOSTILE
from serving import Serving
from store_pages import BENCHMARKS, RUNS, Open, Serve, address_of, changed, column, fits, names
from stores import Step, filled

from assay.cli import invoke
from assay.record.store.folder import Folder
from assay.show.page.store.why import href
from assay.show.words import format

PAGES = (
    "index.html",
    "benchmarks.html",
    "runs.html",
    "benchmark",
    "compare",
    "why.html",
    "hosts.html",
    "labs.html",
)


@pytest.mark.parametrize("which", PAGES)
def test_every_page_fits_every_reader(server: Serving, tab: Open, which: str) -> None:
    """Any width, light and dark; axe finds nothing."""
    for width, theme in ((390, "dark"), (1280, "light"), (1920, "dark")):
        page = tab(address_of(server, which), width, theme)
        if which == "compare":
            page.locator("#benchmarks tr.row").first.wait_for()
            page.locator("#forest svg").wait_for()
        fits(page)


def test_changes_come_with_their_commits_the_surest_first(server: Serving, tab: Open) -> None:
    page = tab(server.url)
    assert page.locator("h1").inner_text() == "Of 9 histories 6 have changed."
    first = page.locator(".alerts li").first.inner_text()
    assert first.startswith("4 worse between 0027ababab..0028ababab")
    assert "assay bisect 0027ababab 0028ababab" in first
    assert column(page, "state") == ["candidate"] * 6
    assert all(re.fullmatch(r"[+-]\d+\.\d %", one) for one in column(page, "change"))


def test_the_address_holds_search_filter_order_and_columns(server: Serving, tab: Open) -> None:
    page = tab(server.url)
    page.fill("#search", "copy/(8|64)$")
    page.locator("#shown", has_text="2 of 6 changes").wait_for()
    page.fill("#search", "")
    page.locator("#shown", has_text="6 of 6 changes").wait_for()
    page.select_option("select[name=way]", "better")
    page.locator("#shown", has_text="1 of 6 changes").wait_for()
    assert names(page) == ["BM_sort/100"]
    page.select_option("select[name=way]", "")
    page.locator("#shown", has_text="6 of 6 changes").wait_for()
    page.locator("#grid th button").first.click()
    assert names(page) == sorted(names(page))
    page.locator("#grid th button").first.click()
    assert names(page) == sorted(names(page), reverse=True)
    page.locator(".columns summary").click()
    page.locator("#columns input[name=host]").check()
    assert column(page, "host") == ["Test CPU, 4 CPUs, Linux 6, virtual"] * 6
    again = tab(page.url)
    assert (names(again), column(again, "host")) == (names(page), column(page, "host"))
    for _ in range(3):
        page.go_back()
    assert page.locator("#grid th[aria-sort]").count() == 0
    assert "host" not in page.locator("#grid thead").inner_text()


def test_a_broken_expression_is_told_and_loses_nothing(server: Serving, tab: Open) -> None:
    page = tab(server.url)
    page.fill("#search", "copy")
    page.locator("#shown", has_text="4 of 6").wait_for()
    page.fill("#search", "copy(")
    page.locator("#odd", has_text="Not a regular expression").wait_for()
    assert len(names(page)) == 4
    assert page.locator("#search").get_attribute("aria-invalid") == "true"


def test_keys_go_through_the_rows(server: Serving, tab: Open) -> None:
    page = tab(server.url)
    page.keyboard.press("/")
    page.keyboard.type("sort")
    page.locator("#shown", has_text="1 of 6").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.locator("#ticked").inner_text() == "1 chosen"
    page.keyboard.press("Enter")
    page.wait_for_url("**/benchmark/*.html")
    page.go_back()
    page.wait_for_selector("html[data-ready]")
    assert names(page) == ["BM_sort/100"]


def test_a_chosen_theme_holds_on_all_pages(server: Serving, tab: Open) -> None:
    page = tab(server.url)
    page.click("#theme")
    for link in ("Benchmarks", "Compare", "What changed"):
        page.get_by_role("link", name=link, exact=True).click()
        page.wait_for_selector("html[data-ready]")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_triage_is_kept_in_the_store_and_taken_back(server: Serving, root: Path, tab: Open) -> None:
    page = tab(f"{server.url}?q=hash")
    page.locator("#grid td.tick input").check()
    page.select_option("#triage select", "fixed by")
    page.fill("#triage input[name=note]", "<b>0a1b2c3d</b>")
    page.get_by_role("button", name="Say so").click()
    page.wait_for_url("**/index.html?q=hash")
    page.wait_for_selector("html[data-ready]")
    assert column(page, "triage") == ["fixed by <b>0a1b2c3d</b>"]
    (kept,) = (root / "triage").iterdir()
    assert json.loads(kept.read_bytes())["benchmark"] == "BM_hash"
    page.locator("#grid td.tick input").check()
    page.select_option("#triage select", "")
    page.get_by_role("button", name="Say so").click()
    page.locator("#grid td.triage", has_text="fixed").wait_for(state="detached")
    page.wait_for_selector("html[data-ready]")
    assert list((root / "triage").iterdir()) == []


def test_figures_are_those_of_history_json(
    server: Serving, root: Path, tab: Open, tmp_path: Path
) -> None:
    output = tmp_path / "history.json"
    assert invoke(["history", "--store", str(root), "--json", str(output)]) == 0
    told = json.loads(output.read_bytes())
    listed = tab(f"{server.url}benchmarks.html?host=Test CPU, 4 CPUs, Linux 6, virtual")
    shown = dict(zip(names(listed), column(listed, "now"), strict=True))
    series = [one for one in told["series"] if one["benchmark"] in BENCHMARKS]
    assert len(series) == len(BENCHMARKS)
    for one in series:
        assert shown[one["benchmark"]] == format.quantity(one["now"]["level"], "ns")
    changed = tab(server.url)
    rows = zip(names(changed), column(changed, "change"), column(changed, "interval"), strict=True)
    changes = [change for alert in told["alerts"] for change in alert["changes"]]
    expected = [
        (one["benchmark"], format.change(one["change"]), format.interval(one["low"], one["high"]))
        for one in changes
    ]
    assert sorted(rows) == sorted(expected)
    copy = next(one for one in series if one["benchmark"] == "BM_copy/8")
    page = tab(address_of(server, "benchmark"))
    page.locator("#more button").click()
    values = [float(text.removesuffix(" ns")) for text in column(page, "value")]
    assert values == [float(f"{one['value']:.6g}") for one in reversed(copy["points"])]
    assert column(page, "run") == [one["run"] for one in reversed(copy["points"])]


def test_figures_of_two_runs_are_those_of_compare_json(
    server: Serving, root: Path, tab: Open, tmp_path: Path
) -> None:
    runs = sorted(path.stem for path in (root / "runs").rglob("*.parquet"))
    output = tmp_path / "compare.json"
    sides = [f"run:{runs[10]}", f"run:{runs[RUNS - 1]}"]
    assert invoke(["compare", *sides, "--store", str(root), "--json", str(output), "-q"]) == 0
    told = json.loads(output.read_bytes())["comparisons"]
    page = tab(address_of(server, "compare"))
    report = Report(page, Path())
    page.locator("#benchmarks tr.row").first.wait_for()
    expected = {
        one["benchmark"]: format.change(one["change"])
        for one in told
        if one["metric"] == "real_time"
    }
    shown = zip(report.column("benchmark"), report.column("change"), strict=True)
    assert dict(shown) == expected


def test_a_history_is_drawn_walked_and_narrowed(server: Serving, tab: Open) -> None:
    page = tab(address_of(server, "benchmark"))
    dots = page.locator(".history path.runs").get_attribute("d") or ""
    assert dots.count("M") == RUNS
    assert page.locator(".history text.change").text_content() == "+12.1 %"
    assert "0027ababab" in page.locator("table.changes").inner_text()
    page.locator(".history").focus()
    page.keyboard.press("ArrowLeft")
    assert "revision 0059ababab" in page.locator(".cursor").inner_text()
    page.locator(".cursor a").click()
    page.wait_for_url("**/compare.html?base=*&candidate=*")
    page.go_back()
    page.wait_for_selector("html[data-ready]")
    page.select_option("select[name=last]", "30")
    assert (page.locator(".history path.runs").get_attribute("d") or "").count("M") == 30
    assert "last=30" in page.url
    page.go_back()
    assert (page.locator(".history path.runs").get_attribute("d") or "").count("M") == RUNS
    assert page.locator("#curve svg circle").count() == 4


def test_an_old_spike_does_not_flatten_the_axis(
    browser: Browser, tab: Open, serve: Serve, tmp_path: Path
) -> None:
    store = filled(tmp_path / ".assay", {"BM_one": Step()}, runs=60)
    filled(tmp_path / ".assay", {"BM_one": Step(50.0, 0)}, runs=1)
    filled(tmp_path / ".assay", {"BM_one": Step()}, runs=60)
    assert len(store.folder.runs()) == 121
    server = serve(tmp_path / ".assay")
    page = tab(f"{server.url}benchmarks.html")
    page.locator("#grid td.name a").click()
    page.wait_for_selector(".history svg")
    assert (page.locator(".history path.beyond").get_attribute("d") or "").count("M") >= 1
    ticks = page.locator(".history svg > text").all_text_contents()
    assert max(float(one) for one in ticks if re.fullmatch(r"[\d.]+", one)) < 200
    page.select_option("select[name=axis]", "all")
    ticks = page.locator(".history svg > text").all_text_contents()
    assert "us" in ticks or max(float(t) for t in ticks if re.fullmatch(r"[\d.]+", t)) > 1000


def test_hostile_names_do_nothing(hostile: Path, tab: Open, serve: Serve) -> None:
    server = serve(hostile)
    for path in ("", "benchmarks.html", "runs.html", "hosts.html", "bisects.html", "labs.html"):
        page = tab(server.url + path)
        assert page.locator("script").count() == 2
        assert page.locator("img").count() == 0
    listed = tab(f"{server.url}benchmarks.html")
    assert sorted(names(listed)) == sorted(format.name(one) for one in HOSTILE)
    for number in range(len(HOSTILE)):
        link = listed.locator("#grid td.name a").nth(number).get_attribute("href")
        tab(f"{server.url}{link}")


def test_a_chart_whose_server_was_stopped_says_so(
    root: Path, browser: Browser, serve: Serve
) -> None:
    server = serve(root)
    errors: list[str] = []

    def asked_too_late(route: Route) -> None:
        server.ended_by(signal.SIGTERM)
        route.continue_()

    with closing(browser.new_page()) as page:
        page.on("pageerror", lambda error: errors.append(f"{error}"))
        page.route("**/charts-*.txt", asked_too_late)
        page.goto(f"{server.url}compare/{Folder.opened(root).newest()}.html")
        page.locator("#forest", has_text="the server does not answer").wait_for()
        assert errors == []


def test_pages_are_files_too(root: Path, tab: Open, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    assert invoke(["serve", "--export", str(folder), "--store", str(root)]) == 0
    page = tab((folder / "index.html").as_uri())
    assert len(names(page)) == 6
    assert page.locator("#triage, td.tick").count() == 0
    page.fill("#search", "sort")
    page.locator("#shown", has_text="1 of 6").wait_for()
    page.locator("#grid td.name a").click()
    page.wait_for_selector(".history svg")
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_selector("html[data-ready]")
    page.locator("#grid td.name a").click()
    page.locator("#benchmarks tr.row").first.wait_for()
    page.get_by_role("link", name="What changed").click()
    page.wait_for_selector("#grid tbody tr")
    page.get_by_role("link", name="why BM_copy/8 is worse").click()
    page.wait_for_selector("table.source")
    page.get_by_role("link", name="Why", exact=True).click()
    page.wait_for_selector("#grid tbody tr")
    slower = 5 + 1  # changes for the worse, and a row of the comparison
    assert len(list(folder.rglob("*.html"))) == 7 + len(BENCHMARKS) + 1 + slower


def test_without_scripts_there_is_a_table(browser: Browser, server: Serving) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for which in ("index.html", "benchmarks.html", "runs.html", "benchmark", "hosts.html"):
        page.goto(address_of(server, which))
        assert page.locator("noscript table tbody tr").count() > 5
    context.close()


def test_pictures_of_the_documents(server: Serving, root: Path, tab: Open, tmp_path: Path) -> None:
    """With ASSAY_PICTURES_IN=docs/images those of the documents are made anew."""
    folder = Path(os.environ.get("ASSAY_PICTURES_IN", tmp_path))
    why = href(changed(root, "BM_copy/8"))
    for name, which in (
        ("pages-changed", "index.html"),
        ("pages-benchmark", "benchmark"),
        ("pages-why", why),
    ):
        page = tab(address_of(server, which), 1100)
        page.set_viewport_size({"width": 1100, "height": 700})
        page.wait_for_timeout(200)
        page.screenshot(path=folder / f"{name}.png")
        assert 10_000 < (folder / f"{name}.png").stat().st_size < 150_000
