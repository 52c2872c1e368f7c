"""Which function takes more time: from rounds of samples to a change and interval for each.

    found = time_by_function(rounds, "cpu-clock", alpha=0.05)
    found.told[0].function, found.told[0].change.low

In each round a function gets its share of the samples, times what an iteration took on a CPU.
The round's difference of that, as a share of the mean of both sides, is judged as every other
round is: by the confidence sequence of `judge/paired`, with Holm's steps over all functions.
Functions that were seen too seldom to be judged alone are judged together as one more. So is the
time in which the benchmark was on no CPU: no sample tells of it, but the benchmark's two clocks do.
Method and figures: decision 38.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judge.attribution.passed import without_moved_time
from assay.judge.effects import Floats, Rows
from assay.judge.family.multiplicity import step_down
from assay.judge.paired import confidence_sequence
from assay.judge.paired.confidence_sequence import (
    Increments,
    huber_location,
    increments,
    minimum_rounds,
    rows_of,
)
from assay.judge.paired.suite_autocorrelation import shared_autocorrelation
from assay.stacks import Stack, Stacks
from assay.timed import (
    FS,
    OTHERS,
    WAITING,
    ChangeInCallee,
    Instructions,
    Round,
    Sampled,
    SampleSpot,
    TimeChange,
    Timed,
    TimeInterval,
)

ALPHA = 0.05  # chance of any false change among the functions of a benchmark, by convention
_SELDOM = 0.005  # share of the time: functions below it are judged together (decision 38)
# Functions that are judged one by one: each more widens all intervals (decision 38, which does not
# name the number).
_MOST = 40
_WORTH = 0.002  # share of an iteration: a smaller change is not named (decision 38)
# Share of a function's change: callees that changed by less are not named. A round number that no
# decision names.
_BELOW = 0.1

Who = tuple[str, bool]  # a function, and whether it is the user's


class _Intervals(msgspec.Struct, frozen=True):
    """Centre and interval of each function's times, or differences, as shares of an iteration."""

    centre: Floats
    low: Floats
    high: Floats

    def interval_of_row(self, row: int, unit_fs: float) -> TimeInterval:
        ends = (float(one) * unit_fs for one in (self.low[row], self.high[row]))
        low, high = (round(end) if np.isfinite(end) else None for end in ends)
        return TimeInterval(round(float(self.centre[row]) * unit_fs), low, high)


def time_by_function(
    rounds: Sequence[Round],
    event: str,
    *,
    alpha: float = ALPHA,
    work: Mapping[str, Instructions] | None = None,
    notes: tuple[str, ...] = (),
) -> Timed:
    """What each function takes of an iteration on both sides, and which changed.

    Rounds hold weights of samples by function, and seconds an iteration; amounts come back in whole
    femtoseconds of an iteration. `event` is what the samples were taken by, `alpha` the
    chance of any false change of the benchmark, `work` the instructions that callgrind counted of
    functions. There must be at least one round. Method: decision 38.
    """
    return _Rounds(rounds, alpha, work or {}).timed(event, notes)


def least_rounds(functions: int, alpha: float = ALPHA) -> int:
    """Rounds that are needed before any of so many functions gets an interval.

    `alpha` is the chance of any false change among all of them.
    """
    return minimum_rounds(2.0 * max(1, functions) / alpha)


class _Rounds:
    """The rounds of one benchmark as series: seconds of an iteration, by function."""

    def __init__(
        self, rounds: Sequence[Round], alpha: float, work: Mapping[str, Instructions]
    ) -> None:
        self._rounds, self._alpha, self._work = rounds, alpha, work
        self._judged = _functions_to_judge(rounds)
        self._base = self._series([one.base for one in rounds])
        self._candidate = self._series([one.candidate for one in rounds])
        busy = np.array([[_busy_s(side) for side in one] for one in rounds]).mean(axis=1)
        # The unit of shares: seconds on a CPU of an iteration in each round, the sides' mean.
        self._scale = np.maximum(busy, 1e-18)
        self._unit_fs = float(np.median(self._scale)) * FS

    def timed(self, event: str, notes: tuple[str, ...]) -> Timed:
        *changes, waiting = self._changes()
        if waiting.change.is_change:
            changes.append(waiting)
        rows = len(self._judged) - (not waiting.change.is_change)
        base, whole = self._interval_of_sum(self._base[:rows]), self._difference(rows)
        moved, told = without_moved_time(_changes_to_name(changes, base.amount))
        return Timed(
            rounds=len(self._rounds),
            base=base.amount,
            candidate=base.amount + whole.amount,
            whole=whole,
            waiting=waiting,
            changes=_ranked_changes(changes, whole.amount),
            told=_ranked_changes(told, whole.amount),
            moved=moved,
            stacks=_stacks(self._rounds),
            event=event,
            alpha=self._alpha,
            notes=notes,
        )

    def _changes(self) -> list[TimeChange]:
        """The change of each function that is judged, in order; time spent waiting is last."""
        sides = [self._intervals_alone(one) for one in (self._base, self._candidate)]
        difference = _intervals_in_family((self._candidate - self._base) / self._scale, self._alpha)
        found = []
        for row, (function, own) in enumerate(self._judged):
            base, candidate = (one.interval_of_row(row, self._unit_fs) for one in sides)
            change = difference.interval_of_row(row, self._unit_fs)
            below = (
                self._parts_by_callee((function, own), change.amount) if change.is_change else ()
            )
            known = self._work.get(function) if own else None
            found.append(TimeChange(function, own, base, candidate, change, below, known))
        return found

    def _intervals_alone(self, series: Floats) -> _Intervals:
        return _intervals_by_series(series / self._scale, self._alpha)

    def _interval_of_sum(self, series: Floats) -> TimeInterval:
        return self._intervals_alone(series.sum(axis=0)[None, :]).interval_of_row(0, self._unit_fs)

    def _difference(self, rows: int) -> TimeInterval:
        return self._interval_of_sum(self._candidate[:rows] - self._base[:rows])

    def _series(self, launches: Sequence[Sampled]) -> Floats:
        rows = {who: row for row, who in enumerate(self._judged)}
        others = rows[OTHERS, False]
        found = np.zeros((len(rows), len(launches)))
        for column, one in enumerate(launches):
            busy_s, all_of_it = _busy_s(one), max(1, sum(one.spots.values()))
            for spot, weight in one.spots.items():
                row = rows.get((spot.function, spot.own), others)
                found[row, column] += busy_s * weight / all_of_it
            found[rows[WAITING, False], column] = one.iteration_s - busy_s
        return found

    def _parts_by_callee(self, who: Who, amount: int) -> tuple[ChangeInCallee, ...]:
        callees = {
            spot.below
            for one in self._rounds
            for side in one
            for spot in side.spots
            if (spot.function, spot.own) == who
        }
        if who in ((OTHERS, False), (WAITING, False)) or callees <= {""}:
            return ()
        names = sorted(callees)
        spots = [SampleSpot(who[0], name, who[1]) for name in names]
        rows = np.array(
            [[_time_difference_at_line(one, spot) for one in self._rounds] for spot in spots]
        )
        centres = huber_location(increments(rows / self._scale)) * self._unit_fs
        parts = [
            ChangeInCallee(name, round(float(c))) for name, c in zip(names, centres, strict=True)
        ]
        worth = [one for one in parts if abs(one.amount) >= _BELOW * abs(amount)]
        return tuple(sorted(worth, key=lambda one: -abs(one.amount)))


def _time_difference_at_line(one: Round, spot: SampleSpot) -> float:
    base, candidate = (
        _busy_s(side) * side.spots.get(spot, 0) / max(1, sum(side.spots.values())) for side in one
    )
    return candidate - base


def _busy_s(one: Sampled) -> float:
    """Seconds of an iteration on a CPU, at most its duration: several threads may use more."""
    return min(one.cpu_s, one.iteration_s)


def _functions_to_judge(rounds: Sequence[Round]) -> list[Who]:
    """Functions to judge alone, chosen by both sides together, so that the choice does not depend
    on the difference between them."""
    shares: dict[Who, float] = defaultdict(float)
    for one in rounds:
        for side in one:
            all_of_it = max(1, sum(side.spots.values()))
            for spot, weight in side.spots.items():
                shares[spot.function, spot.own] += weight / all_of_it
    least = _SELDOM * 2 * len(rounds)
    often = sorted((who for who in shares if shares[who] >= least), key=lambda who: -shares[who])
    return [*often[:_MOST], (OTHERS, False), (WAITING, False)]


def _intervals_by_series(series: Floats, alpha: float) -> _Intervals:
    """Centres and intervals with the autocorrelation of each series estimated from it alone.

    The shares of one side all vary with its launches, so they are no independent estimates of the
    autocorrelation. Estimated from all together, in rounds with an autocorrelation of 0.6, 93.2 %
    of the intervals held the truth, and a quarter of the shares had no interval (decision 38).
    """
    bets = increments(series)
    return _Intervals(huber_location(bets), *_interval(bets, np.arange(len(series)), alpha))


def _intervals_in_family(series: Floats, alpha: float) -> _Intervals:
    """Centres and intervals of all functions, each at the error level that Holm's steps gave it."""
    low, high = np.full(len(series), np.nan), np.full(len(series), np.nan)
    bets = increments(series, _autocorrelation(series))

    def found_at(level: float, waiting: Rows) -> NDArray[np.bool_]:
        low[waiting], high[waiting] = _interval(bets, waiting, level)
        return np.asarray((low[waiting] > 0) | (high[waiting] < 0))

    step_down(len(series), len(series), alpha, found_at)
    return _Intervals(huber_location(bets), low, high)


def _autocorrelation(series: Floats) -> float | None:
    """The autocorrelation of the rounds, estimated from all functions that vary together.

    Fewer than five are too few: then it is None, and each interval is wider for the doubt. Without
    that, with two functions and an autocorrelation of 0.6, 80 % held the truth (decision 38).
    """
    varying = series[np.ptp(series, axis=1) > 0]
    return shared_autocorrelation([varying], len(varying)) if len(varying) else None


def _interval(bets: Increments, rows: Rows, level: float) -> tuple[Floats, Floats]:
    target = 2.0 / level
    if bets.x.shape[1] < minimum_rounds(target):
        missing = np.full(len(rows), np.nan)
        return missing, missing
    ends = confidence_sequence.interval(rows_of(bets, rows), target)
    return np.minimum(*ends), np.maximum(*ends)


def _changes_to_name(changes: Sequence[TimeChange], base: int) -> list[TimeChange]:
    """Changes whose interval leaves out zero, and that are large enough to be named."""
    return [
        one
        for one in changes
        if one.change.is_change and abs(one.change.amount) >= _WORTH * max(base, 1)
    ]


def _ranked_changes(changes: Sequence[TimeChange], whole: int) -> tuple[TimeChange, ...]:
    """Changes in the direction of the whole difference first, the largest first."""
    sign = (whole > 0) - (whole < 0)

    def key(one: TimeChange) -> tuple[int, str]:
        amount = one.change.amount
        return (-amount * sign if sign else -abs(amount)), one.function

    return tuple(sorted(changes, key=key))


def _stacks(rounds: Sequence[Round]) -> Stacks:
    base: dict[Stack, int] = defaultdict(int)
    candidate: dict[Stack, int] = defaultdict(int)
    for one in rounds:
        for side, into in zip(one, (base, candidate), strict=True):
            for stack, count in side.stacks.items():
                into[stack] += count
    return Stacks(dict(base), dict(candidate))
