"""Samples as rows of Google Benchmark's JSON, and rows as samples.

Only this module knows what each key of a row means. `context` and files are the business of
`reader` and `writer`. The keys of the `assay` object are in `schema/README.md`.
"""

import math
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from assay.errors import InputError
from assay.model import Sample, Side
from assay.record import hdr
from assay.typed_json import converted
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
# Fields of a sample that say where and when it was measured.
_PLACE = ("side", "condition", "round", "launch", "position", "started_s", "steal", "load", "cpu")
_NUMBERS = {int, float}  # types of JSON numbers; `bool`, a kind of `int`, is left out
_Index = Annotated[int, Meta(ge=-(2**31), lt=2**31)]  # a store keeps these numbers in 32 bits


class _Series(msgspec.Struct, frozen=True):
    """A quantity over time: a list of times, and as many values."""

    t: list[float]
    v: list[float]
    units: list[str] = []


class _AssayObject(msgspec.Struct, frozen=True):
    """The `assay` object of a row; `schema/README.md` says what each key means."""

    samples: dict[str, tuple[float, ...]] = {}
    histograms: dict[str, str] = {}
    series: dict[str, Any] = {}  # is checked by `checked_series`
    memory: dict[str, Any] = {}
    side: Side | None = None
    condition: str | None = None
    round: _Index | None = None
    launch: _Index | None = None
    position: _Index | None = None
    started_s: float | None = None
    steal: float | None = None
    load: float | None = None
    cpu: _Index | None = None


_NOTHING = _AssayObject()


# What reading a key raises when its value is of another type than expected.
OTHER_TYPE = (AttributeError, KeyError, OverflowError, TypeError, ValueError)


def sample_from_rows(rows: list[dict[str, Any]], where: str) -> Sample:
    """The sample of one launch, made of its repetition rows, which share a name.

    `where` names the file. Raises `InputError` naming the benchmark and what is wrong with it.
    """
    try:
        return _sample(rows, where)
    except OTHER_TYPE as error:
        what = f"benchmark {rows[0].get('name')!r} has a value of another type ({error})"
        raise InputError(what, where=where, hint=_REMAKE) from None


def _sample(rows: list[dict[str, Any]], where: str) -> Sample:
    first = rows[0]
    owns = [_assay_object_of_row(row, where) for row in rows]
    own, times = owns[0], _own_samples(owns[0]) or _repetitions(rows, where)
    values = {**_counters(rows), **times, **_allocation_metrics(own)}
    return Sample(
        benchmark=_name(first, where),
        values=values,
        time_unit=checked_unit(first.get("time_unit", "ns"), first.get("name"), where),
        iterations=_count(first.get("iterations") or 0),
        threads=_count(first.get("threads") or 1),
        label=str(first.get("label") or ""),
        histograms=_histograms(owns, where),
        series=checked_series(own.series, where, f"benchmark {first.get('name')!r}"),
        **_place_of_measurement(own),
    )


def row_from_sample(sample: Sample, index: int, of: int) -> dict[str, Any]:
    """A sample as a row that any tool for Google Benchmark's JSON can read: means of its values.

    It is repetition `index` of `of`. All its values and where it was measured are in the row's
    `assay` object, so that reading the row gives the sample again.
    """
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
    row["assay"] = _assay_object(sample)
    return row


def _assay_object(sample: Sample) -> dict[str, Any]:
    own: dict[str, Any] = {"samples": {k: list(v) for k, v in sample.values.items()}}
    own |= {k: getattr(sample, k) for k in _PLACE if getattr(sample, k) is not None}
    if sample.histograms:
        own["histograms"] = sample.histograms
    if sample.series:
        own["series"] = sample.series
    return own


def _count(value: Any) -> int:
    """A number of iterations or threads as an integer. Raises `ValueError` beyond what a store can
    hold."""
    number = int(value)
    if not 0 <= number < 2**63:
        raise ValueError(f"{number:.3g} of something that is counted")
    return number


def _assay_object_of_row(row: dict[str, Any], where: str) -> "_AssayObject":
    """The `assay` object of a row, checked; empty where there is none."""
    written = row.get("assay")
    if not written:
        return _NOTHING
    said = {key: value for key, value in written.items() if value is not None}
    return converted(said, _AssayObject, where=where, what=f"a row of Assay ({row.get('name')!r})")


def _histograms(owns: list["_AssayObject"], where: str) -> dict[str, str]:
    """The histograms of all repetitions, merged; those of a single repetition stay as they were
    written."""
    if len(owns) == 1:
        return dict(owns[0].histograms)
    found: dict[str, list[hdr.Histogram]] = {}
    for own in owns:
        for name, text in own.histograms.items():
            found.setdefault(name, []).append(hdr.decode(text, where))
    return {name: hdr.encode(hdr.merged_histogram(each)) for name, each in found.items()}


def checked_series(written: Any, where: str, of: str) -> dict[str, dict[str, Any]]:
    """The series of `of`, unaltered with all keys, checked: each has as many values as times.

    Raises `InputError` otherwise, naming the file `where`.
    """
    found = converted(written, dict[str, _Series], where=where, what=f"the series of {of}")
    for kind, one in found.items():
        if len(one.t) != len(one.v):
            what = f"{of}: series {kind!r} has not as many 'v' as 't'"
            raise InputError(what, where=where, hint=_REMAKE)
    return dict(written)


def _own_samples(own: "_AssayObject") -> dict[str, tuple[float, ...]]:
    """The inner samples that Assay wrote, by metric."""
    return {metric: _finite_values(values, metric) for metric, values in own.samples.items()}


def _finite_values(values: tuple[float, ...], metric: str) -> tuple[float, ...]:
    """The values of a metric. Raises `ValueError` unless all are finite, as Assay writes them."""
    if not all(map(math.isfinite, values)):
        raise ValueError(f"{metric} holds what is no number")
    return values


def _repetitions(rows: list[dict[str, Any]], where: str) -> dict[str, tuple[float, ...]]:
    """Real and CPU times of all repetitions, in their order."""
    return {key: _times(rows, key, where) for key in ("real_time", "cpu_time")}


def _times(rows: list[dict[str, Any]], key: str, where: str) -> tuple[float, ...]:
    """The times under `key` of all rows. Raises `InputError` naming a row whose time is missing,
    negative or not finite."""
    values: list[Any] = [row.get(key) for row in rows]
    if _all_finite(values) and min(values) >= 0:
        return tuple(map(float, values))
    return tuple(
        checked_time(value, row.get("name"), key, where)
        for row, value in zip(rows, values, strict=True)
    )


def _all_finite(values: list[Any]) -> bool:
    """Whether all are numbers with a finite sum. One sum takes a fifth of the time that a check of
    each takes."""
    if not set(map(type, values)) <= _NUMBERS:
        return False
    try:
        return -math.inf < float(sum(values)) < math.inf
    except OverflowError:  # an integer may have any number of digits
        return False


def checked_time(value: object, name: object, key: str, where: str) -> float:
    """A time as a float, in the row's unit.

    Raises `InputError` naming the benchmark where it is missing, negative or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"benchmark {name!r} has no {key}", where=where, hint=_REMAKE)
    if not math.isfinite(value) or value < 0:
        raise InputError(f"benchmark {name!r} has {key} = {value}", where=where, hint=_REMAKE)
    return float(value)


_REMAKE = "make the file again with --benchmark_out_format=json"


def _counters(rows: list[dict[str, Any]]) -> dict[str, tuple[float, ...]]:
    """The counters that every repetition has; one whose value is not finite anywhere is left
    out."""
    found = {}
    for key in rows[0].keys() - KNOWN_KEYS:
        values: list[Any] = [row.get(key) for row in rows]
        if _all_finite(values):
            found[key] = tuple(map(float, values))
    return dict(sorted(found.items()))


def _is_number(value: object) -> bool:
    return _all_finite([value])


def _allocation_metrics(own: "_AssayObject") -> dict[str, tuple[float, ...]]:
    """The allocation counts in a row's `assay` object, as metrics of one value each."""
    return {k: (float(v),) for k, v in own.memory.items() if k != "threads" and _is_number(v)}


def _place_of_measurement(own: "_AssayObject") -> dict[str, Any]:
    """Where and when a sample was measured: its side, round, launch, CPU and so on."""
    place = {name: getattr(own, name) for name in _PLACE}
    return {name: value for name, value in place.items() if value is not None}


def _name(row: dict[str, Any], where: str) -> str:
    name = row.get("name")
    if not isinstance(name, str):
        raise InputError("a row of `benchmarks` has no name", where=where, hint=_REMAKE)
    return name


def checked_unit(unit: object, name: object, where: str) -> str:
    """A time unit. Raises `InputError` naming the benchmark where it is not ns, us, ms or s."""
    if unit not in TIME_UNITS_NS:
        raise InputError(
            f"benchmark {name!r} has time_unit {unit!r}",
            where=where,
            hint="use one of ns, us, ms, s",
        )
    return str(unit)


def _mean(values: tuple[float, ...]) -> float | None:
    return math.fsum(values) / len(values) if values else None


# Other counts are left to `_count`, which says what is wrong with them.
_Threads = Annotated[int, Meta(ge=1, le=2**63 - 1)]
_Iterations = Annotated[float, Meta(ge=0.0, lt=2.0**63)]


class PlainRow(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A row without counters and without an `assay` object: this struct is decoded in a fifth of
    the time that a dict takes."""

    name: str
    real_time: float | None = None
    cpu_time: float | None = None
    time_unit: str = "ns"
    iterations: _Iterations = 0
    run_type: str = "iteration"
    aggregate_name: str = ""
    threads: _Threads = 1
    label: str = ""
    run_name: str = ""
    family_index: int = 0
    per_family_instance_index: int = 0
    repetitions: int = 0
    repetition_index: int = 0
    aggregate_unit: str = ""
