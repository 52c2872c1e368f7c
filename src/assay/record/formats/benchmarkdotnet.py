"""Reads BenchmarkDotNet's JSON: its launches are launches, its iterations are their samples.

    record = parse(Path("Words-report-full.json").read_bytes(), "Words-report-full.json")
    record.samples[0].values["real_time"]      # ns an operation, a value for each iteration

The full report (`[JsonExporterAttribute.Full]`) has the measurements; of a brief one the values
of `Statistics` are one launch. Warm-ups and the overhead's iterations are left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from assay.model import Failure, Record, Sample
from assay.record.formats.checks import (
    decode_json,
    finite_metrics,
    has_keys,
    made_record,
    numbered_launches,
    times_of,
)

# BenchmarkDotNet's name of the bytes allocated in one operation.
_BYTES = "BytesAllocatedPerOperation"


class _Measurement(msgspec.Struct, frozen=True, rename="pascal"):
    nanoseconds: float
    operations: float = 1
    launch_index: int = 1
    iteration_mode: str = ""
    iteration_stage: str = "Result"

    @property
    def is_result(self) -> bool:
        """Whether the measurement is a result, and no warm-up. Version 0.11 and later write the
        mode "Workload" and the stage "Result"; earlier ones wrote "Result" as the mode."""
        if self.iteration_mode in ("Workload", ""):
            return self.iteration_stage == "Result"
        return self.iteration_mode == "Result"


class _Benchmark(msgspec.Struct, frozen=True, rename="pascal"):
    full_name: str = ""
    display_info: str = ""
    statistics: dict[str, Any] | None = None
    memory: dict[str, Any] | None = None
    measurements: list[_Measurement] | None = None


class _Report(msgspec.Struct, frozen=True, rename="pascal"):
    benchmarks: list[_Benchmark]
    host_environment_info: dict[str, Any] = {}


class _Values(msgspec.Struct, frozen=True, rename="pascal"):
    original_values: list[float] = []
    mean: float | None = None


def looks_like(data: bytes) -> bool:
    """Whether this is BenchmarkDotNet's JSON, by its keys."""
    return has_keys(data, "HostEnvironmentInfo") or has_keys(data, "Benchmarks", "FullName")


def parse(data: bytes, origin: str) -> Record:
    """The record in a report; `origin` names it in messages. Times are in ns an operation.

    Raises `InputError` where the file is of another shape.
    """
    report = decode_json(data, _Report, origin, "BenchmarkDotNet's JSON")
    often = Counter(one.full_name for one in report.benchmarks)
    samples: list[Sample] = []
    failures: list[Failure] = []
    for one in report.benchmarks:
        name = _name(one, often)
        launches = list(_launches(one, name, origin))
        samples += launches
        if not launches:
            failures.append(Failure(benchmark=name, what="BenchmarkDotNet has no result of it"))
    about = report.host_environment_info
    host = {"cpu_model": about.get("ProcessorName"), "os": about.get("OsVersion")}
    return made_record(
        numbered_launches(samples),
        origin,
        f"BenchmarkDotNet {about.get('BenchmarkDotNetVersion', '')}".strip(),
        context={"num_cpus": about.get("LogicalCoreCount")},
        failures=failures,
        host={key: value for key, value in host.items() if value},
    )


def _name(benchmark: _Benchmark, often: Mapping[str, int]) -> str:
    """The name of a benchmark; BenchmarkDotNet's job is added where several jobs ran it."""
    job = benchmark.display_info.partition(": ")[2]
    name = benchmark.full_name or benchmark.display_info
    return f"{name} [{job}]" if often[benchmark.full_name] > 1 and job else name


def _launches(benchmark: _Benchmark, name: str, origin: str) -> Iterator[Sample]:
    memory = finite_metrics({"bytes": (benchmark.memory or {}).get(_BYTES)})
    by_launch: dict[int, list[_Measurement]] = {}
    for one in benchmark.measurements or []:
        if one.is_result and one.operations > 0:
            by_launch.setdefault(one.launch_index, []).append(one)
    for ours in by_launch.values():
        times = times_of([one.nanoseconds / one.operations for one in ours], name, origin)
        count = sum(times_of([one.operations for one in ours], name, origin, "Operations"))
        yield Sample(benchmark=name, values={**memory, "real_time": times}, iterations=int(count))
    if not by_launch and (values := _statistics(benchmark)):
        yield Sample(benchmark=name, values={**memory, "real_time": times_of(values, name, origin)})


def _statistics(benchmark: _Benchmark) -> list[float]:
    try:
        found = msgspec.convert(benchmark.statistics or {}, _Values)
    except msgspec.ValidationError:  # BenchmarkDotNet writes "" where there is no number
        return []
    return found.original_values or ([] if found.mean is None else [found.mean])
