"""Runs far beyond all that was seen are a change, whatever their echo."""

import numpy as np
import pytest
from histories import NOISES, values_of

from assay.judge.history.detector import DetectorState, state_after_runs
from assay.judge.history.far import evidence_of_far_runs

RUNS, AT = 60, 40


def two_levels() -> np.ndarray:
    """Runs that lie on one of two levels for some runs each: autocorrelated, as on real hosts."""
    rng = np.random.default_rng(29)
    modes = np.repeat(rng.permutation([0.0, 1.0] * 10), 4)[:RUNS]
    return 10.0 * modes + rng.standard_normal(RUNS)


def test_a_level_far_beyond_both_modes_is_told_after_five_runs() -> None:
    noise = two_levels()
    noise[AT:] += 100.0
    (candidate,) = state_after_runs(DetectorState(), values_of(noise))[1]
    assert candidate.split == AT
    assert candidate.seen_at == AT + 4


@pytest.mark.parametrize("runs", [1, 4])
def test_a_short_spell_is_none(runs: int) -> None:
    residuals = two_levels()
    residuals[AT : AT + runs] += 100.0
    assert not evidence_of_far_runs(residuals, 24, scale=5.0).any()


def test_nor_is_one_on_both_sides() -> None:
    residuals = two_levels()
    residuals[AT:] = 100.0 * (-1.0) ** np.arange(RUNS - AT)
    assert not evidence_of_far_runs(residuals, 24, scale=5.0).any()


def test_some_wild_runs_before_do_not_hide_it() -> None:
    residuals = np.zeros(RUNS)
    residuals[[10, 30]] = 80.0
    residuals[AT:] = 50.0
    assert np.flatnonzero(evidence_of_far_runs(residuals, 24, scale=1.0))[0] == AT + 4 - 24


def test_few_runs_before_are_too_few_to_be_sure() -> None:
    residuals = np.array([0.1] * 4 + [50.0] * 5)
    assert 0.0 < evidence_of_far_runs(residuals, 0, scale=0.1).max() < 7.5


@pytest.mark.parametrize("kind", NOISES)
def test_noise_that_does_not_change_is_never_far(kind: str) -> None:
    rows = NOISES[kind].make(np.random.default_rng(30), (50, 365))
    around = rows - np.median(rows, axis=1)[:, None]
    scales = 1.4826 * np.median(np.abs(around), axis=1)
    told = [
        evidence_of_far_runs(row, 24, float(scale)).any()
        for row, scale in zip(around, scales, strict=True)
    ]
    assert not any(told)


def far_after(*residuals: float, before: int = 20, scale: float = 0.125) -> list[float]:
    """The evidence at runs after some that lie one scale off in turn."""
    quiet = [scale * (-1.0) ** number for number in range(before)]
    return evidence_of_far_runs(np.array([*quiet, *residuals]), before, scale).tolist()


def test_the_evidence_is_in_how_many_ways_five_runs_can_be_the_farthest() -> None:
    """Of 25 runs there are 53,130 choices of five, and of 26 there are 65,780."""
    told = far_after(*[50.0] * 7)
    assert told == pytest.approx([0.0] * 4 + [np.log(53_130), np.log(65_780), 0.0])
    assert far_after(*[-50.0] * 5) == pytest.approx([0.0] * 4 + [np.log(53_130)])


def test_far_is_three_times_the_scale_and_what_was_seen_but_for_one_run_in_twenty() -> None:
    assert far_after(*[0.375] * 5)[-1] > 0.0
    assert far_after(0.375, 0.375, 0.374, 0.375, 0.375)[-1] == 0.0
    assert far_after(5.0, *[-0.125] * 4, *[0.375] * 5)[-1] > 0.0
    assert far_after(*[5.0, -5.0] * 2, *[0.375] * 5)[-1] == 0.0
    assert far_after(1.0, *[0.375] * 5, before=18)[-1] == 0.0, "of 19 runs none is left out"


def test_without_runs_before_nothing_is_far() -> None:
    assert evidence_of_far_runs(np.full(6, 50.0), 0, scale=1.0).tolist() == [0.0] * 6
    assert evidence_of_far_runs(np.array([]), 0, scale=1.0).tolist() == []
    quiet = np.array([0.0, *[50.0] * 5])
    assert evidence_of_far_runs(quiet, 5, scale=1.0).tolist() == pytest.approx([np.log(6)])
    assert evidence_of_far_runs(quiet, 6, scale=1.0).tolist() == []
