"""The clock that measuring reads, which a test can replace by one of its own."""

import time
from typing import Protocol


class Clock(Protocol):
    """A monotonic clock in seconds, of which only differences mean anything."""

    def now_s(self) -> float: ...


class MonotonicClock:
    """The monotonic clock of this machine."""

    def now_s(self) -> float:
        return time.monotonic()
