"""Writes a record as Google Benchmark's JSON with the `assay` object, or in other tools' formats.

    write(record, Path("run.json"))
    write(record, Path("run.txt"))                          # for benchstat, by its suffix
    write(record, Path("metrics"), form="openmetrics")

The file appears whole or not at all, and is on the disk when `write` returns. Only the JSON
keeps everything: rounds, sides, histograms, facts.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from assay.encoding import json_bytes, utf8
from assay.errors import InputError
from assay.files import write_whole
from assay.model import Failure, Record
from assay.record.document import SCHEMA_VERSION
from assay.record.rows import row_from_sample


def write(record: Record, path: Path, *, form: str = "") -> None:
    """Write `record` to `path`, in the format `form` or else the one that its suffix names.

    Raises `InputError` for a format that there is not, and where the file cannot be written.
    """
    if form and form not in FORMATS:
        hint = f"there is {', '.join(FORMATS)}"
        raise InputError(f"no form {form!r} to write", where=str(path), hint=hint)
    write_whole(FORMATS[form or _BY_SUFFIX.get(path.suffix, "json")](record), path)


def encode(record: Record) -> bytes:
    """The record as the bytes of a JSON file, indented for people."""
    return msgspec.json.format(json_bytes(document(record)), indent=2) + b"\n"


def document(record: Record) -> dict[str, Any]:
    """The record as plain dictionaries, in the layout of `schema/README.md`."""
    facts = {"schema": SCHEMA_VERSION, **record.facts.written}
    if record.failures:
        facts["failures"] = [failure_row(failure) for failure in record.failures]
    of = Counter(sample.benchmark for sample in record.samples)
    seen: Counter[str] = Counter()
    rows = []
    for sample in record.samples:
        rows.append(row_from_sample(sample, seen[sample.benchmark], of[sample.benchmark]))
        seen[sample.benchmark] += 1
    return {"context": {**record.context, "assay": facts}, "benchmarks": rows}


def failure_row(failure: Failure) -> dict[str, Any]:
    """A failure as `schema/README.md` describes it, without empty keys."""
    return {k: v for k, v in msgspec.structs.asdict(failure).items() if v not in (None, "")}


def _csv(record: Record) -> bytes:
    from assay.record.formats.gbench_csv import write_csv

    return utf8(write_csv(record))


def _benchstat(record: Record) -> bytes:
    from assay.record.formats.go_test import benchstat_text

    return utf8(benchstat_text(record))


def _openmetrics(record: Record) -> bytes:
    from assay.record.formats.openmetrics import openmetrics_text

    return utf8(openmetrics_text(record))


# The formats that a record can be written in.
FORMATS: dict[str, Callable[[Record], bytes]] = {
    "json": encode,
    "csv": _csv,
    "benchstat": _benchstat,
    "openmetrics": _openmetrics,
}
# Format of the written file by its suffix; JSON for all others.
_BY_SUFFIX = {".csv": "csv", ".txt": "benchstat", ".om": "openmetrics", ".prom": "openmetrics"}
