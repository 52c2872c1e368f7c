"""The evidence of windows is that of a plain computation."""

import msgspec
import numpy as np
import pytest
from histories import autocorrelated
from hypothesis import given
from hypothesis import strategies as st

from assay.judge.history.noise import Floats, inflation, noise_of, scores_of
from assay.judge.history.windows import (
    LENGTHS,
    _Windows,
    evidence,
    evidence_of_all_runs,
    evidence_of_each_split,
    evidence_of_splits,
    lowered_for_few_runs,
)

NOISE = noise_of(np.random.default_rng(61).standard_normal(4_000))


def test_normal_evidence_is_half_the_square_of_the_difference() -> None:
    shown = evidence_of_splits(np.array([1.0]), np.array([200]), np.array([8]), NOISE)
    assert shown[0] == pytest.approx(0.5 / NOISE.variance / (1 / 8 + 1 / 200), rel=0.05)


def test_few_runs_learnt_from_are_less_sure() -> None:
    few = noise_of(np.random.default_rng(62).standard_normal(40))
    shown = np.array([10.0])
    assert lowered_for_few_runs(shown, few)[0] < lowered_for_few_runs(shown, NOISE)[0] <= 10.0


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=60))
def test_the_profile_splits_into_two_means(values: list[float]) -> None:
    scores = np.array(values)
    places, shown = evidence_of_each_split(scores, NOISE)
    assert places.tolist() == list(range(1, len(scores)))
    for place, one in zip(places, shown, strict=True):
        difference = np.array([scores[place:].mean() - scores[:place].mean()])
        plain = evidence_of_splits(
            difference, np.array([place]), np.array([len(scores) - place]), NOISE
        )
        assert one == pytest.approx(plain[0], abs=1e-6)


def test_evidence_of_a_run_does_not_know_what_comes_later() -> None:
    scores = scores_of(np.random.default_rng(63).standard_normal(120), NOISE)
    whole = evidence(scores, 60, NOISE)
    cut = evidence(scores[:90], 60, NOISE)
    assert len(whole) == 60
    assert whole[:30] == pytest.approx(cut)


@pytest.mark.parametrize("autocorrelation", [0.0, 0.6])
@pytest.mark.parametrize("worth", [1.0, 0.25])
@pytest.mark.parametrize("runs", [60, 500])
def test_windows_left_out_are_those_that_show_too_little(
    autocorrelation: float, worth: float, runs: int
) -> None:
    rng = np.random.default_rng(65)
    noise = msgspec.structs.replace(
        noise_of(rng.standard_t(3, runs)), autocorrelation=autocorrelation
    )
    scores = scores_of(rng.standard_normal(400), noise)
    scores[300:] += 2.5
    whole = evidence(scores, 30, noise, worth)
    quick = evidence(scores, 30, noise, worth, least=7.0)
    enough = whole >= 7.0
    assert enough.any()
    assert quick[enough].tolist() == whole[enough].tolist()
    assert (quick == 0.0).any()
    assert ((quick == 0.0) | (quick == whole)).all()


def test_the_sign_of_a_step_makes_no_difference_where_noise_is_even() -> None:
    even = np.random.default_rng(64).standard_normal(300)
    noise = noise_of(np.concatenate((even, -even)))
    scores = scores_of(even[:80], noise)
    assert evidence(scores, 40, noise) == pytest.approx(evidence(-scores, 40, noise))


def test_a_window_needs_runs_before_it() -> None:
    assert evidence(np.full(1, 3.0), 0, NOISE).tolist() == [0.0]
    assert LENGTHS[0] == 1


def plain_step(runs: Floats, split: int, autocorrelation: float) -> float:
    """By least squares over what each run has beyond the share of the one before."""
    level = runs[:split].mean()
    own = (runs[split:] - level) - autocorrelation * (runs[split - 1 : -1] - level)
    design = np.array([1.0] + [1.0 - autocorrelation] * (len(runs) - split - 1))
    return float(design @ own / (design @ design))


@pytest.mark.parametrize("autocorrelation", [0.0, 0.5, 0.9])
def test_the_step_of_a_window_is_that_of_least_squares(autocorrelation: float) -> None:
    runs = np.random.default_rng(66).standard_normal(200)
    before = 200 - LENGTHS[None, :]
    found = _Windows(autocorrelation).steps(runs, before, np.array([[200]]))[0]
    assert found == pytest.approx([plain_step(runs, int(b), autocorrelation) for b in before[0]])


@pytest.mark.parametrize("autocorrelation", [0.0, 0.5, 0.8])
def test_a_step_varies_as_much_as_is_told(autocorrelation: float) -> None:
    made = autocorrelated(autocorrelation)(np.random.default_rng(67), (20_000, 60)) * np.sqrt(
        1.0 - autocorrelation**2
    )
    windows = _Windows(autocorrelation)
    for place in (0, 3, 10):
        split = 60 - int(LENGTHS[place])
        steps = [plain_step(row, split, autocorrelation) for row in made]
        level = inflation(np.array([float(split)]), autocorrelation) / split
        told = windows.variance_beside(np.full(len(LENGTHS), level))[place]
        assert np.var(steps) == pytest.approx(told, rel=0.06)


def test_with_autocorrelation_longer_windows_are_favoured() -> None:
    without, beside = _Windows(0.0).handicap, _Windows(0.5).handicap
    long = LENGTHS > 8
    assert (beside[long] <= without[long]).all()
    assert beside[LENGTHS == 22] < 0.5 < without[LENGTHS == 22]
    assert (beside[~long] == without[~long]).all()


def test_too_few_runs_show_nothing() -> None:
    assert evidence(np.array([0.0, 3.0]), 1, NOISE).tolist() == [0.0]


def of_all(autocorrelation: float = 0.0, cut: float = 3.5, runs: int = 120) -> float:
    """What is left of evidence of 10, by noise that was learnt from so many runs."""
    noise = msgspec.structs.replace(
        NOISE, autocorrelation=autocorrelation, cut=cut, runs=runs, variance=1.0
    )
    left = float(lowered_for_few_runs(np.array([10.0]), noise)[0])
    return left - evidence_of_all_runs(np.array([3.0, 10.0, 7.0]), noise)


def test_more_evidence_is_asked_for_where_the_noise_may_be_more_than_it_seems() -> None:
    """By 2.4 for the length of the windows, and by what decision 33 says of each doubt."""
    assert of_all() == pytest.approx(2.4)
    assert of_all(runs=240) == pytest.approx(2.4)
    assert of_all(runs=60) == pytest.approx(2.4 + 1.0)  # half of 2.0, at half of 120 runs
    assert of_all(cut=2.5) == pytest.approx(2.4 + 1.5)
    assert of_all(autocorrelation=0.5, runs=144) == pytest.approx(2.4 + 44.0 * 0.5 / 12.0)


def test_evidence_by_noise_of_few_runs_is_lowered_as_students_t_does() -> None:
    """Sixteen runs do not count, and four always do: n / 2 * ln(1 + 2 * 10 / n)."""
    for runs, freedom in ((40, 24), (116, 100), (20, 4), (3, 4)):
        noise = msgspec.structs.replace(NOISE, runs=runs)
        told = float(lowered_for_few_runs(np.array([10.0]), noise)[0])
        assert told == pytest.approx(0.5 * freedom * np.log1p(20.0 / freedom))


def test_a_difference_counts_by_the_runs_on_both_sides() -> None:
    noise = msgspec.structs.replace(NOISE, autocorrelation=0.0, rate=(2.0,) * len(NOISE.rate))
    sides = np.array([1, 4, 10]), np.array([1, 12, 40])
    shown = evidence_of_splits(np.zeros(3), *sides, noise)
    assert shown.tolist() == pytest.approx([2.0 / 2.0, 2.0 / (1 / 4 + 1 / 12), 2.0 / 0.125])
