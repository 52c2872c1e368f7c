"""What can be measured, seen from the session: names, and one launch of one of them."""

from dataclasses import dataclass
from typing import Protocol

from assay.measure.effort import Effort, LaunchCosts
from assay.measure.executor import Finished
from assay.model import Record, Sample


@dataclass(frozen=True)
class Launched:
    """What one launch gave: the sample, all it wrote, and how the process fared."""

    sample: Sample
    record: Record
    process: Finished
    costs: LaunchCosts | None = None  # of a trial, where the target can tell them


class Target(Protocol):
    """A Google Benchmark executable, a command, or whatever a test injects."""

    @property
    def label(self) -> str:
        """The target as the user wrote it."""

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        """Names of its benchmarks, in its own order."""

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> Launched:
        """Run one process measuring one benchmark. Raises `LaunchError`."""


def said(done: Finished) -> str:
    """The last line it wrote on standard error, for a message."""
    return last_line(done.stderr_tail)


def last_line(output: str) -> str:
    """The last line a program wrote, for a message; nothing where it wrote nothing."""
    lines = output.strip().splitlines()
    return f' (it said: "{lines[-1][:200]}")' if lines else ""
