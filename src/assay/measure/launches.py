"""Makes launches one after the other, noting when each began and how busy the host was.

launches = SessionLaunches(clock)
sample = launches.launched_sample(target, "BM_copy", effort, cpu, round=3, side=Side.BASE)
sample.launch, sample.started_s, sample.steal, sample.load
"""

from itertools import count
from typing import Any

import msgspec

from assay.measure.clock import Clock
from assay.measure.effort import Effort
from assay.measure.host.load import StealWindow, load_average, read_cpu_times
from assay.measure.oddities import SideEffectsOfTargets
from assay.measure.targets.target import Target
from assay.model import Sample


class SessionLaunches:
    """Makes the launches of a session: numbers them, and notes when each began and how busy the
    host was."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._began_s = clock, clock.now_s()
        self._numbers, self._steal = count(1), StealWindow(read_cpu_times)
        self.oddities = SideEffectsOfTargets()

    def elapsed_s(self) -> float:
        """Seconds since the session began."""
        return self._clock.now_s() - self._began_s

    def launched_sample(
        self, target: Target, benchmark: str, effort: Effort, cpu: int | None, **place: Any
    ) -> Sample:
        """Launch `benchmark` and return its sample; `place` is its side, round and position."""
        started_s = self.elapsed_s()
        self._steal.read_if_due(started_s)
        launched = target.launch(benchmark, effort, cpu)
        self.oddities.note_launch(target.label, launched.process)
        return msgspec.structs.replace(
            launched.sample,
            launch=next(self._numbers),
            started_s=round(started_s, 4),
            steal=self._steal.share(self.elapsed_s()),
            load=load_average(),
            cpu=cpu,
            **place,
        )
