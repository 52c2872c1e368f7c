"""A suite of twenty, two of which set up for half a second: default budgets, as a user would.

Three times against a byte-identical copy, and once against 5 % more work at a margin of 2 %.
Takes about 20 minutes. Run it with nothing else running.
"""

import json
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.tools import ASSAY, NATIVE, promised

TIMES, BENCHMARKS = 3, 20
FOUND_AT_LEAST = 15
QUIET = 0.02  # whoever's round is less noisy than this must be found

Row = dict[str, Any]


def main() -> bool:
    kept = True
    for number in range(TIMES):
        rows = _compared(f"A against its copy, time {number + 1}", "dear_setup_0_copy")
        false = sum(row["verdict"] in ("slower", "faster") for row in rows)
        kept &= promised("false verdicts", false, 0, "of 20")
        kept &= _all_have_an_interval(rows)
    rows = _compared("5 % injected", "dear_setup_5")
    missed = [row for row in rows if row["verdict"] != "slower"]
    kept &= promised("missed", len(missed), BENCHMARKS - FOUND_AT_LEAST, "of 20")
    quiet = [row["benchmark"] for row in missed if (row.get("noise") or 1.0) < QUIET]
    kept &= promised("missed though a round's noise is under 2 %", len(quiet), 0, "of 20")
    return kept & _all_have_an_interval(rows)


def _compared(what: str, candidate: str) -> list[Row]:
    """The judged metric's rows of one comparison with nothing but defaults."""
    out = Path(tempfile.mkdtemp(prefix="assay-bench-")) / "out.json"
    began_s = time.monotonic()
    command = [ASSAY, "compare", _path("dear_setup_0"), _path(candidate), "--json", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found: list[Row] = json.loads(out.read_text())["comparisons"]
    rows = [row for row in found if row["metric"] == "real_time"]
    if len(rows) != BENCHMARKS:
        raise SystemExit(f"{len(rows)} benchmarks instead of {BENCHMARKS}: nothing is shown")
    counts = ", ".join(f"{n} {verdict}" for verdict, n in Counter(_verdicts(rows)).items())
    print(f"  {what}: {counts}; {time.monotonic() - began_s:.0f} s")
    for row in rows:
        if row["benchmark"].startswith("dear") or row["low"] is None:
            print(f"      {row['benchmark']}: {row['rounds']} rounds, {row['verdict']}")
    return rows


def _verdicts(rows: list[Row]) -> list[str]:
    return [row["verdict"] for row in rows]


def _all_have_an_interval(rows: list[Row]) -> bool:
    without = sum(row["low"] is None for row in rows)
    return promised("without an interval", without, 0, "of 20")


def _path(name: str) -> str:
    return str(NATIVE / "benchmarks" / name)
