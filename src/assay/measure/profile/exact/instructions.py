"""A target whose launches count instructions under callgrind instead of taking its time.

    target = counting_target(target, Valgrind.installed(executor))
    sample = target.launch("BM_append", Effort(), cpu=None).sample
    sample.values["instructions"], sample.iterations      (1734.0,), 1000

Of a benchmark only its loop is counted, per iteration; of a command the whole process. The engine
runs the loop with 1, 10, 100 ... iterations, and the counts of all of them are kept: two sides can
be compared exactly only for the same number of iterations (`counts_by_iterations`).
"""

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from assay.errors import LaunchError, UsageError
from assay.facts import Facts
from assay.measure.effort import Effort
from assay.measure.executor import Executor, FinishedProcess, Launch
from assay.measure.placed_executor import PlacedExecutor
from assay.measure.profile.exact.loop_files import BEGIN, END, SAYS_WHEN, loops_in_log
from assay.measure.profile.exact.pinned import Valgrind, extended_path_length, pinned_variables
from assay.measure.profile.exact.under_valgrind import LOG_BYTES, failure_message
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.engine_log import (
    LONGEST_ITERATION_S,
    MORE_THAN_TENFOLD,
    first_iteration_s,
    is_threaded,
)
from assay.measure.targets.gbench import GBenchTarget, escape
from assay.measure.targets.target import LaunchResult, Target
from assay.model import Record, Sample
from assay.scratch import scratch_folder

INSTRUCTIONS = "instructions"  # name of the metric
_MIN_TIME_S = 0.05  # seconds of a loop under callgrind: enough for a few million instructions
# The line of a callgrind file that has the sum of all costs.
_TOTALS = re.compile(rb"^totals: (\d+)\s*$", re.MULTILINE)
_TAIL_BYTES = 200  # bytes at the end of callgrind's file that hold its `totals:` line
_SHELL = "/bin/sh"  # what runs a command that needs a shell


def counting_target(target: Target, valgrind: Valgrind) -> "Counting":
    """The target as one whose launches count instructions. Raises `UsageError` if callgrind cannot
    count it."""
    if isinstance(target, GBenchTarget):
        _check(target.argv[0], target.executor, target.label)
        return CountedLoop(target.named_as_long_as(extended_path_length(target.argv[0])), valgrind)
    if isinstance(target, CommandTarget):
        if target.argv[0] == _SHELL:
            raise UsageError(
                "needs a shell, whose instructions would be counted instead",
                where=target.label,
                hint="name the program alone, without pipes, redirections and variables",
            )
        _check(target.argv[0], target.executor, target.label)
        return CountedCommand(target, valgrind)
    raise UsageError("its instructions cannot be counted", where=target.label)


class CountedLoop(msgspec.Struct, frozen=True):
    """A Google Benchmark executable whose loops are counted under callgrind."""

    target: GBenchTarget
    valgrind: Valgrind

    @property
    def label(self) -> str:
        return self.target.label

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        return self.target.benchmarks(filter_regex)

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        """Count the instructions of one benchmark. Raises `LaunchError` saying how the program
        failed."""
        if is_threaded(benchmark):
            raise LaunchError(
                "several threads run its loop: callgrind runs them one at a time, and what they "
                "wait for each other is not the same twice"
            )
        found, done = self._counted(benchmark, _MIN_TIME_S)
        slowest_s = first_iteration_s(done.stderr_tail, max)
        if len(found) <= 2 and next(iter(found)) == 1 and slowest_s <= LONGEST_ITERATION_S:
            found, done = self._counted(benchmark, MORE_THAN_TENFOLD * slowest_s)
        return _launched(benchmark, found, done)

    def _counted(self, benchmark: str, min_time_s: float) -> tuple[dict[int, int], FinishedProcess]:
        """By a loop's number of iterations: the instructions of all of them together."""
        unit = "s" if self.target.counts_iterations else ""
        flags = (
            f"--benchmark_filter=^{escape(benchmark)}$",
            f"--benchmark_min_time={min_time_s:g}{unit}",
            "--benchmark_repetitions=1",
            "--v=2",
        )
        with scratch_folder() as folder:
            dumps = (f"--dump-before={BEGIN}", f"--dump-after={END}")
            done = _run(self.target, self.valgrind, (*self.target.argv, *flags), folder, dumps)
            found = loops_in_log(folder, done.stderr_tail)
            return {one.iterations: _total(one.inside) for one in found}, done


class CountedCommand(msgspec.Struct, frozen=True):
    """A command (`cmd:`), counted under callgrind from its first instruction to its last."""

    target: CommandTarget
    valgrind: Valgrind

    @property
    def label(self) -> str:
        return self.target.label

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        return self.target.benchmarks(filter_regex)

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        """Count the instructions of the command once. Raises `LaunchError` saying how the program
        failed."""
        with scratch_folder() as folder:
            done = _run(self.target, self.valgrind, self.target.argv, folder, ())
            written = list(folder.iterdir())
            if len(written) != 1:
                raise LaunchError("it starts processes of its own: name the one that does the work")
            return _launched(benchmark, {1: _total(written[0])}, done)


Counting = CountedLoop | CountedCommand


def counts_by_iterations(sample: Sample) -> dict[int, int]:
    """Instructions of whole loops, by the loop's number of iterations; empty if none were
    counted."""
    kept = sample.series.get(INSTRUCTIONS, {"t": [], "v": []})
    return {int(n): int(total) for n, total in zip(kept["t"], kept["v"], strict=True)}


def with_iterations(sample: Sample, iterations: int) -> Sample:
    """The sample with the count of its loop of `iterations` iterations, which it must have, as its
    value."""
    values = {
        **sample.values,
        INSTRUCTIONS: (counts_by_iterations(sample)[iterations] / iterations,),
    }
    return msgspec.structs.replace(sample, values=values, iterations=iterations)


def _launched(benchmark: str, found: Mapping[int, int], done: FinishedProcess) -> LaunchResult:
    """The result of a launch: instructions per iteration in its longest loop of 1, 10, 100 ...
    iterations."""
    steady = {n: found[n] for n in found if _is_power_of_ten(n)} or dict(found)
    series = {"t": list(steady), "v": list(steady.values()), "units": ["iterations", "1"]}
    bare = Sample(benchmark=benchmark, values={}, series={INSTRUCTIONS: series})
    sample = with_iterations(bare, max(steady))
    return LaunchResult(sample, Record(context={}, facts=Facts(), samples=(sample,)), done)


def _is_power_of_ten(number: int) -> bool:
    """Whether the number is 1, 10, 100 ...: every launch runs such loops. The engine chooses other
    numbers by time."""
    return str(number).rstrip("0") == "1"


def _run(
    target: GBenchTarget | CommandTarget,
    valgrind: Valgrind,
    argv: Sequence[str],
    folder: Path,
    dumps: Sequence[str],
) -> FinishedProcess:
    """Run the target under callgrind. Raises `LaunchError` if it fails."""
    says = SAYS_WHEN if dumps else ("--quiet",)
    options = ("--tool=callgrind", *says, "--dump-line=no", *dumps)
    written = f"--callgrind-out-file={folder / 'part'}{'' if dumps else '.%p'}"
    command = (*valgrind.words, *options, written, *argv)
    place = target.executor
    own = place.environment if isinstance(place, PlacedExecutor) else {}
    env = pinned_variables(argv, {**os.environ, **own})
    launch = Launch(command, target.timeout_s, env=env, stderr_bytes=LOG_BYTES)
    done = place.run(launch)
    if not done.ok:
        raise LaunchError(failure_message(done))
    return done


def _total(path: Path) -> int:
    """The number of instructions in a callgrind file, from the total at its end."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
        found = _TOTALS.search(file.read())
    if found is None:
        raise LaunchError("callgrind wrote a file without its total: was the disk full?")
    return int(found[1])


def _check(program: str, executor: Executor, label: str) -> None:
    """Raises `UsageError` if `program` is a script: its interpreter would be counted."""
    folder = executor.folder if isinstance(executor, PlacedExecutor) else Path()
    path = folder / program if "/" in program else Path(shutil.which(program) or program)
    with path.open("rb") as file:
        if file.read(4) == b"\x7fELF":
            return
    raise UsageError(
        "is a script: callgrind counts the instructions of executables",
        where=label,
        hint="name the executable that it starts",
    )
