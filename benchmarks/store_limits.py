"""A store of 10,000 runs of 10,000 samples: what adding, listing and a history take.

    python -m benchmarks store_limits            100 million samples, 10 minutes, 1 GB
    ASSAY_STORE_RUNS=1000 python -m benchmarks store_limits

Samples are 100 benchmarks in 10 launches of 5 repetitions, real and CPU time, full doubles that
differ from run to run. "Cold" is after the kernel was told to drop its caches (needs root).
"""

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from assay.judge.labs.run_point import run_point
from assay.model import Record, Sample
from assay.record.store.catalogue import Catalogue
from assay.record.store.store import Store
from benchmarks.tools import ASSAY, promised

RUNS = int(os.environ.get("ASSAY_STORE_RUNS", "10000"))
_DAY_S = 86_400.0
_START_S = 1_700_000_000.0


def main() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / ".assay"
        adding_s = _filled(root)
        samples = RUNS * 10_000
        size = sum(path.stat().st_size for path in (root / "runs").rglob("*.parquet"))
        print(f"{RUNS} runs, {samples:.3g} samples, {size / 2**20:.0f} MiB")
        first, last = (statistics.median(part) for part in (adding_s[:50], adding_s[-50:]))
        kept = [
            promised("bytes a sample, all columns", size / samples, 9, "B"),
            promised("adding a run: last 50 over first 50", last / first, 1.2, "times"),
        ]
        print(f"adding a run: {1000 * first:.1f} ms at first, {1000 * last:.1f} ms at last")
        _catalogue_made(root)
        words = ["--store", str(root)]
        kept.append(promised("assay runs, cold", _cold_s(["runs", *words]), 0.5, "s"))
        history = ["history", "^bench_042$", "--metric", "real_time", *words]
        kept.append(promised("assay history RE, cold", _cold_s(history), 1.0, "s"))
    return all(kept)


def _filled(root: Path) -> list[float]:
    """What adding each run took, in seconds."""
    store = Store.opened_or_made(root)
    chance = np.random.default_rng(1)
    took = []
    for number in range(RUNS):
        record = _record(chance, number)
        start_s = time.perf_counter()
        store.add(record, kind="run", now_s=_START_S + number * _DAY_S / 20)
        took.append(time.perf_counter() - start_s)
    return took


def _record(chance: np.random.Generator, number: int) -> Record:
    values = 437.0 * np.exp(0.01 * chance.standard_normal((100, 10, 2, 5)))
    samples = tuple(
        Sample(
            benchmark=f"bench_{bench:03}",
            values={
                "real_time": tuple(values[bench, launch, 0].tolist()),
                "cpu_time": tuple(values[bench, launch, 1].tolist()),
            },
            iterations=1000 + bench,
            round=launch,
            launch=launch,
            started_s=float(launch * 100 + bench),
            steal=0.0,
            load=0.5,
            cpu=1,
        )
        for launch in range(10)
        for bench in range(100)
    )
    facts = {"host": {"cpu_model": "Made up", "cpus": 2}, "git": {"revision": f"{number:040x}"}}
    return Record(context={}, facts=facts, samples=samples)


def _catalogue_made(root: Path) -> None:
    start_s = time.perf_counter()
    with Catalogue(Store.opened(root).folder, run_point) as catalogue:
        catalogue.refresh()
    took_s = time.perf_counter() - start_s
    size = (root / "catalogue.sqlite").stat().st_size
    print(f"catalogue made anew in {took_s:.0f} s, {size / 2**20:.0f} MiB")


def _cold_s(words: list[str]) -> float:
    """Median of three, each with cold caches."""
    took = []
    for _ in range(3):
        os.sync()
        try:
            Path("/proc/sys/vm/drop_caches").write_text("3")
        except OSError:
            print("(not cold: dropping the kernel's caches needs root)")
        start_s = time.perf_counter()
        subprocess.run([ASSAY, *words], check=True, stdout=subprocess.DEVNULL)
        took.append(time.perf_counter() - start_s)
    return statistics.median(took)
