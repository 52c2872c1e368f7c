"""Reads pyperf's JSON: each run is a process of its own, so it is one launch.

    record = parse(Path("bench.json").read_bytes(), "bench.json")
    record.samples[0].values["real_time"]      # seconds, all values of the first process

Runs that only calibrate have no values; warm-ups are left out, as pyperf leaves them out.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from assay.model import Record, Sample
from assay.record.formats.checks import (
    decode_json,
    has_keys,
    made_record,
    numbered_launches,
    times_of,
)

# pyperf's unit of a benchmark -> the metric of its values.
_METRIC = {"second": "real_time", "byte": "bytes", "integer": "value"}


class _Run(msgspec.Struct, frozen=True, gc=False):
    values: list[float] = []
    metadata: dict[str, Any] = {}


class _Benchmark(msgspec.Struct, frozen=True):
    runs: list[_Run]
    metadata: dict[str, Any] = {}


class _Suite(msgspec.Struct, frozen=True):
    benchmarks: list[_Benchmark]
    version: str
    metadata: dict[str, Any] = {}


def looks_like(data: bytes) -> bool:
    """Whether this is pyperf's JSON, by its keys."""
    return has_keys(data, "benchmarks", "runs")


def parse(data: bytes, origin: str) -> Record:
    """The record in pyperf's results; `origin` names the file in messages. Times are in seconds.

    Raises `InputError` where the file is of another shape.
    """
    suite = decode_json(data, _Suite, origin, "pyperf's JSON")
    samples = [one for each in suite.benchmarks for one in _launches(each, suite.metadata, origin)]
    version = suite.metadata.get("perf_version") or suite.metadata.get("pyperf_version") or ""
    dates = (run.metadata.get("date") for each in suite.benchmarks for run in each.runs)
    return made_record(
        numbered_launches(samples),
        origin,
        f"pyperf {version}".strip(),
        context={
            "host_name": suite.metadata.get("hostname"),
            "num_cpus": suite.metadata.get("cpu_count"),
            "date": next(filter(None, dates), None),
        },
        host=_host(suite.metadata),
    )


def _launches(benchmark: _Benchmark, common: dict[str, Any], origin: str) -> Iterator[Sample]:
    """A sample for each run that has values. `common` is the metadata of the whole suite, in which
    the name of an only benchmark is."""
    about = {**common, **benchmark.metadata}
    name = str(about.get("name") or "unnamed")
    metric = _METRIC.get(str(about.get("unit", "second")), str(about.get("unit")))
    inner = about.get("inner_loops")
    for run in benchmark.runs:
        if run.values:
            loops = run.metadata.get("loops", about.get("loops"))
            yield Sample(
                benchmark=name,
                values={metric: times_of(run.values, name, origin, metric)},
                time_unit="s",
                iterations=_whole_number(loops) * _whole_number(inner),
            )


def _host(common: dict[str, Any]) -> dict[str, Any]:
    known = {"cpu_model": common.get("cpu_model_name"), "os": common.get("platform")}
    return {key: value for key, value in known.items() if value}


def _whole_number(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 1
