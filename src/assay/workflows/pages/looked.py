"""One benchmark with all its runs, for its page.

    looked = page_of_benchmark(catalogue, survey, folder, page="1f2e...")

Its history comes from the survey. If runs were stored since then, it is judged again, because a
page must not show levels that belong to other runs than it draws.
"""

from collections.abc import Sequence

from assay.record.store.catalogue import Catalogue
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import Folder
from assay.survey import (
    BenchmarkOnHost,
    BenchmarkOnHosts,
    FoundChange,
    SeriesKey,
    SeriesOnHost,
    Survey,
)
from assay.workflows.history.trends import by_host
from assay.workflows.pages.survey import BySeries, found_change, kept_history_of, triages_by_series

_FAMILY = 300  # at most so many benchmarks with a common beginning of their names are listed


def page_of_benchmark(
    catalogue: Catalogue, survey: Survey, folder: Folder, page: str
) -> BenchmarkOnHosts | None:
    """A benchmark's page with all its runs; None if there is no such page."""
    ours = [one for one in survey.watched if one.page == page]
    if not ours:
        return None
    number = catalogue.series(*ours[0].key[:3])
    points = by_host(catalogue.points(number)) if number is not None else ()
    there, known = {one.key.host: one for one in ours}, Confirmations(folder).all()
    hosts = []
    for host, of_host in points:
        key = SeriesKey(*ours[0].key[:3], host)
        kept = there[host].kept if host in there else None
        watched = SeriesOnHost(key, kept_history_of(key, of_host, known, kept))
        hosts.append(
            BenchmarkOnHost(
                watched, of_host, _found_changes(watched, survey.found, triages_by_series(folder))
            )
        )
    return BenchmarkOnHosts(
        tuple(hosts), _metrics(survey, ours[0].key), _family(survey, ours[0].key)
    )


def _found_changes(
    watched: SeriesOnHost, known: Sequence[FoundChange], said: BySeries
) -> tuple[FoundChange, ...]:
    alert = {one.change.split: one.alert for one in known if one.watched.key == watched.key}
    changes = watched.kept.history.changes
    return tuple(
        found_change(watched, number, alert.get(change.split, 0), said)
        for number, change in enumerate(changes)
    )


def _metrics(survey: Survey, key: SeriesKey) -> tuple[SeriesOnHost, ...]:
    """A benchmark's histories on one host, one for each metric."""
    return tuple(
        one
        for one in survey.watched
        if one.key.benchmark == key.benchmark and one.key.host == key.host
    )


def _family(survey: Survey, key: SeriesKey) -> tuple[SeriesOnHost, ...]:
    """Benchmarks whose names are equal up to the first "/", with the same metric and host."""
    stem, slash, _ = key.benchmark.partition("/")
    if not slash:
        return ()
    found = [
        one
        for one in survey.watched
        if one.key[1:] == key[1:] and one.key.benchmark.startswith(f"{stem}/")
    ]
    return tuple(found[:_FAMILY]) if len(found) > 1 else ()
