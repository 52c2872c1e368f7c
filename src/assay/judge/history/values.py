"""What is told of a history: candidates as they arise, then segments and changes.

Levels are in the unit of the series, changes are ratios, and runs are counted from 0 within
the series. The caller knows which revision each run measured.
"""

import msgspec


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A change as it is first seen. Nobody is told before paired rounds confirm it."""

    seen_at: int  # the run that gave enough evidence
    split: int  # the likeliest first run of the new level
    first: int  # the first run of the new level is this one at the earliest
    last: int  # ... and this one at the latest
    ratio: float  # new level over old
    certainty: float  # 1 less the chance that a year without a change shows as much


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change as it looks from the end of the history."""

    seen_at: int
    split: int
    first: int  # run first - 1 is surely before the change,
    last: int  # run last surely after it
    ratio: float
    low: float  # interval of the ratio
    high: float
    certainty: float


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """Runs in a row that share a level."""

    first: int
    last: int
    level: float
    low: float  # interval of the level, from the variation between runs
    high: float
    host: str
    drift: float  # factor from its first to its last run, where it drifts; else 1


class History(msgspec.Struct, frozen=True, kw_only=True):
    """What a series did. A change of host begins a segment and is no change."""

    runs: int
    segments: tuple[Segment, ...]
    changes: tuple[Change, ...]
    false_candidates_a_year: float  # of a series that does not change, looked at 365 times

    @property
    def drifts(self) -> bool:
        return any(segment.drift != 1.0 for segment in self.segments)
