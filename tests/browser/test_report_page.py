"""The report in Debian's Chromium: it opens, obeys, downloads, and looks after everybody."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from explanations import explained
from open_report import Report
from playwright.sync_api import Browser
from records import (
    HOSTILE,
    content,
    one_sided,
    plain,
    suite_content,
    two_sided,
    with_latencies,
)

from assay.judge.attribution.findings import findings
from assay.show.words import format
from assay.workflows.contents.run import of_run

Open = Callable[..., Report]


def test_a_comparison_opens_with_its_verdict_forest_and_table(report: Open) -> None:
    page = report(content())
    assert page.tab.locator("h1").inner_text().startswith("Of 4 benchmarks 1 is slower")
    page.tab.locator("#forest svg.marks").wait_for()
    assert page.column("benchmark")[0] == "Slow"
    assert len(page.column("benchmark")) == 4


def test_a_report_says_why_with_pictures_where_it_was_asked(report: Open) -> None:
    why = findings(explained("Slow", HOSTILE[0]))
    page = report(msgspec.structs.replace(content(), explained=(why,)))
    answer = page.tab.locator(".explained")
    page.tab.locator(".flame svg g").first.wait_for()
    assert answer.locator("h2").inner_text() == "Slow"
    assert "190 more instructions an iteration" in answer.locator("ol").first.inner_text()
    answer.locator("table.functions th button").first.click()
    assert answer.locator("table.functions th[aria-sort]").inner_text() == "function"
    assert Axe().run(page.tab).response["violations"] == []
    assert report(content()).tab.locator(".explained").count() == 0


def test_a_run_by_itself_and_plain_files_open(report: Open) -> None:
    run = report(of_run(one_sided()))
    run.open_row()
    assert "2 benchmarks measured" in run.tab.locator("h1").inner_text()
    files = report(content(plain(["A", "B"]), plain(["A", "B"], 1.5)))
    files.open_row()
    assert "repetition" in files.tab.locator(".panel").inner_text()


def test_details_show_charts_each_with_a_table_behind(report: Open) -> None:
    page = report(content())
    page.open_row()
    figures = page.tab.locator(".panel figure")
    assert figures.count() == 4  # distribution, launches, changes, host
    for place in range(figures.count()):
        figures.nth(place).locator("summary").click()
        figures.nth(place).locator("tbody tr").nth(10).wait_for()
        assert figures.nth(place).locator("svg.marks").get_attribute("aria-label")


def test_percentiles_and_throughput_are_drawn_where_they_were_recorded(report: Open) -> None:
    page = report(content(with_latencies(two_sided({"A": 1.1}, rounds=4))))
    page.open_row()
    text = page.tab.locator(".panel").inner_text()
    assert "Percentiles of latency, us; 2,000 in base, 2,000 in candidate" in text
    assert "throughput over time" in text
    page.tab.locator(".panel figure svg.marks").nth(5).wait_for()
    assert "99.9 %" in page.tab.locator(".panel figure", has_text="Percentiles").inner_text()


def test_every_chart_of_an_open_row_is_drawn_unseen_and_without_known_steal(report: Open) -> None:
    record = two_sided({"A": 1.1}, rounds=6)
    samples = tuple(msgspec.structs.replace(one, steal=None) for one in record.samples)
    page = report(content(msgspec.structs.replace(record, samples=samples)), 390)
    page.open_row()
    page.tab.locator(".panel .chart svg.marks").nth(3).wait_for()


def test_sorting_goes_both_ways_and_is_announced(report: Open) -> None:
    page = report(content())
    button = page.tab.locator("thead button", has_text="change")
    button.click()
    up = page.column("benchmark")
    assert page.tab.locator("th[aria-sort=ascending]").inner_text().startswith("change")
    page.tab.locator("thead button", has_text="change").click()
    assert page.column("benchmark") == up[::-1]
    assert up[0] == "Fast"


def test_search_and_verdict_filters_narrow_the_table(report: Open) -> None:
    page = report(content())
    page.search("sLoW")
    assert page.column("benchmark") == ["Slow"]
    page.search("")
    page.tab.locator("#verdicts button", has_text="slower").click()
    assert "Slow" not in page.column("benchmark")
    assert page.tab.locator("#verdicts button", has_text="slower").get_attribute(
        "aria-pressed"
    ) == ("false")


def test_the_metric_chosen_is_the_metric_shown(report: Open) -> None:
    page = report(content())
    page.tab.select_option("#metric", "allocs")
    assert set(page.column("change")) == {"-66.7 %"}
    page.tab.select_option("#metric", "")
    assert len(page.column("metric")) == 12


def test_the_theme_follows_the_system_and_the_button(report: Open) -> None:
    page = report(content(), theme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.tab.evaluate(paper)
    page.tab.click("#theme")
    light = page.tab.evaluate(paper)
    assert (dark, light) == ("rgb(18, 21, 24)", "rgb(255, 255, 255)")


def test_everything_can_be_reached_with_the_keyboard(report: Open) -> None:
    page = report(content())
    page.tab.locator("tr.row td.name button").first.focus()
    page.tab.keyboard.press("Enter")
    page.tab.locator(".panel svg.marks").first.wait_for()
    page.tab.keyboard.press("Enter")
    assert page.tab.locator(".panel").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(report: Open, theme: str) -> None:
    page = report(content(), theme=theme)
    page.open_row()
    page.tab.locator(".panel summary").first.click()
    found = Axe().run(page.tab).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


@pytest.mark.parametrize("width", [390, 1280, 1920])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_sticks_out_at_any_width(
    report: Open, tmp_path: Path, width: int, theme: str
) -> None:
    page = report(content(two_sided(dict.fromkeys(HOSTILE, 1.1), 12)), width, theme)
    page.open_row()
    wide = page.tab.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    picture = page.tab.screenshot(full_page=True, path=tmp_path / "page.png")
    assert len(picture) > 20_000


def test_print_is_light_and_without_tools(report: Open) -> None:
    page = report(content(), theme="dark")
    page.tab.emulate_media(media="print")
    assert page.tab.evaluate("getComputedStyle(document.body).color") == "rgb(21, 24, 28)"
    assert not page.tab.locator("#tools").is_visible()


def test_without_scripts_verdict_and_numbers_can_be_read(browser: Browser, report: Open) -> None:
    path = report(content()).path
    tab = browser.new_page(java_script_enabled=False)
    tab.goto(path.as_uri())
    text = tab.locator("body").inner_text()
    tab.close()
    assert "1 is slower" in text
    assert "▲ slower" in text


def test_hostile_names_are_text_and_nothing_of_theirs_runs(report: Open) -> None:
    page = report(content(two_sided(dict.fromkeys(HOSTILE, 1.1), 12)))
    page.tab.locator("#forest svg.marks").wait_for()
    shown = page.column("benchmark")
    assert sorted(shown) == sorted(format.name(name).strip() for name in HOSTILE)
    for place in range(len(HOSTILE)):
        page.tab.locator("tr.row td.name button").nth(place).click()
    page.tab.wait_for_timeout(1500)
    assert page.tab.locator("img").count() == 0
    scripts = "[...document.scripts].filter(s => s.text.startsWith('alert')).length"
    assert page.tab.evaluate(scripts) == 0
    long = page.tab.locator(".panel .whole", has_text="longlong").inner_text()
    assert long == HOSTILE[3]


def test_downloads_hold_the_same_numbers_and_no_formulas(report: Open) -> None:
    shown = content(two_sided(dict.fromkeys(HOSTILE, 1.1), 12))
    page = report(shown)
    results = json.loads(_downloaded(page, "#get-json"))
    assert results["comparisons"] == json.loads(_json(shown.document["comparisons"]))
    rows = list(csv.DictReader(io.StringIO(_downloaded(page, "#get-csv"))))
    assert [float(row["change"]) for row in rows] == [
        one["change"] for one in results["comparisons"]
    ]
    assert not [row for row in rows if row["benchmark"].lstrip()[:1] in tuple("=+-@")]
    samples = list(csv.DictReader(io.StringIO(_downloaded(page, "#get-samples"))))
    first = shown.samples[0]
    assert float(samples[0]["value"]) == first.values["real_time"][0]
    assert len(samples) == sum(len(v) for one in shown.samples for v in one.values.values())


def test_numbers_in_the_page_are_those_of_the_results(report: Open) -> None:
    page = report(content())
    titles = ("benchmark", "base", "candidate", "change", "interval")
    rows = set(zip(*(page.column(title) for title in titles), strict=True))
    assert rows == {
        ("Slow", "1.5 us", "1.65 us", "+9.9 %", "+9.5 .. +10.4 %"),
        ("Fast", "1.5 us", "1.2 us", "-20.0 %", "-20.5 .. -19.4 %"),
        ("Same", "1.5 us", "1.5 us", "-0.02 %", "-0.35 .. +0.37 %"),
        ("Noisy", "1.46 us", "1.46 us", "+0.03 %", "-14.8 .. +29.9 %"),
    }
    assert len(page.column("benchmark")) == 4


def test_a_million_samples_in_one_benchmark(report: Open) -> None:
    page = report(content(two_sided({"Big": 1.1}, rounds=10, samples=50_000)))
    assert page.path.stat().st_size < 4_000_000
    page.open_row()
    assert "every" in page.tab.locator("#downloads").inner_text()


def _downloaded(page: Report, button: str) -> str:
    with page.tab.expect_download() as waiting:
        page.tab.click(button)
    return Path(waiting.value.path()).read_bytes().decode()


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def test_a_suites_choices_are_drawn_with_a_table_behind_each(report: Open) -> None:
    page = report(suite_content())
    page.tab.locator("#decision-0 svg.marks").wait_for()
    assert page.tab.locator("#decisions figure").count() == 2
    drawn = page.tab.locator("#decision-0").inner_text()
    assert "SharedPointer" in drawn
    assert "10 ns" in drawn
    page.tab.locator("#decisions summary").first.click()
    assert "Single x5" in page.tab.locator("#decisions table").first.inner_text()
