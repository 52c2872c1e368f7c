"""Runs on one class of host, cut where the detector saw changes: levels, sizes and places.

The detector reports a change as soon as it can. Here all runs of the segments on both sides
tell how large it is, and which run was the first of the new level.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import NormalDist

import msgspec
import numpy as np

from assay.history import Candidate, Change, Segment
from assay.judge.history.detector import ZERO, certainty_of_evidence
from assay.judge.history.fit import level_of, line_of
from assay.judge.history.noise import Floats, RunNoise, inflation, noise_of, scores_of
from assay.judge.history.place import likely_first_runs, ratio_of
from assay.judge.history.windows import evidence_of_all_runs, evidence_of_each_split

# Runs before and after a change from which its size and first run are estimated: as many as the
# detector keeps (decision 33).
_SIDE = 256
_SIGMAS = NormalDist().inv_cdf(0.975)  # standard errors in half of an interval at 95 %


class _SegmentRuns(msgspec.Struct, frozen=True):
    """The runs of one segment, from a change to the next, as logarithms."""

    logs: Floats
    slope: float  # change of the level from run to run; 0 where it does not drift
    around: Floats  # residuals of the segment's runs around their level

    def runs_nearest_to_end(self, *, last: bool) -> Floats:
        """The runs nearest to the segment's end (if `last`) or beginning, without their drift.

        They are as if all had been measured at the level of that end.
        """
        at = np.arange(len(self.logs))
        level = self.logs - self.slope * (at - (at[-1] if last else 0))
        return np.asarray(level[-_SIDE:] if last else level[:_SIDE])


class RunStretch:
    """Runs on one class of host, with the changes that the detector found in them.

    `logs` are natural logarithms in time order, `first` is the number of the first of these runs
    within the series. Method: decision 33.
    """

    def __init__(
        self, logs: Floats, candidates: Sequence[Candidate], first: int = 0, host: str = ""
    ) -> None:
        self._candidates, self._first, self._host = candidates, first, host
        self._logs = logs
        self._cut([0, *(one.split for one in candidates), len(logs)])
        if candidates:
            self._cut([0, *self._likeliest_cuts(), len(logs)])

    def _cut(self, cuts: list[int]) -> None:
        self._cuts = cuts
        self._parts = [
            _segment_without_drift(self._logs[start:end]) for start, end in pairwise(cuts)
        ]
        self._noise = noise_of(np.concatenate([part.around for part in self._parts]))

    def _likeliest_cuts(self) -> Iterator[int]:
        """The likeliest first run of each new level, now that the runs after it are known."""
        previous = 0
        for number, cut in enumerate(self._cuts[1:-1]):
            best = self._places(number)[0]
            previous = best if previous < best < self._cuts[number + 2] else cut
            yield previous

    def changes(self) -> Iterator[Change]:
        """A change for each candidate: sizes as ratios, intervals at 95 %, places in the series."""
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
        """A segment from each cut to the next, its level in the unit of the series, at 95 %."""
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
        """The level of these runs (a logarithm), and half the width of its interval at 95 %."""
        level = level_of(logs, self._noise)
        return level, _SIGMAS * self._noise.scale * math.sqrt(
            _variance_of_mean(len(logs), self._noise)
        )

    def _difference(self, number: int) -> tuple[float, float]:
        """The difference of the levels on both sides of a cut (a logarithm), and half the width of
        its interval."""
        before, after = self._runs_beside_cut(number)
        size = level_of(after, self._noise) - level_of(before, self._noise)
        variance = _variance_of_mean(len(before), self._noise) + _variance_of_mean(
            len(after), self._noise
        )
        return size, _SIGMAS * self._noise.scale * math.sqrt(variance)

    def _places(self, number: int) -> tuple[int, int, int]:
        """The likeliest run at which the level after a cut began, the earliest and the latest.

        None is later than the run at which the change was reported: a larger step after that run
        is another change, which may not have been reported.
        """
        before, after = self._runs_beside_cut(number)
        zero = self._cuts[number + 1] - len(before)
        until = max(self._candidates[number].seen_at - zero, 1)
        found = likely_first_runs(np.concatenate((before, after)), len(before), self._noise, until)
        return zero + found[0], zero + found[1], zero + found[2]

    def _certainty(self, number: int) -> float:
        """How certain the change is with all runs of both sides, their scores taken from the old
        level, as the detector does."""
        before, after = self._runs_beside_cut(number)
        scores = scores_of(
            np.concatenate((before, after)) - level_of(before, self._noise), self._noise
        )
        return certainty_of_evidence(
            evidence_of_all_runs(evidence_of_each_split(scores, self._noise)[1], self._noise)
        )

    def _runs_beside_cut(self, number: int) -> tuple[Floats, Floats]:
        return self._parts[number].runs_nearest_to_end(last=True), self._parts[
            number + 1
        ].runs_nearest_to_end(last=False)


def _segment_without_drift(logs: Floats) -> _SegmentRuns:
    level = float(np.median(logs))
    line = line_of(logs, noise_of(logs - level))
    if line is None:
        return _SegmentRuns(logs, 0.0, logs - level)
    return _SegmentRuns(logs, line.slope, line.residuals(logs))


def _variance_of_mean(runs: int, noise: RunNoise) -> float:
    """The variance of a mean of so many scores; larger where the noise was learnt from few runs."""
    doubt = 1.0 + 4.0 / max(noise.runs, 2)
    return (
        doubt
        * noise.variance
        * float(inflation(np.array([float(runs)]), noise.autocorrelation)[0])
        / runs
    )


def value_of(logarithm: float) -> float:
    """The value of a logarithm in the unit of the series; `ZERO`, which stands for 0, is 0."""
    value = ratio_of(logarithm)
    return 0.0 if value <= ZERO * 1e10 else value
