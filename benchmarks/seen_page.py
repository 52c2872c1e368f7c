"""How soon one page is seen in Chromium, and what that takes.

    with opened() as browser:
        seen = seen_page(browser, Asked("http://127.0.0.1:8000/", filters=True))

"First view" is from the start of the navigation, in a fresh browser context, until the page has
drawn what it shows and the browser has painted once more. "Filter" is from a letter typed until
the table has followed and was painted; it is typed a second after the first view, when charts are
drawn, too: nobody reads and types sooner. "CPU" is what all processes of the browser took for it,
to which other work adds little.
"""

import re
import statistics
import sys
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "browser"))

TRIES = 7
OURS = "document.documentElement?.dataset.ready"
_LONGEST_MS = 300_000  # for a navigation on a busy machine
_WHEN_SEEN = """
new MutationObserver((_, watcher) => {
  if (!(CONDITION)) return;
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
  await new Promise((next) => setTimeout(next, 1000));
  const start = performance.now();
  field.value = "7";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  while (shown.textContent === before) {
    if (performance.now() - start > 60_000) throw new Error(`filtered nothing: ${before}`);
    await new Promise((next) => setTimeout(next, 1));
  }
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  return performance.now() - start;
}
"""
_DATA = re.compile(
    rb'<script type="text/plain" id="(?:data|index|details|floats|why-pictures)">[^<]*'
)


class Asked(NamedTuple):
    """An address, what says that it is drawn, and whether it has a table with rows."""

    address: str
    drawn: str = OURS
    filters: bool = False


class Seen(NamedTuple):
    """One page; a filter that is not there takes no time."""

    first_view_ms: float
    filter_ms: float
    view_cpu_ms: float
    filter_cpu_ms: float
    bytes: float  # of all that it asked for
    plain_bytes: float  # of the page itself without the data of its tables and charts


def seen_page(browser: Any, asked: Asked, tries: int = TRIES) -> Seen:
    """Medians of several times."""
    every = [_once(browser, asked) for _ in range(tries)]
    return Seen(*(statistics.median(column) for column in zip(*every, strict=True)))


def _once(browser: Any, asked: Asked) -> Seen:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.set_default_timeout(_LONGEST_MS)
    tab.add_init_script(_WHEN_SEEN.replace("CONDITION", asked.drawn))
    answers: list[Any] = []
    tab.on("response", partial(answers.append))
    told = browser.new_browser_cdp_session()
    before_ms = _cpu_ms(told)
    page = tab.goto(asked.address)
    seen_ms = tab.evaluate(_SEEN)
    viewed_ms = _cpu_ms(told)
    filter_ms = tab.evaluate(_FILTER) if asked.filters else 0.0
    filtered_ms = _cpu_ms(told)
    whole, plain = sum(len(one.body()) for one in answers), len(_DATA.sub(b"", page.body()))
    context.close()
    return Seen(seen_ms, filter_ms, viewed_ms - before_ms, filtered_ms - viewed_ms, whole, plain)


def _cpu_ms(asked: Any) -> float:
    """Of all processes of the browser, so far."""
    told = asked.send("SystemInfo.getProcessInfo")["processInfo"]
    return 1e3 * float(sum(one["cpuTime"] for one in told))
