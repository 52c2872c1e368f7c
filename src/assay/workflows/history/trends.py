"""The trend of each series in a store: its points, and what the judge says of them.

    found = trends(catalogue, Asked("^BM_copy", ("real_time",)))
    found[0].history.changes

A series is one metric of one benchmark on one class of host. Sides of comparisons that are of
no known revision are left out: nobody knows where in a history they belong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.errors import NoBenchmarksError
from assay.history import Point, SeriesName, Trend
from assay.judge.history.summary import judged
from assay.record.store.catalogue import Catalogue
from assay.workflows.common.matching import compiled


@dataclass(frozen=True)
class Asked:
    """Which series."""

    pattern: str = ""  # benchmarks whose name matches
    metrics: tuple[str, ...] = ("real_time",)
    host: str = ""  # classes of host whose name matches


def trends(catalogue: Catalogue, asked: Asked) -> list[Trend]:
    """By benchmark, then host. Raises `UsageError`, and `NoBenchmarksError` when none matches."""
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
    """The points of each class of host, without those that have no place in a history."""
    parts: dict[str, list[Point]] = {}
    for point in points:
        if not point.side or point.revision:
            parts.setdefault(point.host, []).append(point)
    for host in sorted(parts):
        yield host, tuple(parts[host])


def trend_of(series: SeriesName, host: str, points: tuple[Point, ...]) -> Trend:
    """Judged."""
    return Trend(series, host, points, judged([point.value for point in points]))
