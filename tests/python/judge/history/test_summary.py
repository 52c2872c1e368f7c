"""A whole history: segments with their levels, changes with their places, drift."""

import numpy as np
import pytest
from histories import LEVEL, SCATTER, drifting, moved_hosts, stepping, still, values_of, years

from assay.history import Candidate
from assay.judge.history.detector import DetectorState, state_after_runs
from assay.judge.history.stretch import RunStretch
from assay.judge.history.summary import judge_history

AT = 182


def test_segments_lie_side_by_side_and_cover_all_runs() -> None:
    histories = [judge_history(year.values) for year in years("normal", 30, seed=31)]
    assert max(len(one.segments) for one in histories) >= 3
    for one in histories:
        assert len(one.segments) == len(one.changes) + 1
        assert one.segments[0].first == 0
        assert one.segments[-1].last == one.runs - 1 == 364
        for left, right in zip(one.segments, one.segments[1:], strict=False):
            assert right.first == left.last + 1


def test_places_of_close_changes_are_where_segments_begin() -> None:
    """Places were reckoned once more than cuts: two changes could lie at the same run."""
    noise = np.random.default_rng(19).standard_normal(230)
    noise[150:170] -= 3.0
    told = [
        Candidate(seen_at=at, split=split, first=150, last=160, ratio=0.94, certainty=0.99)
        for at, split in ((158, 152), (159, 154))
    ]
    stretch = RunStretch(np.log(values_of(noise)), told)
    splits = [one.split for one in stretch.changes()]
    assert splits == [one.first for one in stretch.segments()][1:]
    assert splits[0] < splits[1]


def test_a_segment_begins_where_its_change_likeliest_lies() -> None:
    (change,) = judge_history(stepping("normal", 1, seed=32, step=3.0)[0]).changes
    assert change.first <= change.split <= change.last
    assert (
        judge_history(stepping("normal", 1, seed=32, step=3.0)[0]).segments[1].first == change.split
    )


def test_every_candidate_is_a_change() -> None:
    for year in years("t, 3 degrees", 20, seed=33):
        told = [one.seen_at for one in state_after_runs(DetectorState(), year.values)[1]]
        assert [one.seen_at for one in judge_history(year.values).changes] == told


@pytest.mark.parametrize("kind", ["normal", "t, 3 degrees", "AR(1) 0.5"])
def test_the_range_of_places_holds_the_true_one(kind: str) -> None:
    rows = stepping(kind, 80, seed=34, step=3.0)
    changes = [judge_history(row).changes for row in rows]
    near = [one for told in changes for one in told if abs(one.split - AT) < 30]
    assert len(near) >= 60
    assert np.mean([one.first <= AT <= one.last for one in near]) >= 0.9


@pytest.mark.parametrize("kind", ["normal", "t, 3 degrees", "AR(1) 0.5"])
def test_the_interval_of_a_level_holds_the_true_one(kind: str) -> None:
    whole = [judge_history(row).segments for row in still(kind, 100, seed=35)]
    alone = [one[0] for one in whole if len(one) == 1 and one[0].drift == 1.0]
    assert len(alone) >= 80
    assert np.mean([one.low <= LEVEL <= one.high for one in alone]) >= 0.87
    assert np.median([one.high / one.low for one in alone]) < np.exp(SCATTER)


def test_the_interval_of_a_size_holds_the_true_one() -> None:
    told = [
        one
        for row in stepping("normal", 100, seed=36, step=3.0)
        for one in judge_history(row).changes
    ]
    assert len(told) >= 90
    assert np.mean([one.low <= np.exp(3.0 * SCATTER) <= one.high for one in told]) >= 0.85


def test_the_same_series_backwards_has_the_same_levels() -> None:
    row = stepping("normal", 1, seed=37, step=5.0, at=120, runs=240)[0]
    there, back = judge_history(row), judge_history(row[::-1])
    assert len(there.changes) == len(back.changes) == 1
    assert there.changes[0].split == 240 - back.changes[0].split
    assert [one.level for one in there.segments] == pytest.approx(
        [one.level for one in back.segments][::-1]
    )


@pytest.mark.parametrize("drift", [6.0, 16.0])
def test_a_drift_is_told_as_one(drift: float) -> None:
    told = [judge_history(row) for row in drifting("normal", 30, seed=38, drift=drift)]
    assert np.mean([one.drifts for one in told]) >= 0.9
    steady = [one.segments[0].drift for one in told if len(one.segments) == 1]
    assert len(steady) >= 20
    assert np.median(steady) == pytest.approx(np.exp(drift * SCATTER), rel=0.03)


def test_what_does_not_drift_is_not_told_to() -> None:
    assert np.mean([judge_history(row).drifts for row in still("normal", 60, seed=39)]) <= 0.1


def test_a_change_of_host_begins_a_segment_and_is_no_change() -> None:
    values, hosts = moved_hosts("normal", 1, seed=40)
    one = judge_history(values[0], hosts)
    assert one.changes == ()
    assert [(s.first, s.last, s.host) for s in one.segments] == [
        (0, 119, "a"),
        (120, 239, "b"),
        (240, 364, "c"),
    ]


def test_places_are_counted_from_the_first_run_of_the_series() -> None:
    noise = np.random.default_rng(41).standard_normal(200)
    noise[150:] += 8.0
    hosts = ["a"] * 80 + ["b"] * 120
    (change,) = judge_history(values_of(noise), hosts).changes
    assert (change.split, change.first, change.last) == (150, 150, 150)


def test_a_level_of_zero_is_zero() -> None:
    one = judge_history([0.0] * 40 + [6.0] * 30)
    assert [s.level for s in one.segments] == pytest.approx([0.0, 6.0])
    assert one.segments[0].low == one.segments[0].high == 0.0


@pytest.mark.parametrize("runs", [0, 1, 2, 3])
def test_few_runs_are_a_history_too(runs: int) -> None:
    one = judge_history([5.0] * runs)
    assert one.runs == runs
    assert one.changes == ()
    assert [s.level for s in one.segments] == pytest.approx([5.0] * min(runs, 1))


def test_the_rate_of_false_candidates_is_told() -> None:
    assert judge_history([1.0] * 5).false_candidates_a_year == 0.05


def test_a_change_lies_no_later_than_it_was_told() -> None:
    """A larger step, of which nothing was told: once the change was put there."""
    noise = np.random.default_rng(38).standard_normal(400)
    noise[100:] += 0.8
    noise[200:] += 3.0
    told = Candidate(seen_at=106, split=100, first=98, last=102, ratio=1.04, certainty=0.99)
    (change,) = RunStretch(np.log(values_of(noise)), [told]).changes()
    assert change.split <= 106
    assert change.first <= change.split <= change.last <= 106
