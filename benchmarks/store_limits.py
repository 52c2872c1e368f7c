"""A store of 10,000 runs of 10,000 samples: what adding, listing and a history take.

    python -m benchmarks store_limits            100 million samples, 10 minutes, 1 GB
    ASSAY_STORE_RUNS=1000 python -m benchmarks store_limits
    ASSAY_STORE_AT=FOLDER ...                    keeps the store there, and goes on with it

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

from assay.facts import Facts
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
        root = Path(os.environ.get("ASSAY_STORE_AT", folder)) / ".assay"
        store = _filled(root)
        size = sum(path.stat().st_size for path in (root / "runs").rglob("*.parquet"))
        samples = len(store.folder.runs()) * 10_000
        print(f"{len(store.folder.runs())} runs, {samples:.3g} samples, {size / 2**20:.0f} MiB")
        full_s, empty_s = _adding_s(store, Store.opened_or_made(Path(folder) / "empty"))
        print(
            f"adding a run: {1000 * empty_s:.1f} ms to an empty store, {1000 * full_s:.1f} ms here"
        )
        _catalogue_made(root)
        words = ["--store", str(root)]
        history = ["history", "^bench_042$", "--metric", "real_time", *words]
        kept = [
            promised("bytes a sample, all columns", size / samples, 9, "B"),
            promised(
                "adding a run: to this store over an empty one", full_s / empty_s, 1.2, "times"
            ),
            promised("assay runs, cold", _cold_s(["runs", *words]), 0.5, "s"),
            promised("assay history RE, cold", _cold_s(history), 1.0, "s"),
        ]
    return all(kept)


def _filled(root: Path) -> Store:
    """A store with as many runs as asked; those that are there already stay."""
    store = Store.opened_or_made(root)
    chance = np.random.default_rng(1)
    for number in range(len(store.folder.runs()), RUNS):
        record = _record(chance, number)
        store.add(record, kind="run", now_s=_START_S + number * _DAY_S / 20)
    return store


def _adding_s(full: Store, empty: Store) -> tuple[float, float]:
    """What adding takes to each, in turns: medians of 25. The runs added are deleted again."""
    chance = np.random.default_rng(2)
    took: dict[Store, list[float]] = {full: [], empty: []}
    for number in range(25):
        record = _record(chance, number)
        for store in (full, empty):
            start_s = time.perf_counter()
            run = store.add(record, kind="run", now_s=_START_S + 2 * RUNS * _DAY_S + number)
            took[store].append(time.perf_counter() - start_s)
            store.folder.delete(run)
    return statistics.median(took[full]), statistics.median(took[empty])


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
    return Record(context={}, facts=Facts.read(facts, where=""), samples=samples)


def _catalogue_made(root: Path) -> None:
    (root / "catalogue.sqlite").unlink(missing_ok=True)
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
