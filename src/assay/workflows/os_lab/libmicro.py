"""Prints results in libMicro's format.

print(case_report(measured), end="")             one case, as its command line asks for
print(record_report(record, lab), end="")        every run of a record, with statistics
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from assay.judge.labs.libmicro import statistics_of
from assay.model import Record, Sample, by_benchmark
from assay.os_lab import lack_of
from assay.show.export.libmicro_report import Run, echo, libmicro_failure, libmicro_report
from assay.workflows.os_lab.case import OsCaseResult
from assay.workflows.os_lab.lab import OsLab

_IN_FULL = frozenset({"arguments", "statistics"})


def case_report(measured: OsCaseResult) -> str:
    """The result of one case, with what its command line asks to see."""
    run = Run(measured.command, " ".join(measured.words), measured.elapsed_s)
    for failure in measured.record.failures:
        lack = lack_of(failure)
        return libmicro_failure(run, f"ERROR {failure.what}" if lack is None else f"SKIPPED {lack}")
    return _report(run, measured.record.samples)


def case_echo(measured: OsCaseResult) -> str:
    """The line with name and elapsed time that libMicro's option -E asks for; empty without -E."""
    asked = "echo" in measured.command.switches
    return echo(measured.command.name, measured.elapsed_s) if asked else ""


def record_report(record: Record, lab: OsLab) -> str:
    """libMicro's report of a record: a line for each case that was measured, in the record's order.

    Cases that failed are left out. Raises `UsageError`.
    """
    runs = by_benchmark(record.samples)
    lines = [samples[0].label.split() for samples in runs.values()]
    text = ""
    for line, command, (name, samples) in zip(
        lines, lab.commands(lines), runs.items(), strict=True
    ):
        shown = msgspec.structs.replace(command, name=name, switches=command.switches | _IN_FULL)
        text += _report(Run(shown, " ".join(line), _elapsed_s(samples)), samples)
    return text


def _report(run: Run, samples: Sequence[Sample]) -> str:
    first = samples[0]
    of_first = replace(
        run,
        calls=int(_counter(first, "calls_per_sample")),
        clock_cost_ns=_counter(first, "clock_cost_ns"),
        loop_ns=_counter(first, "loop_overhead_ns"),
    )
    return libmicro_report(of_first, statistics_of([each.values["real_time"] for each in samples]))


def _elapsed_s(samples: Sequence[Sample]) -> float:
    """The time spent in calls, summed over samples: a record does not say how long a run took."""
    return (
        sum(
            int(time_ns * int(_counter(sample, "calls_per_sample")))
            for sample in samples
            for time_ns in sample.values["real_time"]
        )
        / 1e9
    )


def _counter(sample: Sample, name: str) -> float:
    return sample.values.get(name, (0.0,))[0]
