"""Runs a suite: each member of each group for a short time, so that one can be chosen.

    result = run_suite(SuitePlan("primitives", quick=True), runtime)
    result.run.record, result.choices

The total time is fixed and shared out: the more benchmarks there are, the less is done of each.
"""

import math
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from assay.errors import NoBenchmarksError, NotBuiltError, UsageError
from assay.interrupts import stoppable_measuring
from assay.judge.labs.benchmark_names import parse_name
from assay.judge.labs.choices import choices
from assay.measure.effort import Effort
from assay.measure.executor import find_launcher
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Choice
from assay.record import reader
from assay.workflows.common.matching import compiled
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.run import RunResult, measure_alone, write_result

# Seconds of measuring in a whole suite of ten minutes, and in one with --quick of ninety seconds.
# The rest of the time is for starting and reporting.
WHOLE_S, QUICK_S = 540.0, 75.0
# Seconds that a launch costs besides measuring: to start a process and read its results.
_LAUNCH_COST_S = 0.02
# With --quick, at most so many sizes of each member are measured: smallest, middle, largest.
_QUICK_SIZES = 3
# A suite's loops count their allocations as they run, so the extra pass for them is left out.
_ARGUMENTS = ("--assay_memory_pass=off",)


class SuitePlan(msgspec.Struct, frozen=True):
    """The request of one `assay suite`."""

    suite: str
    only: tuple[str, ...] = ()  # the groups of benchmarks to run; empty: all
    filter: str = ""
    quick: bool = False
    seed: int = 0
    timeout_s: float = 120.0
    keep: Destination = msgspec.field(default_factory=Destination)


class SuiteEffort(msgspec.Struct, frozen=True):
    """How much a suite measures of each benchmark, if its time allows that much."""

    rounds: int
    repetitions: int
    largest: float = math.inf  # larger sizes are measured only if --filter asks for them


# For each suite its effort in full, then with --quick. A tree of a million files, which the suite
# restore builds, takes seconds.
_SHARES = {"restore": (SuiteEffort(1, 1, 1e6), SuiteEffort(1, 1, 1e5))}
_USUAL = (SuiteEffort(3, 5), SuiteEffort(2, 3))


class SuiteResult(msgspec.Struct, frozen=True):
    """What a suite measured, and which member it suggests for each operation."""

    run: RunResult
    choices: tuple[Choice, ...]
    groups: dict[str, str]  # benchmark -> its group


def run_suite(plan: SuitePlan, runtime: Runtime) -> SuiteResult:
    """Run the suite as `plan` says. Raises `AssayError`; an interrupt ends only the measuring."""
    targets = {
        path.name: _target(path, plan, runtime) for path in executables(plan.suite, plan.only)
    }
    groups = _groups_of_chosen(targets, plan)
    used = [target for group, target in targets.items() if group in groups.values()]
    with stoppable_measuring() as stop, runtime.measuring():
        record = measure_alone(
            used,
            _filter_for_exactly(groups),
            measuring_within_time(len(groups), plan),
            plan.keep,
            runtime,
        )
    run = write_result(record, plan.keep, stop)
    return SuiteResult(run, choices(record.samples, groups), groups)


def executables(suite: str, only: Sequence[str] = ()) -> list[Path]:
    """The executables of a suite, one for each group. Raises `NotBuiltError`, `UsageError`."""
    folder = find_launcher().parent / "suites" / suite
    found = sorted(path for path in folder.glob("*") if os.access(path, os.X_OK))
    if not found:
        raise NotBuiltError(
            f"the suite {suite!r} is not part of this installation", where=str(folder)
        )
    names = [path.name for path in found]
    for name in only:
        if name not in names:
            hint = f"there is {', '.join(names)}"
            raise UsageError(f"{suite} has no such group", where=f"--only {name}", hint=hint)
    return [path for path in found if not only or path.name in only]


def measuring_within_time(benchmarks: int, plan: SuitePlan) -> Measuring:
    """How much to measure of each benchmark so that all of them end in time."""
    whole_s = QUICK_S if plan.quick else WHOLE_S
    share = _effort_of_suite(plan)
    launches = benchmarks * (share.rounds + 1)  # one trial launch, then the rounds
    launch_s = whole_s / launches - _LAUNCH_COST_S
    # Half of the time left for a repetition, because finding the number of iterations costs about
    # as much as measuring.
    min_time_s = min(0.01, max(0.0002, launch_s / share.repetitions / 2))
    return Measuring(
        effort=Effort(min_time_s=min_time_s, repetitions=share.repetitions),
        rounds=share.rounds,
        budget_s=whole_s,
        timeout_s=plan.timeout_s,
        seed=plan.seed,
    )


def few_sizes_of_each(names: Iterable[str]) -> list[str]:
    """For a quick look: a few sizes of each member, and benchmarks without sizes."""
    families: dict[object, list[str]] = {}
    for name in names:
        parts = parse_name(name)
        family = parts.family if parts and parts.arguments else name
        families.setdefault(family, []).append(name)
    return [name for family in families.values() for name in _spread(family)]


def _effort_of_suite(plan: SuitePlan) -> SuiteEffort:
    return _SHARES.get(plan.suite, _USUAL)[plan.quick]


def names_up_to_size(names: Iterable[str], largest: float) -> list[str]:
    """The names whose size (their last argument) is not above `largest`, or that have none."""
    parts = ((name, parse_name(name)) for name in names)
    return [
        name
        for name, part in parts
        if part is None or not part.arguments or part.arguments[-1][1] <= largest
    ]


def _spread(names: list[str]) -> list[str]:
    if len(names) <= _QUICK_SIZES:
        return names
    places = [round(i * (len(names) - 1) / (_QUICK_SIZES - 1)) for i in range(_QUICK_SIZES)]
    return [names[place] for place in places]


def _target(path: Path, plan: SuitePlan, runtime: Runtime) -> GBenchTarget:
    target = GBenchTarget(
        (str(path), *_ARGUMENTS),
        f"{plan.suite}/{path.name}",
        runtime.executor,
        reader.parse,
        plan.timeout_s,
    )
    return target.with_probed_engine()


def _groups_of_chosen(targets: dict[str, GBenchTarget], plan: SuitePlan) -> dict[str, str]:
    """The group of each benchmark that is to be run. Raises `NoBenchmarksError`, `UsageError`."""
    pattern = compiled(plan.filter, "--filter")
    groups: dict[str, str] = {}
    for group, target in targets.items():
        names = [name for name in target.benchmarks("") if pattern.search(name)]
        if not plan.filter:
            names = names_up_to_size(names, _effort_of_suite(plan).largest)
        groups.update(dict.fromkeys(few_sizes_of_each(names) if plan.quick else names, group))
    if not groups:
        where = f"--filter {plan.filter}"
        raise NoBenchmarksError("nothing to measure", where=where, hint="try a wider one")
    return groups


def _filter_for_exactly(names: Iterable[str]) -> str:
    return rf"\A(?:{'|'.join(map(re.escape, names))})\Z"
