"""The record in decoded JSON of Google Benchmark's shape, written by Assay or by anybody.

    record = record_from(json.loads(text), origin="base.json")

A row that Assay wrote is one launch; of other files, all repetitions of one benchmark are one.
What is wrong is an `InputError` that says where. The shape is that of `schema/README.md`.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from assay.errors import InputError
from assay.facts import Facts
from assay.model import Failure, Record
from assay.record.rows import OTHER_TYPE, sample_from_rows
from assay.typed_json import converted

SCHEMA_VERSION = 1  # of the `assay` object in a record: see `schema/README.md`
SHAPE_HINT = "expected Google Benchmark JSON: an object with `context` and `benchmarks`"


def record_from(document: dict[str, Any], origin: str) -> Record:
    """The record in a decoded document; `origin` names it in messages.

    Raises `InputError` for a document of any other shape.
    """
    try:
        return _record(document, origin)
    except (*OTHER_TYPE, msgspec.ValidationError) as error:
        what = f"holds a value of another type ({error})"
        raise InputError(what, where=origin, hint=SHAPE_HINT) from None


def _record(document: dict[str, Any], origin: str) -> Record:
    context, rows = document.get("context", {}), document.get("benchmarks")
    if not isinstance(rows, list) or not isinstance(context, dict):
        raise InputError("is JSON of another shape", where=origin, hint=SHAPE_HINT)
    if not all(isinstance(row, dict) for row in rows):
        raise InputError("`benchmarks` holds other things than rows", where=origin)
    facts = facts_in(context, origin)
    good: list[dict[str, Any]] = []
    bad: list[dict[str, Any]] = []
    for row in rows:
        (bad if _went_wrong(row) else good).append(row)
    return Record(
        context={k: v for k, v in context.items() if k != "assay"},
        facts=facts,
        samples=tuple(sample_from_rows(group, origin) for group in _launches(good)),
        failures=(*_failures(bad), *recorded_failures(facts, origin)),
        origin=origin,
    )


def facts_in(context: dict[str, Any], origin: str) -> Facts:
    """The facts that Assay wrote into a file's `context`; empty for a file of another tool.

    Raises `InputError` where they are of another type, or of a newer version.
    """
    written = context.get("assay", {})
    if not isinstance(written, dict):
        raise InputError("`context.assay` is not ours", where=origin, hint=SHAPE_HINT)
    _check_version(written, origin)
    return Facts.read(written, where=origin)


class _Versioned(msgspec.Struct):
    schema: int | None = None


def _check_version(written: dict[str, Any], origin: str) -> None:
    """Raise `InputError` for a file of a newer version, before its facts are looked at, which may
    be of other types there."""
    version = converted(written, _Versioned, where=origin, what="a record of Assay").schema
    if version is not None and version > SCHEMA_VERSION:
        raise InputError(
            f"has schema version {version}, this Assay reads up to {SCHEMA_VERSION}",
            where=origin,
            hint="read it with a newer Assay",
        )


def _launches(rows: list[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """The rows of each launch: a row that Assay wrote alone, repetitions of a benchmark together.

    Repetitions need not follow each other: --benchmark_enable_random_interleaving mixes them.
    """
    groups: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for number, row in enumerate(_raw_rows(rows)):
        groups.setdefault(_launch_key(row, number), []).append(row)
    return (sorted(group, key=_repetition) for group in groups.values())


def _repetition(row: dict[str, Any]) -> tuple[bool, int]:
    """The sort key of compare.py's order: by repetition, rows marked as aggregates last."""
    return row.get("run_type") == "aggregate", int(row.get("repetition_index") or 0)


def _launch_key(row: dict[str, Any], number: int) -> tuple[object, ...]:
    """The key of a row's launch: its own for a row that Assay wrote; else its name and time unit,
    which repetitions share."""
    own = row.get("assay")
    if isinstance(own, dict) and "samples" in own:
        return (number,)
    return (row.get("name"), row.get("time_unit"))


def _raw_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of repetitions. A benchmark that has aggregates only is represented by its mean."""
    raw = [row for row in rows if not row.get("aggregate_name")]
    if len(raw) == len(rows):
        return raw
    measured = {row.get("run_name") or row.get("name") for row in raw}
    means = [
        {**row, "name": row.get("run_name")}
        for row in rows
        if row.get("aggregate_name") == "mean" and row.get("run_name") not in measured
    ]
    return raw + means


def _went_wrong(row: dict[str, Any]) -> bool:
    """Whether the benchmark of this row failed or was skipped, so that it has no values."""
    return bool(row.get("error_occurred") or row.get("skipped"))


def _failures(rows: list[dict[str, Any]]) -> tuple[Failure, ...]:
    return tuple(
        Failure(
            benchmark=str(row.get("name")),
            what=str(row.get("error_message") or row.get("skip_message") or "it was skipped"),
        )
        for row in rows
    )


def recorded_failures(facts: Facts, origin: str) -> tuple[Failure, ...]:
    """The failures that a session of Assay wrote into the facts. Raises `InputError`."""
    sided = [{**item, "side": item.get("side") or None} for item in facts.failures]
    what = "a record of Assay (in `context.assay.failures`)"
    return converted(sided, tuple[Failure, ...], where=origin, what=what)
