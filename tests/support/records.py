"""Made-up records for tests of what is shown: random from a seed, and with every feature."""

import random
from collections.abc import Mapping, Sequence

import msgspec
from hdrh.histogram import HdrHistogram

from assay.judge.labs.choices import choices
from assay.model import Choice, Record, Sample, Settings, Side
from assay.show.content import Content
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.recorded import compare_records
from assay.workflows.contents.comparison import of_comparison
from assay.workflows.contents.run import of_suite

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "../../etc/passwd",
    "long" * 2_500,
    "\u202eright-to-left \u05e9\u05dc\u05d5\u05dd",
    "control \x1b[31mred\x1b[0m \x00 \x07 \ufffe end",
    '=HYPERLINK("http://example.invalid",1)',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    "</script><script>alert(2)</script>",
    "{{7*7}} ${alert(3)} `x` | a | b \u2028 \u2029",
    "javascript:alert(4)",
    "__proto__",
    "constructor",
)
CHANGES = {"Slow": 1.10, "Fast": 0.80, "Same": 1.0, "Noisy": 1.02}


def two_sided(
    changes: Mapping[str, float] | None = None, rounds: int = 30, samples: int = 5
) -> Record:
    """A comparison in rounds; `changes` has for each benchmark candidate / base."""
    chance = random.Random(7)
    made = [
        sample
        for name, factor in (changes or CHANGES).items()
        for number in range(rounds)
        for sample in _round(name, number, factor, samples, chance)
    ]
    facts = {
        "schema": 1,
        "design": "interleaved",
        "targets": {"base": "old/bench", "candidate": "new/bench"},
        "host": {"cpu_model": "Test CPU", "memory_bytes": 2**34},
        "sides": {
            "base": {"assay": {"build": {"compiler": "GNU 12"}}},
            "candidate": {"assay": {"build": {"compiler": "Clang 16"}}},
        },
    }
    return Record(context={"num_cpus": 2}, facts=facts, samples=tuple(made))


def _round(
    name: str, number: int, factor: float, samples: int, chance: random.Random
) -> list[Sample]:
    spread = 0.2 if name == "Noisy" else 0.003
    made = []
    for side, scale in ((Side.BASE, 1.0), (Side.CANDIDATE, factor)):
        level = 1500.0 * scale * chance.lognormvariate(0, spread)
        times = tuple(level * chance.lognormvariate(0, 0.002) for _ in range(samples))
        made.append(
            Sample(
                benchmark=name,
                values={
                    "real_time": times,
                    "cpu_time": tuple(0.99 * one for one in times),
                    "allocs": (3.0 if side is Side.BASE else 1.0,),
                },
                side=side,
                round=number,
                launch=2 * number + (side is Side.CANDIDATE),
                position=int(side is Side.CANDIDATE),
                started_s=0.1 * number,
                steal=0.04 if number == 3 else 0.0,
                load=1.0,
            )
        )
    return made


def with_latencies(record: Record) -> Record:
    """The record with latencies and throughput over time in every launch."""
    chance = random.Random(11)
    samples = []
    for sample in record.samples:
        histogram = HdrHistogram(1, 10**9, 3)
        for _ in range(500):
            histogram.record_value(int(chance.lognormvariate(9, 0.5)) + 1)
        series = {"t": [0.0, 0.1, 0.2], "v": [1e6, 1.2e6, 1.1e6], "units": ["s", "1/s"]}
        samples.append(
            msgspec.structs.replace(
                sample,
                histograms={"latency": histogram.encode().decode()},
                series={"throughput": series},
            )
        )
    return msgspec.structs.replace(record, samples=tuple(samples))


def one_sided(names: Sequence[str] = ("A", "B"), launches: int = 5) -> Record:
    """A run by itself."""
    chance = random.Random(3)
    samples = tuple(
        Sample(
            benchmark=name,
            values={"real_time": (100 * chance.lognormvariate(0, 0.01),) * 3, "cpu_time": (99.0,)},
            launch=launch,
            round=launch,
        )
        for name in names
        for launch in range(launches)
    )
    facts = {"schema": 1, "targets": {"target": "bench"}}
    return Record(context={}, facts=facts, samples=samples)


def plain(names: Sequence[str], factor: float = 1.0, repetitions: int = 10) -> Record:
    """A file as Google Benchmark writes it: repetitions in one launch, and no sides."""
    chance = random.Random(5)
    samples = tuple(
        Sample(
            benchmark=name,
            values={
                key: tuple(50 * factor * chance.lognormvariate(0, 0.01) for _ in range(repetitions))
                for key in ("real_time", "cpu_time")
            },
        )
        for name in names
    )
    return Record(context={"num_cpus": 2}, facts={}, samples=samples)


def content(
    base: Record | None = None, candidate: Record | None = None, settings: Settings | None = None
) -> Content:
    """What a report shows of these records; by default of `two_sided()`."""
    plan = ComparePlan(
        base="base.json",
        candidate=None if candidate is None else "candidate.json",
        settings=settings or Settings(),
    )
    return of_comparison(compare_records(plan, base or two_sided(), candidate))


SUITE_TIMES = {
    "bench_ref_copy<R::Raw>": 1.0,
    "bench_ref_copy<R::Single>": 5.0,
    "bench_ref_copy<R::SharedPointer>": 10.0,
    "bench_hash<H::A>/size:8": 1.0,
    "bench_hash<H::B>/size:8": 2.0,
    "bench_hash<H::A>/size:1048576": 4000.0,
    "bench_hash<H::B>/size:1048576": 2000.0,
}
_LABELS = {"Single": "single-threaded", "Shared": "thread-safe"}


def suite_record(times: Mapping[str, float] | None = None) -> Record:
    """One launch of each member of a suite's groups."""
    samples = tuple(
        Sample(
            benchmark=name,
            values={"real_time": (time,)},
            label=next((label for part, label in _LABELS.items() if part in name), ""),
        )
        for name, time in (times or SUITE_TIMES).items()
    )
    return Record(context={}, facts={}, samples=samples, origin="a.json")


def suite_choices(times: Mapping[str, float] | None = None) -> tuple[Choice, ...]:
    """Which members to take; a group is named by the first three letters of its operation."""
    record = suite_record(times)
    return choices(record.samples, {one.benchmark: one.benchmark[6:9] for one in record.samples})


def suite_content() -> Content:
    """What a report shows of a suite."""
    return of_suite(suite_record(), suite_choices())
