"""One benchmark with all its runs, for its page.

    looked = looked_at(catalogue, survey, folder, page="1f2e...")

Its history comes from the survey. If runs were stored since then, it is judged again, because a
page must not show levels that belong to other runs than it draws.
"""

from collections.abc import Sequence

from assay.record.store.catalogue import Catalogue
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import Folder
from assay.survey import Found, Key, Looked, OnHost, Survey, Watched
from assay.workflows.history.trends import by_host
from assay.workflows.pages.survey import BySeries, found_of, kept_of, said_of

_FAMILY = 300  # members that are listed at most


def looked_at(catalogue: Catalogue, survey: Survey, folder: Folder, page: str) -> Looked | None:
    """A benchmark's page with all its runs; None if there is no such page."""
    ours = [one for one in survey.watched if one.page == page]
    if not ours:
        return None
    number = catalogue.series(*ours[0].key[:3])
    points = by_host(catalogue.points(number)) if number is not None else ()
    there, known = {one.key.host: one for one in ours}, Confirmations(folder).all()
    hosts = []
    for host, of_host in points:
        key = Key(*ours[0].key[:3], host)
        kept = there[host].kept if host in there else None
        watched = Watched(key, kept_of(key, of_host, known, kept))
        hosts.append(OnHost(watched, of_host, _found(watched, survey.found, said_of(folder))))
    return Looked(tuple(hosts), _metrics(survey, ours[0].key), _family(survey, ours[0].key))


def _found(watched: Watched, known: Sequence[Found], said: BySeries) -> tuple[Found, ...]:
    alert = {one.change.split: one.alert for one in known if one.watched.key == watched.key}
    changes = watched.kept.history.changes
    return tuple(
        found_of(watched, number, alert.get(change.split, 0), said)
        for number, change in enumerate(changes)
    )


def _metrics(survey: Survey, key: Key) -> tuple[Watched, ...]:
    """A benchmark's histories on one host, one for each metric."""
    return tuple(
        one
        for one in survey.watched
        if one.key.benchmark == key.benchmark and one.key.host == key.host
    )


def _family(survey: Survey, key: Key) -> tuple[Watched, ...]:
    """Benchmarks with the same name up to the first "/", in this metric on this host."""
    stem, slash, _ = key.benchmark.partition("/")
    if not slash:
        return ()
    found = [
        one
        for one in survey.watched
        if one.key[1:] == key[1:] and one.key.benchmark.startswith(f"{stem}/")
    ]
    return tuple(found[:_FAMILY]) if len(found) > 1 else ()
