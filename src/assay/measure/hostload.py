"""What else the host was doing: hypervisor steal and load, read from /proc.

    before = read_cpu_times()
    ...
    steal_share(before, read_cpu_times())

Costs about 30 us a reading; taken between launches, never during one.
"""

import os
from pathlib import Path
from typing import NamedTuple

_STAT = Path("/proc/stat")
_STEAL = 7  # column of /proc/stat's cpu line, see proc(5)


class CpuTimes(NamedTuple):
    """Jiffies since boot, over all CPUs. Zero where /proc is not there."""

    total: int
    steal: int


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
