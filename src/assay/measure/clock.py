"""The clock the measuring side reads, as something a test can replace."""

import time
from typing import Protocol


class Clock(Protocol):
    """Monotonic seconds; only differences mean anything."""

    def now_s(self) -> float: ...


class MonotonicClock:
    """The host's monotonic clock."""

    def now_s(self) -> float:
        return time.monotonic()
