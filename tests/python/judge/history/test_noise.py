"""What is learnt of the variation between runs."""

import numpy as np
import pytest
from histories import NOISES, autocorrelated

from assay.judge.history.noise import (
    CUTS,
    DIFFERENCES,
    RunNoise,
    autocorrelation_of,
    inflation,
    noise_of,
    scores_of,
)

LONG = (1, 20_000)


def learnt(kind: str) -> RunNoise:
    return noise_of(NOISES[kind].make(np.random.default_rng(51), LONG)[0])


def test_normal_runs_are_known_by_their_deviation() -> None:
    noise = learnt("normal")
    assert noise.scale == pytest.approx(1.0, rel=0.06)
    assert noise.variance == pytest.approx(1.0, rel=0.12)
    assert noise.autocorrelation < 0.03


def test_wild_runs_are_cut_closer() -> None:
    assert learnt("t, 2 degrees").cut < learnt("normal").cut


def test_wild_runs_hardly_move_the_scale() -> None:
    assert learnt("5 % of runs 10 x as wild").scale == pytest.approx(1.05, rel=0.08)


def test_scores_are_cut() -> None:
    noise = learnt("normal")
    assert scores_of(np.array([-1e9, 1e9]), noise).tolist() == [-noise.cut, noise.cut]
    assert noise.cut in CUTS


def test_autocorrelation_is_found_and_chance_is_none() -> None:
    assert 0.42 < learnt("AR(1) 0.5").autocorrelation < 0.6
    rng = np.random.default_rng(52)
    beliefs = [noise_of(rng.standard_normal(150)).autocorrelation for _ in range(100)]
    assert np.mean(np.array(beliefs) > 0.0) < 0.35


@pytest.mark.parametrize(("autocorrelation", "errors"), [(0.2, 1.0), (0.7, 0.0)])
def test_a_small_autocorrelation_gets_a_standard_error_on_top(
    autocorrelation: float, errors: float
) -> None:
    runs = 400
    scores = autocorrelated(autocorrelation)(np.random.default_rng(54), (1, runs))[0]
    seen = float(scores[1:] @ scores[:-1] / (scores @ scores))
    margin = autocorrelation_of(scores) - seen
    assert margin * np.sqrt(runs) == pytest.approx(errors, abs=0.2)


@pytest.mark.parametrize("kind", NOISES)
def test_the_rate_is_never_above_that_of_normal_scores(kind: str) -> None:
    noise = learnt(kind)
    rate = np.array(noise.rate)
    assert (rate <= DIFFERENCES**2 / (2.0 * noise.variance) + 1e-12).all()
    assert rate[DIFFERENCES == 0.0] == pytest.approx(0.0, abs=1e-9)
    assert (np.diff(rate[DIFFERENCES >= 0.0]) >= 0.0).all()


def test_towards_a_second_mode_a_difference_is_less_sure() -> None:
    rate = np.array(learnt("modes 90:10, 6 apart").rate)
    assert np.interp(1.5, DIFFERENCES, rate) < 0.95 * np.interp(-1.5, DIFFERENCES, rate)


@pytest.mark.parametrize("runs", [1, 4, 25])
def test_the_inflation_is_that_of_a_mean_of_ar_runs(runs: int) -> None:
    made = autocorrelated(0.5)(np.random.default_rng(53), (40_000, runs))
    alone = made.var() / runs
    told = float(inflation(np.array([float(runs)]), 0.5)[0])
    assert made.mean(axis=1).var() / alone == pytest.approx(told, rel=0.05)


def test_equal_runs_have_a_scale_above_zero() -> None:
    noise = noise_of(np.zeros(30))
    assert noise.scale > 0.0
    assert np.isfinite(noise.rate).all()


def test_mostly_equal_runs_too() -> None:
    assert noise_of(np.array([0.0] * 28 + [0.5, -0.5])).scale > 1e-3


def signs(runs: int, changes: int) -> np.ndarray:
    """Scores of 1 and -1 that change their sign so often: their lag-1 sum is the runs less one,
    less two for each change."""
    made = np.ones(runs)
    made[:changes] = (-1.0) ** np.arange(changes, 0, -1)
    return made


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (45, 0.0),  # one standard error, 0.1 of 100 runs, is taken for none
        (44, 0.2 * (0.12 * 1.03 + 0.1)),
        (42, 0.6 * (0.16 * 1.03 + 0.1)),
        (35, 0.30 * 1.03 + 0.1),  # from two standard errors on all of it, with one on top
        (28, 0.44 * 1.03 + 0.044),  # of which less is added from 0.3 on
        (20, 0.60 * 1.03),  # and none from 0.55 on
        (1, 0.95),
    ],
)
def test_how_much_autocorrelation_is_believed(changes: int, told: float) -> None:
    """Of 100 runs: 0.99 less 0.02 for each change of sign, and 0.01 for the bias."""
    assert autocorrelation_of(signs(100, changes)) == pytest.approx(told, abs=1e-12)


def test_three_runs_and_runs_without_scatter_have_no_autocorrelation() -> None:
    assert autocorrelation_of(np.ones(3)) == 0.0
    assert autocorrelation_of(np.zeros(50)) == 0.0
    assert autocorrelation_of(signs(100, 99)) == 0.0


def test_the_inflation_of_two_and_three_runs_is_counted_by_hand() -> None:
    """Each two runs are correlated by 0.5, and the outer ones of three by 0.25."""
    told = inflation(np.array([1.0, 2.0, 3.0]), 0.5)
    assert told.tolist() == pytest.approx([1.0, 1.5, 1.0 + 2.0 * (2.0 * 0.5 + 0.25) / 3.0])
    assert inflation(np.array([1.0, 9.0]), 0.0).tolist() == [1.0, 1.0]


def test_the_noise_of_runs_that_lie_one_off_in_turn_is_counted_by_hand() -> None:
    noise = noise_of((-1.0) ** np.arange(100))
    assert noise.scale == pytest.approx(1.4826)
    assert noise.variance == pytest.approx(100 / 99 / 1.4826**2)
    assert (noise.cut, noise.autocorrelation, noise.runs) == (3.5, 0.0, 100)
    one = noise_of(np.array([1.0]))
    assert (one.variance, one.runs) == (0.3, 1)


def test_the_noise_is_that_of_the_newest_two_thousand_runs() -> None:
    calm = np.random.default_rng(55).standard_normal(2_048)
    assert noise_of(np.concatenate((np.full(500, 90.0), calm))) == noise_of(calm)


def test_where_most_runs_are_equal_the_scale_is_the_mean_distance() -> None:
    assert noise_of(np.array([0.0] * 28 + [0.6, -0.9])).scale == pytest.approx(1.5 / 30)
