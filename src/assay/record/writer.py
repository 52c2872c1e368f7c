"""Writes a record as Google Benchmark JSON plus the `assay` object.

    write(record, Path("run.json"))

The file appears whole or not at all, and is on the disk when `write` returns.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from assay.files import write_whole
from assay.model import Failure, Record
from assay.record.document import SCHEMA_VERSION
from assay.record.rows import row_from_sample


def write(record: Record, path: Path) -> None:
    """Write `record` to `path`, as CSV when that is its suffix. Raises `InputError`."""
    if path.suffix == ".csv":
        from assay.record.formats.gbench_csv import write_csv

        data = write_csv(record).encode()
    else:
        data = encode(record)
    write_whole(data, path)


def encode(record: Record) -> bytes:
    """The bytes of the JSON file, indented for people."""
    return msgspec.json.format(msgspec.json.encode(document(record)), indent=2) + b"\n"


def document(record: Record) -> dict[str, Any]:
    """The record as plain dictionaries, in the contract's layout."""
    facts = {"schema": SCHEMA_VERSION, **record.facts}
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
    """A failure as the contract lists it."""
    return {k: v for k, v in msgspec.structs.asdict(failure).items() if v not in (None, "")}
