"""How soon pages of large stores are seen, and a filter answered, in Chromium.

    python -m benchmarks page_limits
    ASSAY_PAGES_AT=FOLDER ...           keeps the stores there, and goes on with them
    ASSAY_PEER_AT=FOLDER ...            also FOLDER/long and FOLDER/wide, of `asv publish`
    ASSAY_PAGES_OF=wide ...             one of the two stores, or one of another size: 200x500

Two stores: 10,000 runs of 100 benchmarks, and 200 runs of 5,000 (`made_stores`); making them and
judging them for the first time takes a quarter of an hour. What is measured: `seen_page`.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.answers import WhyQuestion
from assay.show.page.store.why import href
from assay.workflows.pages.survey import survey_of_store
from benchmarks.asv_pages import asv_pages
from benchmarks.made_stores import LONG, WIDE, Shape, filled
from benchmarks.seen_page import Asked, Seen, seen_page
from benchmarks.tools import ASSAY, promised

_FIRST_VIEW_MS, _FILTER_MS, _MEMORY_MB, _WEIGHT_KB = 300, 100, 300, 500
_SHAPES = {"long": LONG, "wide": WIDE}


def main() -> bool:
    from chromium import opened

    kept: list[bool] = []
    peer, only = os.environ.get("ASSAY_PEER_AT"), os.environ.get("ASSAY_PAGES_OF")
    with tempfile.TemporaryDirectory() as folder, opened() as browser:
        at = Path(os.environ.get("ASSAY_PAGES_AT", folder))
        for name, shape in _asked_for(only).items():
            root = at / name / ".assay"
            filled(root, shape)
            survey_of_store(root)
            kept += [*_measured(browser, root, shape)]
            if peer:
                _told_of_peer(browser, Path(peer) / name)
    return all(kept)


def _asked_for(only: str | None) -> dict[str, Shape]:
    if not only:
        return _SHAPES
    if only in _SHAPES:
        return {only: _SHAPES[only]}
    runs, _, benchmarks = only.partition("x")
    return {only: Shape(int(runs), int(benchmarks))}


def _measured(browser: Any, root: Path, shape: Shape) -> Iterator[bool]:
    load = os.getloadavg()[0]
    print(
        f"{shape.runs:,} runs of {shape.benchmarks:,} benchmarks; others keep {load:.1f} CPUs busy"
    )
    with _served(root) as (process, url):
        for name, asked in _pages(browser, url, root):
            yield from _told(name, asked, seen_page(browser, asked))
        peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())
        yield promised("memory of the server", int(peak[1]) / 1024 if peak else 0, _MEMORY_MB, "MB")


def _told(name: str, asked: Asked, seen: Seen) -> Iterator[bool]:
    _print(name, seen)
    yield promised(f"{name}: first view", seen.first_view_ms, _FIRST_VIEW_MS, "ms")
    if asked.filters:
        yield promised(f"{name}: filter", seen.filter_ms, _FILTER_MS, "ms")
    yield promised(f"{name}: without its data", seen.plain_bytes / 1e3, _WEIGHT_KB, "kB")


def _print(name: str, seen: Seen) -> None:
    print(
        f"  {name}: {seen.bytes / 1e3:.0f} kB, {seen.first_view_ms:.0f} ms; of CPU "
        f"{seen.view_cpu_ms:.0f} ms to view it, {seen.filter_cpu_ms:.0f} ms to filter it",
        flush=True,
    )


def _told_of_peer(browser: Any, folder: Path) -> None:
    print("  the same in the pages of asv")
    with asv_pages(folder) as pages:
        for name, asked in pages.items():
            _print(f"asv, {name}", seen_page(browser, asked))


@contextmanager
def _served(root: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    words = [ASSAY, "serve", "--store", str(root), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process, process.stdout.readline().split()[0]
        finally:
            process.terminate()


def _pages(browser: Any, url: str, root: Path) -> Iterator[tuple[str, Asked]]:
    tab = browser.new_page()
    tab.set_default_timeout(300_000)
    tab.goto(f"{url}benchmarks.html")
    tab.wait_for_selector("html[data-ready]")
    names = tab.locator("#grid td.name a")
    one, benchmark = str(names.first.get_attribute("href")), str(names.first.inner_text())
    runs = [path.stem for path in sorted((root / "runs").rglob("*.parquet"))]
    pair = f"compare.html?base={runs[0]}&candidate={runs[-1]}"
    tab.goto(f"{url}{pair}")  # judged for the first time, which takes seconds
    tab.wait_for_selector("#benchmarks tr.row")
    tab.close()
    for name, path in (
        ("What changed", ""),
        ("Benchmarks", "benchmarks.html"),
        ("Benchmark", one),
        ("Runs", "runs.html"),
        ("Compare", pair),
    ):
        yield name, Asked(url + path, filters=True)
    why = href(WhyQuestion(benchmark, runs[0], runs[-1]))
    yield "Why", Asked(url + why)
    for name, page in (
        ("Bisect", "bisects"),
        ("Hosts", "hosts"),
        ("Labs", "labs"),
        ("Live", "live"),
    ):
        yield name, Asked(f"{url}{page}.html")
