"""Made-up overhead experiments: benchmarks measured in rounds under several conditions."""

import random
from collections.abc import Mapping, Sequence

from assay.model import Failure, Record, Sample, Settings
from assay.overheads import Overheads
from assay.show.content import Content
from assay.workflows.contents.conditions import of_conditions

SETTINGS = Settings(margin=0.02)  # what `shown` judges them by, unless it is told otherwise
COSTS = {"undisturbed": 1.0, "bpftrace": 1.05, "seccomp": 1.0, "strace": 3.4}
PROOFS = {
    "undisturbed": {"visits": 40},
    "bpftrace": {"visits": 40, "events": 82_244, "lost": 3},
    "strace": {"visits": 40, "events": 40},
}


def experiment(
    costs: Mapping[str, float] | None = None,
    benchmarks: Sequence[str] = ("exec",),
    rounds: int = 40,
    failures: Sequence[Failure] = (),
) -> Record:
    """A record of `assay overhead`; `costs` says by condition how many times as long it takes."""
    costs = costs or COSTS
    chance = random.Random(13)
    samples = tuple(
        _launch(name, condition, factor, number, chance)
        for name in benchmarks
        for number in range(rounds)
        for condition, factor in costs.items()
    )
    facts = {
        "schema": 1,
        "design": "interleaved",
        "targets": {"target": "build/overhead_bench"},
        "host": {"cpu_model": "Test CPU", "memory_bytes": 2**34},
        "conditions": [{"name": name, "shown": PROOFS.get(name, {})} for name in costs],
    }
    return Record(context={"num_cpus": 2}, facts=facts, samples=samples, failures=tuple(failures))


def _launch(name: str, condition: str, factor: float, number: int, chance: random.Random) -> Sample:
    level = 500.0 * factor * chance.lognormvariate(0, 0.003)
    times = tuple(level * chance.lognormvariate(0, 0.002) for _ in range(5))
    return Sample(
        benchmark=name,
        values={"real_time": times},
        time_unit="us",
        condition=condition,
        round=number,
        launch=number,
        started_s=0.1 * number,
        steal=0.0,
        load=1.0,
    )


def shown(record: Record | None = None, settings: Settings | None = None) -> Content:
    """What a report shows of the record."""
    return of_conditions(record or experiment(), settings or SETTINGS)


def found(record: Record | None = None) -> Overheads:
    """The overheads found in the record."""
    overheads = shown(record).overheads
    assert overheads is not None
    return overheads
