"""The rows of the table of Google Benchmark's compare.py: `judge` makes them, `show` draws them."""

import msgspec

RELIABLE_REPETITIONS = 9  # with fewer: "Results unreliable! 9+ repetitions recommended."


class Measurement(msgspec.Struct, frozen=True):
    """One pair of repetitions in compare.py's table: relative changes of real and CPU time, and
    both sides' times."""

    time: float
    cpu: float
    real_time: float
    real_time_other: float
    cpu_time: float
    cpu_time_other: float


class UTest(msgspec.Struct, frozen=True):
    """compare.py's two-sided Mann-Whitney U tests of real and CPU time, over all repetitions."""

    time_pvalue: float
    cpu_pvalue: float
    repetitions: int
    repetitions_other: int

    @property
    def reliable(self) -> bool:
        return min(self.repetitions, self.repetitions_other) >= RELIABLE_REPETITIONS


class ComparePyEntry(msgspec.Struct, frozen=True):
    """One benchmark in compare.py's table: a line for each measurement, and one for the U test."""

    name: str
    label: str
    time_unit: str
    run_type: str
    aggregate_name: str
    measurements: tuple[Measurement, ...]
    utest: UTest | None

    def lines(self, *, aggregates_only: bool) -> tuple[Measurement, ...]:
        """The measurements to show; with `aggregates_only`, those of aggregates alone."""
        hidden = aggregates_only and self.run_type != "aggregate"
        return () if hidden else self.measurements
