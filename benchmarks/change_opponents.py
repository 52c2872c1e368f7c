"""How others find changes of a series: Apache Otava itself, and Perfherder's t-test rewritten.

Otava is no dependency: `pip install --no-deps apache-otava` puts it beside the scipy that the
tests need.
"""

import importlib
import importlib.util
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
WITH_OTAVA = importlib.util.find_spec("otava") is not None


class Found(NamedTuple):
    """A change, and the run after which it was told."""

    split: int
    seen_at: int


class Opponent(NamedTuple):
    """One way, and the strictness at which it gives this or that many false alarms."""

    name: str
    find: Callable[[Floats, float], list[list[Found]]]  # series, one a row
    strictness: tuple[float, ...]  # from loose to strict
    usual: float


def otava(series: Floats, p_value: float) -> list[list[Found]]:
    """As `otava analyze` does when the year is over."""
    compute_change_points = importlib.import_module("otava.analysis").compute_change_points
    found = []
    for row in series:
        changes, _ = compute_change_points(row.tolist(), window_len=50, max_pvalue=p_value)
        found.append([Found(int(one.index), len(row) - 1) for one in changes])
    return found


def otava_sees_after(series: Floats, p_value: float, at: int, runs: int) -> list[int]:
    """After how many runs of the new level it tells of a change near `at`, asked after each."""
    delays = []
    for row in series:
        seen = (n for n in range(1, runs + 1) if _near(otava(row[None, : at + n], p_value)[0], at))
        delays.append(next(seen, 10**6))
    return delays


def otava_false_live(series: Floats, p_value: float) -> float:
    """Share of still series of which it ever tells, asked after every fourth run about the last
    hundred: each question is another chance to be wrong."""
    ends = range(24, series.shape[1] + 1, 4)
    told = [any(otava(row[None, max(0, n - 100) : n], p_value)[0] for n in ends) for row in series]
    return float(np.mean(told))


def _near(found: list[Found], at: int) -> bool:
    return any(abs(one.split - at) <= 8 for one in found)


BACK, MOST_BACK, FORE = 12, 24, 12  # treeherder/perf/alerts: detect_changes


def perfherder(series: Floats, limit: float) -> list[list[Found]]:
    """Runs whose t is above the limit and not below that of either neighbour.

    t compares the 12 runs from this one on with the 12 before, or more of them (up to 24) the
    longer nothing was found; the nearer a run, the more it weighs in its mean.
    """
    count, runs = series.shape
    t = np.zeros(series.shape)
    calm = np.zeros(count, dtype=int)
    for i in range(1, runs):
        back = np.minimum(np.clip(calm, BACK, MOST_BACK), i)
        t[:, i] = _t(_back(series, i, back), back, series[:, i : i + FORE])
        calm = np.where(t[:, i] > limit, 0, calm + 1)
    told = t > limit
    told[:, 1:] &= t[:, :-1] <= t[:, 1:]
    told[:, :-1] &= t[:, 1:] <= t[:, :-1]
    told[:, :BACK] = False
    told[:, runs - FORE + 1 :] = False
    return [[Found(int(i), int(i) + FORE - 1) for i in np.flatnonzero(row)] for row in told]


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


OPPONENTS = (
    Opponent("Apache Otava", otava, tuple(10.0 ** -np.arange(2.0, 12.1, 0.5)), 1e-3),
    Opponent("Perfherder's t-test", perfherder, tuple(np.arange(3.0, 20.1, 0.25)), 7.0),
)
