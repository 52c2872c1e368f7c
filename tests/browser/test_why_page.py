"""The page of assay why in Debian's Chromium: pictures, sorting, hostile names, everybody."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from explanations import exact_work, explained, own_change
from msgspec.structs import replace
from playwright.sync_api import Browser, Page
from records import HOSTILE

from assay.explained import Explained, Unanswered
from assay.judge.attribution.findings import findings
from assay.model import Failure, Side
from assay.show.page.why import why_page
from assay.stacks import Stacks

Open = Callable[..., Page]
FRAMES = ".flame svg g"


def html(found: Sequence[Explained], *, failed: str = "") -> bytes:
    return why_page(
        list(map(findings, found)),
        targets=("old/bench", "new/bench"),
        only=(("gone",), ()),
        failures=[Failure(benchmark=failed, what=failed, side=Side.BASE)] if failed else [],
        unavailable=[Unanswered("time", "perf is not permitted here")],
    )


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a page; fails the test when it complained or asked a network."""
    complaints: list[str] = []
    tabs: list[Page] = []

    def opened(content: bytes, width: int = 1400, theme: str = "light") -> Page:
        path = tmp_path / f"why{len(tabs)}.html"
        path.write_bytes(content)
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


def width_of(tab: Page, label: str) -> float:
    return float(
        tab.locator(FRAMES, has_text=label).locator("rect.plain").get_attribute("width") or 0
    )


def test_the_answer_its_table_source_and_machine_code_are_there(open_page: Open) -> None:
    tab = open_page(html([explained()]))
    assert tab.locator("h1").inner_text() == "Why BM_append differs"
    assert "▲ 190 more instructions an iteration (+1.9 %)" in tab.locator(".head").inner_text()
    assert "`" not in tab.locator(".answer").first.inner_text()
    row = tab.locator(".functions tbody tr").first.inner_text().split()
    assert row[:2] == ["Wal::append(char", "const*)"] or "+190" in row
    changed = tab.locator("table.source tr.new").inner_text().split()
    assert changed[:3] == ["88", "190", "+190"]
    tab.locator("details.machine summary").click()
    assert tab.locator("table.machine tr.new .candidate").last.inner_text() == "1000 call memmove"
    assert tab.locator("table.machine tr.gap").count() == 1
    assert "37 instructions that are the same" in tab.locator("details.machine").inner_text()
    assert "perf is not permitted here" in tab.locator("main").inner_text()


def test_boxes_are_as_wide_as_what_they_cost(open_page: Open) -> None:
    tab = open_page(html([explained()]))
    whole = width_of(tab, "all")
    assert width_of(tab, "Wal::append") / whole == pytest.approx(61_900 / 101_900, abs=0.01)
    assert width_of(tab, "crc") / whole == pytest.approx(39_000 / 101_900, abs=0.01)
    tab.select_option(".flame select", "base")
    assert width_of(tab, "Wal::append") / whole == pytest.approx(0.6, abs=0.01)
    said = tab.locator(".flame .said").inner_text()
    assert said == "all 10,000 → 10,190 instructions an iteration (+190, +1.9 %); " + (
        "by itself 0 → 0 (no change)"
    )


def test_a_click_and_the_keyboard_show_a_box_alone(open_page: Open) -> None:
    tab = open_page(html([explained()]))
    whole = width_of(tab, "all")
    tab.locator(FRAMES, has_text="Wal::append").click()
    assert width_of(tab, "Wal::append") == whole
    assert tab.locator(FRAMES, has_text="crc").count() == 0
    tab.locator(FRAMES, has_text="Wal::append").focus()
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')").startswith("memmove: ")
    tab.keyboard.press("Escape")
    assert tab.locator(FRAMES, has_text="crc").count() == 1


def test_searching_marks_what_is_found(open_page: Open) -> None:
    tab = open_page(html([explained()]))
    tab.fill(".flame input", "APPEND")
    assert tab.locator("g.found").count() == 1
    assert tab.locator("g.missed").count() == 4


def test_what_is_only_in_the_base_is_there_to_be_seen(open_page: Open) -> None:
    gone = Stacks({("bench", "old"): 50, ("bench", "rest"): 50}, {("bench", "rest"): 50})
    work = exact_work(own_change("bench", -50), base=100, stacks=gone)
    tab = open_page(html([Explained("BM", work)]))
    assert tab.locator(FRAMES, has_text="▼ old").locator("rect.fewer").count() == 1
    tab.select_option(".flame select", "candidate")
    assert tab.locator(FRAMES, has_text="old").count() == 0


def test_the_table_can_be_sorted_both_ways(open_page: Open) -> None:
    changes = own_change("a", 50), own_change("c", -70), own_change("b", 9)
    tab = open_page(html([Explained("BM", exact_work(*changes))]))
    names = tab.locator(".functions tbody td.name")
    assert names.all_inner_texts() == ["c", "a", "b"]
    tab.locator(".functions thead button", has_text="function").click()
    assert names.all_inner_texts() == ["a", "b", "c"]
    tab.locator(".functions thead button", has_text="function").click()
    assert names.all_inner_texts() == ["c", "b", "a"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_axe_finds_nothing_and_nothing_sticks_out(open_page: Open, width: int, theme: str) -> None:
    tab = open_page(html([explained(), explained("BM_other")]), width, theme)
    tab.locator("details.machine summary").first.click()
    found = Axe().run(tab).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_names_are_text_and_cut(open_page: Open) -> None:
    found = [explained(name, name) for name in HOSTILE]
    found += [
        replace(one, unanswered=(Unanswered(name, name),))
        for one, name in zip(found, HOSTILE, strict=True)
    ]
    content = html(found, failed=HOSTILE[0])
    assert b"long" * 2_000 not in content
    tab = open_page(content, 400)
    for summary in tab.locator("details.machine summary").all()[:3]:
        summary.click()
    assert tab.locator("img").count() == 0
    assert tab.evaluate("document.scripts.length") == 2
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400


def test_without_scripts_the_answer_can_be_read(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "plain.html"
    path.write_bytes(html([explained()]))
    tab = browser.new_page(java_script_enabled=False)
    tab.goto(path.as_uri())
    text = tab.locator("body").inner_text()
    tab.close()
    assert "190 more instructions" in text
    assert "memmove(to, from, size);" in text


def test_the_same_answer_gives_the_same_bytes_and_names_no_address() -> None:
    content = html([explained()])
    assert content == html([explained()])
    assert b"http://" not in content.replace(b"http://www.w3.org/2000/svg", b"")
    assert b"unsafe" not in content
