"""What the pages of a store say of its histories and of the changes in them."""

from collections.abc import Sequence

import pytest

from assay.history import Change, Confirmation, History, Now, Point
from assay.show.words import survey
from assay.survey import (
    FoundChange,
    SeriesKey,
    SeriesOnHost,
    SeriesSummary,
    Survey,
    Triage,
    TriageState,
)

BASE, CANDIDATE = "a" * 40, "b" * 40


def series(benchmark: str = "BM_a", metric: str = "real_time", unit: str = "ns") -> SeriesOnHost:
    history = History(
        runs=2,
        now=Now(level=1_500.0, low=1_400.0, high=1_600.0),
        segments=(),
        changes=(),
        false_candidates_a_year=0.05,
    )
    kept = SeriesSummary(
        fingerprint="", history=history, line="", latest_s=0.0, ends=(), confirmations=()
    )
    return SeriesOnHost(SeriesKey(benchmark, metric, unit, "host"), kept)


def point(revision: str, run: str = "20260701T120000Z-abc", time_s: float = 86_400.0) -> Point:
    return Point(run, time_s, "host", "suite", revision, "", 1.0, 1.0, 1.0, 3)


def found(
    watched: SeriesOnHost | None = None,
    before: str = BASE,
    after: str = CANDIDATE,
    *,
    state: str = "",
    ratio: float = 1.1,
) -> FoundChange:
    change = Change(
        seen_at=2, split=1, first=1, last=1, ratio=ratio, low=1.05, high=1.15, certainty=0.99
    )
    checked = Confirmation(
        benchmark="", metric="", host="", before="", after="", state=state, change=0.1
    )
    return FoundChange(
        watched or series(), change, point(before), point(after), checked if state else None, 1
    )


def surveyed(watched: Sequence[SeriesOnHost] = (), some: Sequence[FoundChange] = ()) -> Survey:
    return Survey(runs=(), labels={}, watched=tuple(watched), found=tuple(some))


ONE, OTHER = series(), series("BM_b")


@pytest.mark.parametrize(
    ("watched", "some", "said"),
    [
        ([], [], "No run is in this store yet."),
        ([ONE], [], "Of 1 history none has changed."),
        ([ONE, OTHER], [found(ONE)], "Of 2 histories 1 has changed."),
        ([ONE, OTHER], [found(ONE), found(ONE), found(OTHER)], "Of 2 histories 2 have changed."),
        (
            [ONE, series(unit="us")],
            [found(ONE), found(series(unit="us"))],
            "Of 1 history 1 has changed.",
        ),
    ],
)
def test_the_headline_counts_histories(
    watched: list[SeriesOnHost], some: list[FoundChange], said: str
) -> None:
    assert survey.headline(surveyed(watched, some)) == said


AGAIN = " A candidate is measured again, in rounds, by: assay history --confirm"


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ([], ()),
        (["confirmed"], ("1 change: 1 confirmed.",)),
        ([""], (f"1 change: 1 candidate.{AGAIN}",)),
        (
            ["", "", "placement", "placement", "placement", "not reproduced", "undecided"],
            (f"7 changes: 3 placement only, 2 candidates, 1 not reproduced, 1 undecided.{AGAIN}",),
        ),
        (["confirmed"] * 1_200, ("1,200 changes: 1,200 confirmed.",)),
    ],
)
def test_changes_are_counted_by_what_is_known_of_them(
    states: list[str], said: tuple[str, ...]
) -> None:
    assert survey.lines(surveyed([ONE], [found(state=one) for one in states])) == said


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("", "candidate"),
        ("confirmed", "confirmed"),
        ("not reproduced", "not reproduced"),
        ("placement", "placement only"),
        ("undecided", "undecided"),
    ],
)
def test_the_state_of_a_change(state: str, said: str) -> None:
    assert survey.state(found(state=state)) == said


@pytest.mark.parametrize(
    ("metric", "ratio", "said"),
    [
        ("real_time", 1.1, "worse"),
        ("real_time", 0.9, "better"),
        ("items_per_second", 1.1, "better"),
        ("my_counter", 1.1, "changed"),
    ],
)
def test_which_way_it_went(metric: str, ratio: float, said: str) -> None:
    assert survey.direction(found(series(metric=metric), ratio=ratio)) == said


def test_levels_and_intervals() -> None:
    assert survey.level(ONE) == "1.5 us"
    assert survey.level_interval(ONE) == "1.4 us .. 1.6 us"
    assert survey.interval(1.05, 1.15) == "+5.0 .. +15.0 %"
    assert survey.size(found(ratio=1.1)) == "+10.0 %"
    assert survey.date(86_399.0) == "1970-01-01"
    assert survey.date(86_400.0) == "1970-01-02"


@pytest.mark.parametrize(
    ("revision", "said"),
    [
        ("0123456789abcdef", "0123456789"),
        ("0123456789abcdef-dirty", "0123456789-dirty"),
        (f"v1-{'x' * 21}", f"v1-{'x' * 20}"),
        ("v1-2-3", "v1-2-3"),
        ("", ""),
    ],
)
def test_a_revision_is_short(revision: str, said: str) -> None:
    assert survey.revision(revision) == said


@pytest.mark.parametrize(
    ("before", "after", "between", "command"),
    [
        (BASE, CANDIDATE, "aaaaaaaaaa..bbbbbbbbbb", "assay bisect aaaaaaaaaa bbbbbbbbbb"),
        (BASE, BASE, "aaaaaaaaaa..aaaaaaaaaa", ""),
        (f"{BASE}-dirty", CANDIDATE, "aaaaaaaaaa-dirty..bbbbbbbbbb", ""),
        (BASE, f"{CANDIDATE}-dirty", "aaaaaaaaaa..bbbbbbbbbb-dirty", ""),
        ("", CANDIDATE, "20260701T120000..20260701T120000", ""),
        (BASE, "", "20260701T120000..20260701T120000", ""),
    ],
)
def test_between_what_a_change_lies_and_what_finds_its_commit(
    before: str, after: str, between: str, command: str
) -> None:
    one = found(before=before, after=after)
    assert survey.revisions_between(one) == between
    assert survey.bisect(one) == command


def test_an_alert_tells_the_largest_change_of_those_that_one_commit_explains() -> None:
    assert survey.alert([found()]) == (
        "1 worse between aaaaaaaaaa..bbbbbbbbbb (1970-01-02), as BM_a +10.0 %"
    )
    faster = found(series("b" * 61), ratio=0.7)
    assert survey.alert([found(), faster, found(series("BM_c"), ratio=1.2)]) == (
        "2 worse, 1 better between aaaaaaaaaa..bbbbbbbbbb (1970-01-02), as "
        f"{'b' * 29}…{'b' * 30} -30.0 %"
    )


@pytest.mark.parametrize(
    ("state", "note", "said"),
    [
        (TriageState.EXPECTED, "", "expected"),
        (TriageState.FIXED, "0123abc", "fixed by 0123abc"),
        (TriageState.TO_DO, "n" * 61, f"to do {'n' * 29}…{'n' * 30}"),
    ],
)
def test_what_a_user_decided(state: TriageState, note: str, said: str) -> None:
    decided = Triage(
        benchmark="", metric="", host="", before="", after="", before_s=0.0, after_s=0.0,
        state=state, note=note,
    )  # fmt: skip
    assert survey.triage(decided) == said
    assert survey.triage(None) == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.5, "50.0 %"),
        (0.9949, "99.4 %"),
        (0.998, "99.8 %"),
        (0.999, "99.90 %"),
        (0.9995, "99.95 %"),
        (0.9999, "99.990 %"),
        (0.99999, "99.9990 %"),
        (0.9999989, "99.9998 %"),
        (0.999999, "> 99.9999 %"),
        (1.0, "> 99.9999 %"),
    ],
)
def test_a_probability_is_never_rounded_up_to_a_hundred(value: float, said: str) -> None:
    assert survey.certainty(value) == said
