"""Reads pytest-benchmark's JSON: one process, so one launch, with the rounds as its samples.

record = parse(Path("benchmark.json").read_bytes(), "benchmark.json")
record.samples[0].values["real_time"]      # seconds an iteration, a value for each round

A file saved without `--benchmark-save-data` holds no rounds; then its mean is the only sample.
"""

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


class _Stats(msgspec.Struct, frozen=True):
    mean: float | None = None
    data: list[float] = []
    iterations: int = 1


class _Benchmark(msgspec.Struct, frozen=True):
    name: str
    stats: _Stats = _Stats()
    fullname: str = ""
    has_error: bool = False
    extra_info: dict[str, Any] = {}


class _Report(msgspec.Struct, frozen=True):
    benchmarks: list[_Benchmark]
    machine_info: dict[str, Any] = {}
    commit_info: dict[str, Any] | None = None
    datetime: str = ""
    version: str = ""


def looks_like(data: bytes) -> bool:
    """Whether this is pytest-benchmark's JSON, by its keys."""
    return has_keys(data, "machine_info")


def parse(data: bytes, origin: str) -> Record:
    """The record in pytest-benchmark's results; `origin` names the file in messages.

    Times are in seconds. Raises `InputError` where the file is of another shape.
    """
    report = decode_json(data, _Report, origin, "pytest-benchmark's JSON")
    good = [one for one in report.benchmarks if not one.has_error and _rounds(one)]
    bad = [one for one in report.benchmarks if one.has_error or not _rounds(one)]
    commit = report.commit_info or {}
    known = commit.get("id") not in (None, "", "unversioned")
    cpu = report.machine_info.get("cpu")
    cpu = cpu if isinstance(cpu, dict) else {}
    return made_record(
        numbered_launches(_sample(one, origin) for one in good),
        origin,
        f"pytest-benchmark {report.version}".strip(),
        context={"host_name": report.machine_info.get("node"), "date": report.datetime},
        failures=[Failure(benchmark=_name(one), what="it raised an error") for one in bad],
        host={"cpu_model": cpu["brand_raw"]} if cpu.get("brand_raw") else {},
        git={"revision": commit["id"], "dirty": commit.get("dirty")} if known else {},
    )


def _rounds(benchmark: _Benchmark) -> list[float]:
    stats = benchmark.stats
    return stats.data or ([] if stats.mean is None else [stats.mean])


def _name(benchmark: _Benchmark) -> str:
    return benchmark.fullname or benchmark.name


def _sample(benchmark: _Benchmark, origin: str) -> Sample:
    times = times_of(_rounds(benchmark), _name(benchmark), origin)
    return Sample(
        benchmark=_name(benchmark),
        values={**finite_metrics(benchmark.extra_info), "real_time": times},
        time_unit="s",
        iterations=benchmark.stats.iterations,
    )
