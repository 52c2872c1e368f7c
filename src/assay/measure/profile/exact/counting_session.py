"""Counts instructions where a `Session` would take times; it is driven in the same way.

    session = CountingSession({Side.BASE: a, Side.CANDIDATE: b}, clock)
    session.round("BM_copy", 0).samples      # one launch of each side

There are no trial launches, because nothing has to be learned from them: the CPU it runs on, the
load beside it and its duration make no difference to a count.
"""

from collections.abc import Mapping

import msgspec

from assay.errors import LaunchError
from assay.measure.clock import Clock
from assay.measure.effort import Effort
from assay.measure.launches import SessionLaunches
from assay.measure.session import Outcome, Watcher
from assay.measure.targets.target import Target
from assay.model import Failure, Record, Sample, Side


class CountingSession:
    """A session whose launches count instructions under callgrind, one process at a time."""

    def __init__(
        self,
        sides: Mapping[Side | None, Target],
        clock: Clock,
        watch: Watcher = lambda _benchmark, _side: None,
    ) -> None:
        self._sides, self._watch = dict(sides), watch
        self._launches = SessionLaunches(clock)
        # By side: what its executable says about the host.
        self.records: dict[Side | None, Record] = {}

    def prepare(self, benchmark: str) -> Failure | None:
        """Does nothing, because counting needs no trial."""
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
        return self._launches.elapsed_s()

    def _counted(self, benchmark: str, side: Side | None, number: int, position: int) -> Sample:
        self._watch(benchmark, side)
        place = {"side": side, "round": number, "position": position}
        sample = self._launches.launched_sample(
            self._sides[side], benchmark, Effort(), None, **place
        )
        # Steal drops rounds, but a busy host does not change a count.
        return msgspec.structs.replace(sample, steal=None)
