"""Reads a result file of asv, `.asv/results/MACHINE/COMMIT-ENVIRONMENT.json`.

    record = parse(Path(".asv/results/box/dd300c13-py3.11.json").read_bytes(), "dd300c13.json")
    record.samples[0].values["real_time"]      # seconds

With `asv run --record-samples` it holds all samples, else one figure of each benchmark. asv does
not say which of its processes a sample is of, so all of a file are one launch. What a benchmark
measures follows from its name (`time_`, `peakmem_`, `mem_`), as in asv; what `track_` returns is
the metric `value`.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from assay.errors import InputError
from assay.model import Failure, Record, Sample
from assay.record.formats.checks import (
    AGAIN,
    decode_json,
    has_keys,
    made_record,
    msgspec_convert,
    times_of,
)

WHAT = "asv's results"
# Metric of Assay by the prefix of asv's name of a benchmark.
_METRICS = {"time": "real_time", "timeraw": "real_time", "peakmem": "peak_rss", "mem": "bytes"}


class _Results(msgspec.Struct, frozen=True):
    results: dict[str, list[Any] | None]
    result_columns: list[str]
    commit_hash: str = ""
    date: float | None = None
    params: dict[str, Any] = {}
    version: int = 2


class _Row(msgspec.Struct, frozen=True):
    """asv's result of one benchmark: an entry for each combination of its parameters."""

    result: list[float | None] | None = None
    params: list[list[str]] = []
    samples: list[list[float] | None] | None = None


def looks_like(data: bytes) -> bool:
    """Whether this is a result file of asv, by its keys."""
    return has_keys(data, "commit_hash", "result_columns")


def parse(data: bytes, origin: str) -> Record:
    """The record in a result file; `origin` names it in messages.

    Times are in s, memory in bytes. Raises `InputError` where the file is of another shape.
    """
    file = decode_json(data, _Results, origin, WHAT)
    samples: list[Sample] = []
    failures: list[Failure] = []
    for name, cells in file.results.items():
        columns = dict(zip(file.result_columns, cells or (), strict=False))
        row = msgspec_convert(columns, _Row, f"{origin}: {name}", WHAT)
        if row.result is None:
            failures.append(Failure(benchmark=name, what="it failed under asv"))
        for found in _combinations(name, row, origin):
            (failures if isinstance(found, Failure) else samples).append(found)  # type: ignore[arg-type]
    host = {"cpu_model": file.params.get("cpu"), "os": file.params.get("os")}
    return made_record(
        samples,
        origin,
        "asv",
        context={"host_name": file.params.get("machine"), "date": _utc_date(file.date)},
        failures=failures,
        host={key: value for key, value in host.items() if value},
        git={"revision": file.commit_hash} if file.commit_hash else {},
    )


def _combinations(name: str, row: _Row, origin: str) -> Iterator[Sample | Failure]:
    """A sample or failure for each combination of parameters, of which the last varies fastest."""
    results = row.result or []
    if math.prod(map(len, row.params)) != len(results) and results:
        what = f"{name!r} has {len(results)} results for other parameters"
        raise InputError(what, where=origin, hint=AGAIN)
    for place, values in enumerate(itertools.islice(itertools.product(*row.params), len(results))):
        full = f"{name}({', '.join(values)})" if values else name
        result = results[place]
        if result is None:
            yield Failure(benchmark=full, what="it failed under asv")
        elif math.isfinite(result):  # NaN: asv skipped it
            raw = row.samples[place] if row.samples and place < len(row.samples) else None
            yield _sample(full, name, raw or [result], origin)


def _sample(full: str, name: str, values: Sequence[float], origin: str) -> Sample:
    """One combination of parameters as a launch. `full` is the name with the parameters."""
    kind = name.rpartition(".")[2].partition("_")[0].lower()
    metric = _METRICS.get(kind, "value")  # what `track_` returns may be below zero
    checked = tuple(values) if metric == "value" else times_of(values, full, origin, metric)
    return Sample(benchmark=full, values={metric: checked}, time_unit="s")


def _utc_date(milliseconds: float | None) -> str:
    try:
        moment = datetime.fromtimestamp((milliseconds or 0) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return moment.isoformat() if milliseconds else ""
