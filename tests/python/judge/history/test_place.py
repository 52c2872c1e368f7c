"""Where the runs of two segments part."""

import math

import numpy as np
import pytest

from assay.judge.history.noise import noise_of
from assay.judge.history.place import places, ratio_of

NOISE = noise_of(np.random.default_rng(81).standard_normal(500))


def runs(step: float, seed: int = 82) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal(100)
    made[60:] += step
    return made


def test_a_large_step_lies_at_one_run() -> None:
    assert places(runs(12.0), 58, NOISE) == (60, 60, 60)


def test_a_smaller_one_in_a_wider_range() -> None:
    widths = []
    for step in (4.0, 2.0, 1.0):
        ranges = [places(runs(step, seed), 60, NOISE) for seed in range(40)]
        widths.append(np.mean([last - first for _, first, last in ranges]))
        assert np.mean([first <= 60 <= last for _, first, last in ranges]) >= 0.9
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_backwards_it_is_the_same_place() -> None:
    for seed in range(20):
        there = places(runs(3.0, seed), 60, NOISE)
        back = places(runs(3.0, seed)[::-1], 40, NOISE)
        assert there == (100 - back[0], 100 - back[2], 100 - back[1])


def test_a_ratio_to_zero_is_infinite() -> None:
    assert ratio_of(1_000.0) == math.inf
    assert ratio_of(math.log(1.5)) == pytest.approx(1.5)
