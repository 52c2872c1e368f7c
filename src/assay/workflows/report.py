"""Makes the content of a report from recorded files.

content = of_files(["base.json", "candidate.json"], Settings())
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from assay.errors import NoBenchmarksError, UsageError
from assay.model import Record, Settings
from assay.show.content import Content
from assay.workflows.common.matching import Filters, compiled
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.targets import is_recorded, read
from assay.workflows.compare.recorded import compare_records
from assay.workflows.contents.comparison import of_comparison
from assay.workflows.contents.measured import of_measured


def of_files(
    written: Sequence[str],
    settings: Settings,
    *,
    pattern: str = "",
    metrics: tuple[str, ...] = (),
    store: Path | None = None,
) -> Content:
    """Judge the recorded results again. Raises `UsageError`, `InputError`."""
    if len(written) > 2:
        raise UsageError("too many records", where=" ".join(written), hint="name one or two")
    records = [_read(one, store) for one in written]
    plan = ComparePlan(
        base=written[0],
        candidate=written[1] if len(written) == 2 else None,
        settings=settings,
        filters=Filters(pattern),
        metrics=metrics,
    )
    if len(records) == 1:
        return of_measured(_filtered(records[0], pattern), plan)
    return of_comparison(compare_records(plan, *records))


def _read(written: str, store: Path | None) -> Record:
    if not is_recorded(written):
        raise UsageError(
            "is no record", where=written, hint="measure it: `assay run` or `assay compare`"
        )
    return read(written, store)


def _filtered(record: Record, pattern: str) -> Record:
    """The record with the benchmarks that `pattern` matches. `NoBenchmarksError` if none."""
    regex = compiled(pattern, "--filter")
    kept = tuple(sample for sample in record.samples if regex.search(sample.benchmark))
    if not kept:
        where = f"--filter {pattern}" if pattern else record.origin
        raise NoBenchmarksError("nothing to show", where=where, hint="it holds no such benchmark")
    return msgspec.structs.replace(record, samples=kept)
