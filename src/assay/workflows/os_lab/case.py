"""Measures one case of the OS lab, with as many launches as needed or asked for.

measured = measure_case(lab, ("strlen", "-s", "1k"))
measured.command.name, measured.record.samples
"""

from collections.abc import Iterator

import msgspec

from assay.interrupts import Interrupted, stoppable_measuring
from assay.judge.labs.os_times import RunHistory
from assay.model import Failure, Record
from assay.os_lab import OsCommand
from assay.workflows.os_lab.catalogue import LONGEST_VISIT_S, visit_options
from assay.workflows.os_lab.lab import OsLab, OsMeasurement

LONGEST_CASE_S = 5.0  # seconds for one case, at most, because a user waits for it


class OsCaseResult(msgspec.Struct, frozen=True):
    """One command line of the OS lab, such as `strlen -s 1k`, and what was measured for it."""

    words: tuple[str, ...]
    command: OsCommand
    record: Record
    elapsed_s: float
    said: str  # what `assay-os` wrote on standard error
    # Number of the signal that ended measuring early; None: none did.
    interrupted_by: int | None = None


def measure_case(lab: OsLab, words: tuple[str, ...]) -> OsCaseResult:
    """Measure a command line of `assay-os`. Raises `UsageError` or `LaunchError`.

    An interrupt ends only the measuring: the launches made before it are the result.
    """
    (command,) = lab.commands([words])
    parts: list[OsMeasurement] = []
    with stoppable_measuring() as stop:
        try:
            for part in _launches(lab, words, at_once="effort" in command.switches):
                parts.append(part)
        except Interrupted:
            if not parts:
                raise
    return OsCaseResult(
        words=words,
        command=command,
        record=_launches_as_one_record(command.name, " ".join(words), parts),
        elapsed_s=sum(part.elapsed_s for part in parts),
        said="\n".join(dict.fromkeys(part.said for part in parts if part.said)),
        interrupted_by=stop.interrupted_by,
    )


def _launches(lab: OsLab, words: tuple[str, ...], *, at_once: bool) -> Iterator[OsMeasurement]:
    """Launch again and again until the result is settled or the case cannot be measured.

    `at_once`: the words say how much to measure, so there is one launch.
    """
    if at_once:
        yield lab.measure(words)
        return
    history = RunHistory()
    one = (*words[:1], *visit_options((), LONGEST_VISIT_S), *words[1:])
    while not history.settled_within(LONGEST_CASE_S):
        part = lab.measure(one)
        yield part
        if not part.record.samples:
            return
        for sample in part.record.samples:
            history.add(sample.values["real_time"], part.elapsed_s)


def _launches_as_one_record(name: str, line: str, parts: list[OsMeasurement]) -> Record:
    """The launches of one case as one record. It has no samples if the last launch gave none."""
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
