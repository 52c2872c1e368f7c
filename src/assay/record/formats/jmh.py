"""Reads JMH's JSON (`-rf json`): each fork is a process of its own, so it is one launch.

    record = parse(Path("jmh-result.json").read_bytes(), "jmh-result.json")
    record.samples[0].values["real_time"]      # of the first fork, a value for each iteration

Times (`us/op`) are `real_time`. Rates (`ops/us`) are `items_per_second`, and their reciprocals
`real_time`. A profiler's figures keep its own names, except `gc.alloc.rate.norm`, which is `bytes`.
A mode other than the average time (`thrpt`, `sample`, `ss`) is added to the name.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from assay.model import Record, Sample
from assay.record.formats.checks import (
    decode_json,
    has_keys,
    made_record,
    numbered_launches,
    times_of,
)
from assay.units import TIME_UNITS_NS

# Seconds in each of JMH's units of time.
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "hr": 3600.0, "day": 86400.0}
_NAMES = {"gc.alloc.rate.norm": "bytes"}  # metric of Assay by JMH's name of a profiler's figure
_AVERAGE = "avgt"  # JMH's mode "average time", which is not added to names

Histogram = list[tuple[float, float]]  # of one iteration: pairs of a time and how often it was seen


class _Metric(msgspec.Struct, frozen=True, rename="camel"):
    score_unit: str
    score: float | str = "NaN"  # as JMH writes it where there is no number
    raw_data: list[list[float | str]] = []
    raw_data_histogram: list[list[Histogram]] = []


class _Result(msgspec.Struct, frozen=True, rename="camel"):
    benchmark: str
    mode: str
    primary_metric: _Metric
    secondary_metrics: dict[str, _Metric] = {}
    params: dict[str, str] | None = None
    threads: int = 1
    jmh_version: str = ""


def looks_like(data: bytes) -> bool:
    """Whether this is JMH's JSON, by its keys."""
    return has_keys(data, "benchmark", "mode") and (
        has_keys(data, "jmhVersion") or has_keys(data, "primaryMetric")
    )


def parse(data: bytes, origin: str) -> Record:
    """The record in JMH's results; `origin` names the file in messages.

    Times are in the unit of their score, those from rates in ns. Raises `InputError` where the
    file is of another shape.
    """
    results = decode_json(data, list[_Result], origin, "JMH's JSON")
    samples = [sample for result in results for sample in _sample_of_each_fork(result, origin)]
    version = results[0].jmh_version if results else ""
    return made_record(numbered_launches(samples), origin, f"JMH {version}".strip())


def _sample_of_each_fork(result: _Result, origin: str) -> Iterator[Sample]:
    name = _name(result)
    per_fork = _values_by_fork(result.primary_metric, name, origin)
    unit = _time_unit(result.primary_metric.score_unit)
    others = {
        label: (metric, _values_by_fork(metric, name, origin))
        for label, metric in result.secondary_metrics.items()
    }
    for fork, iterations in enumerate(per_fork):
        values = _values("", result.primary_metric.score_unit, iterations)
        for label, (metric, forks) in others.items():
            if len(forks) == len(per_fork) and forks[fork]:
                values |= _values(label, metric.score_unit, forks[fork])
        yield Sample(benchmark=name, values=values, time_unit=unit or "ns", threads=result.threads)


def _name(result: _Result) -> str:
    parameters = "".join(f":{key}={value}" for key, value in (result.params or {}).items())
    mode = "" if result.mode == _AVERAGE else f" ({result.mode})"
    return f"{result.benchmark}{parameters}{mode}"


def _values_by_fork(metric: _Metric, name: str, origin: str) -> list[tuple[float, ...]]:
    """The values of each fork's iterations; the score alone where a file has no raw data."""
    if metric.raw_data_histogram:
        forks = [
            [mean for one in fork if (mean := _mean_of_histogram(one)) is not None]
            for fork in metric.raw_data_histogram
        ]
    else:
        forks = [
            [one for one in fork if isinstance(one, int | float)]
            for fork in metric.raw_data or [[metric.score]]
        ]
    return [times_of(fork, name, origin, metric.score_unit) for fork in forks]


def _mean_of_histogram(seen: Sequence[tuple[float, float]]) -> float | None:
    """The mean of the times that an iteration saw; None: it saw none."""
    count = sum(times for _, times in seen)
    return sum(value * times for value, times in seen) / count if count > 0 else None


def _time_unit(unit: str) -> str:
    time = unit.removesuffix("/op")
    return time if unit.endswith("/op") and time in TIME_UNITS_NS else ""


def _values(label: str, unit: str, values: tuple[float, ...]) -> dict[str, tuple[float, ...]]:
    """The values of one figure of JMH as metrics of Assay; `label` is empty for the benchmark's own
    score."""
    time = unit.removesuffix("/op")
    if percentile := re.fullmatch(r"p([01])\.(\d\d)(\d*)", label):
        factor = _SECONDS.get(time, 1.0) * 1e9  # nanoseconds, as all percentiles of a record
        return {_percentile(percentile): tuple(value * factor for value in values)}
    if label:
        return {_NAMES.get(label, label.lstrip("·")): values}
    if unit.startswith("ops/"):
        each_s = _SECONDS.get(unit.removeprefix("ops/"), 1.0)
        return _metrics_of_rates([value / each_s for value in values])
    if time in TIME_UNITS_NS:
        return {"real_time": values}
    if time in _SECONDS and unit.endswith("/op"):  # minutes and longer
        return {"real_time": tuple(value * _SECONDS[time] * 1e9 for value in values)}
    return {unit: values}


def _metrics_of_rates(per_second: Sequence[float]) -> dict[str, tuple[float, ...]]:
    values = {"items_per_second": tuple(per_second)}
    if per_second and min(per_second) > 0:
        values["real_time"] = tuple(1e9 / rate for rate in per_second)
    return values


def _percentile(found: re.Match[str]) -> str:
    whole = int(found[1]) * 100 + int(found[2])
    return f"p{whole}.{found[3]}" if found[3] else f"p{whole}"
