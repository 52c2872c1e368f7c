"""Samples as rows of Google Benchmark JSON, both ways.

The one place that knows which key of a row is what. `context` and file
handling are in `reader` and `writer`.
"""

import math
from typing import Any

import msgspec

from assay.errors import InputError
from assay.model import Sample, Side
from assay.record import hdr
from assay.units import TIME_UNITS_NS

# Keys of a row that are Google Benchmark's own; every other number is a counter.
KNOWN_KEYS = frozenset(
    (
        *("name", "family_index", "per_family_instance_index", "run_name", "run_type"),
        *("repetitions", "repetition_index", "threads", "iterations"),
        *("aggregate_name", "aggregate_unit", "big_o", "rms"),
        *("real_time", "cpu_time", "time_unit", "cpu_coefficient", "real_coefficient"),
        *("label", "error_occurred", "error_message", "skipped", "skip_message", "assay"),
    )
)
_PLACE = ("side", "condition", "round", "launch", "position", "started_s", "steal", "load", "cpu")
_MEMORY = "memory"
_NUMBERS = {int, float}


# What reading a key raises when it holds a value of another type than everybody writes there.
OTHER_TYPE = (AttributeError, KeyError, OverflowError, TypeError, ValueError)


def sample_from_rows(rows: list[dict[str, Any]], where: str) -> Sample:
    """One launch's sample out of its repetition rows, which share a name."""
    try:
        return _sample(rows, where)
    except OTHER_TYPE as error:
        what = f"benchmark {rows[0].get('name')!r} has a value of another type ({error})"
        raise InputError(what, where=where, hint=_REMAKE) from None


def _sample(rows: list[dict[str, Any]], where: str) -> Sample:
    first = rows[0]
    own = first.get("assay") or {}
    times = _own_samples(own) or _repetitions(rows, where)
    values = {**_counters(rows), **times, **_memory(own)}
    return Sample(
        benchmark=_name(first, where),
        values=values,
        time_unit=checked_unit(first.get("time_unit", "ns"), first.get("name"), where),
        iterations=int(first.get("iterations") or 0),
        threads=int(first.get("threads") or 1),
        label=str(first.get("label") or ""),
        histograms=_histograms(rows, where),
        series=_series(first, own, where),
        **_place(own),
    )


def row_from_sample(sample: Sample, index: int, of: int) -> dict[str, Any]:
    """The row a tool that knows only Google Benchmark can read."""
    times = {k: _mean(sample.values.get(k, ())) for k in ("real_time", "cpu_time")}
    row: dict[str, Any] = {
        "name": sample.benchmark,
        "run_name": sample.benchmark,
        "run_type": "iteration",
        "repetitions": of,
        "repetition_index": index,
        "threads": sample.threads,
        "iterations": sample.iterations,
        **{k: v for k, v in times.items() if v is not None},
        "time_unit": sample.time_unit,
        **({"label": sample.label} if sample.label else {}),
    }
    for metric, values in sample.values.items():
        if metric not in times and metric not in KNOWN_KEYS:
            row[metric] = _mean(values)
    row["assay"] = _own(sample)
    return row


def _own(sample: Sample) -> dict[str, Any]:
    own: dict[str, Any] = {"samples": {k: list(v) for k, v in sample.values.items()}}
    own |= {k: getattr(sample, k) for k in _PLACE if getattr(sample, k) is not None}
    if sample.histograms:
        own["histograms"] = sample.histograms
    if sample.series:
        own["series"] = sample.series
    return own


def _histograms(rows: list[dict[str, Any]], where: str) -> dict[str, str]:
    """All repetitions' recordings together; of one, as it was written."""
    owns = [(row.get("assay") or {}).get("histograms") or {} for row in rows]
    if len(rows) == 1:
        return dict(owns[0])
    found: dict[str, list[hdr.Histogram]] = {}
    for own in owns:
        for name, text in own.items():
            found.setdefault(name, []).append(hdr.decode(text, where))
    return {name: hdr.encode(hdr.merged(each)) for name, each in found.items()}


def _series(row: dict[str, Any], own: dict[str, Any], where: str) -> dict[str, dict[str, Any]]:
    """What went on over time: each with as many values as times."""
    found: dict[str, dict[str, Any]] = own.get("series") or {}
    for kind, one in found.items():
        t, v = (one.get("t"), one.get("v")) if isinstance(one, dict) else (None, None)
        if not isinstance(t, list) or not isinstance(v, list) or len(t) != len(v):
            what = f"benchmark {row.get('name')!r}: series {kind!r} has not as many 'v' as 't'"
            raise InputError(what, where=where, hint=_REMAKE)
    return found


def _own_samples(own: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    samples = (own.get("samples") or {}).items()
    return {k: _finite(tuple(map(float, v)), k) for k, v in samples}


def _finite(values: tuple[float, ...], metric: str) -> tuple[float, ...]:
    """Raises `ValueError` for what nobody can have measured, which no metric of ours holds."""
    if not all(map(math.isfinite, values)):
        raise ValueError(f"{metric} holds what is no number")
    return values


def _repetitions(rows: list[dict[str, Any]], where: str) -> dict[str, tuple[float, ...]]:
    return {key: _times(rows, key, where) for key in ("real_time", "cpu_time")}


def _times(rows: list[dict[str, Any]], key: str, where: str) -> tuple[float, ...]:
    values: list[Any] = [row.get(key) for row in rows]
    if _all_finite(values) and min(values) >= 0:
        return tuple(map(float, values))
    return tuple(
        checked_time(value, row.get("name"), key, where)
        for row, value in zip(rows, values, strict=True)
    )


def _all_finite(values: list[Any]) -> bool:
    """Whether all are numbers with a finite sum: asked of all at once, five times as fast."""
    if not set(map(type, values)) <= _NUMBERS:
        return False
    try:
        return -math.inf < float(sum(values)) < math.inf
    except OverflowError:  # an integer may have any number of digits
        return False


def checked_time(value: object, name: object, key: str, where: str) -> float:
    """A time as a float, or an `InputError` naming the row it is wrong in."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"benchmark {name!r} has no {key}", where=where, hint=_REMAKE)
    if not math.isfinite(value) or value < 0:
        raise InputError(f"benchmark {name!r} has {key} = {value}", where=where, hint=_REMAKE)
    return float(value)


_REMAKE = "make the file again with --benchmark_out_format=json"


def _counters(rows: list[dict[str, Any]]) -> dict[str, tuple[float, ...]]:
    """Counters every repetition has; one that is not finite is left out."""
    found = {}
    for key in rows[0].keys() - KNOWN_KEYS:
        values: list[Any] = [row.get(key) for row in rows]
        if _all_finite(values):
            found[key] = tuple(map(float, values))
    return dict(sorted(found.items()))


def _is_number(value: object) -> bool:
    return _all_finite([value])


def _memory(own: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    memory = own.get(_MEMORY) or {}
    return {k: (float(v),) for k, v in memory.items() if k != "threads" and _is_number(v)}


def _place(own: dict[str, Any]) -> dict[str, Any]:
    place = {k: own[k] for k in _PLACE if own.get(k) is not None}
    if "side" in place:
        place["side"] = Side(place["side"])
    return place


def _name(row: dict[str, Any], where: str) -> str:
    name = row.get("name")
    if not isinstance(name, str):
        raise InputError("a row of `benchmarks` has no name", where=where, hint=_REMAKE)
    return name


def checked_unit(unit: object, name: object, where: str) -> str:
    """A time unit, or an `InputError` naming the row it is wrong in."""
    if unit not in TIME_UNITS_NS:
        raise InputError(
            f"benchmark {name!r} has time_unit {unit!r}",
            where=where,
            hint="use one of ns, us, ms, s",
        )
    return str(unit)


def _mean(values: tuple[float, ...]) -> float | None:
    return math.fsum(values) / len(values) if values else None


class PlainRow(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A row without counters, decoded straight: five times faster than a dict."""

    name: str
    real_time: float | None = None
    cpu_time: float | None = None
    time_unit: str = "ns"
    iterations: float = 0
    run_type: str = "iteration"
    aggregate_name: str = ""
    threads: int = 1
    label: str = ""
    run_name: str = ""
    family_index: int = 0
    per_family_instance_index: int = 0
    repetitions: int = 0
    repetition_index: int = 0
    aggregate_unit: str = ""
