"""A sweep as rows of the terminal's table, and of its charts.

    for figure in figures(content): figure.chart, figure.title, figure.rows

For each setting (mix, distribution, sizes) there are three charts with all plug-ins: throughput by
threads, latency percentiles, and throughput over time. The last two are at the largest number of
threads.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from assay.model import Sample, SweepPoint
from assay.show.content import Content, Curve
from assay.show.words import format

_ALL = "all"
_MOST_POINTS = 400  # at most so many points of a line over time, about one for each pixel


class Figure(msgspec.Struct, frozen=True):
    """One chart of a sweep, which the caller fills with the rows."""

    chart: str  # name of the function in `charts.labs` that makes this chart
    title: str
    rows: list[dict[str, Any]]


def figures(content: Content) -> list[Figure]:
    """The charts of a sweep, setting by setting; charts without rows are left out."""
    found = []
    for setting, points in settings_of(content.sweep).items():
        most = max(point.threads for point in points)
        shown = [point for point in points if point.threads == most]
        at = f"{format.name(setting)}, {format.count(most, 'thread')}"
        found += [
            Figure("threads", f"Throughput: {format.name(setting)}", thread_rows(points)),
            Figure("latencies", f"Latency, ns: {at}", latency_rows(shown, content.curves)),
            Figure("over_time", f"Throughput over time: {at}", time_rows(shown, content.samples)),
        ]
    return [figure for figure in found if figure.rows]


class Matrix(msgspec.Struct, frozen=True):
    """A table of the fastest plug-ins: a row for each mix of operations, a column
    for each number of threads.
    """

    titles: list[str]
    rows: list[tuple[str, list[str]]]


def matrix(points: Sequence[SweepPoint]) -> Matrix | None:
    """The fastest plug-ins; None if there is one setting and one number of threads only."""
    settings = settings_of(points)
    threads = sorted({point.threads for of_it in settings.values() for point in of_it})
    if len(settings) * len(threads) < 2:
        return None
    titles = [format.count(number, "thread") for number in threads]
    rows = [
        (format.name(setting), [_fastest(of_it, number) for number in threads])
        for setting, of_it in settings.items()
    ]
    return Matrix(titles, rows)


def _fastest(points: Sequence[SweepPoint], threads: int) -> str:
    """The fastest plug-in, and the next if there is one, such as 'hash 4M/s, 2.1 x tree'."""
    at = sorted((one for one in points if one.threads == threads), key=lambda one: -one.middle)
    if not at:
        return "-"
    rate = f"{format.name(at[0].plugin, 40)} {format.quantity(at[0].middle, '1').strip()}/s"
    if len(at) < 2 or at[1].middle <= 0:
        return rate
    return f"{rate}, {at[0].middle / at[1].middle:.3g} x {format.name(at[1].plugin, 40)}"


def settings_of(points: Sequence[SweepPoint]) -> dict[str, list[SweepPoint]]:
    """The results over all operations of a mix, grouped by setting; those of single
    operations are left out.
    """
    found: dict[str, list[SweepPoint]] = {}
    for point in points:
        if point.operation == _ALL:
            found.setdefault(point.setting, []).append(point)
    return found


def thread_rows(points: Sequence[SweepPoint]) -> list[dict[str, Any]]:
    """Data of the chart `threads`: throughput by number of threads."""
    return [
        {
            "threads": point.threads,
            "v": point.middle,
            "low": point.least,
            "high": point.most,
            "series": format.name(point.plugin, 40),
        }
        for point in points
    ]


def latency_rows(points: Sequence[SweepPoint], curves: Sequence[Curve]) -> list[dict[str, Any]]:
    """Rows of the chart `latencies`; a tail ends where there are too few values."""
    known = {curve.benchmark: curve for curve in curves}
    return [
        {"q": above, "v": value, "series": format.name(point.plugin, 40)}
        for point in points
        if point.benchmark in known
        for above, value in zip(
            known[point.benchmark].above, known[point.benchmark].values, strict=True
        )
        if above > 0 and value > 0
    ]


def time_rows(points: Sequence[SweepPoint], samples: Sequence[Sample]) -> list[dict[str, Any]]:
    """Rows of the chart `over_time`, from the first launch of each plug-in."""
    first: dict[str, Sample] = {}
    for sample in samples:
        first.setdefault(sample.benchmark, sample)
    return [
        {"t": t, "v": v, "series": format.name(point.plugin, 40)}
        for point in points
        for t, v in _thinned_windows(first.get(point.benchmark))
    ]


def _thinned_windows(sample: Sample | None) -> list[tuple[float, float]]:
    series = sample.series.get("throughput") if sample else None
    if not series:
        return []
    windows = whole_windows(series["t"], series["v"])
    if not windows:
        return []
    return [(0.0, windows[0][1]), *windows[:: max(1, -(-len(windows) // _MOST_POINTS))]]


def whole_windows(ends_s: Sequence[float], rates: Sequence[float]) -> list[tuple[float, float]]:
    """Each window's end and rate, without a last window that was cut short.

    A run ends within a window. What is left, perhaps microseconds, has a meaningless rate and would
    look like a standstill, so it is left out if it is less than half as long as the one before.
    """
    windows = list(zip(ends_s, rates, strict=True))
    if len(windows) < 2:
        return windows
    *_, first_s, before_last_s, last_s = 0.0, *ends_s
    is_short = last_s - before_last_s < (before_last_s - first_s) / 2
    return windows[:-1] if is_short else windows
