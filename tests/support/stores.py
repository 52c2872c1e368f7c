"""Made-up stores of runs for tests of histories; random from a seed."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from assay.model import Record, Sample
from assay.record.store.store import Store

DAY_S = 86_400.0
START_S = 1_750_000_000.0
HOST = {"cpu_model": "Test CPU", "cpus": 4, "kernel": "6.1", "virtualisation": "kvm"}


class Step(NamedTuple):
    """From run number `at` on, it takes `factor` times as long."""

    factor: float = 1.0
    at: int = 0


def revision(number: int) -> str:
    """The revision of a run that `filled` makes."""
    return f"{number:04x}" + "ab" * 18


def filled(root: Path, benchmarks: Mapping[str, Step], runs: int = 90, **facts: object) -> Store:
    """One run a day, each of a new revision; noise of 1.5 % between runs, 0.5 % within a run."""
    store, chance = Store.opened_or_made(root), random.Random(5)
    for number in range(runs):
        samples = [
            sample
            for name, step in benchmarks.items()
            for sample in _launches(name, step, number, chance)
        ]
        git = {"revision": revision(number), "time_s": START_S + number * DAY_S}
        record = Record(
            context={}, facts={"host": HOST, "git": git, **facts}, samples=tuple(samples)
        )
        store.add(record, kind="run", now_s=START_S + number * DAY_S)
    return store


def _launches(name: str, step: Step, number: int, chance: random.Random) -> list[Sample]:
    factor = step.factor if number >= step.at else 1.0
    level = 100.0 * factor * chance.lognormvariate(0, 0.015)
    return [
        Sample(
            benchmark=name,
            values={"real_time": tuple(level * chance.lognormvariate(0, 0.005) for _ in range(3))},
            launch=launch,
        )
        for launch in range(5)
    ]
