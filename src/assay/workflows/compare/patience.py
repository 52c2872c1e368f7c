"""Decides when to give up a benchmark whose launches fail, and reads from a record which were.

    patience = FailurePatience(timeout_s=600)
    patience.is_over(outcome, took_s=0.2)      # after every round and every trial

If a launch fails now and then, the failures are counted and measuring goes on: a side that crashes
in one launch of ten is a finding. After `IN_A_ROW` failures in a row on one side the benchmark is
given up, so one that always crashes costs five launches. After a timeout it is given up at once,
because each further launch may take as long.
"""

from collections import Counter

from assay.measure.session import Outcome
from assay.model import Failure, Record, Side

IN_A_ROW = 5


class FailurePatience:
    """Decides when to give up a benchmark, by the failed launches in a row of each of its sides."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._in_a_row: Counter[tuple[str, Side | None]] = Counter()

    def is_over(self, outcome: Outcome, took_s: float) -> bool:
        """Whether to give up the benchmark whose round or trial this was;
        it took `took_s` seconds.
        """
        for sample in outcome.samples:
            self._in_a_row.pop((sample.benchmark, sample.side), None)
        for failure in outcome.failures:
            self._in_a_row[failure.benchmark, failure.side] += 1
        if outcome.failures and took_s >= self._timeout_s:
            return True
        rows = (self._in_a_row[one.benchmark, one.side] for one in outcome.failures)
        return any(row >= IN_A_ROW for row in rows)


def given_up(record: Record) -> tuple[Failure, ...]:
    """The last failure of each benchmark that was given up.

    A record that does not list them gives all its failures.
    """
    listed = record.facts.given_up
    if listed is None:
        return record.failures
    last = {one.benchmark: one for one in record.failures}
    return tuple(one for one in last.values() if one.benchmark in listed)


def failures_of_measured(record: Record) -> tuple[Failure, ...]:
    """The failed launches of benchmarks that were not given up."""
    gone = {one.benchmark for one in given_up(record)}
    return tuple(one for one in record.failures if one.benchmark not in gone)
