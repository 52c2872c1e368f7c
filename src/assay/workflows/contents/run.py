"""Makes the content of a report from a run, a suite or a sweep.

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
    """What a report shows of a suite: the measured run, and for each
    operation which member to take.
    """
    content = of_run(record)
    document = {**content.document, "choices": [msgspec.to_builtins(one) for one in made]}
    return msgspec.structs.replace(content, document=document, choices=made)


def of_sweep(record: Record) -> Content:
    """What a report shows of a sweep over index plug-ins: the run, and
    its settings side by side.
    """
    return msgspec.structs.replace(of_run(record), sweep=sweep_points(record.samples))


def with_choices(content: Content) -> Content:
    """The content, with the members of a suite that should be taken according to its samples."""
    return msgspec.structs.replace(content, choices=choices(content.samples, {}))


def _run_document(record: Record, measured: Sequence[Level]) -> dict[str, Any]:
    return {
        "levels": [msgspec.to_builtins(level) for level in measured],
        "failures": [msgspec.to_builtins(failure) for failure in record.failures],
        "targets": record.facts.targets or {"target": record.origin},
    }
