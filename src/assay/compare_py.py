"""The rows of the table of Google Benchmark's compare.py: `judge` makes them, `show` draws them."""

from typing import NamedTuple

RELIABLE_REPETITIONS = 9  # with fewer: "Results unreliable! 9+ repetitions recommended."


class Measurement(NamedTuple):
    """Repetition i of both sides, and the relative change of each time."""

    time: float
    cpu: float
    real_time: float
    real_time_other: float
    cpu_time: float
    cpu_time_other: float


class UTest(NamedTuple):
    """Two-sided Mann-Whitney U tests over all repetitions."""

    time_pvalue: float
    cpu_pvalue: float
    repetitions: int
    repetitions_other: int

    @property
    def reliable(self) -> bool:
        return min(self.repetitions, self.repetitions_other) >= RELIABLE_REPETITIONS


class ComparePyEntry(NamedTuple):
    """The rows of one benchmark: a line for each measurement, one more for the U test."""

    name: str
    label: str
    time_unit: str
    run_type: str
    aggregate_name: str
    measurements: tuple[Measurement, ...]
    utest: UTest | None

    def lines(self, *, aggregates_only: bool) -> tuple[Measurement, ...]:
        """The measurements to show; with `aggregates_only` only aggregates have any."""
        hidden = aggregates_only and self.run_type != "aggregate"
        return () if hidden else self.measurements
