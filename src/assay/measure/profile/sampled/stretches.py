"""Reads what libassay_stretches.so wrote: when a benchmark was being measured.

found = read(path)
found.process                       the program's process id
time_ns in SpanSet(found.stretches)  whether a benchmark was being measured just then
"""

import struct
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

_HEADER = struct.Struct("<QqQ")  # mark, process id, number of moments
_MOMENT = struct.Struct("<qqqq")  # time, a field not read here, thread, delay until then in ns
# "AYSTRTC2" read as a little-endian number: the file is from our library.
_MARK = 0x3243545254535941
MOST = 2_000_000  # begins and ends of measured spans that the library keeps at most


class TimeStretch(NamedTuple):
    """A span of time in which a benchmark was measured, by CLOCK_MONOTONIC."""

    begin_ns: int
    end_ns: int
    delay_ns: int = 0  # time of the span in which other threads or processes ran on its CPU


class Stretches(msgspec.Struct, frozen=True):
    """All spans of time in which a benchmark of one process was measured, in order."""

    process: int
    stretches: tuple[TimeStretch, ...]

    @property
    def share_delayed(self) -> float:
        """Fraction of the measured time in which others ran on the thread's CPU. Time it waited by
        itself does not count."""
        whole_ns = sum(one.end_ns - one.begin_ns for one in self.stretches)
        delay_ns = sum(one.delay_ns for one in self.stretches)
        return min(1.0, max(0.0, delay_ns / whole_ns)) if whole_ns > 0 else 0.0


class SpanSet:
    """Tells whether a moment lies in any of these spans of time, which may overlap."""

    def __init__(self, stretches: Sequence[TimeStretch]) -> None:
        ordered = sorted(stretches)
        self._begins = [one.begin_ns for one in ordered]
        self._ends: list[int] = []  # for each span the latest end of all that began up to it
        for one in ordered:
            self._ends.append(max(one.end_ns, self._ends[-1] if self._ends else one.end_ns))

    def __contains__(self, time_ns: int) -> bool:
        place = bisect_right(self._begins, time_ns) - 1
        return place >= 0 and time_ns <= self._ends[place]


def read(path: Path) -> Stretches | None:
    """The spans of time measured; None if the program did not load the library, or had too many
    spans."""
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
    return Stretches(process, tuple(_paired_spans(content)))


def _paired_spans(content: bytes) -> list[TimeStretch]:
    """The spans of time: of the moments of each thread, every two in a row are a begin and an
    end."""
    found: list[TimeStretch] = []
    begun: dict[int, tuple[int, int]] = {}
    for real_ns, _, thread, delay_ns in _MOMENT.iter_unpack(content):
        begin = begun.pop(thread, None)
        if begin is None:
            begun[thread] = real_ns, delay_ns
        else:
            found.append(TimeStretch(begin[0], real_ns, delay_ns - begin[1]))
    return found
