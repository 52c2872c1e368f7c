"""Reads Google Benchmark JSON, ours and anybody's, CSV, journals, and libMicro's text.

    record = read(Path("base.json"))
    record.samples[0].values["real_time"]

Repetitions of one benchmark that follow each other in a plain file were one
process, so they become one `Sample` with as many inner samples. Rows of ours
are one launch each. Raises `InputError` saying what is wrong, where, and what
to try. A file without counters takes a straight path: 30 MB in about 0.3 s.
"""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import msgspec

from assay.errors import InputError
from assay.model import Failure, Record, Sample, Side
from assay.record.rows import PlainRow, checked_time, sample_from_rows
from assay.units import TIME_UNITS_NS

SCHEMA_VERSION = 1
_SHAPE_HINT = "expected Google Benchmark JSON: an object with `context` and `benchmarks`"


class _PlainFile(msgspec.Struct, frozen=True):
    benchmarks: list[PlainRow]
    context: dict[str, Any] = {}


_PLAIN = msgspec.json.Decoder(_PlainFile)


def read(path: Path) -> Record:
    """The record in `path`, by its content: JSON, CSV, a journal or libMicro's text."""
    data = _bytes_of(path)
    if path.suffix == ".csv":
        from assay.record.csv_format import parse_csv

        return parse_csv(data, str(path))
    if data.startswith(b'{"assay_journal"'):
        from assay.record.journal import parse_journal

        return parse_journal(data, str(path))
    if not data.lstrip().startswith((b"{", b"[")):
        from assay.record import libmicro

        if libmicro.looks_like(data):
            return libmicro.parse(data, str(path))
    return parse(data, str(path))


def parse(data: bytes, origin: str) -> Record:
    """The record in the bytes of a JSON file; `origin` names it in messages."""
    try:
        plain = _PLAIN.decode(data)
    except msgspec.DecodeError:
        return _parse_any(data, origin)
    return Record(
        context=plain.context,
        facts=_facts(plain.context, origin),
        samples=_plain_samples(plain.benchmarks, origin),
        origin=origin,
    )


def record_from(document: dict[str, Any], origin: str) -> Record:
    """The record in a decoded document of any shape, checked."""
    context, rows = document.get("context", {}), document.get("benchmarks")
    if not isinstance(rows, list) or not isinstance(context, dict):
        raise InputError("is JSON of another shape", where=origin, hint=_SHAPE_HINT)
    if not all(isinstance(row, dict) for row in rows):
        raise InputError("`benchmarks` holds other things than rows", where=origin)
    facts = _facts(context, origin)
    good = [row for row in rows if not _went_wrong(row)]
    return Record(
        context={k: v for k, v in context.items() if k != "assay"},
        facts=facts,
        samples=tuple(sample_from_rows(group, origin) for group in _launches(good)),
        failures=(*_failures(rows), *_recorded_failures(facts)),
        origin=origin,
    )


def _bytes_of(path: Path) -> bytes:
    if path.is_dir():
        raise InputError("is a directory", where=str(path), hint="name a file in it")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", where=str(path), hint="check the path") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None
    if not data or data.isspace():
        raise InputError("is empty", where=str(path), hint="measure again")
    return data


def _parse_any(data: bytes, origin: str) -> Record:
    """Counters, errors, our own object, or something wrong: the general path."""
    try:
        document = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        document = _with_nan(data, origin, error)
    if not isinstance(document, dict):
        raise InputError("is JSON of another shape", where=origin, hint=_SHAPE_HINT)
    return record_from(document, origin)


def _with_nan(data: bytes, origin: str, error: msgspec.DecodeError) -> Any:
    """Google Benchmark writes NaN and Infinity, which are not JSON, for odd counters."""
    try:
        return json.loads(data)
    except (ValueError, UnicodeDecodeError):
        raise InputError(
            f"is not JSON ({error})", where=origin, hint="is it complete? measure again"
        ) from None


def _facts(context: dict[str, Any], origin: str) -> dict[str, Any]:
    facts = context.get("assay", {})
    version = facts.get("schema", SCHEMA_VERSION) if isinstance(facts, dict) else 0
    if not isinstance(facts, dict) or not isinstance(version, int):
        raise InputError("`context.assay` is not ours", where=origin, hint=_SHAPE_HINT)
    if version > SCHEMA_VERSION:
        raise InputError(
            f"has schema version {version}, this Assay reads up to {SCHEMA_VERSION}",
            where=origin,
            hint="read it with a newer Assay",
        )
    return facts


def _plain_samples(rows: list[PlainRow], origin: str) -> tuple[Sample, ...]:
    groups: dict[tuple[str, str], list[PlainRow]] = {}
    name = unit = None
    for row in _without_aggregates(rows):
        if row.name != name or row.time_unit != unit:  # most rows follow one of their group
            name, unit = row.name, row.time_unit
            group = groups.setdefault((name, unit), [])
        group.append(row)
    return tuple(_plain_sample(_in_order(group), origin) for group in groups.values())


def _in_order(rows: list[PlainRow]) -> list[PlainRow]:
    """compare.py's order: by repetition, rows marked as aggregates last."""
    last = rows[0].repetition_index
    for row in rows:
        if row.run_type == "aggregate" or row.repetition_index < last:
            return sorted(rows, key=lambda one: (one.run_type == "aggregate", one.repetition_index))
        last = row.repetition_index
    return rows


def _without_aggregates(rows: list[PlainRow]) -> list[PlainRow]:
    """Raw repetitions; where a file holds aggregates only, their means."""
    if not any(row.aggregate_name for row in rows):
        return rows
    raw = [row for row in rows if not row.aggregate_name]
    measured = {row.run_name or row.name for row in raw}
    means = [
        msgspec.structs.replace(row, name=row.run_name)
        for row in rows
        if row.aggregate_name == "mean" and row.run_name not in measured
    ]
    return raw + means


def _plain_sample(rows: list[PlainRow], origin: str) -> Sample:
    first = rows[0]
    if first.time_unit not in TIME_UNITS_NS:
        raise InputError(
            f"benchmark {first.name!r} has time_unit {first.time_unit!r}",
            where=origin,
            hint="use one of ns, us, ms, s",
        )
    return Sample(
        benchmark=first.name,
        values={
            "real_time": _checked([r.real_time for r in rows], first.name, "real_time", origin),
            "cpu_time": _checked([r.cpu_time for r in rows], first.name, "cpu_time", origin),
        },
        time_unit=first.time_unit,
        iterations=int(first.iterations),
        threads=first.threads,
        label=first.label,
    )


def _checked(values: list[float | None], name: str, key: str, origin: str) -> tuple[float, ...]:
    times = cast("list[float]", values)
    if None in values or not (min(times) >= 0 and sum(times) < math.inf):  # a NaN fails this too
        for value in values:
            if value is None or not 0 <= value < math.inf:
                checked_time(value, name, key, origin)
    return tuple(times)


def _launches(rows: list[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """Rows of one launch together: a row of ours alone, repetitions with each other.

    Repetitions need not be neighbours: --benchmark_enable_random_interleaving.
    """
    groups: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for number, row in enumerate(_raw_rows(rows)):
        groups.setdefault(_launch_key(row, number), []).append(row)
    return (sorted(group, key=_repetition) for group in groups.values())


def _repetition(row: dict[str, Any]) -> tuple[bool, int]:
    """compare.py's order: by repetition, rows marked as aggregates last."""
    return row.get("run_type") == "aggregate", int(row.get("repetition_index") or 0)


def _launch_key(row: dict[str, Any], number: int) -> tuple[object, ...]:
    own = row.get("assay") or {}
    if isinstance(own, dict) and "samples" in own:
        return (number,)
    return (row.get("name"), row.get("time_unit"))


def _raw_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    raw = [row for row in rows if not row.get("aggregate_name")]
    measured = {row.get("run_name") or row.get("name") for row in raw}
    means = [
        {**row, "name": row.get("run_name")}
        for row in rows
        if row.get("aggregate_name") == "mean" and row.get("run_name") not in measured
    ]
    return raw + means


def _went_wrong(row: dict[str, Any]) -> bool:
    return bool(row.get("error_occurred") or row.get("skipped"))


def _failures(rows: list[dict[str, Any]]) -> tuple[Failure, ...]:
    return tuple(
        Failure(
            benchmark=str(row.get("name")),
            what=str(row.get("error_message") or row.get("skip_message") or "it was skipped"),
        )
        for row in rows
        if _went_wrong(row)
    )


def _recorded_failures(facts: dict[str, Any]) -> tuple[Failure, ...]:
    """Failures a session of ours wrote down."""
    found = []
    for item in facts.get("failures") or ():
        side = Side(item["side"]) if item.get("side") else None
        found.append(
            msgspec.structs.replace(
                msgspec.convert({k: v for k, v in item.items() if k != "side"}, Failure), side=side
            )
        )
    return tuple(found)
