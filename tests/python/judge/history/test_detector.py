"""One series looked at run by run: what becomes a candidate, and what does not."""

import msgspec
import numpy as np
import pytest
from histories import NOISES, SCATTER, Floats, drifting, moved_hosts, stepping, still, values_of

from assay.errors import InputError
from assay.judge.history.detector import (
    FALSE_A_YEAR,
    Candidate,
    DetectorState,
    state_after_run,
    state_after_runs,
)

AT = 182


def found(values: Floats) -> tuple[Candidate, ...]:
    return state_after_runs(DetectorState(), values)[1]


@pytest.mark.parametrize("kind", NOISES)
def test_a_year_without_a_change_hardly_ever_has_a_candidate(kind: str) -> None:
    series = 100
    told = sum(len(found(row)) for row in still(kind, series, seed=11))
    assert told <= 2.5 * FALSE_A_YEAR * series  # of 5 expected at most, 13 come once in 1,000 times


@pytest.mark.parametrize("kind", ["normal", "t, 3 degrees"])
def test_a_step_of_two_deviations_is_seen_within_eight_runs(kind: str) -> None:
    seen = [
        any(AT <= one.seen_at < AT + 8 for one in found(row))
        for row in stepping(kind, 100, seed=12, step=2.0)
    ]
    assert np.mean(seen) >= 0.84


def test_a_candidate_says_where_and_how_large() -> None:
    (one,) = found(stepping("normal", 1, seed=130, step=6.0)[0])
    assert one.first <= AT <= one.last
    assert one.last - one.first < 4
    assert one.ratio > 1.0
    assert one.certainty > 0.99


def test_a_large_step_down_is_seen_after_few_runs() -> None:
    values = 1.0 / stepping("normal", 1, seed=14, step=20.0)[0]
    (one,) = found(values)
    assert one.seen_at <= AT + 3
    assert one.split == AT
    assert one.ratio < 1.0


def test_one_by_one_is_the_same_as_all_at_once() -> None:
    values = np.concatenate(list(stepping("t, 3 degrees", 3, seed=15, step=4.0)))
    state, one_by_one = DetectorState(), []
    for value in values:
        state, candidate = state_after_run(state, float(value))
        one_by_one += [candidate] if candidate else []
    whole, together = state_after_runs(DetectorState(), values)
    assert len(together) >= 3
    assert tuple(one_by_one) == together
    assert state == whole


def test_in_uneven_pieces_too() -> None:
    values = stepping("normal", 1, seed=16, step=3.0)[0]
    state, pieces = DetectorState(), []
    for piece in np.split(values, [1, 30, 31, 100, 185, 186]):
        state, more = state_after_runs(state, piece)
        pieces += more
    assert pieces
    assert tuple(pieces) == found(values)


def test_a_state_can_be_kept_as_json_between_two_runs() -> None:
    values = stepping("normal", 1, seed=17, step=3.0)[0]
    state, kept = DetectorState(), []
    for value in values:
        state, candidate = state_after_run(state, float(value))
        state = msgspec.json.decode(msgspec.json.encode(state), type=DetectorState)
        kept += [candidate] if candidate else []
    assert kept
    assert tuple(kept) == found(values)


def test_a_state_stays_small_however_long_the_series() -> None:
    state, _ = state_after_runs(
        DetectorState(), values_of(np.random.default_rng(18).standard_normal(5_000))
    )
    assert len(state.values) + len(state.memory) <= 1_024
    assert len(msgspec.json.encode(state)) < 25_000


def test_the_unit_makes_no_difference() -> None:
    for row in stepping("normal", 5, seed=19, step=3.0):
        there, here = found(row), found(row * 1024.0)
        assert there
        assert [(a.seen_at, a.split) for a in there] == [(b.seen_at, b.split) for b in here]
        assert [a.ratio for a in there] == pytest.approx([b.ratio for b in here])


def test_nor_does_the_size_of_the_noise() -> None:
    """Logarithms times 3 are the same change in the same noise."""
    for row in stepping("normal", 5, seed=20, step=3.0):
        there, here = found(row), found(row**3.0)
        assert there
        assert [(a.seen_at, a.split) for a in there] == [(b.seen_at, b.split) for b in here]


def test_nor_whether_smaller_is_better() -> None:
    for row in stepping("normal", 5, seed=21, step=3.0):
        up, down = found(row), found(1.0 / row)
        assert up
        assert [(a.seen_at, a.split) for a in up] == [(b.seen_at, b.split) for b in down]
        assert [1.0 / a.ratio for a in up] == pytest.approx([b.ratio for b in down])


def test_another_host_begins_anew_without_a_candidate() -> None:
    values, hosts = moved_hosts("normal", 20, seed=22)
    told: list[Candidate] = []
    for row in values:
        state = DetectorState()
        for name in ("a", "b", "c"):
            state, found_there = state_after_runs(
                state, row[[host == name for host in hosts]], name
            )
            told += found_there
        assert (state.host, state.start) >= ("c", 240)
    assert len(told) <= 3


def test_unlabelled_the_same_move_is_a_candidate() -> None:
    values, _ = moved_hosts("normal", 20, seed=22)
    assert all(found(row) for row in values)


def test_a_drift_is_hardly_ever_told_as_a_step() -> None:
    told = [len(found(row)) for row in drifting("normal", 60, seed=23, drift=5.0)]
    assert np.mean(told) <= 0.2


@pytest.mark.parametrize(("at", "runs"), [(15, 59), (20, 59), (30, 59), (40, 59)])
def test_a_large_step_in_few_runs_does_not_pass_for_autocorrelation(at: int, runs: int) -> None:
    rows = stepping("normal", 40, seed=26, step=6.0, at=at, runs=runs)
    assert sum(any(abs(one.split - at) <= 1 for one in found(row)) for row in rows) >= 38


def test_under_autocorrelation_steps_are_told_from_what_each_run_has_beyond_it() -> None:
    told = [
        any(AT <= one.seen_at < AT + 24 for one in found(row))
        for row in stepping("AR(1) 0.5", 100, seed=27, step=2.0)
    ]
    assert np.mean(told) >= 0.74


def test_a_count_that_never_varied_is_told_at_once() -> None:
    (one,) = found(np.array([9.0] * 40 + [8.0] * 3))
    assert (one.split, one.first, one.last) == (40, 40, 40)
    assert one.seen_at <= 41
    assert one.ratio == pytest.approx(8 / 9)


def test_a_count_of_zero_may_rise() -> None:
    (one,) = found(np.array([0.0] * 40 + [3.0] * 3))
    assert one.split == 40


def test_runs_before_noise_is_known_tell_nothing() -> None:
    assert found(np.array([1.0] * 10 + [2.0] * 10)) == ()


def test_two_steps_are_two_candidates() -> None:
    noise = np.random.default_rng(24).standard_normal(300)
    noise[100:] += 4.0
    noise[200:] -= 6.0
    assert [
        abs(one.split - at) <= 2
        for one, at in zip(found(values_of(noise)), (100, 200), strict=True)
    ] == [True, True]


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_what_is_no_measurement_is_refused(value: float) -> None:
    with pytest.raises(InputError, match="not negative"):
        state_after_run(DetectorState(), value)


def test_no_runs_change_nothing() -> None:
    assert state_after_runs(DetectorState(), []) == (DetectorState(), ())


def test_scatter_is_what_the_ratio_is_made_of() -> None:
    (one,) = found(stepping("normal", 1, seed=25, step=5.0)[0])
    assert one.ratio == pytest.approx(np.exp(5.0 * SCATTER), rel=0.04)
