import re

import numpy as np
from judging import NOISES, rounds_from, rounds_of, settings

from assay.judge.look import look
from assay.model import Pair
from assay.show.words.remarks import remarks


def notes(pair: Pair) -> str:
    return " | ".join(remarks(look([pair], settings())[0].notes))


def test_quiet_rounds_leave_nothing_to_say() -> None:
    rng = np.random.default_rng(1)
    said = [notes(rounds_from(0.01 * rng.standard_normal(60))) for _ in range(100)]
    assert sum(bool(one) for one in said) <= 4


def test_autocorrelation_is_told() -> None:
    d = 0.01 * NOISES["AR(1) 0.3"](np.random.default_rng(2), (1, 400))[0]
    assert "not independent" in notes(rounds_from(d))
    assert "widened" in notes(rounds_from(d))


def test_a_drifting_effect_is_told_with_its_size() -> None:
    d = 0.01 * np.random.default_rng(3).standard_normal(80) + np.linspace(0.0, 0.06, 80)
    assert "drifts: +3." in notes(rounds_from(d))


def test_whoever_runs_second_being_slower_is_told() -> None:
    rng = np.random.default_rng(4)
    swing = np.where(np.arange(60) % 2 == 0, 0.03, -0.03)  # base is first in even rounds
    said = notes(rounds_from(0.005 * rng.standard_normal(60) + swing))
    assert re.search(r"second is (2\.9|3\.0)% slower", said)


def test_two_modes_are_told() -> None:
    rng = np.random.default_rng(5)
    modes = 0.2 * rng.integers(0, 2, 60)
    assert "two groups" in notes(rounds_from(0.01 * rng.standard_normal(60) + modes))


def test_dropped_rounds_are_told() -> None:
    pair = rounds_of([(1.0,)] * 20, [(1.0,)] * 20)
    dropped = Pair(pair.base, pair.candidate, pair.design, pair.base_first, dropped_rounds=3)
    assert "3 rounds dropped" in notes(dropped)
