"""How long `assay multiview` takes over 1,000 files of 300 benchmarks, and until it can be used.

    ./dev bench multiview_limits

Made-up libMicro files, and as many of Google Benchmark's with 10 repetitions for the price of
intervals. What is promised: 5 s for 1,000 files, and a page that answers within 2 s more.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from benchmarks.tools import ASSAY, ROOT, median_s, promised

FILES, ROWS = 1_000, 300
WITHIN_S, USABLE_S = 5.0, 2.0


def main() -> bool:
    """Whether the promises are kept."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        kept = _one("libMicro", [_libmicro(place, i) for i in range(FILES)], place)
        plain = [_google(place, i, 1) for i in range(FILES)]
        kept &= _one("Google Benchmark", plain, place)
        repeated = [_google(place, i, 10) for i in range(FILES // 10)]
        page = place / "repeated.html"
        taken_s = median_s([ASSAY, "multiview", *map(str, repeated), "-o", str(page)], 1)
        print(f"  {FILES // 10} files of {ROWS} with 10 repetitions, intervals: {taken_s:.2f} s")
    return kept


def _one(what: str, files: list[Path], place: Path) -> bool:
    page = place / "page.html"
    taken_s = median_s([ASSAY, "multiview", *map(str, files), "-o", str(page)], 3)
    print(f"  {what}: {page.stat().st_size / 1e6:.1f} MB")
    kept = promised(f"{what}: {FILES} files of {ROWS}", taken_s, WITHIN_S, "s")
    return promised(f"{what}: usable in", _usable_s(page), USABLE_S, "s") and kept


def _libmicro(place: Path, number: int) -> Path:
    chance = random.Random(number)
    rows = [
        f"case_{row:<10} 1   1 {chance.lognormvariate(2, 0.2):>12.5f} {10_000:>12}"
        for row in range(ROWS)
    ]
    path = place / f"host{number}.out"
    heading = f"!Machine_name\thost{number}\n             prc thr   usecs/call      samples\n"
    path.write_text(heading + "\n".join(rows) + "\n")
    return path


def _google(place: Path, number: int, repetitions: int) -> Path:
    chance = random.Random(number)
    rows = [
        {"name": f"case_{row}", "run_type": "iteration", "repetition_index": repetition}
        | {"iterations": 1000, "time_unit": "ns", "threads": 1}
        | {key: chance.lognormvariate(2, 0.2) for key in ("real_time", "cpu_time")}
        for row in range(ROWS)
        for repetition in range(repetitions)
    ]
    path = place / f"bench{number}.{repetitions}.json"
    path.write_bytes(msgspec.json.encode({"context": {"num_cpus": 2}, "benchmarks": rows}))
    return path


def _usable_s(page: Path) -> float:
    """From navigation until a search among all rows is answered, in a fresh Chromium page."""
    sys.path.insert(0, str(ROOT / "tests" / "browser"))
    from chromium import opened

    with opened() as browser:
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        began_s = time.perf_counter()
        tab.goto(page.as_uri())
        tab.wait_for_selector("html[data-ready]")
        tab.fill("#search", "case_29")
        tab.locator("#shown").filter(has_text="11 of").wait_for()
        return time.perf_counter() - began_s
