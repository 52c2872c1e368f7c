"""Where the runs of two segments part."""

import math

import numpy as np
import pytest
from histories import autocorrelated

from assay.judge.history.noise import Floats, noise_of
from assay.judge.history.place import _likelihoods, likely_first_runs, ratio_of

NOISE = noise_of(np.random.default_rng(81).standard_normal(500))


def runs(step: float, seed: int = 82) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal(100)
    made[60:] += step
    return made


def test_a_large_step_lies_at_one_run() -> None:
    assert likely_first_runs(runs(12.0), 58, NOISE) == (60, 60, 60)


def test_a_smaller_one_in_a_wider_range() -> None:
    widths = []
    for step in (4.0, 2.0, 1.0):
        ranges = [likely_first_runs(runs(step, seed), 60, NOISE) for seed in range(40)]
        widths.append(np.mean([last - first for _, first, last in ranges]))
        assert np.mean([first <= 60 <= last for _, first, last in ranges]) >= 0.9
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_backwards_it_is_the_same_place() -> None:
    for seed in range(20):
        there = likely_first_runs(runs(3.0, seed), 60, NOISE)
        back = likely_first_runs(runs(3.0, seed)[::-1], 40, NOISE)
        assert there == (100 - back[0], 100 - back[2], 100 - back[1])


def test_a_ratio_to_zero_is_infinite() -> None:
    assert ratio_of(1_000.0) == math.inf
    assert ratio_of(math.log(1.5)) == pytest.approx(1.5)


def plain_likelihood(scores: Floats, split: int, autocorrelation: float) -> float:
    """By how much two levels explain the runs better than one, by least squares."""

    def alone(runs: Floats) -> Floats:
        first = runs[:1] * math.sqrt(1.0 - autocorrelation * autocorrelation)
        return np.concatenate((first, runs[1:] - autocorrelation * runs[:-1]))

    def left(*design: Floats) -> float:
        columns = np.stack([alone(one) for one in design], axis=1)
        best = np.linalg.lstsq(columns, alone(scores), rcond=None)[0]
        return float(((alone(scores) - columns @ best) ** 2).sum())

    one, new = np.ones(len(scores)), (np.arange(len(scores)) >= split).astype(float)
    return 0.5 * (left(one) - left(one, new)) / (1.0 - autocorrelation * autocorrelation)


@pytest.mark.parametrize("autocorrelation", [0.0, 0.5, 0.8])
def test_a_place_is_as_likely_as_least_squares_have_it(autocorrelation: float) -> None:
    scores = np.random.default_rng(83).standard_normal(30)
    plain = [plain_likelihood(scores, split, autocorrelation) for split in range(1, 30)]
    assert _likelihoods(scores, autocorrelation) == pytest.approx(np.array(plain))


def test_beside_autocorrelation_the_first_run_of_a_level_tells_the_place() -> None:
    """The mean of the runs knew it to seven runs, and has no use for where the jump is."""
    made = autocorrelated(0.5)(np.random.default_rng(84), (100, 100))
    noise = noise_of(autocorrelated(0.5)(np.random.default_rng(85), (1, 1_000))[0])
    made[:, 60:] += 3.0 * 0.75**-0.5
    found = [likely_first_runs(row, 60, noise) for row in made]
    assert np.mean([first <= 60 <= last for _, first, last in found]) >= 0.95
    assert np.mean([last - first for _, first, last in found]) < 3.0


def test_a_ratio_is_finite_as_long_as_a_float_is() -> None:
    assert ratio_of(699.0) == math.exp(699.0)
    assert ratio_of(-1_000.0) == 0.0
