"""Stores of made-up runs, as large as pages are to be fast with.

    filled(Path("/tmp/long/.assay"), Shape(runs=10_000, benchmarks=100))

Each run has three launches of each benchmark. Every tenth benchmark changes its level once, by
3 to 30 %, and one run in a thousand is twenty times as slow: an old spike that must not flatten
an axis. The same seed makes the same store; what is there already stays.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.facts import Facts
from assay.model import Record, Sample
from assay.record.store.store import Store

_START_S = 1_700_000_000.0
_APART_S = 3600.0
_LAUNCHES = 3


class Shape(NamedTuple):
    """How many of what."""

    runs: int
    benchmarks: int


LONG = Shape(10_000, 100)
WIDE = Shape(200, 5_000)


def filled(root: Path, shape: Shape, seed: int = 33) -> Store:
    """A store of that shape."""
    store = Store.opened_or_made(root)
    levels = _levels(shape, seed)
    for number in range(len(store.folder.runs()), shape.runs):
        record = made(levels[number], number, seed)
        store.add(record, kind="run", now_s=_START_S + number * _APART_S)
    return store


def _levels(shape: Shape, seed: int) -> NDArray[np.float64]:
    """Of each run and each benchmark, in ns."""
    chance = np.random.default_rng(seed)
    levels = np.tile(np.exp(chance.uniform(3, 14, shape.benchmarks)), (shape.runs, 1))
    for benchmark in range(0, shape.benchmarks, 10):
        at = int(chance.integers(shape.runs // 5, shape.runs - shape.runs // 10))
        levels[at:, benchmark] *= 1.0 + chance.choice((-1, 1)) * chance.uniform(0.03, 0.3)
    levels[chance.random(levels.shape) < 0.001] *= 20.0
    return levels


def made(levels: NDArray[np.float64], number: int, seed: int) -> Record:
    """One run of benchmarks that take about `levels`."""
    chance = np.random.default_rng((seed, number))
    noise = np.exp(0.01 * chance.standard_normal((_LAUNCHES, 1 + len(levels))))
    values = levels * noise[:, 1:] * noise[:, :1] ** 0.3
    samples = tuple(
        Sample(
            benchmark=f"Suite{at % 40:02}/case_{at:04}/{8 << at % 9}",
            values={"real_time": (float(value),)},
            iterations=1000,
            round=launch,
            launch=launch,
        )
        for launch in range(_LAUNCHES)
        for at, value in enumerate(values[launch])
    )
    git = {"revision": f"{number + 1:08x}{seed:032x}", "time_s": _START_S + number * _APART_S}
    facts = {"host": {"cpu_model": "Made up", "cpus": 2, "kernel": "6.1"}, "git": git}
    return Record(context={}, facts=Facts.read(facts, where=""), samples=samples)
