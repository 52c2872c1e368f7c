"""From a finished run, suite or sweep to what a report shows of it.

content = of_run(record)
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from assay.judge.labs.choices import choices
from assay.judge.labs.levels import level_metric, levels
from assay.judge.labs.sweeps import sweep_points
from assay.model import Choice, Level, Record
from assay.show.content import Content
from assay.workflows.contents.launches import curves_of, estimates_of
from assay.workflows.contents.side_facts import side_facts


def of_run(record: Record) -> Content:
    """What a report shows of a run by itself."""
    measured = levels(record.samples)
    return Content(
        document=_run_document(record, measured),
        samples=record.samples,
        levels=measured,
        estimates=estimates_of(record.samples, [level_metric(record.samples)]),
        curves=curves_of(record.samples),
        sides={"base": side_facts(record, None)},
        failures=record.failures,
        unavailable=tuple(record.facts.unavailable),
        interrupted=record.facts.interrupted,
    )


def of_suite(record: Record, made: tuple[Choice, ...]) -> Content:
    """What a report shows of a suite: a run, and what to take."""
    content = of_run(record)
    document = {**content.document, "choices": [msgspec.to_builtins(one) for one in made]}
    return msgspec.structs.replace(content, document=document, choices=made)


def of_sweep(record: Record) -> Content:
    """What a report shows of a run, and of a sweep's points side by side, if it is one."""
    return msgspec.structs.replace(of_run(record), sweep=sweep_points(record.samples))


def with_choices(content: Content) -> Content:
    """The same, and what its benchmarks say of which member of a group to take."""
    return msgspec.structs.replace(content, choices=choices(content.samples, {}))


def _run_document(record: Record, measured: Sequence[Level]) -> dict[str, Any]:
    return {
        "levels": [msgspec.to_builtins(level) for level in measured],
        "failures": [msgspec.to_builtins(failure) for failure in record.failures],
        "targets": record.facts.targets or {"target": record.origin},
    }
