"""When a benchmark whose launches fail is given up, and which ones a record gave up.

    patience = Patience(timeout_s=600)
    patience.is_over(outcome, took_s=0.2)      # after every round and every trial

A launch that fails now and then is counted and measured on: its side may crash in one launch of
ten, which is a finding, not the end. What fails `IN_A_ROW` times in a row on one side is given
up: a benchmark that always crashes costs five launches. What ran into the timeout is given up at
once, for each further launch may cost as much.
"""

from collections import Counter

from assay.measure.session import Outcome
from assay.model import Failure, Record, Side

IN_A_ROW = 5


class Patience:
    """How often each side of each benchmark failed since it last did not."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._in_a_row: Counter[tuple[str, Side | None]] = Counter()

    def is_over(self, outcome: Outcome, took_s: float) -> bool:
        """Whether the benchmark of this outcome is to be given up."""
        for sample in outcome.samples:
            self._in_a_row.pop((sample.benchmark, sample.side), None)
        for failure in outcome.failures:
            self._in_a_row[failure.benchmark, failure.side] += 1
        if outcome.failures and took_s >= self._timeout_s:
            return True
        rows = (self._in_a_row[one.benchmark, one.side] for one in outcome.failures)
        return any(row >= IN_A_ROW for row in rows)


def given_up(record: Record) -> tuple[Failure, ...]:
    """The last failure of each; all failures of a record that does not list who was given up."""
    listed = record.facts.given_up
    if listed is None:
        return record.failures
    last = {one.benchmark: one for one in record.failures}
    return tuple(one for one in last.values() if one.benchmark in listed)


def measured_on(record: Record) -> tuple[Failure, ...]:
    """The failed launches of benchmarks that were not given up."""
    gone = {one.benchmark for one in given_up(record)}
    return tuple(one for one in record.failures if one.benchmark not in gone)
