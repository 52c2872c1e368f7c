"""Makes a store in which every lab has measured something; made up, so it takes no time."""

import random
from pathlib import Path

from stores import DAY_S, HOST, START_S

from assay.history import Lab
from assay.model import Record, Sample
from assay.record.store.store import Store

CONDITIONS = {"undisturbed": 1.0, "bpftrace": 1.055, "strace": 1.86}
RATES = {"hash": 4e6, "tree": 2e6}


def stored(root: Path, name: str = "exec") -> Store:
    """Two runs of the OS lab, one of every other; benchmarks and plug-ins are named `name`."""
    store = Store.opened_or_made(root)
    made = [
        (Lab.OVERHEAD, _overhead(name)),
        (Lab.INDEX, _sweep(name)),
        (Lab.CRASH, _crash(name)),
        (Lab.OS, _os(name, 1.0)),
        (Lab.OS, _os(name, 2.0)),
        (Lab.SUITE, _suite(name)),
    ]
    for day, (lab, record) in enumerate(made):
        store.add(record, kind=lab, now_s=START_S + day * DAY_S)
    return store


def _record(samples: list[Sample], target: str, **facts: object) -> Record:
    known = {"host": HOST, "targets": {"target": target}, **facts}
    return Record(context={}, facts=known, samples=tuple(samples))


def _overhead(name: str) -> Record:
    chance, samples = random.Random(3), []
    for number in range(40):
        mood = chance.lognormvariate(0, 0.05)  # a disturbance of the host, common to a round
        for place, (condition, factor) in enumerate(CONDITIONS.items()):
            time = (500 * mood * factor * chance.lognormvariate(0, 0.004),)
            values = {"real_time": time, "cpu_time": time}
            samples.append(
                Sample(
                    benchmark=name,
                    values=values,
                    condition=condition,
                    round=number,
                    position=place,
                    launch=number,
                )
            )
    conditions = [{"name": one} for one in CONDITIONS]
    return _record(samples, name, design="interleaved", conditions=conditions)


def _sweep(name: str) -> Record:
    samples = [
        Sample(
            benchmark=f"{plugin}/{mix}/threads:{threads}/all",
            values={"real_time": (1e9 / rate,), "items_per_second": (rate * threads * factor,)},
            launch=launch,
            series={"throughput": {"t": [0.1, 0.2, 0.3], "v": [rate, rate * 0.9, rate]}},
        )
        for plugin, rate in {**RATES, name.replace("/", "_"): 1e6}.items()
        for mix, factor in (("ycsb-a", 1.0), ("ycsb-c", 1.4))
        for threads in (1, 2, 4)
        for launch in range(3)
    ]
    return _record(samples, "sweep.toml")


def _crash(name: str) -> Record:
    counts = {"kills": 20.0, "lost": 3.0, "torn": 0.0, "acknowledged": 912.0, "in_flight": 40.0}
    values = {metric: (count,) for metric, count in counts.items()}
    samples = [
        Sample(
            benchmark=f"crash/{plugin}/reopen",
            values={"real_time": (12.5,), "cpu_time": (1.5,), **values},
            time_unit="ms",
        )
        for plugin in ("tree", name)
    ]
    return _record(samples, "tree")


def _os(name: str, factor: float) -> Record:
    samples = [
        Sample(benchmark=case, values={"real_time": (80 * factor, 82 * factor)}, launch=launch)
        for case in ("getpid", "open", name)
        for launch in range(6)
    ]
    return _record(samples, "assay os all")


def _suite(name: str) -> Record:
    samples = [
        Sample(
            benchmark=f"bench_copy<Kind::{member}>/items:{size}",
            values={"real_time": (time * size,), "cpu_time": (time * size,)},
            label=label,
            launch=launch,
        )
        for member, time, label in (("Vector", 2.0, ""), ("Locked", 5.0, "thread-safe"))
        for size in (8, 64)
        for launch in range(3)
    ]
    return _record(samples, "primitives")
