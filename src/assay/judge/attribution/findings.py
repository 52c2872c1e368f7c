"""Which findings explain the change of one benchmark, decided once for every form of output.

    findings(explained).stages[0].head.claim       Claim.DIFFERS

Thresholds, order and shares are decided here and in the modules of each stage beside it.
"""

from collections.abc import Iterator

from assay.explained import Explained
from assay.findings import Findings, StageFindings, WhyFinding
from assay.judge.attribution import time_findings, work_findings
from assay.judge.attribution.code_findings import findings_on_code
from assay.judge.attribution.first_finding import changes_in_work_and_time, first_finding
from assay.judge.attribution.notes import notes_without_repeats
from assay.judge.attribution.resource_findings import findings_on_memory, findings_on_syscalls
from assay.judge.attribution.table import function_rows

# Functions named of one benchmark, where not everything is asked for: how much a reader is shown.
# No decision names the number.
_MOST = 5


def findings(found: Explained, *, everything: bool = True) -> Findings:
    """All findings that explain one benchmark; without `everything`, of at most five functions."""
    most = None if everything else _MOST
    ranked = _ranked_function_names(found)
    named = ranked[:most]
    notes, stages = notes_without_repeats(list(_findings_of_stages(found, most)), found.caveats)
    return Findings(
        evidence=found,
        first=first_finding(found, ranked),
        answer=tuple(tuple(_findings_on_function(found, name)) for name in named),
        rest=tuple(_findings_on_rest(found, set(named))),
        stages=stages,
        table=tuple(function_rows(found.work, found.code)) if found.work else (),
        notes=notes,
        most=most,
    )


def _ranked_function_names(found: Explained) -> list[str]:
    """The functions that explain the difference, each once, those that explain most first.

    The question is about time, so functions whose time changed come first, in that order; those
    of which only the instructions changed follow.
    """
    time = [one.function for one in found.time.told] if found.time else []
    work = [one.function for one in found.work.told] if found.work else []
    return list(dict.fromkeys([*time, *work]))


def _findings_on_function(found: Explained, name: str) -> Iterator[WhyFinding]:
    """Findings on one function: the change of its instructions, then that of its time."""
    counted, timed = changes_in_work_and_time(found, name)
    if counted and found.work:
        yield work_findings.function_finding(found.work.loop, counted)
    if timed and found.time:
        yield time_findings.function_finding(found.time, timed)


def _findings_on_rest(found: Explained, named: set[str]) -> Iterator[WhyFinding]:
    """The change of all functions not in `named`, in instructions and in time.

    With it, what is shown adds up to the benchmark's whole change.
    """
    if found.work is not None and (counted := work_findings.rest_finding(found.work, named)):
        yield counted
    if found.time is not None and (timed := time_findings.rest_finding(found.time, named)):
        yield timed


def _findings_of_stages(found: Explained, most: int | None) -> Iterator[StageFindings]:
    differs = found.time is not None and found.time.whole.is_change
    if found.work is not None:
        yield work_findings.findings_on_work(found.work, time_differs=differs, most=most)
    if found.time is not None:
        yield time_findings.findings_on_time(found.time)
    if found.memory is not None:
        yield findings_on_memory(found.memory, most=most)
    if found.syscalls is not None:
        yield findings_on_syscalls(found.syscalls, most=most)
    if found.code is not None:
        told = [one.function for one in found.work.told] if found.work else []
        yield findings_on_code(found.code, told, most=most)
