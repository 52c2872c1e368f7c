"""Sentences on alerts of a history."""

import msgspec
import pytest

from assay.history import (
    Alert,
    Between,
    Change,
    Confirmation,
    History,
    Now,
    Point,
    Segment,
    SeriesChange,
    SeriesName,
    Trend,
)
from assay.show.words import history

CHANGE = Change(seen_at=2, split=1, first=1, last=1, ratio=1.1, low=1.05, high=1.15, certainty=0.99)
SEEN = History(
    runs=2,
    now=Now(level=1.1, low=None, high=None),
    lacking=0,
    segments=(),
    changes=(CHANGE,),
    false_candidates_a_year=0.05,
)
BUILT, DIRTY = Between("a" * 40, "b" * 40), Between("a" * 40, "b" * 40 + "-dirty")


def point(run: str, time_s: float) -> Point:
    return Point(run, time_s, "host", "suite", "", "", 1.0, 1.0, 1.0, 3)


def changed(metric: str = "real_time", state: str = "") -> SeriesChange:
    series = SeriesName(1, "BM_a", metric, "ns")
    trend = Trend(series, "host", (point("r1", 0.0), point("r2", 86_400.0)), SEEN)
    found = Confirmation(
        benchmark="BM_a", metric=metric, host="host", before="a", after="b", state=state,
        change=0.1, low=0.08, high=0.12, rounds=40,
    )  # fmt: skip
    return SeriesChange(trend, CHANGE, found if state else None)


def first_line(between: Between, *some: SeriesChange) -> str:
    return history.alert_lines(Alert(between, some, 0.99))[0]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("confirmed", "confirmed by paired rounds"),
        (
            "placement",
            "no change of yours: both revisions execute the same machine code, placed elsewhere",
        ),
        ("undecided", "a candidate, paired rounds of both revisions could not tell"),
        ("not reproduced", "a candidate, not reproduced by paired rounds of both revisions"),
        ("", "a candidate, not measured again yet: assay history --confirm"),
    ],
)
def test_how_sure_an_alert_is(state: str, said: str) -> None:
    where = "after aaaaaaaaaa, at bbbbbbbbbb at the latest"
    assert first_line(BUILT, changed(state=state)) == f"1 benchmark worse {where}; {said}"


def test_what_cannot_be_built_cannot_be_measured_again() -> None:
    assert first_line(DIRTY, changed()) == (
        "1 benchmark worse after aaaaaaaaaa, at bbbbbbbbbb-dirty at the latest; "
        "a candidate; it cannot be measured again without two committed revisions"
    )
    assert first_line(DIRTY, changed(state="undecided")).endswith(
        "; a candidate, paired rounds of both revisions could not tell"
    )


def test_without_a_revision_the_runs_are_named() -> None:
    assert first_line(Between("", "b"), changed()) == (
        "1 benchmark worse between run r1 (1970-01-01 00:00) and run r2 (1970-01-02 00:00); "
        "a candidate; it cannot be measured again without two committed revisions"
    )
    assert first_line(Between("a" * 40, "a" * 40), changed()).startswith(
        "1 benchmark worse at aaaaaaaaaa, between two runs of one revision; "
    )


def test_benchmarks_that_went_different_ways_changed() -> None:
    better = changed("items_per_second")
    assert first_line(BUILT, better).startswith("1 benchmark better ")
    assert first_line(BUILT, changed(), better).startswith("2 benchmarks changed ")


def test_five_benchmarks_are_named_and_the_others_counted() -> None:
    told = history.alert_lines(Alert(BUILT, (changed(),) * 7, 0.99))
    assert len(told) == 1 + 5 + 2
    assert told[-2:] == ["and 2 more", "which commit: assay bisect aaaaaaaaaa bbbbbbbbbb"]
    assert len(history.alert_lines(Alert(DIRTY, (changed(),) * 5, 0.99))) == 1 + 5


def test_the_headline_counts_what_is_confirmed_and_what_waits() -> None:
    sure, waiting = (Alert(BUILT, (changed(state=one),), 0.99) for one in ("confirmed", ""))
    assert history.headline([]) == "No confirmed change."
    assert history.headline([sure]) == "1 change confirmed."
    assert history.headline([sure, sure, waiting]) == (
        "2 changes confirmed; 1 candidate to be measured again."
    )


def test_the_columns_say_how_often_nothing_is_a_candidate() -> None:
    assert history.meaning_of_columns([changed().trend]) == (
        "now: the level at the newest run, with an interval that holds it in 95 of 100 cases; "
        "of 20 benchmarks that never change, about 1 a year becomes a candidate"
    )


@pytest.mark.parametrize(
    ("lacking", "changes", "drift", "said"),
    [
        (0, 0, 1.0, "none"),
        (0, 2, 1.0, "2"),
        (0, 1, 1.1, "1, drifts"),
        (0, 0, 0.9, "none, drifts"),
        (4, 0, 1.0, "2 of 6 runs"),
        (4, 1, 1.0, "1"),
    ],
)
def test_how_many_changes_there_are(lacking: int, changes: int, drift: float, said: str) -> None:
    segment = Segment(first=0, last=1, level=1.0, low=1.0, high=1.0, host="host", drift=drift)
    found = msgspec.structs.replace(
        SEEN, lacking=lacking, changes=(CHANGE,) * changes, segments=(segment,)
    )
    assert history.changes(found) == said
