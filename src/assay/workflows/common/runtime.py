"""What a workflow runs with: executor, clock and watcher. Tests provide their own.

with stopping() as stop, runtime.measuring():  # nobody else measures on this machine
    session = runtime.session(sides, conditions)
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager

import msgspec

from assay.measure.clock import Clock
from assay.measure.executor import Executor
from assay.measure.machine_lock import measuring_alone
from assay.measure.session import LaunchSettings, Session
from assay.measure.targets.target import Target
from assay.model import Side
from assay.progress import Watcher


class Runtime(msgspec.Struct, frozen=True):
    """What a command measures with: an executor that starts processes, a clock, and a
    watcher that shows progress.
    """

    executor: Executor
    clock: Clock
    watcher: Watcher
    waits: bool = True  # True: wait while another measurement runs on this machine; False: fail

    def measuring(self) -> AbstractContextManager[None]:
        """A block in which nobody else measures on this machine. Raises `MeasurementError`."""
        return measuring_alone(self.watcher.announce, waits=self.waits)

    def session(self, sides: Mapping[Side | None, Target], conditions: LaunchSettings) -> Session:
        """A new session that measures these targets with this executor, clock and watcher."""
        return Session(sides, conditions, self.clock, self.watcher.launching, self.executor.abandon)
