"""Runs a sweep: every point in every round, into one record.

    keep = Destination(Path("sweep.json"))
    result = run_sweep(read_plan(Path("sweep.toml")), keep, runtime)
    keep_sweep(result)      # once it was shown

Within a round the plug-ins of one setting follow each other in random order, so that drift affects
all of them alike. The result of each launch is kept beside the record until all are done, so an
interrupted sweep continues where it stopped.
"""

import hashlib
import random
import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from assay.errors import InputError, MeasurementError, NotBuiltError
from assay.facts import Facts
from assay.interrupts import Interrupted, stoppable_measuring
from assay.measure.executor import FinishedProcess, Launch, find_launcher
from assay.model import Failure, Record, Sample
from assay.progress import RunProgress
from assay.record import reader
from assay.scratch import scratch_folder
from assay.workflows.common.output import Destination
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.session_facts import session_facts
from assay.workflows.index_lab.plan import SweepPlan, SweepStep

_BAD_INPUT = 2


class SweepResult(msgspec.Struct, frozen=True):
    """The record of all launches, where it is to be kept, and the signal that interrupted it."""

    record: Record
    keep: Destination
    interrupted_by: int | None


class _Turn(msgspec.Struct, frozen=True):
    """One launch of a sweep: a plug-in with one setting, in one round."""

    point: SweepStep
    round: int
    number: int  # its number in the order of time, over all launches of the sweep, from 0

    def file(self, parts: Path) -> Path:
        """The file for the result of this launch.

        Its name depends only on settings and round, so that the result is found again even if the
        plan has grown since.
        """
        point = self.point
        words = (point.plugin, point.label, *point.flags, *sorted(point.environment.items()))
        digest = hashlib.sha256(repr((words, self.round)).encode()).hexdigest()[:16]
        return parts / f"{digest}.json"


def run_sweep(plan: SweepPlan, keep: Destination, runtime: Runtime) -> SweepResult:
    """Measure what was not measured yet. Raises `AssayError`; an interrupt ends only the measuring.

    `keep` names a file, beside which the results of launches lie until all are done.
    """
    program = find_launcher().with_name("assay-index")
    if not program.exists():
        raise NotBuiltError("the index lab is not part of this installation", where=str(program))
    parts = _parts(keep)
    parts.mkdir(parents=True, exist_ok=True)
    failures: list[Failure] = []
    with stoppable_measuring() as stop, runtime.measuring():
        began_s = runtime.clock.now_s()
        try:
            for turn in _launches_in_order(plan):
                failures += _measure_turn(turn, program, parts, plan, runtime)
                _tell(turn, plan, failures, began_s, runtime)
        except Interrupted:
            runtime.executor.abandon()
    record = _gathered_record(plan, parts, failures, stop.interrupted_by is not None)
    return SweepResult(record, keep, stop.interrupted_by)


def keep_sweep(result: SweepResult) -> str:
    """Write the record, then delete the results of single launches. Returns where it is.

    An interrupted sweep is written to its file only, keeps those results, and goes into the store
    once it is complete. Raises `InputError`.
    """
    if result.interrupted_by is not None:
        return ", ".join(replace(result.keep, is_left_out=True).write(result.record))
    places = result.keep.write(result.record)
    shutil.rmtree(_parts(result.keep))
    return ", ".join(places)


def _parts(keep: Destination) -> Path:
    output = keep.output
    assert output is not None, "a sweep lies beside its file"
    return output.with_name(f"{output.name}.parts")


def _launches_in_order(plan: SweepPlan) -> Iterator[_Turn]:
    """All launches: each round goes through every setting, its plug-ins in random order."""
    order = random.Random(plan.seed)
    number = 0
    for round_number in range(plan.rounds):
        for _, group in groupby(plan.points, key=lambda point: (point.setting, point.threads)):
            points = list(group)
            order.shuffle(points)
            for point in points:
                yield _Turn(point, round_number, number)
                number += 1


def _measure_turn(
    turn: _Turn, program: Path, parts: Path, plan: SweepPlan, runtime: Runtime
) -> list[Failure]:
    """Make a launch, unless an earlier sweep left its result. Returns its failure, if it failed."""
    file = turn.file(parts)
    if file.exists():
        return []
    runtime.watcher.launching(turn.point.label, None)
    # The scratch folder lies in the folder of results, which is on the disk that the user chose.
    with scratch_folder(parts) as scratch:
        written = scratch / "result.json"
        done = runtime.executor.run(_launch(turn, program, scratch, written, plan))
        if done.ok:
            written.rename(file)
            return []
        return [_failure(turn, done, runtime)]


def _launch(turn: _Turn, program: Path, scratch: Path, written: Path, plan: SweepPlan) -> Launch:
    point = turn.point
    own = ("--json", str(written), "--report", "none", "--label", point.label)
    # Each round has its own seed for the keys: in one round all plug-ins get the same keys.
    seed = ("--threads", str(point.threads), "--seed", str(plan.seed + turn.round))
    pool = () if _names_a_pool(point) else ("--pool_path", str(scratch / "pool"))
    argv = (str(program), point.plugin, *own, *seed, *pool, *point.flags)
    return Launch(argv, timeout_s=plan.timeout_s, env=point.environment)


def _names_a_pool(point: SweepStep) -> bool:
    return any(word.startswith("--pool_path") for word in point.flags)


def _failure(turn: _Turn, done: FinishedProcess, runtime: Runtime) -> Failure:
    """A failed launch. Raises `InputError` if the plan is wrong, so that every round would fail."""
    lines = done.stderr_tail.strip().splitlines()
    said = lines[-1].removeprefix("error: ") if lines else ""
    if done.exit_code == _BAD_INPUT and turn.round == 0:
        raise InputError(said or done.describe(), where=turn.point.label, hint="correct the plan")
    failure = Failure(
        benchmark=turn.point.label,
        what=f"{done.describe()}{': ' if said else ''}{said}",
        round=turn.round,
        target=turn.point.plugin,
    )
    runtime.watcher.failed(failure)
    return failure


def _tell(
    turn: _Turn, plan: SweepPlan, failures: list[Failure], began_s: float, runtime: Runtime
) -> None:
    launches = len(plan.points) * plan.rounds
    elapsed_s = runtime.clock.now_s() - began_s
    left_s = elapsed_s / (turn.number + 1) * (launches - turn.number - 1)
    state = RunProgress(
        benchmarks=len(plan.points),
        settled=(turn.number + 1) // plan.rounds,
        failed=len(failures),
        rounds=turn.round + 1,
        elapsed_s=elapsed_s,
        left_s=left_s,
    )
    runtime.watcher.round_done(state, ())


def _gathered_record(
    plan: SweepPlan, parts: Path, failures: list[Failure], is_interrupted: bool
) -> Record:
    """The results of all launches made so far, in the order of time, as one record."""
    samples: list[Sample] = []
    context: dict[str, Any] = {}
    native = Facts()
    for turn in _launches_in_order(plan):
        if not turn.file(parts).exists():
            continue
        part = reader.read(turn.file(parts))
        context, native = context or part.context, native if native.written else part.facts
        failures += part.failures
        samples += (_with_place_in_sweep(sample, turn) for sample in part.samples)
    if not samples:
        raise MeasurementError(
            failures[0].what if failures else "interrupted before anything was measured",
            where=plan.origin,
        )
    more = {"interrupted": True} if is_interrupted else {}
    facts = session_facts({"target": plan.origin}, seed=plan.seed, design="interleaved", **more)
    kept = ("host", "build", "clock", "unavailable")
    facts = facts.merged_with({key: one for key, one in native.written.items() if key in kept})
    return Record(
        context=context, facts=facts, samples=tuple(samples), failures=tuple(failures), origin=""
    )


def _with_place_in_sweep(sample: Sample, turn: _Turn) -> Sample:
    return msgspec.structs.replace(sample, round=turn.round, launch=turn.number)
