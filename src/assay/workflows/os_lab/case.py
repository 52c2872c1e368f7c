"""One case of the OS lab: as many launches as its command line says, or as its figure needs.

measured = measure_case(lab, ("strlen", "-s", "1k"))
measured.command.name, measured.record.samples
"""

from dataclasses import dataclass

import msgspec

from assay.judge.labs.os_times import RunHistory
from assay.model import Failure, Record
from assay.os_lab import OsCommand
from assay.workflows.os_lab.catalogue import LONGEST_VISIT_S, visit_options
from assay.workflows.os_lab.lab import OsLab, OsMeasured

LONGEST_CASE_S = 5.0  # somebody waits for it


@dataclass(frozen=True)
class OsCaseResult:
    """What was asked for, and what it gave."""

    words: tuple[str, ...]
    command: OsCommand
    record: Record
    elapsed_s: float
    said: str  # on standard error


def measure_case(lab: OsLab, words: tuple[str, ...]) -> OsCaseResult:
    """Measure a command line of `assay-os`. Raises `UsageError` or `LaunchError`."""
    (command,) = lab.commands([words])
    parts = [lab.measure(words)] if "effort" in command.switches else _launches(lab, words)
    return OsCaseResult(
        words=words,
        command=command,
        record=_together(command.name, " ".join(words), parts),
        elapsed_s=sum(part.elapsed_s for part in parts),
        said="\n".join(dict.fromkeys(part.said for part in parts if part.said)),
    )


def _launches(lab: OsLab, words: tuple[str, ...]) -> list[OsMeasured]:
    """One launch after the other until the figure is settled, or the case cannot be measured."""
    history, parts = RunHistory(), list[OsMeasured]()
    one = (*words[:1], *visit_options((), LONGEST_VISIT_S), *words[1:])
    while not history.settled_within(LONGEST_CASE_S):
        parts.append(lab.measure(one))
        if not parts[-1].record.samples:
            return parts
        for sample in parts[-1].record.samples:
            history.add(sample.values["real_time"], parts[-1].elapsed_s)
    return parts


def _together(name: str, line: str, parts: list[OsMeasured]) -> Record:
    """As one call would have recorded it. Where a launch failed, no figure stands for the case."""
    last = parts[-1].record
    samples = [sample for part in parts for sample in part.record.samples if last.samples]
    failures = last.failures
    if not samples and not failures:
        failures = (Failure(benchmark=name, what="gave no samples"),)
    return msgspec.structs.replace(
        parts[0].record,
        context={**parts[0].record.context, "executable": f"assay-os {line}"},
        samples=tuple(
            msgspec.structs.replace(sample, launch=number, label=line)
            for number, sample in enumerate(samples)
        ),
        failures=failures,
    )
