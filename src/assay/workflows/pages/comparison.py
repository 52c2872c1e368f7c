"""Compares any two runs of a store, as `assay compare run:BASE run:CANDIDATE` does, for a report.

    chosen = ChosenRuns(run_of(survey, "v1.2"), run_of(survey, "LAST"))
    content = content_of_two_runs(Path(".assay"), chosen, Settings())

Of a run that is itself a comparison, the candidate is compared. If both runs are the same
comparison, it is shown as it was measured, in rounds.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from assay import plurals
from assay.errors import InputError
from assay.history import RunRow
from assay.model import Record, Settings, Side
from assay.record.store.store import Store
from assay.show.content import Content
from assay.survey import Survey
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.recorded import compare_records, is_two_sided
from assay.workflows.contents.comparison import of_comparison

_HOST = "host:"
_SHORTEST = 4  # a text of fewer characters is not looked up as a revision


class ChosenRuns(NamedTuple):
    """The two runs of a store that a page compares, each by its full name."""

    base: str
    candidate: str


def run_of(survey: Survey, written: str) -> str:
    """The run that a text means; the newest one of a revision or host. Raises `InputError`."""
    good = [row for row in survey.runs if not row.problem]
    if written in survey.labels:
        return survey.labels[written]
    for fits in _run_matchers(written):
        found = [row.run for row in good if fits(row)]
        if found:
            return found[-1]
    hint = "LAST, a label, a run, a revision, or host: and a part of a class of host"
    raise InputError("no run is meant by this", where=repr(written), hint=hint)


def _run_matchers(written: str) -> list[Callable[[RunRow], bool]]:
    """Tests of whether a run is meant by the text, the most certain test first."""
    if not written:
        return []
    if written == "LAST":
        return [lambda row: True]
    if written.startswith(_HOST):
        part = written.removeprefix(_HOST).casefold()
        return [lambda row: part in row.host.casefold()]
    ways: list[Callable[[RunRow], bool]] = [lambda row: row.run.startswith(written)]
    if len(written) >= _SHORTEST:
        ways.append(lambda row: row.revision.startswith(written))
    return ways


def content_of_two_runs(root: Path, chosen: ChosenRuns, settings: Settings) -> Content:
    """What a report shows of two runs. Raises `InputError`."""
    store = Store.opened(root)
    base = store.load(chosen.base)
    plan = ComparePlan(
        base=f"run:{chosen.base}", candidate=f"run:{chosen.candidate}", settings=settings
    )
    if chosen.base == chosen.candidate:
        if not is_two_sided(base):
            raise _nothing_to_compare(base, chosen.base)
        return of_comparison(compare_records(replace(plan, candidate=None), base, None))
    candidate = store.load(chosen.candidate)
    return of_comparison(compare_records(plan, _one_side(base), _one_side(candidate)))


def _nothing_to_compare(record: Record, run: str) -> InputError:
    if record.failures:
        count = len(record.failures)
        what = f"has nothing to compare: {plurals.count(count, 'launch')} failed"
        return InputError(what, where=f"run:{run}", hint=f"`assay runs show {run}` says how")
    what = "is one run, and nothing to compare it with"
    return InputError(what, where=f"run:{run}", hint="choose another run as base or candidate")


def _one_side(record: Record) -> Record:
    """Of a comparison only its candidate, as if it were a run by itself;
    any other record as it is.
    """
    if not is_two_sided(record):
        return record
    samples = tuple(
        msgspec.structs.replace(one, side=None)
        for one in record.samples
        if one.side is Side.CANDIDATE
    )
    return msgspec.structs.replace(record, samples=samples)
