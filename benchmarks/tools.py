"""What several benches need: the installed command, native executables, and a promise."""

import os
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NATIVE = ROOT / "build" / "release"
ASSAY = str(Path(sysconfig.get_path("scripts")) / "assay")


def promised(what: str, value: float, limit: float, unit: str) -> bool:
    """Print a figure beside what was promised; whether it is kept."""
    kept = value <= limit
    print(f"  {'kept  ' if kept else 'BROKEN'} {what}: {value:.3g} {unit} (at most {limit:g})")
    return kept


def median_s(command: Sequence[str], runs: int) -> float:
    """Median wall time of a command, after one run that warms the caches."""
    times = []
    for _ in range(runs + 1):
        began_s = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began_s)
    return statistics.median(times[1:])


def peak_bytes_and_s(command: Sequence[str]) -> tuple[int, float]:
    """Peak resident memory and wall time of a command that must succeed.

    Through GNU-free means: a fresh interpreter that waits for it, because ours
    would pass its own peak on to the child.
    """
    code = (
        "import os,sys,time,resource\n"
        "b=time.perf_counter(); s=os.spawnv(os.P_WAIT,sys.argv[1],sys.argv[1:])\n"
        "print(s, time.perf_counter()-b, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    null = os.open(os.devnull, os.O_WRONLY)
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, *command],
        stdout=subprocess.PIPE,
        stderr=null,
        check=True,
    )
    os.close(null)
    status, seconds, kib = done.stdout.split()[-3:]
    if int(status) != 0:
        raise SystemExit(f"{' '.join(command)} exited with {int(status)}")
    return int(kib) * 1024, float(seconds)
