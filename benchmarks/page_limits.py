"""How soon pages of large stores are seen, and a filter answered, in Chromium.

    python -m benchmarks page_limits
    ASSAY_PAGES_AT=FOLDER ...           keeps the stores there, and goes on with them

Two stores: 10,000 runs of 100 benchmarks, and 200 runs of 5,000 (`made_stores`); making them and
judging them for the first time takes a quarter of an hour. "First view" is from the start of the
navigation, in a fresh browser context, until the page has drawn what it shows and the browser has
painted once more. "Filter" is from a letter typed until the table has followed and was painted.
"CPU" is what all processes of the browser took for it, to which other work adds little.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from assay.workflows.pages.survey import surveyed
from benchmarks.made_stores import LONG, WIDE, Shape, filled
from benchmarks.tools import ASSAY, promised

_TRIES = 7
_FIRST_VIEW_MS, _FILTER_MS, _MEMORY_MB = 300, 100, 300
_WHEN_SEEN = """
new MutationObserver((_, watcher) => {
  if (!document.documentElement?.dataset.ready) return;
  watcher.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.seenAt = performance.now(); }));
}).observe(document, { attributes: true, childList: true, subtree: true });
"""
_SEEN = """
async () => {
  while (!window.seenAt) await new Promise((next) => setTimeout(next, 5));
  return window.seenAt;
}
"""
_FILTER = """
async () => {
  const [field, shown] = ["search", "shown"].map((id) => document.getElementById(id));
  const before = shown.textContent;
  const start = performance.now();
  field.value = "7";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  while (shown.textContent === before) await new Promise((next) => setTimeout(next, 1));
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  return performance.now() - start;
}
"""


class Seen(NamedTuple):
    """One page."""

    first_view_ms: float
    filter_ms: float
    view_cpu_ms: float
    filter_cpu_ms: float
    bytes: int


def main() -> bool:
    kept: list[bool] = []
    with tempfile.TemporaryDirectory() as folder:
        at = Path(os.environ.get("ASSAY_PAGES_AT", folder))
        for name, shape in (("long", LONG), ("wide", WIDE)):
            root = at / name / ".assay"
            filled(root, shape)
            surveyed(root)
            kept += [*_measured(root, shape)]
    return all(kept)


def _measured(root: Path, shape: Shape) -> Iterator[bool]:
    print(f"{shape.runs:,} runs of {shape.benchmarks:,} benchmarks")
    with _served(root) as (process, url):
        for name, seen in _seen(url, root):
            yield from _told(name, seen)
        peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())
        yield promised("memory of the server", int(peak[1]) / 1024 if peak else 0, _MEMORY_MB, "MB")


def _told(name: str, seen: Seen) -> Iterator[bool]:
    print(f"  {name}: {seen.bytes / 1e3:.0f} kB, of CPU {seen.view_cpu_ms:.0f} ms to view it,")
    print(f"         {seen.filter_cpu_ms:.0f} ms to filter it")
    yield promised(f"{name}: first view", seen.first_view_ms, _FIRST_VIEW_MS, "ms")
    yield promised(f"{name}: filter", seen.filter_ms, _FILTER_MS, "ms")


@contextmanager
def _served(root: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    words = [ASSAY, "serve", "--store", str(root), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process, process.stdout.readline().split()[0]
        finally:
            process.terminate()


def _seen(url: str, root: Path) -> Iterator[tuple[str, Seen]]:
    sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "browser"))
    from chromium import opened

    with opened() as browser:
        tab = browser.new_page()
        tab.goto(f"{url}benchmarks.html")
        tab.wait_for_selector("html[data-ready]")
        one = str(tab.locator("#grid td.name a").first.get_attribute("href"))
        pair = _pair(root)
        tab.goto(f"{url}{pair}")  # judged for the first time, which takes seconds
        tab.wait_for_selector("#benchmarks tr.row", timeout=120_000)
        pages = {
            "What changed": "",
            "Benchmarks": "benchmarks.html",
            "Benchmark": one,
            "Runs": "runs.html",
            "Compare": pair,
        }
        for name, path in pages.items():
            yield name, _median([_once(browser, url + path) for _ in range(_TRIES)])


def _pair(root: Path) -> str:
    runs = [path.stem for path in sorted((root / "runs").rglob("*.parquet"))]
    return f"compare.html?base={runs[0]}&candidate={runs[-1]}"


def _once(browser: Any, address: str) -> Seen:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.add_init_script(_WHEN_SEEN)
    asked = browser.new_browser_cdp_session()
    before_ms = _cpu_ms(asked)
    answer = tab.goto(address)
    seen_ms = tab.evaluate(_SEEN)
    viewed_ms = _cpu_ms(asked)
    filter_ms = tab.evaluate(_FILTER)
    filtered_ms = _cpu_ms(asked)
    size = len(answer.body())
    context.close()
    return Seen(seen_ms, filter_ms, viewed_ms - before_ms, filtered_ms - viewed_ms, size)


def _cpu_ms(asked: Any) -> float:
    """Of all processes of the browser, so far."""
    told = asked.send("SystemInfo.getProcessInfo")["processInfo"]
    return 1e3 * float(sum(one["cpuTime"] for one in told))


def _median(every: list[Seen]) -> Seen:
    return Seen(*(statistics.median(column) for column in zip(*every, strict=True)))
