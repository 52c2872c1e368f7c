"""A survey of a whole store for pages: every series, judged when runs are stored.

    survey = survey_of_store(Path(".assay"), tell)

Judging 5,000 series of 200 runs takes a minute or two, so the results are kept beside the
catalogue. The next survey judges only series that a new run has points of, and reads no points of
others. Nothing is judged when somebody opens a page.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from assay.answers import AnswerHead
from assay.history import Confirmation, Point, RunRow, SeriesName
from assay.record.store.answers import Answers
from assay.record.store.catalogue import Catalogue
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import Folder
from assay.record.store.histories import Histories
from assay.record.store.searches import Searches
from assay.record.store.triages import Triages
from assay.show.words.sparkline import sparkline
from assay.survey import FoundChange, SeriesKey, SeriesOnHost, SeriesSummary, Survey, Triage
from assay.units import metric as lookup
from assay.workflows.history.alerting import ChangeEnds, confirmation_of, groups_by_common_cause
from assay.workflows.history.trends import by_host, trend_of
from assay.workflows.store import Tell, catalogue_of, no_progress

# Series are saved in batches of this size; if the survey is killed, one batch is judged again.
_BATCH = 200
_MANY_RUNS = 400  # if more runs than this are new, every series is checked, which is then quicker


BySeries = Mapping[tuple[str, str, str], Sequence[Triage]]


def survey_of_store(root: Path, tell: Tell = no_progress) -> Survey:
    """The survey of a store; `InputError` without one. `tell` gets the number of judged series."""
    folder = Folder.opened(root)
    known = Confirmations(folder).all()
    with catalogue_of(folder) as catalogue, Histories(folder) as histories:
        kept = _updated_histories(catalogue, histories, known, tell)
        runs = tuple(catalogue.runs())
        conditions, notes = tuple(catalogue.conditions()), tuple(catalogue.notes())
        crashes = tuple(catalogue.crashes())
    watched = tuple(SeriesOnHost(key, kept[key]) for key in sorted(kept))
    found = _found_changes(watched, triages_by_series(folder))
    return Survey(
        runs,
        folder.labels(),
        watched,
        found,
        answers=_answers(folder, runs),
        conditions=conditions,
        notes=notes,
        searches=tuple(Searches(folder).all()),
        crashes=crashes,
    )


def _answers(folder: Folder, runs: Sequence[RunRow]) -> tuple[AnswerHead, ...]:
    """Answers of `assay why` about runs that the store still has."""
    there = {row.run for row in runs}
    heads = Answers(folder).heads()
    return tuple(one for one in heads if one.base in there and one.candidate in there)


def triages_by_series(folder: Folder) -> BySeries:
    """What people said about changes of level, by benchmark, metric and host."""
    said: dict[tuple[str, str, str], list[Triage]] = {}
    for one in Triages(folder).all():
        said.setdefault((one.benchmark, one.metric, one.host), []).append(one)
    return said


def with_current_triages(survey: Survey, root: Path) -> Survey:
    """The survey with the statements on changes (triage) that the store has by now."""
    return replace(
        survey, found=_found_changes(survey.watched, triages_by_series(Folder.opened(root)))
    )


def _updated_histories(
    catalogue: Catalogue, histories: Histories, known: Sequence[Confirmation], tell: Tell
) -> dict[SeriesKey, SeriesSummary]:
    names, runs, seen = catalogue.names(), catalogue.known_runs(), histories.runs()
    there = {series[1:] for series in names}
    kept = {key: one for key, one in histories.all().items() if key[:3] in there}
    waiting = _series_to_judge(catalogue, kept, seen, known)
    for start in range(0, len(waiting), _BATCH):
        batch = waiting[start : start + _BATCH]
        done = start + len(batch)
        made = _histories_of_batch(catalogue, batch, kept, known)
        ours = {series[1:] for series in batch}
        gone = [key for key in kept if key[:3] in ours and key not in made]
        new = {key: one for key, one in made.items() if kept.get(key) is not one}
        # The runs are noted as seen only when all series are judged, in case the survey is killed
        # before.
        histories.keep(new, gone, runs if done == len(waiting) else ())
        kept = {key: one for key, one in (kept | made).items() if key not in gone}
        tell(done, len(waiting))
    return kept


def _histories_of_batch(
    catalogue: Catalogue,
    batch: Sequence[SeriesName],
    kept: dict[SeriesKey, SeriesSummary],
    known: Sequence[Confirmation],
) -> dict[SeriesKey, SeriesSummary]:
    made: dict[SeriesKey, SeriesSummary] = {}
    for series in batch:
        made |= _histories_of_series(catalogue, series, kept, known)
    return made


def _series_to_judge(
    catalogue: Catalogue,
    kept: dict[SeriesKey, SeriesSummary],
    seen: set[str],
    known: Sequence[Confirmation],
) -> list[SeriesName]:
    """Series that may have changed since they were judged."""
    names = [one for one in catalogue.names() if lookup(one.metric).is_compared]
    runs = catalogue.known_runs()
    if seen - runs or len(runs - seen) > _MANY_RUNS or not kept:
        return names
    touched = {one for run in runs - seen for one in catalogue.series_of_run(run)}
    confirmed = {(one.benchmark, one.metric) for one in known}
    return [one for one in names if one in touched or (one.benchmark, one.metric) in confirmed]


def _histories_of_series(
    catalogue: Catalogue,
    series: SeriesName,
    kept: dict[SeriesKey, SeriesSummary],
    known: Sequence[Confirmation],
) -> dict[SeriesKey, SeriesSummary]:
    made = {}
    for host, points in by_host(catalogue.points(series.number)):
        key = SeriesKey(series.benchmark, series.metric, series.unit, host)
        made[key] = kept_history_of(key, points, known, kept.get(key))
    return made


def kept_history_of(
    key: SeriesKey,
    points: tuple[Point, ...],
    known: Sequence[Confirmation],
    there: SeriesSummary | None,
) -> SeriesSummary:
    """The kept history if it was made from these points and confirmations;
    else a newly judged one.
    """
    ours = [one for one in known if (one.benchmark, one.metric, one.host) == key_words(key)]
    mark = fingerprint(points, ours)
    return there if there and there.fingerprint == mark else _new_history(key, points, ours, mark)


def key_words(key: SeriesKey) -> tuple[str, str, str]:
    """Benchmark, metric and host: how confirmations and triage name a series."""
    return key.benchmark, key.metric, key.host


def _new_history(
    key: SeriesKey, points: tuple[Point, ...], known: Sequence[Confirmation], mark: str
) -> SeriesSummary:
    trend = trend_of(SeriesName(0, *key[:3]), key.host, points)
    changes = trend.history.changes
    return SeriesSummary(
        fingerprint=mark,
        history=trend.history,
        line=sparkline([point.value for point in points]),
        latest_s=points[-1].time_s,
        ends=tuple((trend.last_point_before(one), trend.first_point_after(one)) for one in changes),
        confirmations=tuple(confirmation_of(trend, one, known) for one in changes),
    )


def fingerprint(points: Sequence[Point], known: Sequence[Confirmation]) -> str:
    """A hash of everything that a history of these points depends on."""
    text = repr(([(p.run, p.side, p.time_s, p.value) for p in points], known))
    return hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()


def _found_changes(watched: Sequence[SeriesOnHost], said: BySeries) -> tuple[FoundChange, ...]:
    """Every change of level in these series, the most certain first, then the largest."""
    flat = [(one, number) for one in watched for number in range(len(one.kept.history.changes))]
    alert_of: dict[int, int] = {}
    groups = groups_by_common_cause([_ends(one, number) for one, number in flat])
    for number, members in enumerate(groups, 1):
        alert_of |= dict.fromkeys(members, number)
    found = [
        found_change(one, number, alert_of[place], said) for place, (one, number) in enumerate(flat)
    ]
    return tuple(sorted(found, key=_importance))


def _ends(one: SeriesOnHost, number: int) -> ChangeEnds:
    change = one.kept.history.changes[number]
    return ChangeEnds(*one.kept.ends[number], change.ratio, change.certainty)


def found_change(watched: SeriesOnHost, number: int, alert: int, said: BySeries) -> FoundChange:
    """One change of level in a series, with its confirmation and with what people said about it."""
    before, after = watched.kept.ends[number]
    of_series = said.get(key_words(watched.key), ())
    return FoundChange(
        watched=watched,
        change=watched.kept.history.changes[number],
        before=before,
        after=after,
        confirmation=watched.kept.confirmations[number],
        alert=alert,
        triage=next((one for one in of_series if _is_about_same_change(one, before, after)), None),
    )


def _is_about_same_change(said: Triage, before: Point, after: Point) -> bool:
    """Whether what somebody said is about the change between these two runs.

    Its ends may have moved a little since.
    """
    starts_before = (said.before_s, said.before) < (after.time_s, after.run)
    return starts_before and (before.time_s, before.run) < (said.after_s, said.after)


def _importance(one: FoundChange) -> tuple[float, float, SeriesKey]:
    size = max(one.change.ratio, 1 / max(one.change.ratio, 1e-300))
    return -round(one.change.certainty, 6), -size, one.watched.key
