"""When a Google Benchmark executable was being measured: what libassay_stretches.so wrote.

found = read(path)
found.process                       the program's own number
time_ns in Inside(found.stretches)  whether a benchmark was being measured just then
"""

import struct
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_HEADER = struct.Struct("<QqQ")
_MOMENT = struct.Struct("<qqqq")
_MARK = 0x3243545254535941
MOST = 2_000_000  # moments that the library keeps


class Stretch(NamedTuple):
    """Of CLOCK_MONOTONIC."""

    begin_ns: int
    end_ns: int
    delay_ns: int = 0  # of it, for which others ran on its CPU


@dataclass(frozen=True)
class Stretches:
    """All stretches of one process that were measured, in their order."""

    process: int
    stretches: tuple[Stretch, ...]

    @property
    def delayed(self) -> float:
        """For which part of the time others ran: no waiting of the benchmark's own."""
        whole_ns = sum(one.end_ns - one.begin_ns for one in self.stretches)
        delay_ns = sum(one.delay_ns for one in self.stretches)
        return min(1.0, max(0.0, delay_ns / whole_ns)) if whole_ns > 0 else 0.0


class Inside:
    """Whether a moment lies in any of the stretches, which may overlap."""

    def __init__(self, stretches: Sequence[Stretch]) -> None:
        ordered = sorted(stretches)
        self._begins = [one.begin_ns for one in ordered]
        self._ends: list[int] = []  # the latest end of all that began until then
        for one in ordered:
            self._ends.append(max(one.end_ns, self._ends[-1] if self._ends else one.end_ns))

    def __contains__(self, time_ns: int) -> bool:
        place = bisect_right(self._begins, time_ns) - 1
        return place >= 0 and time_ns <= self._ends[place]


def read(path: Path) -> Stretches | None:
    """None where the library could not get into the program, or kept too few moments."""
    try:
        with path.open("rb") as file:
            mark, process, count = _HEADER.unpack(file.read(_HEADER.size))
            if mark != _MARK or not 0 < count <= MOST:
                return None
            content = file.read(_MOMENT.size * count)
    except (OSError, struct.error):
        return None
    if len(content) != _MOMENT.size * count:
        return None
    return Stretches(process, tuple(_paired(content)))


def _paired(content: bytes) -> list[Stretch]:
    """Every two moments of one thread."""
    found: list[Stretch] = []
    begun: dict[int, tuple[int, int]] = {}
    for real_ns, _, thread, delay_ns in _MOMENT.iter_unpack(content):
        begin = begun.pop(thread, None)
        if begin is None:
            begun[thread] = real_ns, delay_ns
        else:
            found.append(Stretch(begin[0], real_ns, delay_ns - begin[1]))
    return found
