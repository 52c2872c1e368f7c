"""Reads k6's summary: of `--summary-export`, of `handleSummary`, and the machine-readable one.

    record = parse(Path("summary.json").read_bytes(), "summary.json")
    record.samples[0].values["real_time"]      # ms: the mean, of all requests of the run

A summary has figures of the whole run, not of its requests: each metric of k6 is a benchmark with
one launch of one value. For a time that is the mean, with quantiles as further metrics; for a
counter its rate; for a trend that is no time its mean and median. `--summary-export` does not say
whether a trend of your own is a time, so it is taken for none; the other two say it. A time that
is 0 in all figures did not happen (TLS without TLS, say) and is left out.
"""

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from assay.model import Record, Sample
from assay.record.formats.checks import (
    decode_json,
    finite_metrics,
    has_keys,
    made_record,
    msgspec_convert,
    numbered_launches,
    times_of,
)

WHAT = "k6's summary"
_TIMES = re.compile(  # k6's own metrics that are times
    r"(http_req_|iteration_duration|group_duration|ws_(connecting|session_duration|ping)"
    r"|grpc_req_duration|browser_).*"
)
_BYTES = re.compile(r"data_(sent|received)(\{.*)?")  # k6's own metrics that count bytes
_QUANTILE = re.compile(r"p\(?([\d.]+)\)?")  # a quantile's name: "p(95)" or "p95"
_NS_PER_MS = 1e6  # k6 has times in milliseconds


class _Metric(msgspec.Struct, frozen=True):
    name: str = ""
    contains: str = ""
    type: str = ""
    values: dict[str, Any] = {}


class _Summary(msgspec.Struct, frozen=True):
    metrics: dict[str, dict[str, Any]]


class _Results(msgspec.Struct, frozen=True):
    metrics: list[_Metric]


class _MachineReadable(msgspec.Struct, frozen=True):
    results: _Results
    metadata: dict[str, Any] = {}


def looks_like(data: bytes) -> bool:
    """Whether this is a summary of k6, by its keys."""
    return has_keys(data, "k6_version") or (
        has_keys(data, "metrics")
        and any(has_keys(data, key) for key in ("root_group", "iteration_duration", "vus"))
    )


def parse(data: bytes, origin: str) -> Record:
    """The record in a summary; `origin` names it in messages. Means are in ms, quantiles in ns.

    Raises `InputError` where the file is of another shape.
    """
    context: dict[str, Any] = {}
    version = ""
    if has_keys(data, "k6_version"):
        file = decode_json(data, _MachineReadable, origin, WHAT)
        metrics: Iterable[_Metric] = file.results.metrics
        context = {"date": file.metadata.get("generated_at")}
        version = str(file.metadata.get("k6_version", ""))
    else:
        written = decode_json(data, _Summary, origin, WHAT).metrics
        metrics = [_metric(name, one, origin) for name, one in sorted(written.items())]
    samples = [sample for one in metrics if (sample := _sample(one, origin))]
    return made_record(numbered_launches(samples), origin, f"k6 {version}".strip(), context=context)


def _metric(name: str, written: dict[str, Any], origin: str) -> _Metric:
    """A metric in the form of `handleSummary`, made of either form in which k6 writes it;
    `--summary-export` leaves its type out."""
    if "values" in written:
        given = {"contains": "", "type": "", **written, "name": name}
        return msgspec_convert(given, _Metric, f"{origin}: {name}", WHAT)
    kind = "counter" if "count" in written else "gauge"
    if "passes" in written:
        return _Metric(name=name, type="rate", values={"rate": written.get("value")})
    if "avg" in written or "med" in written:
        kind = "trend"
    contains = "time" if _TIMES.fullmatch(name) else "data" if _BYTES.fullmatch(name) else ""
    return _Metric(name=name, type=kind, contains=contains, values=written)


def _sample(metric: _Metric, origin: str) -> Sample | None:
    figures = {key: value for key, (value,) in finite_metrics(metric.values).items()}
    if metric.type == "trend" and metric.contains == "time":
        if not any(figures.get(key) for key in ("avg", "med", "max")):
            return None
        values = _time_metrics(figures, metric.name, origin)
    elif metric.type == "trend":
        values = {key: (figures[key],) for key in ("avg", "med") if key in figures}
    elif metric.type == "counter":
        rate = "bytes_per_second" if metric.contains == "data" else "items_per_second"
        ours = {"rate": rate, "count": "count"}
        values = {ours[key]: (figures[key],) for key in ours if key in figures}
    else:
        values = {key: (figures[key],) for key in ("rate", "value") if key in figures}
    if not values:
        return None
    return Sample(benchmark=metric.name, values=values, time_unit="ms")


def _time_metrics(
    figures: dict[str, float], name: str, origin: str
) -> dict[str, tuple[float, ...]]:
    """The metrics of a time: its mean in milliseconds, and quantiles in nanoseconds, as in all
    records."""
    centre = figures.get("avg", figures.get("med"))
    values = {} if centre is None else {"real_time": times_of([centre], name, origin)}
    named = {"p50": figures.get("med"), "max": figures.get("max")}
    for key, value in figures.items():
        if found := _QUANTILE.fullmatch(key):
            named[f"p{found[1]}"] = value
    for key, value_ms in named.items():
        if value_ms is not None:
            values[key] = times_of([value_ms * _NS_PER_MS], name, origin, key)
    return values
