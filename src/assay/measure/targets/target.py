"""What the session needs of anything that can be measured: its benchmarks, and launching one."""

from typing import Protocol

import msgspec

from assay.measure.effort import Effort, LaunchCosts
from assay.measure.executor import FinishedProcess
from assay.model import Record, Sample


class LaunchResult(msgspec.Struct, frozen=True):
    """The result of one launch: the sample, the whole record, and how the process ended."""

    sample: Sample
    record: Record
    process: FinishedProcess
    costs: LaunchCosts | None = None  # what a launch takes; None: not a trial, or not known


class Target(Protocol):
    """Anything that a session can measure: a Google Benchmark executable, a command, or a test's
    own class."""

    @property
    def label(self) -> str:
        """The target as the user wrote it."""

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        """Names of its benchmarks, in its own order."""

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        """Run one process that measures one benchmark. Raises `LaunchError`."""


def last_error_line(done: FinishedProcess) -> str:
    """The last line the program wrote on standard error, for a message."""
    return last_line(done.stderr_tail)


def last_line(output: str) -> str:
    """The last line of some output, for a message; empty if there is none."""
    lines = output.strip().splitlines()
    return f' (it said: "{lines[-1][:200]}")' if lines else ""
