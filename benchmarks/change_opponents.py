"""How others find changes of a series: Apache Otava itself, and Perfherder's t-test rewritten.

Each is asked after every run, as one asks in use, and what it tells at any time counts. Otava is
no dependency: `pip install --no-deps apache-otava` puts it beside the scipy that the tests need.
"""

import importlib
import importlib.util
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ttest_ind_from_stats  # type: ignore[import-untyped]

Floats = NDArray[np.float64]
WITH_OTAVA = importlib.util.find_spec("otava") is not None
SOONEST = 24  # runs before which nobody is asked
ONE_PLACE = 8  # runs that two tellings of one change may lie apart


class Found(NamedTuple):
    """A change, and the run after which it was first told."""

    split: int
    seen_at: int


class Asked:
    """One series of which Otava is asked after every run from `first` on.

    Otava goes through windows of 50 runs, and what it finds there at ten times the p-value asked
    for is tested again. So where the first split of no window is as weak as that, nothing can be
    told, and Otava need not be asked: that is told for all p-values at once.
    """

    def __init__(self, row: Floats, first: int = SOONEST) -> None:
        self._row = row.tolist()
        self._ends = range(first, len(row) + 1)
        self._weakest = _weakest(row)[first:]

    def first(self, p_value: float, near: int | None = None) -> int | None:
        """The run after which it first tells of a change, or of one near this run."""
        for end, splits in self._told(p_value):
            if any(near is None or abs(split - near) <= ONE_PLACE for split in splits):
                return end - 1
        return None

    def found(self, p_value: float) -> list[Found]:
        """All that was ever told: a change whose place moves a little from run to run is one, and
        lies where it was told last."""
        found: list[Found] = []
        for end, splits in self._told(p_value):
            for split in splits:
                known = [one for one in found if abs(one.split - split) <= ONE_PLACE]
                if known:
                    found.remove(known[0])
                found.append(Found(split, known[0].seen_at if known else end - 1))
        return found

    def _told(self, p_value: float) -> Iterator[tuple[int, list[int]]]:
        for end, weakest in zip(self._ends, self._weakest, strict=True):
            if weakest <= 10.0 * p_value:
                changes, _ = _otava().compute_change_points(
                    self._row[:end], window_len=WINDOW, max_pvalue=p_value
                )
                yield end, [int(one.index) for one in changes]


WINDOW = 50
_NEARLY = 1.1  # the screen rounds otherwise than Otava does


def _weakest(row: Floats) -> Floats:
    """For each number of runs, the smallest p-value of the first splits of all windows."""
    least = np.ones(len(row) + 1)
    for start in range(0, len(row) - 1, WINDOW // 2):
        window = row[start : start + WINDOW]
        p = _first_splits(window)
        ends = slice(start + 2, start + len(window) + 1)
        least[ends] = np.minimum(least[ends], p)
        least[start + WINDOW :] = np.minimum(least[start + WINDOW :], p[-1])
    return least / _NEARLY


def _first_splits(window: Floats) -> Floats:
    """The p-value of the likeliest split of the first 2, 3, ... runs: Otava's measure of a split
    knows nothing of later runs, so one matrix holds that of all."""
    calculator = importlib.import_module("otava.change_point_divisive.calculator")
    measure = calculator.PairDistanceCalculator(window)._get_Q_vals(0, len(window))
    columns = measure.max(axis=0)
    best = [int(columns[: end + 1].argmax()) for end in range(len(columns))]
    split = measure.argmax(axis=0)[best] + 1
    total, square = (
        np.concatenate(([0.0], np.cumsum((window - window.mean()) ** n))) for n in (1, 2)
    )
    ends = np.arange(2, len(window) + 1)
    sides = []
    for low, high in ((np.zeros_like(ends), split), (split, ends)):
        mean = (total[high] - total[low]) / (high - low)
        spread = (square[high] - square[low]) / (high - low) - mean**2
        sides += [mean, np.sqrt(np.maximum(spread, 0.0)), high - low]
    with np.errstate(all="ignore"):
        p = np.asarray(ttest_ind_from_stats(*sides)[1])
    return np.where(np.isnan(p), 1.0, p)


@cache
def _otava() -> Any:
    """Otava with a memory: a window that it has judged is not judged again after the next run."""
    analysis: Any = importlib.import_module("otava.analysis")
    judge: Any = analysis.ChangePointDetector
    known: dict[object, Any] = {}

    class Remembering(judge):  # type: ignore[misc]
        def get_change_points(self, series: list[float], start: int, end: int) -> Any:
            key = (self.tester.max_pvalue, start, *series[start:end])
            if key not in known:
                if len(known) > 100_000:
                    known.clear()
                known[key] = super().get_change_points(series, start, end)
            return known[key]

    analysis.ChangePointDetector = Remembering
    return analysis


BACK, MOST_BACK, FORE = 12, 24, 12  # treeherder/perf/alerts: detect_changes


def perfherder(series: Floats, limit: float) -> list[list[Found]]:
    """Runs whose t is above the limit and not below that of either neighbour.

    t compares the 12 runs from this one on with the 12 before, or more of them (up to 24) the
    longer nothing was found; the nearer a run, the more it weighs in its mean. When the twelfth
    run is in, its later neighbour has eleven; one run later it is asked again.
    """
    t, soon = _all_t(series, limit)
    high = t > limit
    high[:, 1:] &= t[:, :-1] <= t[:, 1:]
    high[:, :BACK] = False
    high[:, series.shape[1] - FORE + 1 :] = False
    at_once, later = high.copy(), high.copy()
    at_once[:, :-1] &= soon[:, 1:] <= t[:, :-1]
    later[:, :-1] &= t[:, 1:] <= t[:, :-1]
    return [
        [Found(int(i), int(i) + FORE - int(once[i])) for i in np.flatnonzero(once | then)]
        for once, then in zip(at_once, later, strict=True)
    ]


def _all_t(series: Floats, limit: float) -> tuple[Floats, Floats]:
    """For each run, with all runs from it on that count, and with one fewer."""
    count, runs = series.shape
    t, soon = np.zeros(series.shape), np.zeros(series.shape)
    calm = np.zeros(count, dtype=int)
    for i in range(1, runs):
        back = np.minimum(np.clip(calm, BACK, MOST_BACK), i)
        before = _back(series, i, back)
        t[:, i] = _t(before, back, series[:, i : i + FORE])
        soon[:, i] = _t(before, back, series[:, i : min(i + FORE - 1, runs)])
        calm = np.where(t[:, i] > limit, 0, calm + 1)
    return t, soon


def _back(series: Floats, i: int, back: NDArray[np.int_]) -> Floats:
    """The runs before i, the nearest first; NaN beyond those that count."""
    window = series[:, max(0, i - MOST_BACK) : i][:, ::-1]
    return np.where(np.arange(window.shape[1]) < back[:, None], window, np.nan)


def _t(before: Floats, back: NDArray[np.int_], after: Floats) -> Floats:
    size = after.shape[1]
    mean_before, error_before = _weighted(before, back)
    mean_after, error_after = _weighted(after, np.full(len(after), size))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean_after - mean_before) / np.sqrt(error_before + error_after)
    return np.asarray(np.nan_to_num(t, nan=0.0))


def _weighted(values: Floats, count: NDArray[np.int_]) -> tuple[Floats, Floats]:
    """Mean with weights that fall in a line, and the square of its error as Perfherder has it."""
    weights = np.clip(1.0 - np.arange(values.shape[1]) / count[:, None], 0.0, None)
    mean = np.nansum(weights * values, axis=1) / weights.sum(axis=1)
    variance = np.nansum((values - mean[:, None]) ** 2, axis=1) / np.maximum(count - 1, 1)
    return mean, variance / count
