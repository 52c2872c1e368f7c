"""The world a workflow runs in: executor, clock, and who watches. Tests bring their own.

with stopping() as stop, runtime.measuring():  # alone on this machine
    session = runtime.session(sides, conditions)
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from assay.measure.clock import Clock
from assay.measure.executor import Executor
from assay.measure.machine_lock import measuring_alone
from assay.measure.session import LaunchSettings, Session
from assay.measure.targets.target import Target
from assay.model import Side
from assay.progress import Watcher


@dataclass(frozen=True)
class Runtime:
    """What is the same for everything one command line does."""

    executor: Executor
    clock: Clock
    watcher: Watcher
    waits: bool = True  # for another measurement on this machine; False: it is an error

    def measuring(self) -> AbstractContextManager[None]:
        """Inside it nobody else measures on this machine. Raises `MeasurementError`."""
        return measuring_alone(self.watcher.announce, waits=self.waits)

    def session(self, sides: Mapping[Side | None, Target], conditions: LaunchSettings) -> Session:
        """A session on this runtime."""
        return Session(sides, conditions, self.clock, self.watcher.launching, self.executor.abandon)
