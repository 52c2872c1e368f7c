"""Any command as a target: timed as a whole, with CPU times and peak memory.

`cmd:./server --once` runs the words as they stand; a command that needs a
shell (pipes, redirections, variables) is handed to `sh -c`, which is then part
of what is measured.
"""

import re
import shlex

import msgspec

from assay.errors import LaunchError, UsageError
from assay.facts import Facts
from assay.measure.effort import Effort
from assay.measure.executor import Executor, FinishedProcess, Launch
from assay.measure.targets.target import LaunchResult, last_error_line
from assay.model import Record, Sample

# What in a command line only a shell understands: pipes, redirections, variables, patterns.
_NEEDS_SHELL = re.compile(r"[|&;<>()$`\n*?\[]|^\s*\w+=|(^|\s)~")


class CommandTarget(msgspec.Struct, frozen=True):
    """A command as a target: its words, and the name of its only benchmark."""

    argv: tuple[str, ...]
    label: str
    name: str
    executor: Executor
    timeout_s: float

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        """The name of the command's only benchmark, if the filter matches it."""
        return (self.name,) if re.search(filter_regex, self.name) else ()

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        """Run the command once. Any exit code but 0 is a failure."""
        done = self.executor.run(Launch(self.argv, self.timeout_s, cpu, effort.trial))
        if not done.ok:
            raise LaunchError(f"it {done.describe()}{last_error_line(done)}")
        sample = _sample(benchmark, done)
        return LaunchResult(sample, Record(context={}, facts=Facts(), samples=(sample,)), done)


def words_of(command: str) -> tuple[str, ...]:
    """The command's words; through `sh -c` only if it uses what needs a shell.

    >>> words_of("gzip -k 'a file'")
    ('gzip', '-k', 'a file')
    """
    if not command.strip():
        raise UsageError("the command is empty", where="cmd:", hint="write cmd:PROGRAM ARGS")
    if _NEEDS_SHELL.search(command):
        return ("/bin/sh", "-c", command)
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"cannot split the command: {error}", where=f"cmd:{command}") from None


def _sample(benchmark: str, done: FinishedProcess) -> Sample:
    return Sample(
        benchmark=benchmark,
        values={
            "real_time": (done.wall_ns / 1e6,),
            "cpu_time": ((done.user_ns + done.system_ns) / 1e6,),
            "user_time": (done.user_ns / 1e6,),
            "system_time": (done.system_ns / 1e6,),
            "max_rss": (float(done.max_rss_bytes),),
        },
        time_unit="ms",
        iterations=1,
    )
