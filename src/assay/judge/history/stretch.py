"""Runs on one class of host, cut where the detector saw changes: levels, sizes and places.

The detector told of a change as soon as it could. Here all runs of the segments on both sides
say how large it is, and which run was the first of the new level.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from assay.history import Candidate, Change, Segment
from assay.judge.history.detector import ZERO, certainty
from assay.judge.history.fit import level_of, line_of
from assay.judge.history.noise import Floats, Noise, inflation, noise_of, scores_of
from assay.judge.history.place import places, ratio_of
from assay.judge.history.windows import of_all_runs, profile
from assay.judge.normal import normal_quantile

_SIDE = 256  # runs beside a change that are asked about it
_SIGMAS = normal_quantile(0.975)


class _Part(NamedTuple):
    """One segment's runs."""

    logs: Floats
    slope: float  # a run, 0 where it does not drift
    around: Floats  # its runs around their level

    def nearest(self, *, last: bool) -> Floats:
        """The runs beside its end or its beginning, as if it had drifted no more from there."""
        at = np.arange(len(self.logs))
        level = self.logs - self.slope * (at - (at[-1] if last else 0))
        return np.asarray(level[-_SIDE:] if last else level[:_SIDE])


class Stretch:
    """`first` is the number of its first run within the series."""

    def __init__(
        self, logs: Floats, candidates: Sequence[Candidate], first: int = 0, host: str = ""
    ) -> None:
        self._candidates, self._first, self._host = candidates, first, host
        self._logs = logs
        self._cut([0, *(one.split for one in candidates), len(logs)])
        if candidates:
            self._cut([0, *self._likeliest(), len(logs)])

    def _cut(self, cuts: list[int]) -> None:
        self._cuts = cuts
        self._parts = [_part(self._logs[start:end]) for start, end in pairwise(cuts)]
        self._noise = noise_of(np.concatenate([part.around for part in self._parts]))

    def _likeliest(self) -> Iterator[int]:
        """Where each cut lies, now that the runs after it are known."""
        previous = 0
        for number, cut in enumerate(self._cuts[1:-1]):
            best = self._places(number)[0]
            previous = best if previous < best < self._cuts[number + 2] else cut
            yield previous

    def changes(self) -> Iterator[Change]:
        """One for each candidate."""
        for number, candidate in enumerate(self._candidates):
            size, error = self._difference(number)
            cut = self._cuts[number + 1]  # where the segment begins: no two changes share one
            _, earliest, latest = self._places(number)
            yield Change(
                seen_at=self._first + candidate.seen_at,
                split=self._first + cut,
                first=self._first + min(earliest, cut),
                last=self._first + max(latest, cut),
                ratio=ratio_of(size),
                low=ratio_of(size - error),
                high=ratio_of(size + error),
                certainty=max(candidate.certainty, self._certainty(number)),
            )

    def segments(self) -> Iterator[Segment]:
        """From cut to cut."""
        for part, start, end in zip(self._parts, self._cuts, self._cuts[1:], strict=False):
            level, error = self._level(part.logs)
            yield Segment(
                first=self._first + start,
                last=self._first + end - 1,
                level=value_of(level),
                low=value_of(level - error),
                high=value_of(level + error),
                host=self._host,
                drift=ratio_of(part.slope * (end - start - 1)),
            )

    def _level(self, logs: Floats) -> tuple[float, float]:
        """Its level, and half the width of its interval."""
        level = level_of(logs, self._noise)
        return level, _SIGMAS * self._noise.scale * math.sqrt(_variance(len(logs), self._noise))

    def _difference(self, number: int) -> tuple[float, float]:
        """Of the levels on both sides of a cut, and half the width of its interval."""
        before, after = self._sides(number)
        size = level_of(after, self._noise) - level_of(before, self._noise)
        variance = _variance(len(before), self._noise) + _variance(len(after), self._noise)
        return size, _SIGMAS * self._noise.scale * math.sqrt(variance)

    def _places(self, number: int) -> tuple[int, int, int]:
        """The likeliest place of a cut, the earliest and the latest. What was told of a run was
        there by then: a larger step that came later is another, which may not have been told."""
        before, after = self._sides(number)
        zero = self._cuts[number + 1] - len(before)
        until = max(self._candidates[number].seen_at - zero, 1)
        found = places(np.concatenate((before, after)), len(before), self._noise, until)
        return zero + found[0], zero + found[1], zero + found[2]

    def _certainty(self, number: int) -> float:
        """Seen from the old level, as the detector sees it."""
        before, after = self._sides(number)
        scores = scores_of(
            np.concatenate((before, after)) - level_of(before, self._noise), self._noise
        )
        return certainty(of_all_runs(profile(scores, self._noise)[1], self._noise))

    def _sides(self, number: int) -> tuple[Floats, Floats]:
        return self._parts[number].nearest(last=True), self._parts[number + 1].nearest(last=False)


def _part(logs: Floats) -> _Part:
    level = float(np.median(logs))
    line = line_of(logs, noise_of(logs - level))
    if line is None:
        return _Part(logs, 0.0, logs - level)
    return _Part(logs, line.slope, line.residuals(logs))


def _variance(runs: int, noise: Noise) -> float:
    """Of a mean of so many scores; so much more where the noise itself is little known."""
    doubt = 1.0 + 4.0 / max(noise.runs, 2)
    return doubt * noise.variance * float(inflation(np.array([float(runs)]), noise.echo)[0]) / runs


def value_of(logarithm: float) -> float:
    """As it was measured: what stands for nought is nought again."""
    value = ratio_of(logarithm)
    return 0.0 if value <= ZERO * 1e10 else value
