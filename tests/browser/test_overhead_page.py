"""The page of an overhead experiment in Chromium: its words, its tables, and nothing amiss."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from experiments import experiment, shown
from open_report import Report
from playwright.sync_api import Browser
from records import HOSTILE

Open = Callable[..., Report]
SIDES = re.compile(r"\b(?:base|candidate)\b", re.IGNORECASE)
PAIRS = [
    "exec: strace against seccomp",
    "exec: strace against undisturbed",
    "exec: strace against bpftrace",
    "exec: bpftrace against undisturbed",
    "exec: seccomp against bpftrace",
    "exec: seccomp against undisturbed",
]


def _rows(page: Report, table: str) -> list[str]:
    return page.tab.locator(f"table#{table} tbody th").all_inner_texts()


def test_it_opens_with_its_sentence_tables_and_charts(report: Open) -> None:
    page = report(shown())
    assert page.tab.locator("h1").inner_text().startswith("exec under bpftrace, seccomp and strace")
    costs = " ".join(page.tab.locator(".costs").inner_text().split())
    assert "costs 4.9 % more under bpftrace [4.4, 5.3]" in costs
    assert _rows(page, "against") == ["bpftrace", "seccomp", "strace"]
    assert _rows(page, "each-other") == ["seccomp", "strace", "strace"]
    page.tab.locator("#forest svg.marks").wait_for()
    assert "condition against reference" in page.tab.locator("#forest-caption").inner_text()
    assert sorted(page.column("comparison")) == sorted(PAIRS)
    assert page.column("reference")[0] in ("499 us", "500 us")


def test_an_open_row_speaks_of_reference_and_condition(report: Open) -> None:
    page = report(shown())
    page.open_row()
    for summary in page.tab.locator(".panel summary").all():
        summary.click()
    panel = page.tab.locator(".panel").inner_text()
    assert "reference above, condition below" in " ".join(panel.split()).replace(" ,", ",")
    assert "Condition against reference, round by round" in panel
    assert SIDES.findall(page.tab.locator("body").inner_text()) == []
    named = "[...document.querySelectorAll('[aria-label], [title]')]"
    told = page.tab.evaluate(f"{named}.map((one) => one.ariaLabel + one.title).join(' ')")
    assert SIDES.findall(told) == []


def test_tables_that_are_downloaded_have_the_same_words(report: Open) -> None:
    page = report(shown())
    with page.tab.expect_download() as waiting:
        page.tab.click("#get-csv")
    results = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text())))
    assert {"comparison", "reference", "condition"} < results[0].keys()
    with page.tab.expect_download() as waiting:
        page.tab.click("#get-samples")
    samples = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text())))
    assert {row["side"] for row in samples} == {"reference", "condition"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(report: Open, theme: str) -> None:
    page = report(shown(experiment(benchmarks=("exec", "fork"))), theme=theme)
    page.open_row()
    found = Axe().run(page.tab).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nothing_sticks_out_whatever_conditions_are_called(report: Open, width: int) -> None:
    costs = {"undisturbed": 1.0, **dict.fromkeys(HOSTILE[:6], 1.1)}
    page = report(shown(experiment(costs, benchmarks=("exec", HOSTILE[0]), rounds=14)), width)
    page.tab.locator("#forest").scroll_into_view_if_needed()  # it is drawn when it is seen
    page.tab.locator("#forest svg.marks").wait_for()
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    assert page.tab.locator("img").count() == 0
    assert _rows(page, "against")[0] == HOSTILE[0]


def test_without_scripts_sentence_and_both_tables_can_be_read(
    browser: Browser, report: Open
) -> None:
    path = report(shown()).path
    tab = browser.new_page(java_script_enabled=False)
    tab.goto(path.as_uri())
    text = tab.locator("body").inner_text()
    visible = [tab.locator(f"table#{name}").is_visible() for name in ("against", "each-other")]
    tab.close()
    assert visible == [True, True]
    assert "takes 3.4 times as long under strace" in text
    assert "82,244" in text
    assert SIDES.findall(text) == []
