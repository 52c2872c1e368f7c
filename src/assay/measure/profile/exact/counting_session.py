"""Counts instructions instead of taking times, for whoever drives a `Session` otherwise.

    session = CountingSession({Side.BASE: a, Side.CANDIDATE: b}, clock)
    session.round("BM_copy", 0).samples      # one launch of each side

There are no trial launches, for nothing is to be learned from them: where a launch runs, beside
what, and for how long makes no difference to a count.
"""

from collections.abc import Mapping

import msgspec

from assay.errors import LaunchError
from assay.measure.clock import Clock
from assay.measure.effort import Effort
from assay.measure.session import Outcome, Watcher
from assay.measure.sitting import Sitting
from assay.measure.targets.target import Target
from assay.model import Failure, Record, Sample, Side


class CountingSession:
    """One sitting of counting. One thread, one process at a time."""

    def __init__(
        self,
        sides: Mapping[Side | None, Target],
        clock: Clock,
        watch: Watcher = lambda _benchmark, _side: None,
    ) -> None:
        self._sides, self._watch = dict(sides), watch
        self._sitting = Sitting(clock)
        self.records: dict[Side | None, Record] = {}  # what executables write of their host: times

    def prepare(self, benchmark: str) -> Failure | None:
        """Nothing to prepare."""
        return None

    def round(self, benchmark: str, number: int) -> Outcome:
        """One launch of each side, the base first."""
        samples: list[Sample] = []
        failures: list[Failure] = []
        for position, side in enumerate(self._sides):
            try:
                samples.append(self._counted(benchmark, side, number, position))
            except LaunchError as error:
                failure = Failure(
                    benchmark=benchmark,
                    what=error.message,
                    side=side,
                    round=number,
                    target=self._sides[side].label,
                )
                failures.append(failure)
        return Outcome(tuple(samples), tuple(failures))

    def elapsed_s(self) -> float:
        """Seconds since the session began."""
        return self._sitting.elapsed_s()

    def _counted(self, benchmark: str, side: Side | None, number: int, position: int) -> Sample:
        self._watch(benchmark, side)
        place = {"side": side, "round": number, "position": position}
        sample = self._sitting.launched(self._sides[side], benchmark, Effort(), None, **place)
        return msgspec.structs.replace(sample, steal=None)  # else a busy host would drop its round
