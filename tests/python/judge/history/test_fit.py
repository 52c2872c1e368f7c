"""Level, drift and noise of a segment."""

import msgspec
import numpy as np
import pytest
from histories import autocorrelated

from assay.judge.history.fit import FEWEST, fit_segment, level_of, line_fit, step_over_line
from assay.judge.history.noise import Floats, noise_of

NONE: Floats = np.array([])


def runs(count: int, *, drift: float = 0.0, seed: int = 71) -> Floats:
    return np.random.default_rng(seed).standard_normal(count) + np.linspace(0.0, drift, count)


def test_too_few_runs_give_no_fit() -> None:
    assert fit_segment(runs(FEWEST - 1), NONE) is None
    assert fit_segment(runs(FEWEST), NONE) is not None


def test_what_is_remembered_of_earlier_segments_counts() -> None:
    fit = fit_segment(runs(5) + 100.0, runs(100, seed=72))
    assert fit is not None
    assert fit.level == pytest.approx(100.0, abs=2.0)
    assert fit.noise.scale == pytest.approx(1.0, rel=0.3)


def test_the_newest_runs_do_not_count() -> None:
    calm = runs(60)
    wild = calm.copy()
    wild[-8:] += 50.0
    assert fit_segment(calm, NONE) == fit_segment(wild, NONE)


def test_a_drift_is_drawn_as_a_line() -> None:
    fit = fit_segment(runs(200, drift=5.0), NONE)
    assert fit is not None
    assert 200.0 * fit.slope == pytest.approx(5.0, rel=0.25)
    assert fit.worth < 1.0
    assert abs(fit.residuals(runs(200, drift=5.0))[-30:].mean()) < 0.7


def test_a_step_is_not_drawn_as_a_line() -> None:
    values = runs(200)
    values[100:] += 3.0
    fit = fit_segment(values, NONE)
    assert fit is not None
    assert fit.slope == 0.0
    assert fit.worth == 1.0


def test_a_step_beats_a_line_and_a_line_a_step() -> None:
    noise = noise_of(runs(200))
    stepping = runs(200)
    stepping[120:] += 3.0
    assert step_over_line(stepping, 120, noise)[0] > 10.0
    assert step_over_line(runs(200, drift=5.0), 100, noise)[0] < 0.0


def test_a_step_is_seen_beside_a_drift() -> None:
    values = runs(200, drift=5.0)
    values[150:] += 5.0
    assert step_over_line(values, 150, noise_of(runs(200)))[1] > 10.0


def test_wild_runs_hardly_move_a_level_or_a_line() -> None:
    values = runs(200)
    values[::20] += 1_000.0
    noise = noise_of(runs(200))
    assert abs(level_of(values, noise)) < 0.6
    assert abs(line_fit(values, NONE, noise).slope) < 0.01


@pytest.mark.parametrize("at", [20, 30, 70])
def test_a_step_that_was_not_told_is_taken_out_of_the_noise(at: int) -> None:
    values = runs(100)
    values[at:] += 6.0
    fit = fit_segment(values, NONE)
    assert fit is not None
    assert fit.noise.scale == pytest.approx(1.0, rel=0.3)
    assert fit.noise.autocorrelation < 0.3


def test_autocorrelation_is_not_taken_for_a_step() -> None:
    made = autocorrelated(0.7)(np.random.default_rng(73), (50, 100))
    fits = [fit_segment(row, NONE) for row in made]
    assert np.median([fit.noise.autocorrelation for fit in fits if fit]) > 0.5


def test_a_step_beside_autocorrelation_is_told_from_a_line() -> None:
    """Less so than in noise without one, but not by all that the mean of the runs would lose."""
    values = autocorrelated(0.5)(np.random.default_rng(74), (1, 200))[0]
    noise = noise_of(values)
    values[120:] += 3.0
    without = msgspec.structs.replace(noise, autocorrelation=0.0)
    shown, most = step_over_line(values, 120, noise)[0], step_over_line(values, 120, without)[0]
    assert 4.0 < shown < most
