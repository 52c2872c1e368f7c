"""What else the host was doing: hypervisor steal and load, read from /proc.

    window = StealWindow(read_cpu_times)
    window.note(clock.now_s())         # now and then, between launches
    window.share(clock.now_s())        # stolen over the last quarter of a second or more

/proc/stat counts in hundredths of a second, and a launch takes two of them: one stolen
hundredth would read as half of the launch, or as nothing. So what is said of a launch is
the share stolen over the last 0.25 s or more before its end; over the launch itself when
that lasted longer. Neighbouring launches share most of that span, whichever side they are
of: docs/decisions/0023-a-host-that-always-steals.md.

Costs about 30 us a reading; taken between launches, never during one, and at most
once in 20 ms.
"""

import os
from collections import deque
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import NamedTuple

_STAT = Path("/proc/stat")
_STEAL = 7  # column of /proc/stat's cpu line, see proc(5)
SPAN_S = 0.25  # 25 ticks of each CPU: one stolen tick of two CPUs' is 2 %
_READING_EVERY_S = 0.02


class CpuTimes(NamedTuple):
    """Jiffies since boot, over all CPUs. Zero where /proc is not there."""

    total: int
    steal: int


class StealWindow:
    """The readings of the last moments. Threads may share one."""

    def __init__(self, read: Callable[[], CpuTimes]) -> None:
        self._read = read
        self._readings: deque[tuple[float, CpuTimes]] = deque()
        self._lock = Lock()  # a duet's launches end in two threads

    def note(self, now_s: float) -> None:
        """Read, unless the last reading is fresh; forget what no span reaches any more."""
        with self._lock:
            if self._readings and now_s - self._readings[-1][0] < _READING_EVERY_S:
                return
            self._readings.append((now_s, self._read()))
            while len(self._readings) > 2 and now_s - self._readings[1][0] >= SPAN_S:
                self._readings.popleft()

    def share(self, now_s: float) -> float | None:
        """Stolen over the shortest span of 0.25 s or more that ends now; None: too early."""
        self.note(now_s)
        with self._lock:
            end_s, end = self._readings[-1]
            starts = [times for at_s, times in self._readings if end_s - at_s >= SPAN_S]
        return steal_share(starts[-1], end) if starts else None


def read_cpu_times(stat: Path = _STAT) -> CpuTimes:
    """Totals of /proc/stat's first line."""
    try:
        with stat.open() as lines:
            return parse_cpu_times(lines.readline())
    except OSError:
        return CpuTimes(0, 0)


def parse_cpu_times(line: str) -> CpuTimes:
    """Guest time is part of user time already, so only eight columns add up."""
    columns = [int(word) for word in line.split()[1:9]]
    steal = columns[_STEAL] if len(columns) > _STEAL else 0
    return CpuTimes(sum(columns), steal)


def steal_share(before: CpuTimes, after: CpuTimes) -> float | None:
    """Share of CPU time stolen between two readings; None when too close to tell.

    A jiffy is usually 10 ms, so below ten of them one stolen jiffy would read as
    ten percent or more.
    """
    total = after.total - before.total
    if total < 10:
        return None
    return (after.steal - before.steal) / total


def load_average() -> float | None:
    """One-minute load average."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return None
