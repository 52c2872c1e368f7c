"""Does it matter in which file an executable lies? A against copies of itself.

    python -m benchmarks.fresh_copies EXECUTABLE [--filter RE] [--copies 8] [--launches 16]

Where a file lies in the page cache persists from launch to launch, and would be a
difference between two sides that no order of launches turns into chance. So each
benchmark is launched from several byte-identical copies in random order. If files
matter, launches from one copy are more alike than launches from different ones: the
share of benchmarks in which that is so at 1 % is printed (about 1 % of them are by
chance), and how far apart the copies are beyond what launches scatter.
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.judge.estimate import launch_estimate
from assay.measure.effort import Effort
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.targets.gbench import GBenchTarget
from assay.workflows.common.targets import RecordedTarget, TargetContext, resolve

Floats = NDArray[np.float64]
PERMUTATIONS = 2_000
CPU = 1


def main() -> int:
    args = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        targets = _copies(args.executable, Path(folder), args.copies)
        names = [n for n in targets[0].benchmarks("") if re.search(args.filter, n)][: args.most]
        rows = [_apart(_launched(targets, name, args.launches)) for name in names]
    if not rows:
        print("nothing to measure", file=sys.stderr)
        return 2
    low = sum(p < 0.01 for p, _ in rows)
    spread = sorted(apart for _, apart in rows)
    print(
        f"{args.executable}: in {low} of {len(rows)} benchmarks the file matters (p < 0.01); the "
        f"copies are {spread[len(spread) // 2]:.2%} apart beyond chance (median), "
        f"{spread[-1]:.2%} at most"
    )
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("executable", type=Path)
    parser.add_argument("--filter", default="")
    parser.add_argument("--copies", type=int, default=8)
    parser.add_argument("--launches", type=int, default=16)
    parser.add_argument("--most", type=int, default=40, help="benchmarks, the first ones")
    return parser.parse_args()


def _copies(executable: Path, folder: Path, count: int) -> list[GBenchTarget]:
    kit = TargetContext(ProcessExecutor(find_launcher()), timeout_s=60.0)
    targets = []
    for number in range(count):
        copy = folder / f"copy_{number:03}"
        shutil.copy(executable, copy)
        target = resolve(str(copy), kit)
        assert not isinstance(target, RecordedTarget)
        assert isinstance(target, GBenchTarget)
        targets.append(target)
    return targets


def _launched(targets: list[GBenchTarget], name: str, launches: int) -> Floats:
    """ln of the launch estimate, one copy a row."""
    logs = np.zeros((len(targets), launches))
    for column in range(launches):
        for row in random.sample(range(len(targets)), len(targets)):
            sample = targets[row].launch(name, Effort(repetitions=9), CPU).sample
            logs[row, column] = np.log(launch_estimate(sample.values["real_time"], "real_time"))
    return logs - np.median(logs, axis=0)  # what the host did to all of a column


def _apart(logs: Floats) -> tuple[float, float]:
    """How likely copies are this far apart by chance, and how far beyond chance they are."""
    rng = np.random.default_rng(1)
    ordered = np.argsort(np.argsort(logs, axis=None)).reshape(logs.shape).astype(float)
    seen = float(np.var(ordered.mean(axis=1)))
    flat = ordered.ravel()
    drawn = [
        float(np.var(rng.permutation(flat).reshape(logs.shape).mean(axis=1)))
        for _ in range(PERMUTATIONS)
    ]
    p = (1 + sum(one >= seen for one in drawn)) / (1 + PERMUTATIONS)
    between = float(np.var(np.median(logs, axis=1), ddof=1))
    within = float(np.mean(np.var(logs, axis=1, ddof=1))) * 1.57 / logs.shape[1]
    return p, float(np.sqrt(max(0.0, between - within)))


if __name__ == "__main__":
    sys.exit(main())
