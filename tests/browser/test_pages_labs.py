"""What the labs measured, as pages in Debian's Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from lab_runs import stored
from records import HOSTILE
from serving import Serving, served
from store_pages import Open, Serve, column, fits

from assay.cli import invoke
from assay.history import Lab
from assay.show.words import format

LABS = ["Suites", "OS", "OS", "Crash", "Index", "Overhead"]  # the newest first


@pytest.fixture(scope="module")
def labs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("labs") / ".assay"
    stored(root)
    return root


@pytest.fixture(scope="module")
def server(labs: Path) -> Iterator[Serving]:
    with served(labs) as running:
        yield running


def run_of(root: Path, lab: Lab) -> str:
    """The newest."""
    runs = sorted(path.stem for path in (root / "runs").rglob("*.parquet"))
    return runs[[Lab.OVERHEAD, Lab.INDEX, Lab.CRASH, Lab.OS, Lab.OS, Lab.SUITE].index(lab)]


def test_all_labs_are_listed(server: Serving, tab: Open) -> None:
    page = tab(f"{server.url}labs.html")
    assert page.locator("h1").inner_text().startswith("6 runs: Overhead 1, Index 1, Crash 1, OS 2")
    assert column(page, "lab") == LABS
    page.select_option("select[name=lab]", "OS")
    page.locator("#shown", has_text="2 of 6 runs").wait_for()
    rows = page.locator("table.crashes tbody tr").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == ["tree", "exec"]
    assert all("912" in row and "12.5 ms" in row for row in rows)
    assert page.locator("table.crashes tr.lost").count() == 2


@pytest.mark.parametrize("lab", list(Lab))
def test_each_has_its_page(server: Serving, labs: Path, tab: Open, lab: Lab) -> None:
    for width, theme in ((390, "dark"), (1280, "light"), (1920, "dark")):
        page = tab(f"{server.url}lab/{run_of(labs, lab)}.html", width, theme)
        page.locator("nav a[aria-current]", has_text="Labs").wait_for()
        page.locator("#benchmarks tr.row").first.wait_for()
        fits(page)


def test_a_sweep_has_its_charts_and_its_matrix(server: Serving, labs: Path, tab: Open) -> None:
    page = tab(f"{server.url}lab/{run_of(labs, Lab.INDEX)}.html")
    page.locator("#sweep-0 svg").wait_for()
    heads = page.locator("table.matrix thead th").all_inner_texts()
    assert heads == ["mix", "1 thread", "2 threads", "4 threads"]
    cells = page.locator("table.matrix tbody tr").all_inner_texts()
    rates = ["hash 4M/s, 2 x tree", "hash 8M/s, 2 x tree", "hash 16M/s, 2 x tree"]
    assert cells[0].split("\t") == ["ycsb-a", *rates]


def test_a_suite_says_which_to_take(server: Serving, labs: Path, tab: Open) -> None:
    page = tab(f"{server.url}lab/{run_of(labs, Lab.SUITE)}.html")
    page.locator("#decision-0 svg").wait_for()


def test_the_os_lab_is_seen_against_any_reference(server: Serving, labs: Path, tab: Open) -> None:
    page = tab(f"{server.url}os.html")
    page.locator("#sheet tbody td").first.wait_for()
    fits(page)
    runs = [f"run:{path.stem}" for path in sorted((labs / "runs").rglob("*.parquet"))][3:5]
    older, newer = runs
    assert page.locator("#sheet tbody td").nth(1).inner_text().startswith("81 ns +100.0 %")
    page.select_option("#reference", older)
    page.locator("#sheet thead th", has_text=f"{older} (reference)").wait_for()
    assert page.locator("#sheet tbody td").nth(1).inner_text() == "162 ns -100.0 %"
    again = tab(page.url)
    assert again.locator("#sheet tbody td").nth(1).inner_text() == "162 ns -100.0 %"
    page.go_back()
    page.locator("#sheet thead th", has_text=f"{newer} (reference)").wait_for()


def test_hostile_names_do_nothing_in_labs(tab: Open, serve: Serve, tmp_path: Path) -> None:
    """Two pages of runs of each name, of other labs each time, in one tab: tabs cost memory."""
    root = tmp_path / ".assay"
    for name in HOSTILE:
        store = stored(root, name)
    runs = store.folder.runs()
    assert len(runs) == len(LABS) * len(HOSTILE)
    running = serve(root)
    page = tab(f"{running.url}labs.html")
    page.locator("#shown", has_text=f"{len(runs)} runs").wait_for()
    shown = page.locator("table.crashes tbody th").all_inner_texts()
    assert {format.name(name, 60) for name in HOSTILE} <= set(shown)
    for run in [run for number, run in enumerate(runs) if number % 3 == number // 6 % 3]:
        page.goto(f"{running.url}lab/{run}.html")
        page.locator("#benchmarks tr.row").first.wait_for()
        assert page.locator("img").count() == 0
    page.goto(f"{running.url}os.html")
    page.locator("#sheet tbody td").first.wait_for()
    assert page.locator("img").count() == 0


def test_labs_are_files_too(labs: Path, tab: Open, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    assert invoke(["serve", "--export", str(folder), "--store", str(labs)]) == 0
    assert len(list((folder / "lab").iterdir())) == 6
    page = tab((folder / "labs.html").as_uri())
    page.get_by_role("link", name="All side by side").click()
    page.wait_for_selector("#sheet tbody td")
    page.get_by_role("link", name="Labs", exact=True).click()
    page.locator("#grid td.name a").first.click()
    page.locator("#benchmarks tr.row").first.wait_for()
