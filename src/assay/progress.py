"""The calls by which a running workflow reports its progress. The terminal is one watcher."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from assay.model import Comparison, Failure, Side


class RunProgress(msgspec.Struct, frozen=True):
    """How many benchmarks a running comparison has settled, and how much of its budget is left."""

    benchmarks: int
    settled: int
    failed: int
    rounds: int
    elapsed_s: float
    left_s: float  # seconds of the budget that are left

    @property
    def undecided(self) -> int:
        """How many benchmarks still have no verdict."""
        return self.benchmarks - self.settled - self.failed


class Watcher(Protocol):
    """What is told about the progress of a workflow. It is called between launches, never during
    one, because drawing would disturb the measuring."""

    def announce(self, text: str) -> None:
        """Show a line before measuring, which stays on the screen."""

    def preparing(self, benchmark: str, done: int, total: int) -> None:
        """A trial launch of a benchmark is about to begin."""

    def asking(self, benchmark: str, what: str, done: int, total: int) -> None:
        """Untimed work on a benchmark, of some seconds, is about to begin."""

    def launching(self, benchmark: str, side: Side | None) -> None:
        """A launch is about to begin."""

    def round_done(self, state: RunProgress, latest: Sequence[Comparison]) -> None:
        """A round ended; `latest` are the comparisons of its benchmark as they stand now."""

    def failed(self, failure: Failure) -> None:
        """A benchmark could not be measured and is given up."""


class Silence:
    """A `Watcher` that shows nothing of a workflow's progress."""

    def announce(self, text: str) -> None:
        """Show nothing."""

    def preparing(self, benchmark: str, done: int, total: int) -> None:
        """Show nothing."""

    def asking(self, benchmark: str, what: str, done: int, total: int) -> None:
        """Show nothing."""

    def launching(self, benchmark: str, side: Side | None) -> None:
        """Show nothing."""

    def round_done(self, state: RunProgress, latest: Sequence[Comparison]) -> None:
        """Show nothing."""

    def failed(self, failure: Failure) -> None:
        """Show nothing."""
