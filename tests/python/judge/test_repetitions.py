import numpy as np
import pytest

from assay.judge.repetitions import cheapest_repetitions, noise_by_repetitions

ROUNDS = 200


def launches(seed: int, between: float, within: float) -> list[tuple[float, ...]]:
    """Fifteen samples a launch: one deviation common to the launch, one of each sample."""
    random = np.random.default_rng(seed)
    level = 100.0 * np.exp(random.normal(0, between, size=(ROUNDS, 1)))
    samples = level * np.exp(random.normal(0, within, size=(ROUNDS, 15)))
    return [tuple(launch) for launch in samples]


def noise(between: float, within: float) -> dict[int, float]:
    return noise_by_repetitions(
        launches(1, between, within), launches(2, between, within), "real_time", (15, 5, 1)
    )


def test_a_noise_of_the_launch_is_not_averaged_away() -> None:
    found = noise(between=0.02, within=0.0)
    assert found[15] == pytest.approx(found[1])
    assert found[15] == pytest.approx(0.02 * 2**0.5, rel=0.15)


def test_a_noise_of_the_samples_is() -> None:
    found = noise(between=0.0, within=0.02)
    assert found[15] < 0.5 * found[1]


def test_where_launches_differ_and_set_up_is_dear_one_repetition_is_best() -> None:
    cost = {15: 15.1, 5: 5.1, 1: 1.1}
    assert cheapest_repetitions(noise(between=0.02, within=0.002), cost, 15) == 1


def test_where_samples_differ_and_are_cheap_all_stay() -> None:
    cost = {15: 0.030, 5: 0.025, 1: 0.023}
    assert cheapest_repetitions(noise(between=0.0, within=0.02), cost, 15) == 15


def test_a_small_gain_changes_nothing() -> None:
    assert cheapest_repetitions({15: 1.0, 8: 1.0}, {15: 1.0, 8: 0.9}, 15) == 15
    assert cheapest_repetitions({15: 1.0, 8: 1.0}, {15: 1.0, 8: 0.8}, 15) == 8
    assert cheapest_repetitions({15: 0.0, 8: 0.0}, {15: 1.0, 8: 0.5}, 15) == 15


def test_the_level_itself_is_no_noise() -> None:
    """The deviation is taken from the median: a candidate twice as slow is no noisier."""
    base = launches(1, 0.01, 0.0)
    slower = [tuple(2.0 * value for value in launch) for launch in launches(2, 0.01, 0.0)]
    found = noise_by_repetitions(base, slower, "real_time", (1,))
    assert found[1] == pytest.approx(0.01 * 2**0.5, rel=0.2)


def test_another_number_must_gain_more_than_15_percent() -> None:
    assert cheapest_repetitions({15: 1.0, 8: 1.0}, {15: 1.0, 8: 0.86}, 15) == 15
    assert cheapest_repetitions({15: 1.0, 8: 1.0}, {15: 1.0, 8: 0.84}, 15) == 8
    assert cheapest_repetitions({15: 2.0, 8: 1.0}, {15: 1.0, 8: 3.3}, 15) == 8  # noise counts twice
    assert cheapest_repetitions({15: 2.0, 8: 1.0}, {15: 1.0, 8: 3.5}, 15) == 15
    assert cheapest_repetitions({15: 1.0, 8: 1.0, 5: 1.0}, {15: 1.0, 8: 0.5, 5: 0.5}, 15) == 8


def test_a_wild_launch_counts_as_three_deviations() -> None:
    """Of ten ratios the seven that are 1 % off make a deviation of 1.4826 %."""
    ratios = [-0.01] * 4 + [0.0] * 2 + [0.01] * 3 + [1.0]
    base = [(100.0,)] * 10
    candidate = [(100.0 * float(np.exp(one)),) for one in ratios]
    expected = ((7 * 0.01**2 + (3 * 0.014826) ** 2) / 10) ** 0.5
    assert noise_by_repetitions(base, candidate, "real_time", (1,))[1] == pytest.approx(expected)
