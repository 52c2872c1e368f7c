"""A against an identical copy of A, ten times: how often is anything flagged?

Promised: at least 20 benchmarks of mixed kinds, no `slower` or `faster` in at
least 9 of 10 comparisons.
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.tools import ASSAY, NATIVE, promised

TRIES = 10
BUDGET = "40s"


def main() -> bool:
    bench = NATIVE / "tests" / "plain_benchmark"
    alarms = 0
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        copy = shutil.copy(bench, Path(folder) / "copy")
        for number in range(TRIES):
            flagged, benchmarks = _flagged([str(bench), str(copy)], folder, number)
            alarms += bool(flagged)
            print(f"  try {number + 1}: {benchmarks} benchmarks, flagged: {flagged or 'none'}")
    return promised("tries with a false alarm", alarms, 1, f"of {TRIES}")


def _flagged(targets: list[str], folder: str, seed: int) -> tuple[list[str], int]:
    out = Path(folder) / "out.json"
    command = [ASSAY, "compare", *targets, "--seed", str(seed), "--budget", BUDGET, "-q"]
    subprocess.run([*command, "--json", str(out)], check=True, stdout=subprocess.DEVNULL)
    rows = json.loads(out.read_text())["comparisons"]
    names = {row["benchmark"] for row in rows}
    if len(names) < 20 or min(row["rounds"] for row in rows) < 5:
        raise SystemExit(f"only {len(names)} benchmarks, or hardly measured: nothing is shown")
    return [
        f"{row['benchmark']} {row['metric']} {row['change']:+.1%}"
        for row in rows
        if row["verdict"] in ("slower", "faster")
    ], len(names)
