"""What else the host was doing: hypervisor steal and load, read from /proc.

    window = StealWindow(read_cpu_times)
    window.read_if_due(clock.now_s())         # now and then, between launches
    window.share(clock.now_s())        # stolen over the last quarter of a second or more

/proc/stat counts in steps of 10 ms, and a launch takes about two of them: a single stolen step
would read as half of the launch, or as nothing. So the steal of a launch is the share stolen in the
last 0.25 s or more before its end, or in the launch itself when that lasted longer. Neighbouring
launches share most of that span, whichever side they are of:
docs/decisions/0023-a-host-that-always-steals.md.

A reading costs about 30 us. It is taken between launches, never during one, and at most once in
20 ms.
"""

import os
from collections import deque
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec

_STAT = Path("/proc/stat")
_STEAL = 7  # column of steal time in the first line of /proc/stat, see proc(5)
SPAN_S = 0.25  # seconds; 25 steps of /proc/stat on each CPU: with two CPUs one stolen step is 2 %
_READING_EVERY_S = 0.02  # seconds between two readings at least


class CpuTimes(msgspec.Struct, frozen=True):
    """CPU time since boot in jiffies, summed over all CPUs: all of it, and what the hypervisor
    took. Zeros where there is no /proc."""

    total: int
    steal: int


class StealWindow:
    """Recent readings of /proc/stat, from which the steal of the last 0.25 s is computed.

    Several threads may use one object.
    """

    def __init__(self, read: Callable[[], CpuTimes]) -> None:
        self._read = read
        self._readings: deque[tuple[float, CpuTimes]] = deque()
        self._lock = Lock()  # in a duet two launches end at once, in two threads

    def read_if_due(self, now_s: float) -> None:
        """Read /proc/stat unless the last reading is fresh, and drop those no longer needed."""
        with self._lock:
            if self._readings and now_s - self._readings[-1][0] < _READING_EVERY_S:
                return
            self._readings.append((now_s, self._read()))
            while len(self._readings) > 2 and now_s - self._readings[1][0] >= SPAN_S:
                self._readings.popleft()

    def share(self, now_s: float) -> float | None:
        """Fraction of CPU time stolen in the last 0.25 s or a little more; None: the readings are
        too young."""
        self.read_if_due(now_s)
        with self._lock:
            end_s, end = self._readings[-1]
            starts = [times for at_s, times in self._readings if end_s - at_s >= SPAN_S]
        return steal_share(starts[-1], end) if starts else None


def read_cpu_times(stat: Path = _STAT) -> CpuTimes:
    """CPU times in the first line of /proc/stat; zeros where it cannot be read."""
    try:
        with stat.open() as lines:
            return parse_cpu_times(lines.readline())
    except OSError:
        return CpuTimes(0, 0)


def parse_cpu_times(line: str) -> CpuTimes:
    """CPU times in the first eight columns; the later ones, guest time, are part of user time."""
    columns = [int(word) for word in line.split()[1:9]]
    steal = columns[_STEAL] if len(columns) > _STEAL else 0
    return CpuTimes(sum(columns), steal)


def steal_share(before: CpuTimes, after: CpuTimes) -> float | None:
    """Share of CPU time stolen between two readings; None if they are too close to tell.

    A jiffy is usually 10 ms. With fewer than ten of them one stolen jiffy would read as ten
    percent or more.
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
