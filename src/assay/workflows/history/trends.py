"""The trend of each series in a store: its points, and the judge's history of them.

    found = trends(catalogue, TrendQuery("^BM_copy", ("real_time",)))
    found[0].history.changes

A series is one metric of one benchmark on one class of host. Sides of comparisons without a known
revision are left out, because their place in the history is unknown.
"""

from collections.abc import Iterator, Sequence

import msgspec

from assay.errors import NoBenchmarksError
from assay.history import Point, SeriesName, Trend
from assay.judge.history.summary import judge_history
from assay.record.store.catalogue import Catalogue
from assay.workflows.common.matching import compiled


class TrendQuery(msgspec.Struct, frozen=True):
    """Which series of a store are asked for: benchmarks, metrics, hosts."""

    pattern: str = ""  # a regular expression for benchmarks
    metrics: tuple[str, ...] = ("real_time",)
    host: str = ""  # a regular expression for classes of host


def trends(catalogue: Catalogue, asked: TrendQuery) -> list[Trend]:
    """Trends by benchmark, then host. Raises `UsageError`, or `NoBenchmarksError` for none."""
    names, hosts = compiled(asked.pattern, "RE"), compiled(asked.host, "--host")
    found = [
        trend_of(series, host, points)
        for series in catalogue.names()
        if series.metric in asked.metrics and names.search(series.benchmark)
        for host, points in by_host(catalogue.points(series.number))
        if hosts.search(host)
    ]
    if not found:
        where = f"{asked.pattern or 'all benchmarks'}, {' '.join(asked.metrics)}"
        hint = "`assay runs` lists what there is; --metric asks for another metric"
        raise NoBenchmarksError("no run of this", where=where, hint=hint)
    return found


def by_host(points: Sequence[Point]) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """The points grouped by class of host.

    Points from comparisons are left out if their revision is unknown, as they have no place in a
    history.
    """
    parts: dict[str, list[Point]] = {}
    for point in points:
        if not point.side or point.revision:
            parts.setdefault(point.host, []).append(point)
    for host in sorted(parts):
        yield host, tuple(parts[host])


def trend_of(series: SeriesName, host: str, points: tuple[Point, ...]) -> Trend:
    """The trend of one series on one host: its points, with levels and changes by the judge."""
    return Trend(series, host, points, judge_history([point.value for point in points]))
